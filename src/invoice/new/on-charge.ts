/** The freight of a customer's consignments as lines of an invoice: what it cost, and the mark-up apart. Pure, in exact cents. */
import { counted } from "../../base/counted.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import { decimalOf, formatCents, multiply, unitsAt } from "../../base/money.ts"
import { CENT, GST_PERCENT, times } from "../accounting/amounts.ts"
import type { NewLine } from "./texts.ts"

/** What a consignment cost without GST, in cents. */
export interface FreightCost {
  shipment: Pick<ShipmentDetail, "receiver">
  /** The consignment's number, or its id. */
  name: string
  cost: number
  /** Of it, what is not charged on, because it is disputed with the carrier. */
  disputed: number
  /** Numbers of the audited bills that say so; none where it is the quoted price. */
  bills: readonly string[]
}

/** `cost` is `charged` and `absorbed`; the mark-up is on top of what is charged. In cents, without GST. */
export interface OnCharge {
  lines: NewLine[]
  cost: number
  charged: number
  absorbed: number
  markup: number
}

/** @param percent of the mark-up */
export function chargeFreight(costs: readonly FreightCost[], percent: number): OnCharge {
  const parts = costs.map((each) => {
    const charged = Math.max(0, each.cost - Math.max(0, each.disputed))
    return { ...each, charged }
  })
  const add = (name: "cost" | "charged") => parts.reduce((sum, part) => sum + part[name], 0)
  const [cost, charged] = [add("cost"), add("charged")]
  const product = multiply(decimalOf(charged), decimalOf(percent))
  const markup = Number(unitsAt({ ...product, places: product.places + 2 }, 0))
  const lines = parts.flatMap(({ name, shipment, charged: cents }) =>
    cents === 0 ? [] : [toLine(`Freight ${name} to ${describePlace(shipment)}`, cents)],
  )
  if (markup !== 0) lines.push(toLine(`Mark-up on freight, ${percent} %`, markup))
  return { lines, cost, charged, absorbed: cost - charged, markup }
}

/** GST is worked out anew by the invoice. */
function toLine(description: string, cents: number): NewLine {
  return { quantity: times(CENT, 100), description, unitPrice: times(CENT, cents), taxRate: GST_PERCENT }
}

function describePlace({ receiver: { suburb, state } }: FreightCost["shipment"]): string {
  return `${suburb} ${state}`
}

/** Maximum number of consignments named one by one. */
const MOST_NAMED = 10

/** What was charged by which amounts, for people. */
export function describeOnCharge(costs: readonly FreightCost[], charge: OnCharge, percent: number): string[] {
  const named = costs.slice(0, MOST_NAMED).map(({ name, cost, bills }) => {
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
