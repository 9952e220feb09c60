/** Creates of `freight api` take the same path as the commands for them: they are checked, and go through the ledger. */
import { quoted } from "../../base/parsed.ts"
import { partsOf } from "../../api/index.ts"
import { chooseConnector } from "./connector.ts"
import { type LookOptions, lookElsewhere } from "./elsewhere.ts"
import { refuseExample } from "./example.ts"
import { toDetail } from "./input.ts"
import { isServiceOpen } from "./preferences.ts"
import { allowForKey, FailedPickup, reportPickup, sendPickup } from "./pickup.ts"
import { findStanding } from "./standings.ts"
import { bookOne, createConfirm } from "./book-one.ts"
import { ofCommand, toOrder } from "./order.ts"
import { checkRate } from "./request.ts"
import {
  type Allowances,
  type Api,
  checkBooking,
  checkPickup,
  type EndpointName,
  ENDPOINTS,
  findEndpoint,
  findErrors,
  type Findings,
  inWords,
  listPlaces,
  momentAt,
  PARTIES,
  type RuleFinding,
  type Validator,
} from "../../contract/index.ts"
import type { JsonObject } from "../../base/json.ts"
import * as requests from "../../contract/generated/requests.js"
import type { Deps } from "../../session/index.ts"
import { FreightError } from "../../base/errors.ts"
import {
  compareOrder,
  type CreateKey,
  describeIgnored,
  equalBefore,
  isSettled,
  Unrecorded,
} from "../../ledger/index.ts"
import { preparePdf } from "../printing/pdf.ts"
import { sendLabelPrint, sendPdfPrint } from "../printing/print.ts"
import { pickKey } from "../../command/index.ts"

export type RawFlags = CreateKey & Allowances & LookOptions

/** Sends a create, and gives its reply to `show` whatever follows. */
type RawCreate = (
  deps: Deps,
  body: JsonObject,
  flags: RawFlags,
  show: (reply: unknown) => Promise<void>,
) => Promise<void>

/** A request that creates something: how to send it, and the command that prints the same reply. */
export interface RawRequest {
  send: RawCreate
  check(deps: Deps, body: JsonObject): Promise<unknown>
  command: string
}

/** How to send a request that creates a shipment, a pickup or a print; undefined for any other. */
export function rawCreate(api: Api, method: string, path: string): RawRequest | undefined {
  const parts = partsOf(path)
  const found = findEndpoint(
    method,
    parts.map((part) => part.toLowerCase()),
  )
  const maker = found && ENDPOINTS[found.name].api === api ? MAKERS[found.name] : undefined
  if (!found || maker === undefined) return undefined
  if (path.includes("?"))
    throw new FreightError("usage", 'a path that creates something must not contain "?"')
  const [make, command, validate] = maker
  const create = make(parts[found.idAt] ?? "")
  const send: RawCreate = async (deps, body, flags, show) => {
    try {
      await create(deps, body, flags, show)
    } catch (error) {
      if (error instanceof Unrecorded) await show(error.entry.response)
      throw error
    }
  }
  return { send, command, check: (deps, body) => checkBody<unknown>(deps, validate, body) }
}

type Maker = readonly [make: (id: string) => RawCreate, command: string, validate: Validator<unknown>]

const MAKERS: Readonly<Partial<Record<EndpointName, Maker>>> = {
  "POST /{connectorId}/shipments": [book, "book", requests.ConsignmentBookingRequest],
  "POST /{connectorId}/pickups": [bookPickup, "pickup book", requests.PickupBookingRequest],
  "POST /shipments/{id}/print": [printLabel, "print label", requests.PrintRequest],
  "POST /print-jobs": [() => printPdf, "print pdf", requests.PrintJobRequest],
}

