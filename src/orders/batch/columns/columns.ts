/** Finds the field that a column's header means. */
import {
  COLUMN_FIELDS,
  type Fields,
  fieldsOf,
  mayBe,
  parseAddress,
  PARTIES,
  PARTY_COLUMNS,
  PARTY_HEADINGS,
  splitHeadings,
} from "../../../contract/index.ts"
import { segments } from "../../../base/json.ts"
import { quoted } from "../../../base/parsed.ts"
import type { Unit } from "../../../base/units.ts"
import { suggest } from "../../../base/suggest.ts"
import { MAX_COLUMNS } from "../../../base/limits.ts"
import {
  ambiguous,
  argument,
  type Meaning,
  plainHeader,
  readQualified,
  type SheetColumns,
  toWords,
} from "../../../input/index.ts"
import { allFields, type BatchField, isFoundOut, RENAMED, toContractField } from "./fields.ts"
import { type Given, judgeColumns, namesPackage } from "./judge.ts"
import { ITEM_HEADINGS, SHOPS } from "./shops.ts"

/** `field: undefined`: a column of freight's own from an earlier run's results. In a list, only the first item's. */
export interface Columns extends SheetColumns<BatchField> {
  named(name: string): BatchField | undefined
  aliases(field: BatchField): readonly string[]
}

export const RESULT_PREFIX = "freight."

/** `Drop off` with yes or no. With addresses in its cells, the column is the destination. */
const BROUGHT = "dropOff"

let made: Columns | undefined

export function batchColumns(): Columns {
  made ??= createJudged(createColumns(fieldsOf("ConsignmentBookingRequest")), {})
  return made
}

/** @param given fields that flags or the profile give to all rows: doubtful columns for them are not used */
export function columnsBeside(given: Given): Columns {
  return createJudged(batchColumns(), given)
}

function createJudged(columns: Columns, given: Given): Columns {
  const isUnknown = (header: string) => {
    const meaning = columns.meaning(header)
    return "likely" in meaning || ("field" in meaning && meaning.field?.name === BROUGHT)
  }
  return { ...columns, judge: (all) => judgeColumns(all, { isUnknown, given }) }
}

function createColumns(schema: Fields): Columns {
  const fields = allFields(schema)
  const byName = new Map(fields.map((field) => [field.name, field]))
  const words = indexHeaders(byName)
  const single = [...byName.keys(), ...HEADINGS.keys(), ...PART_NAMES.keys()].map(plainHeader)
  const guesses = new Map<string, string | undefined>()
  const aliases = new Map<string, string[]>()
  for (const [word] of words.shown) {
    const [name, ...others] = words.plain.get(plainHeader(word)) ?? []
    if (name !== undefined && others.length === 0 && !UNCLEAR.has(plainHeader(word)))
      aliases.set(name, [...(aliases.get(name) ?? []), word])
  }
  for (const [word, name] of LOOSE) aliases.set(name, [...(aliases.get(name) ?? []), word])

  const named = (name: string): BatchField | undefined => {
    const known = byName.get(RENAMED.get(name) ?? name)
    if (known) return known
    const path = segments(name)
    const found = schema.find(path)
    return "node" in found && !isFoundOut(path[0]) ? toContractField(path, found.node) : undefined
  }

  const findLoose = (header: string): { field: BatchField; unit?: Unit } | undefined => {
    const field = byName.get(LOOSE_HEADINGS.get(plainHeader(header)) ?? "")
    if (field) return { field }
    const read = readQualified(header, (base) => findLoose(base) ?? { likely: () => undefined }, "")
    return read && "field" in read && read.field ? read : undefined
  }

  const meaning = (header: string): Meaning<BatchField> => {
    const trimmed = header.trim()
    const exact = named(trimmed)
    const plain = plainHeader(trimmed)
    // `pallets` alone is their number; the contract's is a list of fields of its own.
    if (exact && !(exact.kind === "json" && words.plain.has(plain))) return { field: exact }
    if (trimmed.toLowerCase().startsWith(RESULT_PREFIX)) return { field: undefined }
    const names = words.plain.get(plain) ?? []
    const [only] = names
    const isUnclear = names.length > 1 || UNCLEAR.has(plain)
    const field = only === undefined || isUnclear ? undefined : byName.get(only)
    if (field && ["receiver.name", BROUGHT].includes(field.name))
      return { field, refine: (cells) => (areAddresses(cells) ? byName.get("receiver") : undefined) }
    if (field) return { field }
    if (isUnclear) return ambiguous(trimmed, names)
    const qualified =
      readQualified(trimmed, meaning, "in AUD as the carriers quote") ?? readOfEach(trimmed, meaning)
    if (qualified) return qualified
    if (isFoundOut(plain))
      return {
        error: `freight fills in the column ${quoted(trimmed)} itself when it books the row`,
        hint: `leave it out: --map ${argument(`${trimmed}=`)}`,
      }
    const ofOne = trimmed.replace(ONE_OF_SEVERAL, "")
    if (ofOne !== trimmed && words.plain.get(plainHeader(ofOne))?.some((name) => name.startsWith("package.")))
      return {
        error: `the column ${quoted(trimmed)} is of one of several packages`,
        hint: `give them in one column "Packages", such as 1x40x30x20@5; 1x20x20x20@3, or leave it out with --map ${argument(`${trimmed}=`)}`,
      }
    const loose = findLoose(trimmed)
    return {
      likely() {
        // A file's headers are read more than once; guesses for other files are dropped.
        if (guesses.size > MAX_COLUMNS) guesses.clear()
        if (!guesses.has(plain)) guesses.set(plain, guessField(plain, single, words.plain))
        return guesses.get(plain)
      },
      ...(loose?.unit && { unit: loose.unit }),
      refine: (cells) =>
        loose && isOf(loose.field, trimmed, cells)
          ? loose.field
          : !NOT_DELIVERED_TO.test(toWords(trimmed)) && areAddresses(cells)
            ? byName.get("receiver")
            : undefined,
    }
  }

  return {
    fields,
    bearings: ["unit", "currency", "sign", "basis", "count", "state"],
    shops: SHOPS,
    itemHeadings: Object.values(ITEM_HEADINGS).flat(),
    // The number of the row, not of the order, if another column has that.
    fallbackHeadings: ["No"],
    isStrict: ({ kind }) => kind !== "money",
    mayBe(name, text) {
      const field = named(name)
      return field === undefined || mayBe(field.kind, text, field.choices)
    },
    help: {
      hint: "The first row holds the names of the columns. freight batch template writes a file to start from.",
      next: "freight batch template --columns all",
    },
    named,
    aliases: ({ name }) => aliases.get(name) ?? [],
    meaning,
  }
}

