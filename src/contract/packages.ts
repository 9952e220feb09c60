/** Packages: their short form, and the totals of a booking. */
import { grouped } from "../base/counted.ts"
import { type Decimal, decimalOf, multiply, numberOf, sum } from "../base/money.ts"
import type { Items, Package } from "./generated/types.ts"
import { COUNTED_WORDS, packagingName } from "./packaging.ts"
import { type Parsed, parsed, quoted, refused } from "../base/parsed.ts"
import {
  convertUnit,
  findUnit,
  isOwnUnit,
  type Measure,
  splitUnit,
  type Unit,
  UNIT_WORDS,
} from "../base/units.ts"

export const PACKAGE_FIELDS = ["count", "lengthCm", "widthCm", "heightCm", "weightKg"] as const

/**
 * Reads `2x40x30x20@5.5`: two packages, each 40 × 30 × 20 cm and 5.5 kg. Without a count it is one. Spaces, `×`,
 * other units of length and weight, a decimal comma, `3 x 30x30x30 2kg` and `2 boxes 30x30x30 2kg` are taken as well.
 */
export function parsePackage(text: string): Parsed<Package> {
  const wrong = (why: string) => refused(`${quoted(text)} is not a package: ${why}`)
  const spec = text
    .trim()
    .replace(COUNTED_BEFORE, (_, count: string | undefined) => `${count ?? 1} x `)
    .replace(OF_EACH, "")
  const unsure = /\d,\d/.test(spec) ? AMBIGUOUS.exec(spec)?.[0] : undefined
  if (unsure !== undefined)
    return wrong(
      `${quoted(unsure)} beside a decimal comma can be ${unsure.replace(".", "")} or ${Number(unsure)}: write decimals with a point`,
    )
  const withoutAt = WITHOUT_AT.exec(spec)
  const [size = "", weight, ...more] = withoutAt && !spec.includes("@") ? withoutAt.slice(1) : spec.split("@")
  const parts = size.split(/[x×*]/i)
  if (parts.length === 3) parts.unshift("1")
  if (weight === undefined || more.length > 0 || parts.length !== 4) return wrong(FORM)

  const [written = "", ...sides] = parts
  const count = /^\d+$/.test(written.trim()) ? Number(written) : Number.NaN
  if (!(Number.isSafeInteger(count) && count > 0))
    return wrong(`the count ${quoted(written.trim())} must be a whole number above 0`)
  const read = readSides(sides)
  if (!read.ok) return wrong(read.reason)
  const weightKg = parseMeasure(weight, "kg")
  if (!isAboveZero(weightKg))
    return wrong(`the weight ${quoted(weight.trim())} must be a number of kg above 0`)
  return parsed({ count, ...read.value, weightKg })
}

/** With three digits behind the point: if commas are decimal, the point may separate thousands. */
const AMBIGUOUS = /(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])/

export const SIDES = ["lengthCm", "widthCm", "heightCm"] as const
type Sides = Pick<Package, (typeof SIDES)[number]>

const isAboveZero = (value: number) => value > 0 && Number.isFinite(value)

