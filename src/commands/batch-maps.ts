import { command } from "../command.ts"
import { mapText } from "../config/maps.ts"
import { listSaved } from "../config/saved.ts"
import { savedThings } from "./shared/saved.ts"

const maps = savedThings({
  noun: "map",
  list: "maps",
  read: ({ config }) =>
    listSaved(config.read().maps).map(([name, saved]) => ({ name, flags: mapText(saved) })),
  columns: [
    { key: "name", title: "NAME" },
    { key: "flags", title: "FLAGS" },
  ],
  empty: "No map is saved. To save one: freight batch book orders.csv --map COLUMN=FIELD --save-map NAME",
})

export default command({
  about:
    "Lists the maps that `freight batch book --save-map` has saved: what columns mean, and the flags that go with them. All profiles share them.",
  flags: { remove: { takes: "<name>", about: "remove this one" } },
  columns: maps.columns,
  examples: ["freight batch maps", "freight batch maps --remove shopify"],
  run: (deps, { remove }) => (remove === undefined ? maps.printAll(deps) : maps.removeNamed(deps, [remove])),
})