/** `Box 2 Weight`, `Weight of second box`: what is left is of a package that is not the first. */
const ONE_OF_SEVERAL =
  /(?:\bof )?(?:\bthe )?\b(?:(?:box|carton|ctn|parcel|package|pkg|pallet|satchel)s? ?(?:no\.? ?)?#?(?:[2-9]|[1-9]\d)\b|(?:second|third|fourth|2nd|3rd|4th) (?:box|carton|ctn|parcel|package|pkg|pallet|satchel)\b)/i

function areAddresses(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.filter((text) => parseAddress(text).ok).length * 2 > cells.length
}

const NOT_DELIVERED_TO =
  /\b(?:bill(?:ing|ed)?|invoiced?|buyer|payer|account|head office|registered|postal|from|sender|shipper|consignor|pick ?up|picked|collect(?:ion|ed)?|return|origin|warehouse|depot|store|supplier|vendor|notes?|comments?|instructions?|previous|old)\b/

/** Kinds with an unmistakable format: if most cells match, the others are mistakes in their rows. */
const MOSTLY: readonly string[] = ["size", "postcode", "home"]

/** `Resi`, `Address type`: a word for a home below it means nothing else. */
const OF_ADDRESS = /\b(?:resi|residential|address)\b/

/** Whether cells fit the field that the heading only suggests: all of them, or some if it names a package or an address. */
function isOf({ kind, choices }: BatchField, header: string, cells: readonly string[]): boolean {
  const isRead = (text: string) => (kind === "postcode" ? /^\d{4}$/.test(text) : mayBe(kind, text, choices))
  const read = cells.filter(isRead).length
  if (MOSTLY.includes(kind) && read * 2 > cells.length) return true
  const isNamed = kind === "home" ? OF_ADDRESS.test(toWords(header)) : namesPackage(header)
  return read > 0 && (read === cells.length || isNamed)
}

/** `Kg ea`: per package. A carton may hold many items, pieces or units. */
const OF_EACH = /(?<=\p{L}[\s_(/-]*)[\s_(/-](?:each|ea|per (?:package|parcel|carton|ctn|box|pallet))\.?\)?$/iu

function readOfEach(
  header: string,
  meaningOf: (base: string) => Meaning<BatchField>,
): Meaning<BatchField> | undefined {
  if (!OF_EACH.test(header)) return undefined
  const meant = meaningOf(header.replace(OF_EACH, ""))
  return "field" in meant && meant.field?.name === "package.weightKg" ? meant : undefined
}

/** One letter in six: guesses that are less likely would be a nuisance in a shop's export of 80 columns. */
const getMaxEdits = (word: string) => Math.min(2, Math.floor(word.length / 6))

/**
 * The field that a misspelt header probably means. Text after `Ship to` is compared separately.
 * @param single the headers without such a prefix
 */
function guessField(
  plain: string,
  single: readonly string[],
  words: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const parted = PARTIES.flatMap((party) =>
    splitHeadings(PARTY_HEADINGS[party])
      .map(plainHeader)
      .filter((before) => plain.startsWith(before))
      .map((before) => plain.slice(before.length))
      .map((part) => `${party}${PART_NAMES.get(suggest(part, PART_NAMES.keys(), getMaxEdits(part)) ?? "")}`),
  )
  const found = [...parted, suggest(plain, single, getMaxEdits(plain)) ?? ""].find((word) =>
    words.has(word.toLowerCase()),
  )
  return words.get(found?.toLowerCase() ?? "")?.[0]
}

const AMBIGUOUS_HEADINGS: Readonly<Record<string, readonly string[]>> = {
  Number: ["reference", "receiver.phoneNumber", "receiver.streetNumber"],
  ID: ["reference", "connector"],
  Code: ["service", "receiver.postcode"],
  Time: ["readyTime", "collectionCloseTime"],
  Type: ["packagingCode", "service"],
  Carrier: ["connector", "service"],
  Account: ["payer.accountNumber", "connector"],
  // In the export of a shop it is the day of the order.
  Date: ["collectionDateTime"],
  "Delivery date": ["arriveBy", "collectionDateTime"],
}

/** Headings of the receiver's name that say only whose it is. */
const RECEIVER_HEADINGS = "Deliver to, Ship to, Recipient, Consignee, Customer, Client"

const HEADINGS = new Map(
  COLUMN_FIELDS.flatMap(({ path = "", column: { name = path, headings } }) =>
    splitHeadings(headings).map((heading) => [heading, name] as const),
  ),
)
/** Headings that can also mean other things. */
const LOOSE = [
  ...COLUMN_FIELDS.flatMap(({ path = "", column: { name = path, looseHeadings } }) =>
    splitHeadings(looseHeadings).map((heading) => [heading, name] as const),
  ),
  ...PARTY_COLUMNS.flatMap(({ name, looseHeadings }) =>
    splitHeadings(looseHeadings).map((heading) => [heading, `receiver.${name}`] as const),
  ),
]
const LOOSE_HEADINGS = new Map(LOOSE.map(([heading, name]) => [plainHeader(heading), name]))
const PART_HEADINGS = PARTY_COLUMNS.flatMap(({ name, headings }) =>
  splitHeadings(headings).map((heading) => [name, heading] as const),
)
const UNCLEAR = new Set(Object.keys(AMBIGUOUS_HEADINGS).map(plainHeader))
const PART_NAMES = new Map(
  [...PARTY_COLUMNS.map(({ name }) => [name, name] as const), ...PART_HEADINGS].map(
    ([part, heading]) => [plainHeader(heading), part] as const,
  ),
)

/** Every known header: as people write it, and normalized for comparing. */
function indexHeaders(fields: ReadonlyMap<string, BatchField>): {
  shown: [word: string, names: readonly string[]][]
  plain: Map<string, string[]>
} {
  const shown: [string, readonly string[]][] = [
    ...[...HEADINGS].map(([heading, name]): [string, string[]] => [heading, [name]]),
    ...PART_HEADINGS.map(([part, heading]): [string, string[]] => [heading, [`receiver.${part}`]]),
  ]
  for (const party of PARTIES)
    for (const [part, heading] of PART_HEADINGS)
      if (fields.has(`${party}.${part}`))
        for (const before of splitHeadings(PARTY_HEADINGS[party]))
          shown.push([`${before} ${heading}`, [`${party}.${part}`]])
  for (const heading of splitHeadings(RECEIVER_HEADINGS)) shown.push([heading, ["receiver.name"]])
  shown.push(...Object.entries(AMBIGUOUS_HEADINGS))
  const plain = new Map<string, string[]>()
  const all = [...[...fields.keys()].map((name) => [name, [name]] as const), ...shown]
  for (const [word, names] of all) {
    const key = plainHeader(word)
    plain.set(key, [...new Set([...(plain.get(key) ?? []), ...names])])
  }
  return { shown, plain }
}
