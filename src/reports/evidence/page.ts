import { BILL_CURRENCY, formatVerdict } from "../../bills/index.ts"
import {
  addressLine,
  collectionText,
  type Ends,
  formatMomentAt,
  formatPackage,
  formatPackageTotals,
  formatPhone,
  OWN_FIELDS,
  type PlaceClock,
  toPlaceClock,
} from "../../contract/index.ts"
import {
  answerText,
  CARRIER_FIELDS,
  DANGEROUS_GOODS,
  eventTime,
  priceText,
  proofOfDelivery,
  standing,
} from "../../orders/index.ts"
import { carrierLetter } from "../../carriers/index.ts"
import type {
  BookingAddress,
  ConsignmentBookingRequest,
  ShipmentDetail,
  TrackingEvent,
} from "../../contract/generated/types.ts"
import { centsOf, formatCents, formatMoney } from "../../base/money.ts"
import { describeWord } from "../../ledger/index.ts"
import { formatInstant, parseWallClock } from "../../base/wall-clock.ts"
import type { Json } from "../../base/json.ts"
import { type Fact, type Facts, type Page, type PlainBlock, valueAt } from "../../output/index.ts"
import type { Evidence, Part } from "./gather.ts"

interface PaperDetails {
  label: Uint8Array | undefined
  madeAt: string
  zone: string
  warning?: string
}

/** The parts in reading order; a missing one says why. */
export function describeEvidence(evidence: Evidence, printing?: PaperDetails): Page<PlainBlock> {
  const { shipment, consignmentNumber, shipmentId, label, charges, tracking } = evidence
  const section = (title: string, part: Part, lines: Loose | undefined): Facts => {
    const given = (lines ?? []).flatMap(([name, text]): Fact[] =>
      text ? [{ name, text: String(text) }] : [],
    )
    const missing = (evidence.missing[part] ?? "there is none").replace(/\.$/, "")
    return { kind: "facts", title, facts: given.length > 0 ? given : [{ text: `Not here: ${missing}.` }] }
  }
  const about = shipment && [
    `Carrier ${carrierLetter(shipment.carrier ?? "")}`,
    shipment.serviceDescription ?? shipment.serviceCode,
    shipment.customerReference,
  ]
  return {
    title: consignmentNumber ?? shipmentId,
    about: about?.filter(Boolean).join(", ") ?? "",
    corner: ["Evidence"],
    blocks: [
      section("Quote", "quote", quoteLines(evidence)),
      section("Booking", "shipment", bookingLines(evidence)),
      section("Request", "request", requestLines(evidence)),
      section("Pickup", "pickup", pickupLines(evidence)),
      { ...section("Charges", "charges", charges?.map(chargeLine)), isWide: true },
      section("Tracking", "tracking", trackingLines(evidence)),
    ],
    aside: {
      ...(printing?.label && { picture: printing.label }),
      facts: [
        section("Label", "label", label ? [["", `${label.bytes} bytes of PDF`]] : undefined),
        section("Proof of delivery", "proof", proofOfDelivery({ supported: true, tracking })),
      ],
    },
    ...(printing && { foot: describeFoot(printing) }),
  }
}

function describeFoot({ madeAt, zone, warning }: PaperDetails): NonNullable<Page["foot"]> {
  const text = `Made ${madeAt}. A time without a place is by the clock of ${zone}.`
  return { text, ...(warning !== undefined && { warning }) }
}

type Loose = readonly (readonly [name: string, text: unknown])[]

function quoteLines(evidence: Evidence): Loose | undefined {
  const { quote, booking } = evidence
  if (!quote) return undefined
  const { price, priceIncGst, currency = "AUD", gstBasis, eta, transitDays, rateId, quoteId } = quote
  const priceIncGstCents = priceIncGst === undefined ? undefined : centsOf(priceIncGst)
  const text = priceText({ priceCents: centsOf(price), priceIncGstCents, gstBasis, currency })
  const before = rateId === undefined ? "by the person who booked it" : "in the 48 hours before it was booked"
  return [
    ["Price", text],
    [
      "Delivery",
      momentText(eta, toPlaceClock(findEnds(evidence).to)) ??
        (transitDays === undefined ? undefined : `${transitDays} days in transit`),
    ],
    ["Quoted", quote.quotedAt ? formatInstant(quote.quotedAt) : booking && before],
    ["Rate", rateId],
    ["Quote", quoteId],
  ]
}

