/** What a column of orders means beside the others: whose name and address it holds, and what a quantity counts. */
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

/** Names the buyer: of an order that is a gift, somebody else than the receiver. */
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

/** Whether another heading of the same part says more. */
function isLess(header: string): boolean {
  const plain = plainHeader(header)
  return /(?:state|province|country)code$/.test(plain) || [...TO_RECEIVER, ...BUYERS].includes(plain)
}

const partOf = (field: BatchField | undefined) =>
  field?.name.startsWith("receiver.") ? field.name.slice("receiver.".length) : undefined

const NAMES = ["name", "firstName", "lastName", "companyName"]

interface Beside {
  /** A heading means nothing by itself: the cells of its column seem to say what it is. */
  isUnknown(header: string): boolean
  given: Given
}

/** What flags or the profile give to all rows, by the name of the field. */
export type Given = Readonly<Record<string, unknown>>

export function judgeColumns(columns: readonly Column[], beside: Beside): ColumnFindings {
  return {
    fallbackColumns: [...listFallbackColumns(columns), ...listDoubtful(columns, beside)],
    unclear: findUnclear(columns),
  }
}

/** Columns that only seem to be what something else says. */
function listDoubtful(columns: readonly Column[], { isUnknown, given }: Beside): number[] {
  const isDoubtful = ({ header, isMapped }: Column) => !isMapped && isUnknown(header)
  return columns.flatMap((column, index) => {
    const { name = "" } = column.field ?? {}
    const others = columns.filter((other) => other !== column)
    if (!isDoubtful(column) || !SAID_BY[name]) return []
    const { flags, says } = SAID_BY[name]
    const isSaid = others.some((other) => {
      // Where two only seem to be it, a person chooses.
      const isOne = other.field?.name === name && isDoubtful(other)
      return other.field !== undefined && !isOne && (other.field.name === name || says(other.field))
    })
    // What is called after the package differs from another column by mistake, and is an error.
    const isSure = name === "package.size" && namesPackage(column.header)
    return (isSaid && !isSure) || flags.some((flag) => given[flag] !== undefined) ? [index] : []
  })
}

/** What says the same as a column of a field does, by the name of the field: flags, and other columns. */
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

/** Whether a heading says that it is about a package, and not about goods. */
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
    // `State code` says no more than `State` does, and `Ship to` no more than `Ship to name`.
    return (
      isLess(each.header) &&
      filled.some((other) => other.rank === each.rank && other.part === each.part && !isLess(other.header))
    )
  }
  // An address in one cell says no more than its parts in columns of their own do.
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
 * A quantity beside an item is that of the item, unless the row has the size of packages, too. Without an item it may
 * count packages, whatever it is called.
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

/** Rows that are numbered have the same numbers tomorrow, and the order of tomorrow would count as booked. */
const NUMBER = {
  why: "may number the rows, and not the orders",
  choices: ["reference"],
  isHarmless: (text: string) => !/^\d{1,3}$/.test(text),
}

/** Says that a weight is that of one package. */
export const OF_EACH = /\b(?:each|ea|unit|per|item|piece|package|parcel|carton)\b/

/** A weight beside a number of packages is that of each or of all of them, unless its heading says which. */
function findUnclearWeight(columns: readonly Column[]): Unclear[] {
  const headers = columns.map(({ header }) => header)
  if (TEMPLATE_HEADINGS.every((heading) => isNamed(headers, heading))) return []
  const list = (isWanted: (column: Column) => boolean) =>
    columns.flatMap((column, index) => (isWanted(column) ? [index] : []))
  const known = list(({ field }) => field?.name === "package.count")
  // These are asked about themselves.
  const counts = known.length > 0 ? known : list((each) => !each.isMapped && mayCount(each))
  return columns.flatMap(({ header, field, isMapped, cells }, about) => {
    if (field?.name !== "package.weightKg" || isMapped || cells.length === 0) return []
    return OF_EACH.test(toWords(header)) ? [] : counts.map((at): Unclear => ({ at, about, ...WEIGHT }))
  })
}

function mayCount({ header, field, cells }: Column): boolean {
  return field ? QUANTITIES.includes(field.name) : findBearing(header, cells, ["count"]) !== undefined
}

/** Freight's own template says that its weight is that of each. */
const TEMPLATE_HEADINGS = COLUMN_FIELDS.flatMap(({ column: { template, isNeeded } }) =>
  template !== undefined && isNeeded ? [template] : [],
)

const WEIGHT = {
  why: "may be of each package, or of all packages of its row",
  choices: ["package.weightKg", "package.totalWeightKg"],
  isHarmless: (text: string) => /^(?:[01](?:\.0+)?(?:\s*\p{L}+\.?)?|-)$/u.test(text),
}

/** How many of an item there are. */
const QUANTITIES = ["orderedQuantity", "openQuantity"]
