/** Reads booked shipments and their carriers' charges, for an invoice to a customer. */
import { type BilledShipment, fillFromShipments, type KnownParts } from "../invoice/index.ts"
import { namesFrom, readShipments, SHIPMENTS } from "../orders/index.ts"
import type { Deps } from "../session/index.ts"

interface BillingOptions {
  /** By any of their names. */
  shipment?: readonly string[]
  /** Percentage added to the freight charges. */
  markup?: number
  /** Show the mark-up as a separate line. */
  showMarkup?: boolean
  /** Also charge what is disputed with the carrier. */
  chargeDisputed?: boolean
  /** Given on the invoice itself: the shipments do not override it. */
  po?: string
  shippingAmount?: string
  shipTo?: string
  purpose: string
}

/** @returns the shipments' data, with a warning for each gap */
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