/** Formats a time without a zone by the clock of its place. */
function momentText(text: string | undefined, clock: PlaceClock | undefined): string | undefined {
  const time = parseWallClock(text ?? "")
  return time.ok ? formatMomentAt(time.value, clock) : text
}

function bookingLines({ booking, shipment, shipmentId, barcodes, missing }: Evidence): Loose {
  const by = booking && [booking.person, booking.workstation && `at ${booking.workstation}`]
  return [
    ["Shipment", shipmentId],
    ["Order", shipment?.orderNumber ?? booking?.orderNumber],
    ["Barcodes", barcodes.join(" ")],
    ["Account", shipment?.connectorName ?? booking?.connectorId],
    ["Booked", booking ? formatInstant(booking.sentAt) : shipment && formatInstant(shipment.createdAt ?? "")],
    ["By", by?.filter(Boolean).join(" ") ?? (shipment && `${shipment.source}, not through this ledger`)],
    ["Key", booking?.key],
    ["Status", shipment?.status],
    [
      "Cancelled",
      booking?.cancelled &&
        `${describeWord(booking.cancelled)}; recorded by ${booking.cancelled.by.person} at ${booking.cancelled.by.workstation}`,
    ],
    ["Carrier's reference", shipment?.carrierBookingRef],
    ["The API", missing.shipment],
  ]
}

/** The common fields of a request and a shipment of the API. */
type ShipmentRequest = Partial<
  Omit<ConsignmentBookingRequest, "payer" | "customerReference" | "specialInstructions">
> & {
  customerReference?: string | null
  specialInstructions?: string | null
}

/** The request as sent, or as the API has it. */
function requestLines({ request, shipment, booking }: Evidence): Loose | undefined {
  const sent = request as Partial<ConsignmentBookingRequest> | null
  const asked: ShipmentRequest | null = sent ?? shipment
  if (!asked) return undefined
  const { sender, collection, receiver, packages, items, packagingCode, dangerousGoods } = asked
  const { customerReference, specialInstructions } = asked
  const goods = dangerousGoodsText(sent, dangerousGoods)
  const isElsewhere = sender && collection && partyText(sender) !== partyText(collection)
  return [
    ["Reference", customerReference],
    ["Service", [asked.serviceCode, shipment?.serviceDescription].filter(Boolean).join(", ")],
    ["Sender", isElsewhere && partyText(sender)],
    ["From", collection && partyText(collection)],
    ["To", receiver && partyText(receiver)],
    ["Collection", collectionText(asked)],
    ["Goods", items && [formatPackageTotals(items), packagingCode].filter(Boolean).join(", ")],
    ["Packages", packages?.map(formatPackage).join(", ")],
    ["Dangerous goods", goods],
    ["Payer", payerText(sent, shipment)],
    ["Instructions", specialInstructions],
    ...CARRIER_FIELDS.map((field): Loose[number] => [
      field.words,
      answerText(field, valueAt(asked, field.path) as Json | undefined),
    ]),
    ...OWN_FIELDS.map(({ path, beside }): Loose[number] => {
      const value = booking?.own?.[path]
      return [beside.title, typeof value === "boolean" ? (value ? "yes" : "no") : value]
    }),
  ]
}

/** `Acme Pty Ltd, …, Alexandria NSW 2015, 02 5550 1234, dispatch@acme.example` */
function partyText(address: BookingAddress): string {
  return [addressLine(address), formatPhone({ ...address }), address.email].filter(Boolean).join(", ")
}

/** Fields that `dangerousGoodsText` already describes. */
const NAMED_GOODS = ["unNumber", "hazClass", "packingGroup", "shippingName"]

