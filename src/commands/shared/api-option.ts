import { Option } from "commander"
import { APIS } from "../../config/settings.ts"

/** `--api`, where a command can mean either or both. */
export function apiOption(
  meaning = "only this API: labels go through the first, PDF files through the second",
): Option {
  return new Option("--api <api>", meaning).choices(APIS)
}
