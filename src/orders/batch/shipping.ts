/** Whether an order of a shop is to be shipped, by what the shop says of it. */
import { counted, listSome } from "../../base/counted.ts"
import { type Mapping, plainHeader, type Shop, type StatusSign } from "../../input/index.ts"
import type { BatchField } from "./columns/fields.ts"
import {
  ANY_STATUSES,
  DESTINATION_STATUSES,
  findMeaning,
  plainStatus,
  QUANTITY_STATUSES,
  STATE_COLUMNS,
  STATED_ANYWHERE,
} from "./columns/states.ts"
import { getKind, readCell } from "../../contract/index.ts"
import { secondKey } from "../../ledger/index.ts"
import type { Cell, ShopHold, OrderStatus } from "./rows/written-row.ts"
import type { BatchRow } from "./rows/row.ts"

/** Statuses that a person has decided about, as `plainStatus` writes them. */
export interface ShippingChoices {
  include?: readonly string[] | undefined
  leaveOut?: readonly string[] | undefined
}

export const NO_SHOP: Pick<Shop, "statuses" | "signs"> = { statuses: {} }

/**
 * Reads an order's statuses in a table, from the cells of all its lines: a shop fills some columns on the first only.
 * @param fields of the columns: status fields count if the shop has no words of its own for them
 */
export function createStatusReader(
  { statuses, signs = [] }: Pick<Shop, "statuses" | "signs">,
  headers: readonly string[],
  fields: readonly (Pick<BatchField, "name" | "bearing"> | undefined)[],
  { isMapped }: Pick<Mapping<{ name: string }>, "isMapped">,
): (lines: readonly (readonly string[])[]) => OrderStatus[] {
  const readers = headers.flatMap((column, index) => {
    const isHere = (header: string) => plainHeader(header) === plainHeader(column) && !isMapped(column)
    const field = fields[index]
    const isStatus = field?.name === "status"
    const ofShop = Object.entries(statuses).find(([header]) => isHere(header))?.[1]
    const known = ofShop ?? (isStatus ? ANY_STATUSES : undefined)
    const own = signs.filter(({ header }) => isHere(header)).map(toStateSign)
    const found = [...own, ...(STATE_COLUMNS[field?.name ?? ""]?.signs ?? [])]
    if (!known && found.length === 0) return []
    return (lines: readonly (readonly string[])[]): OrderStatus[] => {
      const texts = lines.map((line) => (line[index] ?? "").trim())
      for (const { status, means, onEveryLine, says } of found)
        if (onEveryLine ? texts.every(says) : texts.some(says)) return [{ column, status, means }]
      const words = new Set(texts.filter((text) => text !== "").map(plainStatus))
      const findWord = (status: string) => {
        if (known) return findMeaning(known, status)
        return STATED_ANYWHERE.includes(status) ? findMeaning(ANY_STATUSES, status) : "ship"
      }
      const said = Array.from(words, (status) => ({ column, status, means: findWord(status) }))
      const gone = said.find(({ means }) => means === "leftOut")
      // Item rows with different statuses mean that a part of the order is left; a shop's status is that of the whole
      // order.
      if (isStatus && !ofShop && gone && said.some(({ means }) => means !== "leftOut"))
        return [{ column, status: `partly-${gone.status}`, means: "partly" }]
      return said
    }
  })
  const readQuantities = createQuantityReader(headers, fields)
  return (lines) => [...readers.flatMap((read) => read(lines)), ...readQuantities(lines)]
}

function toStateSign({ status, says, means = "leftOut", onEveryLine }: StatusSign) {
  return { status, means, ...(onEveryLine && { onEveryLine }), says: (text: string) => says.test(text) }
}

