/** Units of weight and length: people's spellings, and their size in kg and cm. */
import { type Decimal, decimalOf, multiply, numberOf } from "./money.ts"

export type Measure = "kg" | "cm"

export interface Unit {
  /** As messages call it. */
  readonly name: string
  readonly measure: Measure
  /** Its size in kg or cm. */
  readonly size: string
  /** People's words for it, separated by commas. */
  readonly words: string
}

/** All units; add one here. */
export const UNITS: readonly Unit[] = [
  {
    name: "kg",
    measure: "kg",
    size: "1",
    words: "kg, kgs, kilo, kilos, kilogram, kilograms, kilogramme, kilogrammes",
  },
  {
    name: "g",
    measure: "kg",
    size: "0.001",
    words: "g, gm, gms, gr, gram, grams, gramme, grammes",
  },
  { name: "t", measure: "kg", size: "1000", words: "t, tonne, tonnes" },
  { name: "lb", measure: "kg", size: "0.45359237", words: "lb, lbs, pound, pounds" },
  { name: "oz", measure: "kg", size: "0.028349523125", words: "oz, ounce, ounces" },
  {
    name: "cm",
    measure: "cm",
    size: "1",
    words: "cm, cms, centimetre, centimetres, centimeter, centimeters",
  },
  {
    name: "mm",
    measure: "cm",
    size: "0.1",
    words: "mm, mms, millimetre, millimetres, millimeter, millimeters",
  },
  { name: "m", measure: "cm", size: "100", words: "m, mtr, mtrs, metre, metres, meter, meters" },
  { name: "in", measure: "cm", size: "2.54", words: 'in, ins, inch, inches, "' },
  { name: "ft", measure: "cm", size: "30.48", words: "ft, foot, feet" },
]

const BY_WORD: ReadonlyMap<string, Unit> = new Map(
  UNITS.flatMap((unit) => unit.words.split(", ").map((word) => [word, unit] as const)),
)

/** All words, as part of a pattern; the longest first. */
export const UNIT_WORDS = [...BY_WORD.keys()].sort((one, other) => other.length - one.length).join("|")

/** `Lbs.` → the pound; undefined if it is not a unit of weight or length. */
export function findUnit(word: string): Unit | undefined {
  return BY_WORD.get(word.trim().toLowerCase().replace(/\.$/, ""))
}

/** Whether it is the unit of freight's own fields. */
export function isOwnUnit({ name, measure }: Unit): boolean {
  return name === measure
}

/** The name of a unit that counts goods: `EA`, `CTN`. It has no weight or size. */
export const COUNTED_UNIT = "each"

const WITH_UNIT = new RegExp(`^(.*[\\d.])\\s*(${UNIT_WORDS})\\.?$`, "is")

/** `600 g` as its number and its unit; undefined for a text that does not end in a unit of the measure. */
export function splitUnit(text: string, measure: Measure): { number: string; unit: Unit } | undefined {
  const [, number, word = ""] = WITH_UNIT.exec(text.trim()) ?? []
  const unit = findUnit(word)
  return number === undefined || unit?.measure !== measure ? undefined : { number, unit }
}

/** Decimals of kg and cm that make a gram and a millimetre. */
const FINEST: Readonly<Record<Measure, number>> = { kg: 3, cm: 1 }
const IMPERIAL: readonly string[] = ["lb", "oz", "in", "ft"]

/**
 * A number of a unit in kg or cm. It is exact; other than metric units are rounded up to the gram or the millimetre.
 * Metric units keep all their digits: orders of 0.6004 kg, written as 600.4 g, were booked with them.
 */
export function convertUnit(value: number, { name, size, measure }: Unit): number {
  const exact = multiply(decimalOf(value), decimalOf(size))
  return numberOf(IMPERIAL.includes(name) ? roundUp(exact, FINEST[measure]) : exact)
}

function roundUp({ units, places }: Decimal, to: number): Decimal {
  if (places <= to) return { units, places }
  const divisor = 10n ** BigInt(places - to)
  const isWhole = units % divisor === 0n
  return { units: units / divisor + (isWhole || units < 0n ? 0n : 1n), places: to }
}

/** `600 g, read as 0.6 kg` */
export function describeUnit(text: string, value: number, { measure }: Unit): string {
  return `${text}, read as ${value} ${measure}`
}
