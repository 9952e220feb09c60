import { Option } from "commander"
import { APIS } from "../../config/settings.ts"

/** `--api`, where a command can mean either or both. */
export function apiOption(meaning = "only this API: freight prints labels, direct-print PDF files"): Option {
  return new Option("--api <api>", meaning).choices(APIS)
}
