import { Option } from "commander"

/** The option of every command that sends a collection time. */
export function allowPastOption(): Option {
  return new Option(
    "--allow-past",
    "accept a collection time that has passed, or that closes before it is ready",
  )
}
