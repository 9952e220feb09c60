import { askAboutDoubts, toDetail } from "../orders/index.ts"
import { ALLOW_DENSITY_FLAG, command, savedThings } from "../command/index.ts"
import { quoted } from "../base/parsed.ts"
import { checkNewName, type Config, listSaved, parseSavedPackage, plainSku } from "../machine/index.ts"
import {
  type Allowances,
  checkDensity,
  describeConversion,
  formatPackage,
  parsePackage,
} from "../contract/index.ts"
import type { Package } from "../contract/generated/types.ts"
import { FreightError } from "../base/errors.ts"

export const packages = savedThings({
  noun: "package",
  list: "packages",
  read: ({ config }) => {
    const { packages: saved, skus = {} } = config.read()
    return listSaved(saved).map(([name, size]) => {
      const read = parsePackage(size)
      // A file edited by hand may contain invalid sizes: they are reported when used.
      const { lengthCm = null, widthCm = null, heightCm = null, weightKg = null } = read.ok ? read.value : {}
      const own = Object.keys(skus).filter((sku) => skus[sku] === name)
      return { name, lengthCm, widthCm, heightCm, weightKg, skus: own }
    })
  },
  columns: [
    { key: "name", title: "NAME" },
    { key: "lengthCm", title: "LENGTH CM", align: "right" },
    { key: "widthCm", title: "WIDTH CM", align: "right" },
    { key: "heightCm", title: "HEIGHT CM", align: "right" },
    { key: "weightKg", title: "WEIGHT KG", align: "right" },
    { key: "skus", title: "SKUS", show: ({ skus }) => skus.join(", ") },
  ],
  async afterRemoval({ config }, gone) {
    await config.update(({ skus = {}, ...others }) => {
      const kept = Object.entries(skus).filter(([, name]) => !gone.has(name))
      return { ...others, ...(kept.length > 0 && { skus: Object.fromEntries(kept) }) }
    })
  },
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
  flags: {
    sku: {
      takes: "<sku>",
      about: "a piece with this SKU in a shop's order is one such package (repeatable)",
      isRepeatable: true,
    },
    replace: packages.replaceFlag,
    ...ALLOW_DENSITY_FLAG,
  },
  examples: [
    "freight package add small 30x20x10@2",
    "freight package add pallet 120x120x100@350 --replace",
    "freight package add lamp 40x30x30@2 --sku L-40",
  ],
  async run(deps, name, size, options) {
    checkNewName("packages", name)
    const line = parseSavedPackage(size)
    await askAboutDoubts(deps, options, async () => refuseDensity(line, options))
    const converted = describeConversion(size, [line])
    if (converted !== undefined) await deps.note(`${converted}.`)
    const { sku: skus = [], replace } = options
    if (!replace) refuseTakenSkus(deps.config.read().skus, skus, name)
    const pieces = skus.length > 0 ? ` A piece of ${skus.join(", ")} in a shop's order is one.` : ""
    const use = `--package 3x${name} is three of them.${pieces}`
    if (skus.length > 0 && !packages.listTaken(deps, options).includes(name))
      await deps.config.update((config) => {
        const kept = Object.entries(config.skus ?? {}).filter(
          ([sku]) => !skus.some((each) => isSameSku(each, sku)),
        )
        return { ...config, skus: Object.fromEntries([...kept, ...skus.map((sku) => [sku.trim(), name])]) }
      })
    return packages.save(deps, name, formatPackage(line), { ...options, use })
  },
})

const isSameSku = (one: string, other: string) => plainSku(one) === plainSku(other)

function refuseTakenSkus(saved: Config["skus"] = {}, skus: readonly string[], name: string): void {
  if (skus.some((sku) => sku.trim() === "")) throw new FreightError("usage", "--sku needs a SKU")
  for (const [sku, owner] of Object.entries(saved))
    if (owner !== name && skus.some((each) => isSameSku(each, sku)))
      throw new FreightError("usage", `the SKU ${quoted(sku)} is already of the package ${quoted(owner)}`, {
        hint: "Add --replace to give it to this one.",
      })
}

function refuseDensity(line: Package, allowed: Allowances): void {
  const { errors } = checkDensity({ packages: [line] }, allowed)
  if (errors.length > 0)
    throw new FreightError("input", "the package is not saved", {
      errors: errors.map((each) => toDetail(each)),
    })
}
