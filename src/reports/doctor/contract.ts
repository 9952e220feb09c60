/** Compares an account's replies with the contract. */
import { createRefusal, readJson, route, type Transport } from "../../api/index.ts"
import * as shapes from "../../contract/generated/shapes.ts"
import type { RateRequest, ShipmentDetail } from "../../contract/generated/types.ts"
import type { Api, ReplyShape } from "../../contract/index.ts"
import { toStepError } from "../../base/errors.ts"
import type { Endpoint } from "../../machine/index.ts"

/** A way in which replies deviate from the contract. It contains no names, addresses or numbers. */
export interface DeviationRow {
  /** `GET /shipments/{id}` */
  endpoint: string
  /** `shipments[].status` */
  path: string
  /** `missing`, `null`, of another type, an unlisted value, or an additional field. */
  is: "missing" | "null" | "mistyped" | "unlisted" | "additional"
  /** The type found; for a set of listed values, the value. */
  found: string
  count: number
}

interface Needs {
  endpoint(api: Api): Promise<Endpoint>
  connect(api: Api, endpoint: Endpoint): Promise<Transport>
}

const SHIPMENTS = 100
/** Number of shipments whose details and tracking are read. */
const DETAILS = 5

/**
 * Makes read-only requests: connectors, shipments, some of their details and tracking, the rates of one of them, and
 * print devices.
 * @returns the deviations, and how many replies were read
 * @throws FreightError of the first two requests, and `interrupted`
 */
export async function compareReplies(deps: Needs): Promise<{ rows: DeviationRow[]; read: number }> {
  const rows = new Map<string, DeviationRow>()
  let read = 0
  const compare = async <T>(
    transport: Transport,
    endpoint: string,
    path: string,
    shape: ReplyShape<T>,
    body?: RateRequest,
  ): Promise<T> => {
    const method = body === undefined ? "GET" : "POST"
    const reply = await transport.send({ kind: "read", method, path, body })
    if (reply.status >= 300) throw createRefusal(reply)
    const { value, deviations } = await readJson(reply, shape)
    read++
    for (const { path: at, is, found = "", value: unlisted } of deviations) {
      const row = {
        endpoint,
        path: reply.asked.safe(toPattern(at), 200),
        is,
        found: unlisted === undefined ? found : reply.asked.safe(toListed(unlisted)),
        count: 1,
      }
      const key = [endpoint, row.path, is, row.found].join("\n")
      const before = rows.get(key)
      if (before) before.count++
      else rows.set(key, row)
    }
    return value
  }

  const freight = await deps.connect("freight", await deps.endpoint("freight"))
  await compare(freight, "GET /connectors", "/connectors", shapes.ConnectorListResponse)
  const { shipments } = await compare(
    freight,
    "GET /shipments",
    `/shipments?limit=${SHIPMENTS}`,
    shapes.ShipmentListResponse,
  )
  let rateRequest: RateRequest | undefined
  const others: (() => Promise<unknown>)[] = shipments
    .slice(0, DETAILS)
    .flatMap(({ id, consignmentNumber }) => [
      async () => {
        const path = route`/shipments/${id}`
        const { shipment } = await compare(
          freight,
          "GET /shipments/{id}",
          path,
          shapes.ShipmentDetailResponse,
        )
        rateRequest ??= toRateRequest(shipment)
      },
      ...(consignmentNumber
        ? [
            () =>
              compare(
                freight,
                "GET /track",
                route`/track?consignment=${consignmentNumber}`,
                shapes.TrackingResponse,
              ),
          ]
        : []),
    ])
  others.push(async () => {
    if (rateRequest)
      await compare(freight, "POST /rates", "/rates", shapes.AggregatedRateResponse, rateRequest)
  })
  others.push(() => compare(freight, "GET /print-devices", "/print-devices", shapes.PrintDeviceListResponse))
  others.push(async () => {
    const print = await deps.connect("direct-print", await deps.endpoint("direct-print"))
    await compare(print, "GET /devices", "/devices", shapes.DeviceListResponse)
  })
  // One that cannot be read, because such a key is missing or the carrier is down, does not hide the others.
  for (const other of others) await other().catch(toStepError)
  return { rows: [...rows.values()], read }
}

/** A request for today's rates of a shipment; undefined if its reply lacks data for it. */
function toRateRequest({
  sender,
  collection = sender,
  receiver,
  items,
}: ShipmentDetail): RateRequest | undefined {
  if (!collection || !receiver || !items) return undefined
  const [from, to] = [collection, receiver].map(({ suburb, postcode, state }) => ({
    ...{ suburb, postcode, state },
    residential: false,
  }))
  const { count, totalWeightKg, maxLengthCm: lengthCm, maxWidthCm: widthCm, maxHeightCm: heightCm } = items
  const weightKg = Number((totalWeightKg / count).toFixed(2))
  if (!from || !to || !(weightKg > 0)) return undefined
  return { from, to, packages: [{ count, lengthCm, widthCm, heightCm, weightKg }], dangerousGoods: false }
}

/** Without positions; a name that is not a plain word may be personal data. */
function toPattern(path: string): string {
  return path
    .replace(/\[\d+\]/g, "[]")
    .split(".")
    .map((part) => (/^[A-Za-z][A-Za-z0-9]{0,40}(\[\])*$/.test(part) ? part : "(name)"))
    .join(".")
}

/** A value of a listed set is a word; anything else may be personal data. */
function toListed(value: string): string {
  return /^[A-Za-z][A-Za-z_]{0,40}$/.test(value) ? value : "text"
}