function dangerousGoodsText(
  sent: Partial<ConsignmentBookingRequest> | null,
  dangerousGoods: boolean | undefined,
): string {
  const { unNumber, hazClass, packingGroup, shippingName } = sent?.dangerousGoodsDetails ?? {}
  if (unNumber === undefined) return dangerousGoods ? "yes" : "no"
  const others = DANGEROUS_GOODS.parts.flatMap((part) => {
    const text = answerText(part, valueAt(sent?.dangerousGoodsDetails, part.path) as Json | undefined)
    return NAMED_GOODS.includes(part.path) || text === "" ? [] : `${part.words}: ${text}`
  })
  return [
    dangerousGoods === false && "no",
    `UN${unNumber}`,
    shippingName,
    `class ${hazClass}`,
    packingGroup && `packing group ${packingGroup}`,
    ...others,
  ]
    .filter(Boolean)
    .join(", ")
}

function payerText(sent: Partial<ConsignmentBookingRequest> | null, shipment: ShipmentDetail | null): string {
  const { type, accountNumber, subAccount, thirdPartyAddress } = sent?.payer ?? {
    type: shipment?.payer,
    accountNumber: shipment?.payerAccountNumber,
    subAccount: shipment?.payerSubAccount,
    thirdPartyAddress: undefined,
  }
  const address = thirdPartyAddress && partyText(thirdPartyAddress)
  return [type, accountNumber && `account ${accountNumber}`, subAccount, address].filter(Boolean).join(", ")
}

function pickupLines({ pickup }: Evidence): Loose | undefined {
  if (!pickup) return undefined
  const { detail = {} } = pickup
  return [
    ["Status", pickup.status],
    ["Carrier's number", pickup.orderNumber],
    [
      "For",
      detail.pickupDate &&
        `${detail.pickupDate}, ${detail.readyTime} to ${detail.closeTime}, local time there`,
    ],
    ["Booked", pickup.bookedAt && formatInstant(pickup.bookedAt)],
    ["By", pickup.workstation && [pickup.person, `at ${pickup.workstation}`].filter(Boolean).join(" ")],
    ["Error", detail.lastErrorMessage],
  ]
}

/** `AUD 74.43 + GST 7.44 = 81.87 (freight, fuel): agrees`, under the bill's number. */
function chargeLine(charge: NonNullable<Evidence["charges"]>[number]): Loose[number] {
  const { bill, supplier, auditedAt, charges, verdict, disputed, why } = charge
  const parts = [
    `${chargeText(charge)} (${charges.join(", ")}): ${formatVerdict(verdict)}`,
    disputed !== 0 && `to dispute: ${formatMoney(disputed, BILL_CURRENCY)}`,
    why,
    `audited ${formatInstant(auditedAt)}`,
    supplier,
  ]
  return [bill || "A bill", parts.filter(Boolean).join("; ")]
}

function chargeText({ exGst, gst, incGst, unsaid }: NonNullable<Evidence["charges"]>[number]): string {
  const money = (amount: number) => formatMoney(amount, BILL_CURRENCY)
  if (exGst !== null && gst !== null && incGst !== null)
    return `${money(exGst)} + GST ${formatCents(centsOf(gst))} = ${formatCents(centsOf(incGst))}`
  if (exGst !== null) return `${money(exGst)} + GST`
  if (incGst !== null) return `${money(incGst)}, GST included`
  return unsaid === null ? "no amount" : `${money(unsaid)}, GST not stated`
}

function findEnds({ request, shipment }: Evidence): Ends {
  const { collection, receiver } = (shipment ?? Object(request)) as ShipmentRequest
  return { from: collection, to: receiver }
}

function trackingLines(evidence: Evidence): Loose | undefined {
  const { tracking } = evidence
  if (!tracking) return undefined
  const ends = findEnds(evidence)
  return [
    ["Now", standing({ supported: true, tracking }, ends)],
    ...tracking.events.map((event) => [eventTime(event, ends), eventText(event)] as const),
  ]
}

function eventText({ status, location, description }: TrackingEvent): string {
  return [status, location, description].filter(Boolean).join(", ")
}
