import { toDetail } from "../booking/input.ts"
import { checkPackageName, parseSavedPackage } from "../config/packages.ts"
import { listSaved, saveUnderName } from "../config/saved.ts"
import type { Allowances } from "../contract/collection-times.ts"
import type { Package } from "../contract/generated/types.ts"
import { describeConversion, formatPackage, parsePackage } from "../contract/packages.ts"
import { checkDensity } from "../contract/request-rules.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { OldCommand } from "../command.ts"
import { askAboutDensity } from "./shared/density.ts"
import { allowDensityOption } from "./shared/flags.ts"
import { removeSaved } from "./shared/saved.ts"

interface Row {
  name: string
  lengthCm: number | null
  widthCm: number | null
  heightCm: number | null
  weightKg: number | null
}

export const list: OldCommand = {
  define: (command) => command.description("Lists the saved packages. All profiles share them."),
  examples: ["freight package list", "freight package list --format csv"],
  run: listPackages,
}

const columns: Column<Row>[] = [
  { key: "name", title: "NAME" },
  { key: "lengthCm", title: "LENGTH CM", align: "right" },
  { key: "widthCm", title: "WIDTH CM", align: "right" },
  { key: "heightCm", title: "HEIGHT CM", align: "right" },
  { key: "weightKg", title: "WEIGHT KG", align: "right" },
]

async function listPackages(deps: Deps): Promise<undefined> {
  const rows = listSaved(deps.config.read().packages).map(([name, size]): Row => {
    const read = parsePackage(size)
    // A file edited by hand may contain invalid sizes: they are reported when used.
    const { lengthCm = null, widthCm = null, heightCm = null, weightKg = null } = read.ok ? read.value : {}
    return { name, lengthCm, widthCm, heightCm, weightKg }
  })
  const empty = "No package is saved. To save one: freight package add small 30x20x10@2"
  await print(deps, { rows, columns, empty })
}

interface Options extends Allowances {
  replace?: boolean
}

export const add: OldCommand = {
  define: (command) =>
    command
      .description("Saves the size and weight of a package, to use it by name. All profiles share it.")
      .argument("<name>", "a name of your own")
      .argument("<size>", "length x width x height in cm @ weight in kg: 30x20x10@2")
      .option("--replace", "replace the saved package of that name")
      .addOption(allowDensityOption()),
  examples: ["freight package add small 30x20x10@2", "freight package add pallet 120x120x100@350 --replace"],
  run: addPackage,
}

async function addPackage(deps: Deps, name: string, text: string, options: Options): Promise<undefined> {
  checkPackageName(name)
  const line = parseSavedPackage(text)
  await askAboutDensity(deps, options, async () => refuseDensity(line, options))
  const converted = describeConversion(text, [line])
  if (converted !== undefined) await deps.note(`${converted}.`)
  await saveUnderName(deps.config, "packages", [name, formatPackage(line)], options)
  await deps.note(`Saved as '${name}': --package 3x${name} is three of them.`)
}

/** @throws FreightError `input` for a weight that does not fit the size */
function refuseDensity(line: Package, allowed: Allowances): void {
  const { errors } = checkDensity({ packages: [line] }, allowed)
  if (errors.length > 0)
    throw new FreightError("input", "the package is not saved", {
      errors: errors.map((each) => toDetail(each)),
    })
}

export const remove: OldCommand = {
  define: (command) =>
    command
      .description("Removes saved packages. Nothing is removed unless all of them exist.")
      .argument("<name...>", "packages, as freight package list shows them"),
  examples: ["freight package remove small"],
  run: removePackages,
}

async function removePackages(deps: Deps, names: string[]): Promise<undefined> {
  await removeSaved(deps, "packages", names)
}