/** Reads by the quantities of an order's items whether all of it, a part or nothing is to be sent. */
function createQuantityReader(
  headers: readonly string[],
  fields: readonly (Pick<BatchField, "name"> | undefined)[],
): (lines: readonly (readonly string[])[]) => OrderStatus[] {
  const find = (name: string) => fields.flatMap((field, index) => (field?.name === name ? [index] : []))
  const [ordered, open, shipped, returned] = [
    find("orderedQuantity"),
    find("openQuantity"),
    find("shippedQuantity"),
    find("returnedQuantity"),
  ]
  const column = headers[[...open, ...ordered, ...shipped, ...returned][0] ?? -1]
  if (column === undefined) return () => []
  return (lines) => {
    const counts = lines.map((line) => {
      const sum = (indexes: readonly number[]) => {
        const texts = indexes.map((index) => line[index]?.trim() ?? "").filter((text) => text !== "")
        return texts.length === 0 ? undefined : texts.reduce((total, text) => total + Number(text), 0)
      }
      const gone = (sum(shipped) ?? 0) + (sum(returned) ?? 0)
      const all = sum(ordered)
      return { all, gone, left: sum(open) ?? (all === undefined ? undefined : all - gone) }
    })
    // A line without any quantity says nothing about an item.
    const said = counts.filter(({ all, gone, left }) => all !== undefined || left !== undefined || gone !== 0)
    if (said.some(({ left = 0, gone }) => !(left >= 0 && gone >= 0)))
      return [{ column, status: "unclear-quantity", means: "unknown" }]
    if (said.length > 0 && said.every(({ left }) => left === 0))
      return [{ column, ...QUANTITY_STATUSES.nothing }]
    const isPart = said.some(({ all, gone, left }) => gone > 0 || (all !== undefined && left !== all))
    return isPart ? [{ column, ...QUANTITY_STATUSES.part }] : []
  }
}

/** Statuses of the whole order in text cells, such as `CANCELLED` in the instructions. */
export function readStatedCells(
  cells: readonly { column: string; field: Pick<BatchField, "kind">; value: unknown }[],
): OrderStatus[] {
  return cells.flatMap(({ column, field, value }) => {
    if (typeof value !== "string" || field.kind !== "text") return []
    const status = plainStatus(value)
    return STATED_ANYWHERE.includes(status)
      ? [{ column, status, means: findMeaning(ANY_STATUSES, status) }]
      : []
  })
}

export function readDestination(cells: readonly Pick<Cell, "column" | "field" | "value">[]): OrderStatus[] {
  const listParts = (parts: readonly string[]) =>
    cells.filter(({ field }) => parts.some((part) => field.name === `receiver.${part}`))
  const isFilled = ({ value }: Pick<Cell, "value">) => value !== null && String(value).trim() !== ""
  const [country] = listParts(["country"]).filter(isFilled)
  if (country && !readCell(getKind("country"), String(country.value), {}).ok)
    return [{ column: country.column, ...DESTINATION_STATUSES.abroad }]
  const parts = listParts(["address1", "suburb", "state", "postcode"])
  const [first] = parts
  const isWhole = ["suburb", "postcode"].every((part) => listParts([part]).length > 0)
  return first && isWhole && !parts.some(isFilled)
    ? [{ column: first.column, ...DESTINATION_STATUSES.none }]
    : []
}

/** Reasons that need no person come first. */
const REASONS = ["leftOut", "unknown", "partly", "incomplete", "waits"] as const

/** After a booking these mean that the goods should not go. */
const WITHDRAWN = ["cancelled", "refunded", "voided"]

/** The status with which a shop withdrew an order; undefined if it has not. */
export function findWithdrawal({
  statuses = [],
  held,
}: Pick<BatchRow, "statuses" | "held">): string | undefined {
  return [...statuses, ...(held ? [held] : [])].find(({ status }) => WITHDRAWN.includes(status))?.status
}

/** Why an order is not to be sent; undefined if it is to be shipped. */
export function decideShipping(
  statuses: readonly OrderStatus[],
  choices: ShippingChoices,
): ShopHold | undefined {
  const { leaveOut = [] } = choices
  const decided = listUndecided(statuses, choices).map((each) =>
    leaveOut.includes(each.status) ? { ...each, means: "leftOut" as const } : each,
  )
  for (const means of REASONS) {
    const found = decided.find((each) => each.means === means)
    if (found) return { ...found, means }
  }
  return undefined
}