function book(connectorId: string): RawCreate {
  return async (deps, body, flags, show) => {
    const request = await checkBody(deps, requests.ConsignmentBookingRequest, body)
    if (isServiceOpen(request.serviceCode))
      throw new FreightError("usage", `a request has a service code, not ${quoted(request.serviceCode)}`, {
        hint: "freight book --service cheapest chooses a service.",
      })
    const { carrier } = await chooseConnector(deps, { connectorId, ...ANY_SERVICE })
    const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
    const rate = request.rateId === undefined ? undefined : await deps.quotes.find(request.rateId)
    const written = { fields: { ...request, connectorId } }
    const standing =
      flags.key === undefined ? undefined : await findStanding(ledger, { key: flags.key, written })
    // A request sent under its key before is returned or refused, however old it is.
    if (standing === undefined || !isSettled(standing)) {
      const moment = momentAt(deps.clock.now(), flags, await deps.knowledge(listPlaces(request, PARTIES)))
      await throwOrWarn(deps, checkBooking(request, carrier, moment))
      refuseExample(request, deps.globals.sandbox)
      if (rate) checkRate(rate, request, moment.nowMs)
    }
    const order = toOrder(
      { own: undefined, key: flags.key, wish: {}, source: ofCommand(written, flags) },
      request,
    )
    const selected = { connectorId, carrier, serviceCode: request.serviceCode, rate }
    const isNamed = flags.key !== undefined || request.customerReference !== undefined
    const look =
      isNamed && standing?.kind !== "booked" ? () => lookElsewhere(deps, ledger, api, flags) : undefined
    const road = { ledger, api, look, price: async () => selected, confirm: createConfirm(deps) }
    await bookOne(road, order, selected, async ({ response, recorded, entry, earlier, error }) => {
      if (error) throw error
      if (earlier) await deps.note(equalBefore(earlier, request))
      if (recorded) {
        await deps.note(BEFORE)
        const { ignored } = compareOrder(entry, written)
        if (ignored.length > 0) await deps.note(describeIgnored(ignored))
      }
      await show(response)
    })
  }
}

function bookPickup(connectorId: string): RawCreate {
  return async (deps, body, flags, show) => {
    const request = await checkBody(deps, requests.PickupBookingRequest, body)
    const keyed = pickKey(flags)
    const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
    const { carrier } = await chooseConnector(deps, { connectorId, ...ANY_SERVICE })
    const { shipmentId, collection = shipmentId && (await api.getShipment(shipmentId)).shipment.collection } =
      request
    const place = { carrier, collection: collection || undefined }
    const knowledge = await deps.knowledge(listPlaces(request, PARTIES))
    const moment = momentAt(deps.clock.now(), await allowForKey(ledger, flags), knowledge)
    await throwOrWarn(deps, checkPickup(request, { ...place, moment }))
    try {
      const created = await sendPickup(ledger, api, { connectorId, carrier, request, ...keyed })
      await show(created.response)
      await reportPickup(deps, created)
    } catch (error) {
      if (error instanceof FailedPickup) await show(error.response)
      throw error
    }
  }
}

function printLabel(shipmentId: string): RawCreate {
  return async (deps, body, flags, show) => {
    const { deviceId } = await checkBody(deps, requests.PrintRequest, body)
    const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
    const keyed = pickKey(flags)
    const sheet = { deviceId, copy: 1, ...keyed }
    const { response, recorded } = await sendLabelPrint(ledger, api, shipmentId, sheet)
    if (recorded) await deps.note(BEFORE)
    await show(response)
  }
}

const printPdf: RawCreate = async (deps, body, flags, show) => {
  const keyed = pickKey(flags)
  const { deviceId, pdfBase64 } = await checkBody(deps, requests.PrintJobRequest, body)
  const pdf = await preparePdf("pdfBase64", Buffer.from(pdfBase64, "base64"))
  const [ledger, api] = await Promise.all([deps.ledger("direct-print"), deps.directPrint()])
  const { response, recorded } = await sendPdfPrint(ledger, api, pdf, { deviceId, copy: 1, ...keyed })
  if (recorded) await deps.note(BEFORE)
  await show(response)
}

const BEFORE = "Made before under this key. Nothing was sent."

/** The connector is named, so its services do not matter. */
const ANY_SERVICE = { carrier: undefined, serviceCode: undefined, offline: false } as const

async function throwOrWarn(deps: Deps, { errors, warnings }: Findings): Promise<void> {
  if (errors.length > 0) throw createBodyError(errors)
  for (const warning of warnings) await deps.warn(inWords(warning))
}

function createBodyError(problems: readonly RuleFinding[]): FreightError {
  return new FreightError("input", "the body is incomplete or incorrect; nothing was sent", {
    errors: problems.map((problem) => toDetail(problem)),
  })
}

const UNKNOWN_FIELD: readonly string[] = ["additionalProperties", "unevaluatedProperties"]

/**
 * A body that the ledger can keep and compare. Fields that this version does not know pass with a warning: an API that
 * grew is what this command is for.
 */
async function checkBody<T>(deps: Deps, validate: Validator<T>, body: JsonObject): Promise<T> {
  const problems = findErrors(validate, body)
  const errors = problems.filter(({ keyword }) => !UNKNOWN_FIELD.includes(keyword))
  if (errors.length > 0) throw createBodyError(errors)
  for (const { message } of problems) await deps.warn(message)
  return body as T
}
