/** The meaning of an order column beside the others: whose name and address it holds, and what a quantity counts. */
import { COLUMN_FIELDS, PARTY_COLUMNS, PARTY_HEADINGS, splitHeadings } from "../../../contract/index.ts"
import {
  type ColumnInTable,
  findBearing,
  isNamed,
  type ColumnFindings,
  plainHeader,
  toWords,
  type Unclear,
} from "../../../input/index.ts"
import type { BatchField } from "./fields.ts"
import { namesItem } from "./items.ts"

type Column = ColumnInTable<BatchField>

/** Headings that name the buyer, who is not the receiver if the order is a gift. */
const BUYERS = ["customer", "client"]
const TO_RECEIVER = splitHeadings(PARTY_HEADINGS.receiver)
  .map(plainHeader)
  .filter((before) => !BUYERS.includes(before))

const PARTS = new Set(
  PARTY_COLUMNS.flatMap(({ name, headings }) => [name, ...splitHeadings(headings)].map(plainHeader)),
)

/** Parts that go together: where another party has one of them, none of these is used. */
const GROUPS: Readonly<Record<string, string>> = {
  ...{ name: "person", firstName: "person", lastName: "person" },
  ...{ address1: "address", address2: "address", address3: "address", suburb: "address" },
  streetNumber: "address",
  ...{ state: "address", postcode: "address", country: "address" },
  ...{ phoneNumber: "phone", phoneAreaCode: "phone" },
}

/** How surely a heading names the receiver; less is surer. */
function rank(header: string): number {
  const plain = plainHeader(header)
  if (TO_RECEIVER.some((before) => plain === before || hasPrefix(plain, before))) return 0
  return BUYERS.some((buyer) => plain === buyer || hasPrefix(plain, buyer)) ? 2 : 1
}

function hasPrefix(plain: string, before: string): boolean {
  return plain.startsWith(before) && PARTS.has(plain.slice(before.length))
}

function isLess(header: string): boolean {
  const plain = plainHeader(header)
  return /(?:state|province|country)code$/.test(plain) || [...TO_RECEIVER, ...BUYERS].includes(plain)
}

const partOf = (field: BatchField | undefined) =>
  field?.name.startsWith("receiver.") ? field.name.slice("receiver.".length) : undefined

const NAMES = ["name", "firstName", "lastName", "companyName"]

interface Beside {
  /** The heading means nothing by itself; the cells of its column suggest the field. */
  isUnknown(header: string): boolean
  given: Given
}

/** Values that flags or the profile give to all rows, by field name. */
export type Given = Readonly<Record<string, unknown>>

export function judgeColumns(columns: readonly Column[], beside: Beside): ColumnFindings {
  return {
    fallbackColumns: [...listFallbackColumns(columns), ...listDoubtful(columns, beside)],
    unclear: findUnclear(columns),
  }
}

/** Columns that only seem to hold a field which another source gives. */
function listDoubtful(columns: readonly Column[], { isUnknown, given }: Beside): number[] {
  const isDoubtful = ({ header, isMapped }: Column) => !isMapped && isUnknown(header)
  return columns.flatMap((column, index) => {
    const { name = "" } = column.field ?? {}
    const others = columns.filter((other) => other !== column)
    if (!isDoubtful(column) || !SAID_BY[name]) return []
    const { flags, says } = SAID_BY[name]
    const isSaid = others.some((other) => {
      // If both only seem to be it, a person chooses.
      const isOne = other.field?.name === name && isDoubtful(other)
      return other.field !== undefined && !isOne && (other.field.name === name || says(other.field))
    })
    // A size column that names the package is not doubtful: a difference from another column is an error.
    const isSure = name === "package.size" && namesPackage(column.header)
    return (isSaid && !isSure) || flags.some((flag) => given[flag] !== undefined) ? [index] : []
  })
}

const SAID_BY: Readonly<
  Record<string, { flags: readonly string[]; says(field: BatchField): boolean } | undefined>
> = {
  receiver: {
    flags: ["receiver"],
    says: (field) => field.name !== "receiver.country" && GROUPS[partOf(field) ?? ""] === "address",
  },
  reference: { flags: [], says: () => false },
  specialInstructions: { flags: [], says: () => false },
  "receiver.postcode": { flags: [], says: () => false },
  "receiver.residential": { flags: ["receiver", "receiver.residential"], says: () => false },
  "package.size": {
    flags: ["packages"],
    says: ({ name, kind }) => kind === "cm" || kind === "packages" || name.startsWith("packages["),
  },
}

export function namesPackage(header: string): boolean {
  return /\b(?:package|parcel|carton|box|pallet)\b/.test(toWords(header))
}

