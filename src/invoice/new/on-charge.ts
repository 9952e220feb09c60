/** The freight of a customer's consignments as lines of an invoice: cost with mark-up. Pure, in exact cents. */
import { counted } from "../../base/counted.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import { decimalOf, formatCents, multiply, unitsAt } from "../../base/money.ts"
import { CENT, GST_PERCENT, times } from "../accounting/amounts.ts"
import type { NewLine } from "./texts.ts"

/** The cost of a consignment without GST, in cents. */
export interface FreightCost {
  shipment: Pick<ShipmentDetail, "receiver" | "customerReference">
  number: string | undefined
  /** The consignment's number or ID, for the writer of the invoice. */
  name: string
  cost: number
  /** The part that is not charged on, because it is disputed with the carrier. */
  disputed: number
  /** Numbers of the audited bills with the price; empty for a quoted price. */
  bills: readonly string[]
}

/** `cost` is `charged` plus `absorbed`; the mark-up is added to `charged`. In cents, without GST. */
export interface OnCharge {
  lines: NewLine[]
  cost: number
  charged: number
  absorbed: number
  markup: number
}

/**
 * @param percent of the mark-up
 * @param isMarkupShown it is a line of its own, and not in the others
 */
export function chargeFreight(
  costs: readonly FreightCost[],
  percent: number,
  isMarkupShown: boolean,
): OnCharge {
  const parts = costs.map((each) => {
    const charged = Math.max(0, each.cost - Math.max(0, each.disputed))
    return { ...each, charged }
  })
  const add = (name: "cost" | "charged") => parts.reduce((sum, part) => sum + part[name], 0)
  const [cost, charged] = [add("cost"), add("charged")]
  const product = multiply(decimalOf(charged), decimalOf(percent))
  const markup = Number(unitsAt({ ...product, places: product.places + 2 }, 0))
  const billed = parts.filter((part) => part.charged !== 0)
  const amounts = billed.map((part) => part.charged)
  const asked = isMarkupShown ? amounts : foldMarkup(amounts, markup)
  const lines = billed.map((part, at) => toLine(describeLine(part), asked[at] ?? 0))
  if (isMarkupShown && markup !== 0) lines.push(toLine(`Mark-up on freight, ${percent} %`, markup))
  const added = isMarkupShown ? markup : sum(asked) - charged
  return { lines, cost, charged, absorbed: cost - charged, markup: added }
}

/** How far the largest line may go to bring the amount due to the cent: GST of each line is rounded. */
const MAX_CENTS = 100

/**
 * Adds the mark-up to the amounts. With GST their sum equals that with a separate line for the mark-up: rounding goes
 * to the largest. With one line it may differ by a cent, because some sums are not an amount with its GST.
 */
function foldMarkup(amounts: readonly number[], markup: number): number[] {
  const [all, due] = [sum(amounts), toDue([...amounts, markup])]
  const folded = amounts.map((cents) => cents + Math.round((markup * cents) / all))
  const largest = folded.indexOf(Math.max(...folded))
  const others = [...folded.keys()].filter((at) => at !== largest)
  const change = (at: number | undefined, cents: number, of: number) =>
    folded.map((each, n) => each + (n === largest ? of : 0) + (n === at ? cents : 0))
  // If such a sum is impossible, another line gives it a cent.
  for (const [at, cents] of [
    [undefined, 0] as const,
    ...others.flatMap((n) => [[n, 1] as const, [n, -1] as const]),
  ])
    for (let step = 0; step <= 2 * MAX_CENTS; step++) {
      const changed = change(at, cents, step % 2 === 0 ? step / 2 : -(step + 1) / 2)
      if (toDue(changed) === due) return changed
    }
  return change(undefined, 0, all + markup - sum(folded))
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, cents) => all + cents, 0)
}

/** The total of lines with GST, which is rounded for each. */
function toDue(lines: readonly number[]): number {
  return sum(lines.map((cents) => cents + Math.round(cents / 10)))
}

/** As a customer knows a consignment: by its number or reference, and never by an id. */
function describeLine({ number, shipment }: FreightCost): string {
  const name = number ?? shipment.customerReference?.trim() ?? ""
  return `Freight ${name === "" ? "" : `${name} `}to ${describePlace(shipment)}`
}

/** The invoice calculates the GST again. */
function toLine(description: string, cents: number): NewLine {
  return { quantity: times(CENT, 100), description, unitPrice: times(CENT, cents), taxRate: GST_PERCENT }
}

function describePlace({ receiver }: FreightCost["shipment"]): string {
  return receiver ? `${receiver.suburb} ${receiver.state}` : "its receiver"
}

/** Maximum number of consignments named one by one. */
const MAX_NAMED = 10

/** The amounts that were charged on, for people. */
export function describeOnCharge(costs: readonly FreightCost[], charge: OnCharge, percent: number): string[] {
  const named = costs.slice(0, MAX_NAMED).map(({ name, cost, bills }) => {
    const from = bills.length > 0 ? `billed on ${bills.join(", ")}` : "quoted: it is on no audited bill"
    return `${name}: ${formatCents(cost)}, as ${from}.`
  })
  const more = costs.length - named.length
  const { cost, charged, absorbed, markup } = charge
  return [
    ...named,
    ...(more > 0 ? [`And ${counted(more, "consignment")} more.`] : []),
    `Freight without GST: cost ${formatCents(cost)} = ${formatCents(charged)} charged on + ${formatCents(absorbed)} absorbed${absorbed === 0 ? "" : ", which is disputed or credited"}; mark-up of ${percent} %: ${formatCents(markup)}.`,
  ]
}
