/** Headings in comparable form, and the text after them: `Weight (g)`, `Max price ex GST`. */
import { quoted } from "../../base/parsed.ts"
import { findUnit, isOwnUnit, UNIT_WORDS, type Unit } from "../../base/units.ts"
import type { ByCells, ColumnField, Meaning } from "./notation.ts"

/** A header as it is compared: case, blanks, punctuation and a unit in brackets do not matter. */
export function plainHeader(header: string): string {
  return (
    header
      .toLowerCase()
      .trim()
      .replace(/^(.*)\((shipping|billing)\)$/, "$2 $1")
      // A number beside a street belongs to it.
      .replace(/((?<![a-z])(?:street|st|address|building)\s*)[#№]$/, "$1no")
      .replace(/[([]\s*(?:kgs?|cms?|aud)\s*[)\]]/g, "")
      .replace(/[^\p{L}\p{N}]+/gu, "")
  )
}

export function isNamed(headers: readonly string[], wanted: string): boolean {
  const plain = plainHeader(wanted) || wanted
  return headers.some((header) => (plainHeader(header) || header) === plain)
}

/** `weightUnit`, `Weight_unit` and `WEIGHT UNIT` as the words `weight unit`. */
export function toWords(header: string): string {
  return header
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#$%/]+/gu, " ")
    .trim()
}

const UNIT_IN_BRACKETS = new RegExp(`[([]\\s*(?:in\\s+)?(${UNIT_WORDS})\\.?\\s*[)\\]]`, "i")
const UNIT_BEHIND = new RegExp(
  `(?<=[\\p{L}\\p{N})\\]])[\\s_.,:/-]+(?:in[\\s_-]+)?(${UNIT_WORDS})\\.?\\s*$`,
  "iu",
)

/** `Weight (g)` and `weightG` as the heading and the unit of its numbers. */
function splitUnitOff(header: string): { base: string; unit: Unit } | undefined {
  const spaced = header.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
  for (const pattern of [UNIT_IN_BRACKETS, UNIT_BEHIND]) {
    const unit = findUnit(pattern.exec(spaced)?.[1] ?? "")
    if (unit) return { base: spaced.replace(pattern, " ").trim(), unit }
  }
  return undefined
}

/** Words behind a heading that change the meaning of an amount. */
const OF_MONEY =
  /(?<![\s_([-])[\s_([-]+((?:ex|exc|excl|excluding|inc|incl|including|plus)\.?[\s_]*(?:gst|tax|vat)|gst|(?!aud)(?:[a-z]{2}d|eur|gbp|jpy|cny|chf)|(?:nz|us|ca|sg|hk)\$|credits?|debits?|cr|dr)[\s)\]]*$/i

const SHORT_FORMS = [
  ["wt|wgt|wght", "weight"],
  ["dims?", "dimensions"],
  ["pcode|p\\/code", "postcode"],
  ["len|lgth", "length"],
  ["wid|wdt|wdth", "width"],
  ["ht|hgt|hght", "height"],
  ["del|dely|dlvy?", "delivery"],
  ["rec|recv|rcvr", "receiver"],
  ["cust", "customer"],
  ["addrs?", "address"],
  ["ord", "order"],
  ["req'?d|req", "required"],
  ["instr?s?", "instructions"],
  ["svc", "service"],
  ["pkg", "package"],
]

const SHORT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SHORT_FORMS.map(([short]) => `(${short})`).join("|")})(?![\\p{L}\\p{N}])\\.?`,
  "giu",
)

function writeOut(header: string): string {
  return header.replace(SHORT, (_, ...found) => {
    const at = found.slice(0, SHORT_FORMS.length).findIndex((short) => short !== undefined)
    return SHORT_FORMS[at]?.[1] ?? ""
  })
}

/** Words behind a name in the heading of a column of numbers: `Con note #`, `Mobile no`. */
const NUMBER_BEHIND = /(?<![\s_.:/-])[\s_.:/-]+(?:nos?|nums?|numbers?|nrs?)\.?$|(?<!\s)\s*[#№]$/i
/** The same for fields that have only a number, and no code: `Consignment code`. */
const CODE_BEHIND = /(?<![\s_.:/-])[\s_.:/-]+(?:codes?|ids?)\.?$/i
/** The possible kinds of fields, by the text after the number. */
const NUMBERED: readonly [RegExp, readonly string[]][] = [
  [NUMBER_BEHIND, ["reference", "phone"]],
  [CODE_BEHIND, ["reference"]],
]

/** Two words for one thing: `Suburb/Town`, `Phone or Mobile`. */
function readEither<Field extends ColumnField>(
  header: string,
  meaningOf: (base: string) => Meaning<Field>,
): Meaning<Field> | undefined {
  const words = header.split(/\/|\bor\b/i).map((word) => word.trim())
  if (words.length < 2 || words.length > 3) return undefined
  const [first, ...others] = words.map(meaningOf)
  if (!first || !("field" in first) || first.field === undefined) return undefined
  const { name } = first.field
  return others.every((each) => "field" in each && each.field?.name === name) ? first : undefined
}

/**
 * A known heading followed by a unit, a currency or the like, or of the number of a known thing; undefined for any
 * other.
 * @param asRead how the reader takes amounts, for messages: `in AUD as the carriers quote`
 */
export function readQualified<Field extends ColumnField>(
  header: string,
  meaningOf: (base: string) => Meaning<Field>,
  asRead: string,
): Meaning<Field> | undefined {
  const written = writeOut(header)
  const meant = written === header ? undefined : meaningOf(written)
  if (meant && !("likely" in meant)) return meant
  const spaced = header.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
  for (const [behind, kinds] of NUMBERED) {
    const numbered = behind.test(spaced) ? meaningOf(spaced.replace(behind, "")) : undefined
    if (numbered && "field" in numbered && kinds.includes(numbered.field?.kind ?? "")) return numbered
  }
  const either = readEither(header, meaningOf)
  if (either) return either
  const split = splitUnitOff(header)
  const means = split && meaningOf(split.base)
  if (means && "field" in means && measureOf(means.field?.kind) === split.unit.measure)
    return isOwnUnit(split.unit) ? means : { ...means, unit: split.unit }
  if (means && "choices" in means && means.choices) return ambiguous(header.trim(), means.choices)
  const [, qualifier] = OF_MONEY.exec(header) ?? []
  if (qualifier === undefined) return undefined
  const ofMoney = meaningOf(header.replace(OF_MONEY, ""))
  if (!("field" in ofMoney) || ofMoney.field?.kind !== "money") return undefined
  const { name } = ofMoney.field
  return {
    choices: [name],
    error: `the column ${quoted(header.trim())} is ${qualifier.trim()}, and freight reads ${name} ${asRead}`,
    hint: `--map ${argument(`${header.trim()}=${name}`)} takes its figures as they are, and --map ${argument(`${header.trim()}=`)} leaves it out`,
  }
}

/** The quantity that a kind of number fields measures. */
export function measureOf(kind: string | undefined): string | undefined {
  return kind === "size" ? "cm" : kind
}

/** `can mean the amount or the GST` */
export function listMeanings(names: readonly string[]): string {
  return `can mean ${names.length === 1 ? `${names[0]} or something else` : names.join(" or ")}`
}

export function ambiguous<Field = never>(
  header: string,
  names: readonly string[],
  byCells?: ByCells<Field>,
): Meaning<Field> {
  return {
    choices: names,
    ...(byCells && { byCells }),
    error: `the column ${quoted(header)} ${listMeanings(names)}`,
    hint: `say which: --map ${argument(`${header}=${names[0]}`)}, or --map ${argument(`${header}=`)} to leave it out`,
  }
}

/** @param title the field's name for people */
export function misspelt(header: string, field: string, title: string): { error: string; hint: string } {
  return {
    error: `the column ${quoted(header)} is unknown`,
    hint: `did you mean ${title}? say so with --map ${argument(`${header}=${field}`)}, or leave it out with --map ${argument(`${header}=`)}`,
  }
}

/** A shell word, quoted where needed. */
export function argument(text: string): string {
  return /^[\w.=-]+$/.test(text) ? text : quoted(text)
}