function listFallbackColumns(columns: readonly Column[]): number[] {
  const parts = columns.flatMap(({ header, field, cells, isMapped }, index) => {
    const part = partOf(field)
    if (part === undefined) return []
    const group = GROUPS[part] ?? part
    const key = group === "person" ? group : part
    return [{ index, header, part, group, key, cells, isMapped, rank: isMapped ? 0 : rank(header) }]
  })
  const filled = parts.filter(({ cells }) => cells.length > 0)
  const hasReceiver = filled.some((each) => each.rank === 0 && NAMES.includes(each.part))
  const yields = (each: (typeof parts)[number]): boolean => {
    if (each.isMapped) return false
    if (each.rank === 2 && hasReceiver) return true
    const better = filled.filter((other) => other.rank < each.rank)
    const own = parts.filter((other) => other.rank === each.rank && other.group === each.group)
    if (own.some(({ key }) => better.some((other) => other.key === key))) return true
    // `State code` is no more specific than `State`, nor `Ship to` than `Ship to name`.
    return (
      isLess(each.header) &&
      filled.some((other) => other.rank === each.rank && other.part === each.part && !isLess(other.header))
    )
  }
  // A whole address in one cell adds nothing to its parts in separate columns.
  const inOneCell = filled.some(({ part }) => part === "address1")
    ? columns.flatMap(({ field, isMapped }, index) =>
        field?.name === "receiver" && !isMapped && plainHeader(columns[index]?.header ?? "") !== "receiver"
          ? [index]
          : [],
      )
    : []
  return [...parts.filter(yields).map(({ index }) => index), ...inOneCell]
}

/**
 * A quantity beside an item counts that item, unless the row also has package sizes. Without an item it may count
 * packages, whatever its heading.
 */
function findUnclear(columns: readonly Column[]): Unclear[] {
  const hasItems = columns.some(({ header, field }) => field === undefined && namesItem(header))
  const hasSizes = columns.some(({ field }) => ["cm", "packages", "size"].includes(field?.kind ?? ""))
  const isUnclear = ({ header, field, isMapped }: Column) => {
    if (isMapped) return false
    if (QUANTITIES.includes(field?.name ?? "")) return !hasItems
    const isQuantity = /^(?:qty|quantity|count|pieces)$/.test(plainHeader(header))
    return hasItems && !hasSizes && isQuantity && field?.name === "package.count"
  }
  return [
    ...columns.flatMap((column, at): Unclear[] => {
      if (isUnclear(column)) return [{ at, ...QUANTITY }]
      const isNumber = column.field?.name === "reference" && plainHeader(column.header) === "no"
      return isNumber && !column.isMapped ? [{ at, ...NUMBER }] : []
    }),
    ...findUnclearWeight(columns),
  ]
}

const QUANTITY = {
  why: "may count packages, or the pieces of an item",
  choices: ["package.count", "orderedQuantity"],
  isHarmless: (text: string) => /^1(?:\.0+)?$/.test(text),
}

/** Numbered rows have the same numbers tomorrow, so tomorrow's orders would count as booked. */
const NUMBER = {
  why: "may number the rows, and not the orders",
  choices: ["reference"],
  isHarmless: (text: string) => !/^\d{1,3}$/.test(text),
}

export const OF_EACH = /\b(?:each|ea|unit|per|item|piece|package|parcel|carton)\b/

/** A weight beside a number of packages may be per package or in total, unless its heading says which. */
function findUnclearWeight(columns: readonly Column[]): Unclear[] {
  const headers = columns.map(({ header }) => header)
  if (TEMPLATE_HEADINGS.every((heading) => isNamed(headers, heading))) return []
  const list = (isWanted: (column: Column) => boolean) =>
    columns.flatMap((column, index) => (isWanted(column) ? [index] : []))
  const known = list(({ field }) => field?.name === "package.count")
  // These are asked about separately.
  const counts = known.length > 0 ? known : list((each) => !each.isMapped && mayCount(each))
  return columns.flatMap(({ header, field, isMapped, cells }, about) => {
    if (field?.name !== "package.weightKg" || isMapped || cells.length === 0) return []
    return OF_EACH.test(toWords(header)) ? [] : counts.map((at): Unclear => ({ at, about, ...WEIGHT }))
  })
}

function mayCount({ header, field, cells }: Column): boolean {
  return field ? QUANTITIES.includes(field.name) : findBearing(header, cells, ["count"]) !== undefined
}

/** The weight in freight's own template is per package. */
const TEMPLATE_HEADINGS = COLUMN_FIELDS.flatMap(({ column: { template, isNeeded } }) =>
  template !== undefined && isNeeded ? [template] : [],
)

const WEIGHT = {
  why: "may be of each package, or of all packages of its row",
  choices: ["package.weightKg", "package.totalWeightKg"],
  isHarmless: (text: string) => /^(?:[01](?:\.0+)?(?:\s*\p{L}+\.?)?|-)$/u.test(text),
}

const QUANTITIES = ["orderedQuantity", "openQuantity"]
