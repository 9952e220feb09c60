import { command, savedThings } from "../command/index.ts"
import { listMapSuppliers, listSaved, mapText } from "../machine/index.ts"

export const maps = savedThings({
  noun: "map",
  list: "maps",
  read: ({ config }) =>
    listSaved(config.read().maps).map(([name, saved]) => {
      const suppliers = new Map(listMapSuppliers(config)).get(name) ?? []
      return { name, flags: mapText(saved), suppliers: suppliers.join(", ") || null }
    }),
  columns: [
    { key: "name", title: "NAME" },
    { key: "flags", title: "FLAGS" },
    { key: "suppliers", title: "SUPPLIERS", hidden: true },
  ],
  empty: "No map is saved. To save one: freight batch book orders.csv --map COLUMN=FIELD --save-map NAME",
})

export default command({
  about:
    "Lists the maps that `--save-map` has saved for orders and bills: what columns mean, the flags that go with them, and the suppliers whose bills they are for. All profiles share them.",
  flags: { remove: { takes: "<name>", about: "remove this one" } },
  columns: maps.columns,
  examples: ["freight batch maps", "freight batch maps --remove shopify"],
  run: (deps, { remove }) => (remove === undefined ? maps.printAll(deps) : maps.removeNamed(deps, [remove])),
})
