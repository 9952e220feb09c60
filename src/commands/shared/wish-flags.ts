import type { Command } from "commander"
import { repeat } from "./examples.ts"

/** The flags that say what a rate has to meet; `--service` is each command's own. */
export function addWishFlags(command: Command): Command {
  return command
    .option("--within <days>", "only services that arrive within this many days of the collection: 3d")
    .option("--arrive-by <time>", "only services that arrive by then: 2026-11-25, or with T12:00")
    .option("--max-price <amount>", "only services up to this quoted price")
    .option(
      "--avoid <name>",
      "avoid this service or carrier: GEN or A; or none, to avoid nothing (repeatable)",
      repeat,
    )
}
