/** Packages: their short form, and the totals of a booking. */
import { grouped } from "../base/counted.ts"
import { type Decimal, decimalOf, multiply, numberOf, sum } from "../base/money.ts"
import type { Items, Package } from "./generated/types.ts"
import { packagingName } from "./packaging.ts"
import { type Parsed, parsed, quoted, refused } from "../base/parsed.ts"
import { convertUnit, findUnit, isOwnUnit, type Measure, splitUnit, UNIT_WORDS } from "../base/units.ts"

export const PACKAGE_FIELDS = ["count", "lengthCm", "widthCm", "heightCm", "weightKg"] as const

/**
 * Reads `2x40x30x20@5.5`: two packages, each 40 × 30 × 20 cm and 5.5 kg. Without a count it is one. Spaces, `×`,
 * other units of length and weight, a decimal comma and `3 x 30x30x30 2kg` are taken as well.
 */
export function parsePackage(text: string): Parsed<Package> {
  const wrong = (why: string) => refused(`${quoted(text)} is not a package: ${why}`)
  const withoutAt = WITHOUT_AT.exec(text.trim())
  const [size = "", weight, ...more] = withoutAt && !text.includes("@") ? withoutAt.slice(1) : text.split("@")
  const parts = size.split(/[x×]/i)
  if (parts.length === 3) parts.unshift("1")
  if (weight === undefined || more.length > 0 || parts.length !== 4)
    return wrong("write [count x] length x width x height @ weight, such as 2x40x30x20@5.5")

  const [count = "", ...sides] = parts
  // In `400x300x200 mm` the unit is that of all three.
  const last = splitUnit(sides[2] ?? "", "cm")
  const isOfAll = last !== undefined && !/[a-z"]/i.test(`${sides[0]}${sides[1]}`)
  const [length = "", width = "", height = ""] = isOfAll
    ? [...sides.slice(0, 2).map((side) => `${side} ${last.unit.name}`), sides[2] ?? ""]
    : sides
  const value = {
    count: /^\d+$/.test(count.trim()) ? Number(count) : Number.NaN,
    lengthCm: parseMeasure(length, "cm"),
    widthCm: parseMeasure(width, "cm"),
    heightCm: parseMeasure(height, "cm"),
    weightKg: parseMeasure(weight, "kg"),
  }
  if (!(Number.isSafeInteger(value.count) && value.count > 0))
    return wrong(`the count ${quoted(count.trim())} must be a whole number above 0`)
  for (const [name, given, unit, number] of [
    ["length", length, "cm", value.lengthCm],
    ["width", width, "cm", value.widthCm],
    ["height", height, "cm", value.heightCm],
    ["weight", weight, "kg", value.weightKg],
  ] as const)
    if (!(number > 0 && Number.isFinite(number)))
      return wrong(`the ${name} ${quoted(given.trim())} must be a number of ${unit} above 0`)
  return parsed(value)
}

const WITHOUT_AT = new RegExp(`^(.*\\S)\\s+(\\d[\\d.,]*\\s*(?:${UNIT_WORDS})\\.?)$`, "i")

/** What packages were read as, where they were written in other units than cm and kg: to be told. */
export function describeConversion(text: string, lines: readonly Package[]): string | undefined {
  const units = [...text.matchAll(WRITTEN_UNIT)].map(([, word = ""]) => findUnit(word))
  return units.some((unit) => unit && !isOwnUnit(unit))
    ? `${quoted(text)} is taken as ${lines.map(formatPackage).join(", ")}, in cm and kg`
    : undefined
}

const WRITTEN_UNIT = new RegExp(`(?<=\\d)\\s*(${UNIT_WORDS})(?![a-wyz])`, "gi")

/** Goods, in kg per cubic metre: from foam to lead. */
const DENSITIES = { least: 2, most: 12_000 }

/** Why a package cannot weigh that much, or that little, for its size; undefined where it can. */
export function densityDoubt(
  { lengthCm, widthCm, heightCm, weightKg }: Omit<Package, "count">,
  least = DENSITIES.least,
): string | undefined {
  const { most } = DENSITIES
  const density = (weightKg * 1_000_000) / (lengthCm * widthCm * heightCm)
  if (density >= least && density <= most) return undefined
  const shown = density < most ? String(Number(density.toPrecision(2))) : grouped(Math.round(density))
  const size = `${lengthCm} × ${widthCm} × ${heightCm} cm`
  return `${weightKg} kg in ${size}: ${shown} kg/m³, and goods have ${DENSITIES.least} to ${grouped(most)}`
}

/** The most that one package of a kind has, by its packaging code: its longest side in cm, its weight in kg. */
const BOUNDS: Readonly<Record<string, { sideCm: number; weightKg: number }>> = {
  CT: { sideCm: 300, weightKg: 100 },
  BX: { sideCm: 300, weightKg: 100 },
  SA: { sideCm: 120, weightKg: 50 },
  PA: { sideCm: 400, weightKg: 4000 },
  EN: { sideCm: 100, weightKg: 10 },
  CR: { sideCm: 600, weightKg: 10_000 },
  DR: { sideCm: 200, weightKg: 1000 },
  RO: { sideCm: 600, weightKg: 3000 },
  BG: { sideCm: 250, weightKg: 2000 },
  PC: { sideCm: 1400, weightKg: 25_000 },
}

/** So many packages in one order are more likely the number of its goods. */
const MANY_PACKAGES = 500

/** Why nothing that is packed so can be that long or that heavy; undefined where it can. */
export function boundsDoubt(
  { lengthCm, widthCm, heightCm, weightKg }: Omit<Package, "count">,
  packagingCode: string,
): string | undefined {
  const bounds = BOUNDS[packagingCode]
  if (!bounds) return undefined
  const name = packagingName(packagingCode)
  const side = Math.max(lengthCm, widthCm, heightCm)
  if (side > bounds.sideCm)
    return `is ${grouped(side)} cm long, and no ${name} is longer than ${bounds.sideCm} cm`
  return weightKg > bounds.weightKg
    ? `weighs ${grouped(weightKg)} kg, and no ${name} weighs more than ${grouped(bounds.weightKg)} kg`
    : undefined
}

/** Why an order does not have that many packages; undefined where it may. */
export function countDoubt(packages: readonly Pick<Package, "count">[]): string | undefined {
  const count = packages.reduce((sum, each) => sum + each.count, 0)
  return count < MANY_PACKAGES
    ? undefined
    : `are ${grouped(count)}, and orders have fewer than ${MANY_PACKAGES}`
}

/** The weight of each of several packages, in kg as the total: rounded up to the gram. */
export function shareWeight(totalKg: number, count: number): number {
  if (count === 1) return totalKg
  const { units, places } = decimalOf(totalKg)
  const [grams, divisor] = [units * 1000n, BigInt(count) * 10n ** BigInt(places)]
  return numberOf({ units: (grams + divisor - 1n) / divisor, places: 3 })
}

export function formatPackage({ count, lengthCm, widthCm, heightCm, weightKg }: Package): string {
  return `${count}x${lengthCm}x${widthCm}x${heightCm}@${weightKg}`
}

/** Count, weight in kg and volume in cubic metres; exact. */
export function totalsOf(packages: readonly Package[]): {
  count: number
  weightKg: number
  volumeM3: number
} {
  const cubicCm = sumMeasures(packages, ({ lengthCm, widthCm, heightCm }) => [lengthCm, widthCm, heightCm])
  return {
    count: packages.reduce((count, line) => count + line.count, 0),
    weightKg: numberOf(sumMeasures(packages, ({ weightKg }) => [weightKg])),
    volumeM3: numberOf({ units: cubicCm.units, places: cubicCm.places + 6 }),
  }
}

/** The booking's `items`: sums, and the greatest of each dimension. */
export function itemsOf(packages: readonly Package[]): Items {
  const { count, weightKg } = totalsOf(packages)
  const greatest = (measure: (line: Package) => number) =>
    packages.reduce((most, line) => Math.max(most, measure(line)), 0)
  return {
    count,
    totalWeightKg: weightKg,
    maxLengthCm: greatest(({ lengthCm }) => lengthCm),
    maxWidthCm: greatest(({ widthCm }) => widthCm),
    maxHeightCm: greatest(({ heightCm }) => heightCm),
  }
}

/** Items in words: `2 packages, 11 kg, at most 40 × 30 × 20 cm`. */
export function formatPackageTotals(items: Items): string {
  const { count, totalWeightKg, maxLengthCm, maxWidthCm, maxHeightCm } = items
  const packages = `${count} ${count === 1 ? "package" : "packages"}`
  return `${packages}, ${totalWeightKg} kg, at most ${maxLengthCm} × ${maxWidthCm} × ${maxHeightCm} cm`
}

/** Fields in which the items differ from the packages by a milligram or more. */
export function findItemsDifferences(items: Items, packages: readonly Package[]) {
  const derived = itemsOf(packages)
  const fields = ["count", "totalWeightKg", "maxLengthCm", "maxWidthCm", "maxHeightCm"] as const
  return fields
    .map((field) => ({ field, given: items[field], derived: derived[field] }))
    .filter(({ given, derived }) => Math.abs(given - derived) >= 1e-6)
}

/** Reads `40`, `5,5`, `5.5 kg` or `200mm`; NaN for anything but a number of that unit. */
export function parseMeasure(text: string, measure: Measure | ""): number {
  const written = text.trim().toLowerCase()
  const split = measure === "" ? undefined : splitUnit(written, measure)
  // Three figures after a comma are thousands, which no package has.
  const number = (split?.number.trim() ?? written).replace(/^(\d*),(\d{1,2})$/, "$1.$2")
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(number)) return Number.NaN
  return split ? convertUnit(Number(number), split.unit) : Number(number)
}

/** What a measure is read as, where it is written in another unit than kg or cm. */
export function describeMeasure(text: string, measure: Measure): string | undefined {
  const split = splitUnit(text, measure)
  return !split || isOwnUnit(split.unit) ? undefined : `${parseMeasure(text, measure)} ${measure}`
}

/** Sum over all lines of count times some measures. */
function sumMeasures(packages: readonly Package[], measures: (line: Package) => readonly number[]): Decimal {
  return sum(packages.map((line) => [line.count, ...measures(line)].map(decimalOf).reduce(multiply)))
}
