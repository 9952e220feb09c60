/**
 * The client's facts of each carrier, and what the sandbox does, which reads the same clauses of the contract by itself.
 * Each fact is observed through the API, so that none can be changed here unnoticed.
 */
import { describe, expect, it } from "vitest"
import { CARRIER_FACTS, type CarrierFacts, type CollectionWindow } from "../../src/carriers/facts.ts"
import { CARRIERS } from "../../src/carriers/names.ts"
import { ErrorBody, SingleConnectorRateResponse } from "../../src/contract/generated/replies.js"
import type {
  Carrier,
  ConnectorListResponse,
  ConsignmentBookingRequest,
  RatedService,
  ShipmentDetailResponse,
  TrackingResponse,
} from "../../src/contract/generated/types.ts"
import { address, as, type Bench, booking, DAY, rateRequest, startBench } from "../sandbox/harness.ts"

/** A connector of the carrier, and a service that it offers there. */
interface Account {
  carrier: Carrier
  connectorId: string
  serviceCode: string
  rate: RatedService
}

const NO_FALLBACK = { customerReference: "sandbox:no-fallback-email" }
const AT_NOON = { collectionDateTime: "2026-11-23T12:00:00", collectionCloseTime: "1600" }

async function openAccount({ freight }: Bench, carrier: Carrier): Promise<Account> {
  const { connectors } = (await freight("GET", "/connectors")).body as ConnectorListResponse
  const connectorId = connectors.find((each) => each.carrier === carrier)?.id ?? ""
  const { body } = await freight("POST", `/${connectorId}/rates`, rateRequest())
  const [rate] = as(SingleConnectorRateResponse, body).rates
  if (!rate) throw new Error(`${carrier} offers nothing`)
  return { carrier, connectorId, serviceCode: rate.serviceCode, rate }
}

/** Errors of a booking; none where it is made. */
async function refuse(
  bench: Bench,
  { connectorId, serviceCode }: Account,
  changes: Partial<ConsignmentBookingRequest>,
) {
  const request = { ...booking({ serviceCode, ...AT_NOON }), ...changes }
  const { status, body } = await bench.freight("POST", `/${connectorId}/shipments`, request)
  return status === 201 ? [] : (as(ErrorBody, body).errors ?? [])
}

const toClock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":")

/** The last of the minutes from one that is accepted towards one that may not be. */
async function findEdge(accepted: number, towards: number, isAccepted: (minute: number) => Promise<boolean>) {
  if (await isAccepted(towards)) return towards
  let [inside, outside] = [accepted, towards]
  while (Math.abs(outside - inside) > 1) {
    const middle = Math.trunc((inside + outside) / 2)
    if (await isAccepted(middle)) inside = middle
    else outside = middle
  }
  return inside
}

const LAST_MINUTE = 1439

async function observeWindow(bench: Bench, account: Account): Promise<CollectionWindow | undefined> {
  const accepts = (field: string, ready: number, close: number) =>
    refuse(bench, account, {
      collectionDateTime: `2026-11-23T${toClock(ready)}:00`,
      collectionCloseTime: toClock(close).replace(":", ""),
    }).then((errors) => !errors.some((error) => error.field === field))
  const acceptsReady = (minute: number) => accepts("collectionDateTime", minute, LAST_MINUTE)
  const acceptsClose = (minute: number) => accepts("collectionCloseTime", 0, minute)
  const [noon, four] = [12 * 60, 16 * 60]
  const ready = {
    from: await findEdge(noon, 0, acceptsReady),
    to: await findEdge(noon, LAST_MINUTE, acceptsReady),
  }
  const close = {
    from: await findEdge(four, 0, acceptsClose),
    to: await findEdge(four, LAST_MINUTE, acceptsClose),
  }
  const gapMinutes =
    four - (await findEdge(noon, four, (minute) => accepts("collectionCloseTime", minute, four)))
  const isAnyTime = [ready, close].every(({ from, to }) => from === 0 && to === LAST_MINUTE)
  if (isAnyTime && gapMinutes === 0) return undefined
  const inWords = ({ from, to }: typeof ready) => ({ from: toClock(from), to: toClock(to) })
  return { ready: inWords(ready), close: inWords(close), gapMinutes }
}

async function needsService(bench: Bench, { connectorId }: Account) {
  const request = {
    ...{ pickupDate: "2026-11-23", readyTime: "12:00", closeTime: "16:00" },
    ...{ collection: address({ email: "dock@acme.example" }), items: booking().items, receiver: address() },
  }
  const { status } = await bench.freight("POST", `/${connectorId}/pickups`, request)
  return status === 400
}

async function book(bench: Bench, { connectorId, serviceCode }: Account, changes = {}) {
  const { shipmentId } = await bench.book(connectorId, { serviceCode, ...AT_NOON, ...changes })
  return shipmentId
}

async function readShipment(bench: Bench, id: string) {
  const { body } = await bench.freight("GET", `/shipments/${id}`)
  return (body as ShipmentDetailResponse).shipment
}

const THIRD_PARTY = { type: "ThirdParty", accountNumber: "800123" } as const

async function observe(bench: Bench, account: Account): Promise<CarrierFacts> {
  const refused = await refuse(bench, account, { payer: THIRD_PARTY })
  const noEmail = await refuse(bench, account, NO_FALLBACK)
  const billed = await book(bench, account, { payer: { type: "Sender", accountNumber: "800123" } })
  const sent = await book(bench, account)
  const collectionWindow = await observeWindow(bench, account)
  const needsServiceForPickup = await needsService(bench, account)
  const { payerAccountNumber } = await readShipment(bench, billed)
  bench.clock.advance(30 * DAY)
  const { consignmentNumber } = await readShipment(bench, sent)
  const { body } = await bench.freight("GET", `/track?consignment=${consignmentNumber}`)
  const { tracking } = body as TrackingResponse
  expect(tracking?.currentStatus).toBe("Delivered")
  return {
    collectionWindow,
    needsCollectionEmail: noEmail.some(({ field }) => field === "collection.email"),
    needsServiceForPickup,
    thirdPartyRefusal: refused.find(({ field }) => field === "payer.type")?.code,
    chargesSenderAccount: payerAccountNumber === "800123",
    statesGst: account.rate.priceGst !== undefined && account.rate.priceIncGst !== undefined,
    givesTransitDays: account.rate.transitDays !== undefined && account.rate.transitDays !== null,
    givesProofOfDelivery: tracking?.pod !== undefined,
  }
}

describe("the facts of a carrier", () => {
  it.each(CARRIERS)("%s: are what the sandbox does", async (carrier) => {
    const bench = await startBench()
    const account = await openAccount(bench, carrier)
    expect(await observe(bench, account)).toEqual(CARRIER_FACTS[carrier])
  })
})
