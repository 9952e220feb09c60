import type { Command } from "commander"
import { mapText } from "../config/maps.ts"
import { listSaved } from "../config/saved.ts"
import type { Deps } from "../deps.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import { removeSaved } from "./shared/saved.ts"

interface Row {
  name: string
  flags: string
}

export function define(command: Command): void {
  command
    .description(
      "Lists the maps that `freight batch book --save-map` has saved: what columns mean, and the flags that go with them. All profiles share them.",
    )
    .option("--remove <name>", "remove this one")
}

export const examples = ["freight batch maps", "freight batch maps --remove shopify"]

const columns: Column<Row>[] = [
  { key: "name", title: "NAME" },
  { key: "flags", title: "FLAGS" },
]

export async function run(deps: Deps, { remove }: { remove?: string }): Promise<undefined> {
  if (remove !== undefined) return void (await removeSaved(deps, "maps", [remove]))
  await print(deps, {
    rows: listSaved(deps.config.read().maps).map(([name, saved]): Row => ({ name, flags: mapText(saved) })),
    columns,
    empty: "No map is saved. To save one: freight batch book orders.csv --map COLUMN=FIELD --save-map NAME",
  })
}
