import { toDetail } from "../booking/input.ts"
import { command } from "../command.ts"
import { parseSavedPackage } from "../config/packages.ts"
import { checkNewName, listSaved } from "../config/saved.ts"
import type { Allowances } from "../contract/collection-times.ts"
import type { Package } from "../contract/generated/types.ts"
import { describeConversion, formatPackage, parsePackage } from "../contract/packages.ts"
import { checkDensity } from "../contract/request-rules.ts"
import { FreightError } from "../base/errors.ts"
import { ALLOW_DENSITY_FLAG } from "./shared/flags.ts"
import { savedThings } from "./shared/saved.ts"
import { askAboutDoubts } from "./shared/doubts.ts"

const packages = savedThings({
  noun: "package",
  list: "packages",
  read: ({ config }) =>
    listSaved(config.read().packages).map(([name, size]) => {
      const read = parsePackage(size)
      // A file edited by hand may contain invalid sizes: they are reported when used.
      const { lengthCm = null, widthCm = null, heightCm = null, weightKg = null } = read.ok ? read.value : {}
      return { name, lengthCm, widthCm, heightCm, weightKg }
    }),
  columns: [
    { key: "name", title: "NAME" },
    { key: "lengthCm", title: "LENGTH CM", align: "right" },
    { key: "widthCm", title: "WIDTH CM", align: "right" },
    { key: "heightCm", title: "HEIGHT CM", align: "right" },
    { key: "weightKg", title: "WEIGHT KG", align: "right" },
  ],
  empty: "No package is saved. To save one: freight package add small 30x20x10@2",
  removeExample: "small",
})

export const { list, remove } = packages

export const add = command({
  about: "Saves the size and weight of a package, to use it by name. All profiles share it.",
  args: [
    { takes: "<name>", about: "a name of your own" },
    { takes: "<size>", about: "length x width x height in cm @ weight in kg: 30x20x10@2" },
  ],
  flags: { replace: packages.replaceFlag, ...ALLOW_DENSITY_FLAG },
  examples: ["freight package add small 30x20x10@2", "freight package add pallet 120x120x100@350 --replace"],
  async run(deps, name, size, options) {
    checkNewName("packages", name)
    const line = parseSavedPackage(size)
    await askAboutDoubts(deps, options, async () => refuseDensity(line, options))
    const converted = describeConversion(size, [line])
    if (converted !== undefined) await deps.note(`${converted}.`)
    const use = `--package 3x${name} is three of them.`
    return packages.save(deps, name, formatPackage(line), { ...options, use })
  },
})

/** @throws FreightError `input` for a weight that does not fit the size */
function refuseDensity(line: Package, allowed: Allowances): void {
  const { errors } = checkDensity({ packages: [line] }, allowed)
  if (errors.length > 0)
    throw new FreightError("input", "the package is not saved", {
      errors: errors.map((each) => toDetail(each)),
    })
}
