/** What an invoice to a customer says of shipments that were booked, and of what their carriers ask for them. */
import { type BilledShipment, fillFromShipments, type KnownParts } from "../invoice/index.ts"
import { namesFrom, readShipments, SHIPMENTS } from "../orders/index.ts"
import type { Deps } from "../session/index.ts"

interface BillingOptions {
  /** By any of their names. */
  shipment?: readonly string[]
  /** The freight is charged on with this mark-up, in percent. */
  markup?: number
  /** The mark-up is a line of its own. */
  showMarkup?: boolean
  /** What is disputed with the carrier is charged too. */
  chargeDisputed?: boolean
  /** What the invoice says itself is not taken from the shipments. */
  po?: string
  shippingAmount?: string
  shipTo?: string
  purpose: string
}

/** @returns what the shipments say, with a warning for each thing that they leave open */
export async function readBilledShipments(deps: Deps, options: BillingOptions): Promise<KnownParts> {
  const { markup } = options
  if (!options.shipment) return {}
  const names = await namesFrom(deps.terminal, options.shipment, SHIPMENTS)
  const read = await readShipments(deps, names)
  const ledger = (await deps.hasLedger()) ? await deps.readLedger() : undefined
  const billed: BilledShipment[] = []
  for (const { shipment, scope } of read)
    billed.push({ shipment, facts: (await ledger?.store.ofShipment(scope, shipment.id))?.facts })
  const { parts, warnings } = fillFromShipments(billed, {
    po: options.po,
    shipping: options.shippingAmount !== undefined || markup !== undefined,
    shipTo: options.shipTo !== undefined,
    isMemo: options.purpose !== "standard",
    isChargedOn: markup !== undefined,
  })
  for (const warning of warnings) await deps.warn(warning)
  if (markup === undefined) return parts
  const { readFreightCosts } = await import("./cost.ts")
  const { costs, warnings: open } = await readFreightCosts(
    ledger?.store,
    billed,
    options.chargeDisputed === true,
  )
  for (const warning of open) await deps.warn(warning)
  const { chargeFreight, describeOnCharge } = await import("../invoice/new/on-charge.ts")
  const charge = chargeFreight(costs, markup, options.showMarkup === true)
  for (const note of describeOnCharge(costs, charge, markup)) await deps.note(note)
  return { ...parts, freightLines: charge.lines }
}
