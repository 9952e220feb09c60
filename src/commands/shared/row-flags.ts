import type { Command } from "commander"
import { addWishFlags, allowPastOption, repeat } from "./flags.ts"

/** The flags that say what holds for every row that does not say otherwise. */
export function addRowFlags(command: Command): Command {
  command
    .option(
      "--map <column=field>",
      "use this column as that field; COLUMN= ignores the column (repeatable)",
      repeat,
    )
    .option("--save-map <name>", "save --map and the flags you always give under this name")
    .option("--use-map <name>", "use what was saved under this name; flags given here override it")
    .option("--ignore-unknown", "ignore unknown columns, without a note")
    .option("--sender <name|file>", "sender of rows without one: a saved address, or a FILE.json")
    .option("--collection <name|file>", "collection, the same way (the sender)")
    .option("--service <code>", "service of rows without one: a code, cheapest or fastest")
    .option("--connector <id>", "book with this carrier account only")
  return addWishFlags(command)
    .option(
      "--package <spec>",
      "packages of rows without measures: 2x40x30x20@5.5, or a saved package's name (repeatable)",
      repeat,
    )
    .option(
      "--packaging <code>",
      "packaging of rows without one: CT carton, BX box, SA satchel, PA pallet, …",
    )
    .option("--ready <time>", "ready for collection: 2026-11-23T10:00, or 10:00 where rows give the day")
    .option("--close <time>", "the premises close: 17:00")
    .addOption(allowPastOption())
    .option("--payer <who>", "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (sender)")
    .option("--instructions <text>", "special instructions for the driver")
    .option("--set <field=value>", "any other field, for every row without it (repeatable)", repeat)
}