function listUndecided(
  statuses: readonly OrderStatus[],
  { include = [], leaveOut = [] }: ShippingChoices,
): OrderStatus[] {
  return statuses.filter(({ status }) => !include.includes(status) || leaveOut.includes(status))
}

/** A person's decisions about orders: statuses, and those to be booked once more. */
export type RowChoices = ShippingChoices & {
  againFor?: readonly string[] | undefined
  /** They replace bookings that the carrier has cancelled. */
  replaces?: boolean | undefined
}

/** Applies decisions to a row; a copy if its shop or a person says anything about it. */
export function decideRow(row: BatchRow, { againFor = [], replaces, ...choices }: RowChoices): BatchRow {
  const isSecond = againFor.includes(row.reference)
  if (!row.statuses && !isSecond) return row
  const statuses = listUndecided(row.statuses ?? [], choices)
  const held = decideShipping(statuses, choices)
  // A named order is sent, unless the shop has withdrawn it.
  const isHeld = held && !(isSecond && findWithdrawal({ statuses }) === undefined)
  const second = isSecond && {
    key: secondKey(row.reference),
    source: { ...row.source, replaces: replaces === true },
  }
  return { ...row, statuses, ...(isHeld && { held }), ...second }
}

export async function* decideRows(
  rows: AsyncIterable<BatchRow>,
  choices: RowChoices,
): AsyncGenerator<BatchRow> {
  for await (const row of rows) yield decideRow(row, choices)
}

export const HELD_STATES = {
  leftOut: "left-out",
  waits: "waiting",
  partly: "invalid",
  incomplete: "invalid",
  unknown: "invalid",
} as const satisfies Record<ShopHold["means"], string>

/** `the shop says packed (Order Status): …` */
export function describeHold({ means, status, column }: ShopHold): string {
  const says = `the shop says ${status} (${column})`
  if (means === "unknown" && MAY_BE_SENT.includes(status))
    return `${column} is filled in, so it may have been sent already: --include ${status} books it, --leave-out ${status} leaves it out`
  switch (means) {
    case "leftOut":
      return status === DESTINATION_STATUSES.abroad.status
        ? `it does not go to Australia (${column}), and carriers here do not take it`
        : says
    case "incomplete":
      return `the shop has no delivery address for it: add it there, or leave it out with --leave-out ${status}`
    case "waits":
      return `${says}: it waits until that changes, or for --include ${status}`
    case "partly":
      return `${says}, but not which items are left to ship: --include ${status} books it whole, --leave-out ${status} leaves it out`
    case "unknown":
      return `${says}, which freight does not know: --include ${status} books it, --leave-out ${status} leaves it out`
  }
}

/** Statuses of status columns that only a person can judge. */
const MAY_BE_SENT = Object.values(STATE_COLUMNS).flatMap(({ signs }) =>
  signs.flatMap(({ status, means }) => (means === "unknown" ? [status] : [])),
)

export function countStatus(counts: Map<string, number>, { status }: ShopHold): void {
  counts.set(status, (counts.get(status) ?? 0) + 1)
}

/** `8 fulfilled, 3 refunded` */
export function describeCounts(counts: ReadonlyMap<string, number>): string {
  return Array.from(counts, ([status, count]) => `${count} ${status}`).join(", ")
}

const MAX_NAMED = 5

/** One line about the orders that are left out. @param references of the orders, by status */
export function describeLeftOut(references: ReadonlyMap<string, readonly string[]>): string {
  const total = [...references.values()].flat().length
  const named = Array.from(
    references,
    ([status, names]) => `${names.length} ${status} (${listSome(names, MAX_NAMED)})`,
  )
  const [status, other] = [...references.keys()].filter((each) => each !== DESTINATION_STATUSES.abroad.status)
  const include = status && ` --include ${other === undefined ? status : "STATUS"} books such orders.`
  return `${counted(total, "order is", "orders are")} left out, by what the shop says: ${named.join(", ")}.${include ?? ""}`
}
