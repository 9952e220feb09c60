import type { Command } from "commander"
import { repeat } from "./examples.ts"

/** The flags that say what a rate has to meet; `--service` is each command's own. */
export function addWishFlags(command: Command): Command {
  return command
    .option("--within <days>", "take only what arrives within so many days of the collection: 3d")
    .option("--arrive-by <time>", "take only what arrives by then: 2026-11-25, or with T12:00")
    .option("--max-price <amount>", "take nothing above this price, as quoted")
    .option(
      "--avoid <name>",
      "take no such service or carrier: GEN or A; or none, for all (repeatable)",
      repeat,
    )
}