/** @param unit of numbers without one */
function readSides(sides: readonly string[], unit?: Unit): Parsed<Sides> {
  // In `400x300x200 mm` the unit applies to all three.
  const last = splitUnit(sides[2] ?? "", "cm")
  const isOfAll = last !== undefined && !/[a-z"]/i.test(`${sides[0]}${sides[1]}`)
  const written = isOfAll
    ? [...sides.slice(0, 2).map((side) => `${side} ${last.unit.name}`), sides[2] ?? ""]
    : sides.map((side) => (unit && !/[a-z"]/i.test(side) ? `${side} ${unit.name}` : side))
  const [lengthCm = 0, widthCm = 0, heightCm = 0] = written.map((side) => parseMeasure(side, "cm"))
  for (const [at, name] of ["length", "width", "height"].entries())
    if (!isAboveZero([lengthCm, widthCm, heightCm][at] ?? 0))
      return refused(`the ${name} ${quoted((written[at] ?? "").trim())} must be a number of cm above 0`)
  return parsed({ lengthCm, widthCm, heightCm })
}

/**
 * Reads `40 x 30 x 20 cm`: the size of one package.
 * @param unit of numbers without one; cm where this is left out
 */
export function parseSides(text: string, unit?: Unit): Parsed<Sides> {
  const sides = text.split(/[x×*]/i)
  if (sides.length !== 3) {
    const message = `${quoted(text)} is not a size`
    return refused(message, "write length x width x height, such as 40x30x20", "size")
  }
  const read = readSides(sides, unit)
  return read.ok ? read : refused(`${quoted(text)} is not a size: ${read.reason}`, undefined, "size")
}

/** How a size in another unit than cm was converted, for a note. */
export function describeSides(
  text: string,
  { lengthCm, widthCm, heightCm }: Sides,
  unit?: Unit,
): string | undefined {
  const units = [...text.matchAll(WRITTEN_UNIT)].map(([, word = ""]) => findUnit(word))
  return [unit, ...units].some((each) => each && !isOwnUnit(each))
    ? `${quoted(text)} is taken as ${lengthCm} × ${widthCm} × ${heightCm} cm`
    : undefined
}

const FORM = "write [count x] length x width x height @ weight, such as 2x40x30x20@5.5"
/** `2 boxes`, `2 x pallet` and `carton` before a size. */
const COUNTED_BEFORE = new RegExp(
  `^(?:(\\d+)\\s*[x×*]?\\s*)?(?:${COUNTED_WORDS})\\.?\\s+(?:of\\s+)?(?=[\\d.])`,
  "i",
)
const OF_EACH = /(?<!\s)\s+(?:each|ea)\.?$/i

/** A saved package with its count: `3xsmall`. Names begin with a letter, and sizes do not. */
const NAMED = /^(?:(\d+)\s*[x×*]\s*)?([\p{L}][\p{L}\p{N}_-]{0,31})$/iu

/** Packages are always separated here; any other comma may be in a number, or before a weight. */
const SURE_BREAK = /[;\r\n]+|,(?!\d)|,(?=\d+\s*[x×*])/i

/** Most parts between commas that one package can have: a decimal comma in each measure, and one before its weight. */
const MAX_PARTS = 6

/**
 * The size of a saved package, as `formatPackage` writes it.
 * @throws FreightError `input` for a name that is not saved
 */
export type FindSize = (name: string) => string

interface Way {
  readonly before?: Way | undefined
  readonly line: Package
}

/**
 * Reads packages as people write them in a flag, a cell or an answer: each as `parsePackage` reads it, or as the name
 * of a saved one, separated by commas, semicolons or line ends. A comma may also be decimal, or be before a weight:
 * ambiguous text is refused.
 * @param findSize without it, names are refused
 * @throws FreightError `input` for a name that is not saved
 */
export function parsePackages(text: string, findSize?: FindSize): Parsed<Package[]> {
  const parts = [...text.matchAll(/([,;\r\n]*)([^,;\r\n]+)/g)]
    .map(([, mark = "", part = ""]) => ({ mark: mark === "," ? "," : ";", part }))
    .filter(({ part }) => part.trim() !== "")
  if (parts.length === 0) return refused(`${quoted(text)} contains no package`, undefined, "package")
  const waysTo: (Way | undefined)[][] = [[undefined]]
  for (let to = 1; to <= parts.length; to++) {
    const found: Way[] = []
    for (let from = Math.max(0, to - MAX_PARTS); from < to; from++) {
      const before = waysTo[from] ?? []
      if (before.length === 0) continue
      const joined = parts.slice(from, to).map(({ mark, part }, at) => (at === 0 ? part : mark + part))
      for (const line of readEach(joined.join(""), findSize))
        found.push(...before.map((way) => ({ before: way, line })))
    }
    waysTo.push(found.slice(0, 2))
  }
  const [lines, others] = (waysTo.at(-1) ?? []).map(listLines)
  if (!lines) return refused(explainFault(text, findSize), undefined, "package")
  if (!others) return parsed(lines)
  const [one, other] = [lines, others].map((each) => each.map(formatPackage).join("; "))
  const hint = "write decimals with a point, and a semicolon between packages"
  return refused(`${quoted(text)} can mean ${one}, or ${other}`, hint, "package")
}

function listLines(way: Way | undefined): Package[] {
  const lines: Package[] = []
  for (let each = way; each; each = each.before) lines.push(each.line)
  return lines.reverse()
}

/** Explains the error in the first part that is not a package. */
function explainFault(text: string, findSize: FindSize | undefined): string {
  for (const spec of text.split(SURE_BREAK).filter((each) => each.trim() !== "")) {
    const read = readNamed(spec, findSize) ?? parsePackage(spec.trim())
    if (!read.ok) return read.reason
  }
  return `${quoted(text)} is not a list of packages: ${FORM}`
}

function readEach(text: string, findSize: FindSize | undefined): Package[] {
  const named = readNamed(text, findSize)
  const spec = text.trim()
  // `40x30x20 cm, 5.5 kg`
  const behind = [...spec.matchAll(/[,;]/g)].map(
    ({ index }) => `${spec.slice(0, index)} ${spec.slice(index + 1)}`,
  )
  const read = named ? [named] : [spec, ...behind].map(parsePackage)
  const lines = read.flatMap((each) => (each.ok ? [each.value] : []))
  return [...new Map(lines.map((line) => [formatPackage(line), line])).values()]
}

/** Undefined for a text that is not a name. */
function readNamed(text: string, findSize: FindSize | undefined): Parsed<Package> | undefined {
  const [, count = "1", name] = NAMED.exec(text.trim()) ?? []
  if (name === undefined || !findSize) return undefined
  return parsePackage(findSize(name).replace(/^1x/, `${count}x`))
}

const WITHOUT_AT = new RegExp(`^(.*\\S)\\s+(\\d[\\d.,]*\\s*(?:${UNIT_WORDS})\\.?)$`, "i")

/** How packages in other units, or with an ambiguous weight, were read, for a note. */
export function describeConversion(text: string, lines: readonly Package[]): string | undefined {
  const units = [...text.matchAll(WRITTEN_UNIT)].map(([, word = ""]) => findUnit(word))
  const isConverted = units.some((unit) => unit && !isOwnUnit(unit))
  const isOfEach = text.split(NEXT_PACKAGE).some(leavesEachOpen)
  if (!isConverted && !isOfEach) return undefined
  const as = `${quoted(text)} is taken as ${lines.map(formatPackage).join(", ")}, in cm and kg`
  return isOfEach ? `${as}, with the weight of each` : as
}

/** Between packages, but not before a weight or in a number: a size or a count follows. */
const NEXT_PACKAGE = new RegExp(
  `(?:[;\\r\\n]|,\\s|(?<!\\d),)\\s*(?=\\d[\\d.,]*\\s*[a-z"]*\\s*[x×*])|[,;\\r\\n]\\s*(?=(?:\\d+\\s*)?(?:${COUNTED_WORDS})\\b)`,
  "i",
)
const COUNTED_PACKAGE = new RegExp(`(\\d+)\\s*[x×*]?\\s*(?:${COUNTED_WORDS})\\b`, "i")

/** Whether a package such as `2 boxes 40x30x20 5kg` does not say that its weight is that of each. */
function leavesEachOpen(part: string): boolean {
  const [, count = "1"] = COUNTED_PACKAGE.exec(part) ?? []
  return Number(count) > 1 && !/@|\b(?:each|ea)\b/i.test(part)
}

const WRITTEN_UNIT = new RegExp(`(?<=\\d)\\s*(${UNIT_WORDS})(?![a-wyz])`, "gi")

/** Goods, in kg per cubic metre: from foam to lead. */
const DENSITIES = { least: 2, most: 12_000 }

/** Why a package cannot be that heavy or light for its size; undefined if it can. */
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

/** Limits of one package by its packaging code: longest side in cm, weight in kg. */
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

/** From this number on, the packages of one order are probably its goods. */
const MANY_PACKAGES = 500

/** Why a package of this kind cannot be that long or that heavy; undefined if it can. */
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

/** Why an order is unlikely to have that many packages; undefined if it may. */
export function countDoubt(packages: readonly Pick<Package, "count">[]): string | undefined {
  const count = packages.reduce((sum, each) => sum + each.count, 0)
  return count < MANY_PACKAGES
    ? undefined
    : `are ${grouped(count)}, and orders have fewer than ${MANY_PACKAGES}`
}

export function formatPackage({ count, lengthCm, widthCm, heightCm, weightKg }: Package): string {
  return `${count}x${lengthCm}x${widthCm}x${heightCm}@${weightKg}`
}

/** The size of a package in any orientation: `20x30x40`; undefined if a side is unknown. */
export function toSize({
  lengthCm,
  widthCm,
  heightCm,
}: Pick<Package, "lengthCm" | "widthCm" | "heightCm">): string | undefined {
  const sides = [lengthCm, widthCm, heightCm]
  return sides.every(Number.isFinite) ? sides.sort((a, b) => a - b).join("x") : undefined
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
  // Three digits after a comma are thousands, which no package has.
  const number = (split?.number.trim() ?? written).replace(/^(\d*),(\d{1,2})$/, "$1.$2")
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(number)) return Number.NaN
  return split ? convertUnit(Number(number), split.unit) : Number(number)
}

function sumMeasures(packages: readonly Package[], measures: (line: Package) => readonly number[]): Decimal {
  return sum(packages.map((line) => [line.count, ...measures(line)].map(decimalOf).reduce(multiply)))
}
