import type { Command } from "commander"
import { parsePackage } from "../contract/packages.ts"
import type { Deps } from "../deps.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

interface Row {
  name: string
  lengthCm: number | null
  widthCm: number | null
  heightCm: number | null
  weightKg: number | null
}

export function define(command: Command): void {
  command.description("Lists the saved packages. All profiles share them.")
}

export const examples = ["freight package list", "freight package list --format csv"]

const columns: Column<Row>[] = [
  { key: "name", title: "NAME" },
  { key: "lengthCm", title: "LENGTH CM", align: "right" },
  { key: "widthCm", title: "WIDTH CM", align: "right" },
  { key: "heightCm", title: "HEIGHT CM", align: "right" },
  { key: "weightKg", title: "WEIGHT KG", align: "right" },
]

export async function run({ config, terminal, output }: Deps): Promise<undefined> {
  const rows = Object.entries(config.read().packages)
    .map(([name, size]): Row => {
      const read = parsePackage(size)
      // A file edited by hand may contain invalid sizes: they are reported when used.
      const { lengthCm = null, widthCm = null, heightCm = null, weightKg = null } = read.ok ? read.value : {}
      return { name, lengthCm, widthCm, heightCm, weightKg }
    })
    .sort((one, other) => one.name.localeCompare(other.name))
  await print(
    { terminal, output },
    {
      rows,
      columns,
      empty: "No package is saved. To save one: freight package add small 30x20x10@2",
    },
  )
}
