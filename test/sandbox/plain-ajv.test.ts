/** Requests and replies of the sandbox, checked by plain ajv against schemas/ instead of freight's own validators. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { address, booking, rateRequest } from "./requests.ts"
import { type Bench, startBench } from "./harness.ts"

type Body = Record<string, unknown>
type Answered = Awaited<ReturnType<Bench["freight"]>>

const SCHEMAS = ["freight", "direct-print"].map((name): Body => {
  const file = path.resolve(import.meta.dirname, `../../schemas/${name}.schema.json`)
  return JSON.parse(readFileSync(file, "utf8"))
})

/** @param closing what else holds for the whole body */
function compile(schemas: Body[], closing: Body = {}) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const schema of schemas) ajv.addSchema(schema)
  const files = SCHEMAS.flatMap(({ $id, $defs }) =>
    Object.keys(Object($defs)).map((name) => [name, $id] as const),
  )
  const validators = new Map(
    files.map(([name, file]) => [name, ajv.compile({ $ref: `${file}#/$defs/${name}`, ...closing })]),
  )
  /** Errors in a body, in ajv's own words. */
  return (definition: string, body: unknown): string[] => {
    const validate = validators.get(definition)
    if (!validate) throw new Error(`no schema has ${definition}`)
    return validate(body) ? [] : (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`)
  }
}

/** The same schemas, where no object may have what is not named: a reply of the sandbox has nothing of its own. */
function closed(node: unknown, isDefinition = false): unknown {
  if (typeof node !== "object" || node === null) return node
  if (Array.isArray(node)) return node.map((each) => closed(each))
  const parts = Object.entries(node).map(([name, part]) => {
    if (name === "$defs") return [name, mapValues(part, (each) => closed(each, true))]
    if (name === "properties") return [name, mapValues(part, (each) => closed(each))]
    return [name, name === "if" ? part : closed(part)]
  })
  const isObject = "$ref" in node || ("properties" in node && "type" in node)
  return { ...(isObject && !isDefinition && { unevaluatedProperties: false }), ...Object.fromEntries(parts) }
}

function mapValues(value: object, map: (each: unknown) => unknown): Body {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each)]))
}

const problemsOf = compile(SCHEMAS)
const problemsOfReply = compile(
  SCHEMAS.map((schema) => ({ ...Object(closed(schema)) })),
  { unevaluatedProperties: false },
)

/** Both APIs as OpenAPI. */
const DOCUMENTS = ["freight", "direct-print"].map((name) => {
  const file = path.resolve(import.meta.dirname, `../../schemas/openapi/${name}.yaml`)
  return { $id: name, ...(parse(readFileSync(file, "utf8")) as OpenApi) }
})

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, DescribedReply> }>>
}
interface DescribedReply {
  headers?: object
  content: Record<string, { schema: object }>
}

const openApiAjv = new Ajv2020({ strict: false })
for (const document of DOCUMENTS) openApiAjv.addSchema(document)

/** The replies of an endpoint by their status, each with what checks its body. */
function describedReplies(endpoint: string) {
  const [method = "", url = ""] = endpoint.toLowerCase().replace("connectorid", "connectorId").split(" ")
  const found = DOCUMENTS.flatMap((document) => {
    const responses = document.paths[url]?.[method]?.responses
    return responses ? [{ document, responses }] : []
  })
  const [{ document, responses } = { document: undefined, responses: {} }] = found
  const pointer = `${url.replaceAll("/", "~1")}/${method}`
  return Object.entries(responses).map(([status, { headers, content }]) => ({
    status: Number(status),
    headers: Object.keys(headers ?? {}),
    types: Object.keys(content),
    problems(body: unknown): string[] {
      const type = "application~1json"
      const place = `#/paths/${encodeURI(pointer)}/responses/${status}/content/${type}/schema`
      const validate = openApiAjv.compile({ $ref: `${document?.$id}${place}` })
      return validate(body)
        ? []
        : (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`)
    },
  }))
}

const SERVICES: Record<string, string> = { a: "76", b: "GEN", c: "STD" }

/** Books on `connector-a`, `connector-b` or `connector-c`. */
function book({ freight }: Bench, letter: string, changes: object = {}, key?: string): Promise<Answered> {
  const body = { ...booking(), serviceCode: SERVICES[letter], ...changes }
  return freight("POST", `/connector-${letter}/shipments`, body, key)
}

async function shipmentId(bench: Bench, letter = "b", word = ""): Promise<unknown> {
  return Object((await book(bench, letter, { customerReference: word })).body).shipmentId
}

const WHEN = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }
const STANDALONE = {
  ...WHEN,
  serviceCode: "76",
  collection: address(),
  receiver: address(),
  items: booking().items,
}

async function pickUp(bench: Bench, letter: string, word = ""): Promise<Answered> {
  const id = await shipmentId(bench, letter, word)
  return bench.freight("POST", `/connector-${letter}/pickups`, { ...WHEN, shipmentId: id })
}

async function pickupDetail(bench: Bench, made: Answered): Promise<Answered> {
  return bench.freight("GET", `/pickups/${Object(made.body).pickupBookingId}`)
}

const PDF = Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64")

const rateFrom = (suburb: string) => ({ ...rateRequest(), from: { ...rateRequest().from, suburb } })
interface Case {
  endpoint: string
  what: string
  status: number
  definition: string
  ask(bench: Bench): Promise<Answered>
}

function tried(endpoint: string, what: string, status: number, definition: string, ask: Case["ask"]): Case {
  return { endpoint, what, status, definition, ask }
}

const LETTERS = ["a", "b", "c"]
const SUCCESSES: Case[] = [
  tried("GET /connectors", "all", 200, "ConnectorListResponse", ({ freight }) =>
    freight("GET", "/connectors"),
  ),
  tried("POST /rates", "all", 200, "AggregatedRateResponse", ({ freight }) =>
    freight("POST", "/rates", rateRequest()),
  ),
  ...["sandbox:carrier-b-down", "sandbox:carrier-rejects"].map((word) =>
    tried("POST /rates", word, 200, "AggregatedRateResponse", ({ freight }) =>
      freight("POST", "/rates", rateFrom(word)),
    ),
  ),
  ...LETTERS.flatMap((letter): Case[] => [
    tried("POST /{connectorId}/rates", letter, 200, "SingleConnectorRateResponse", ({ freight }) =>
      freight("POST", `/connector-${letter}/rates`, rateRequest()),
    ),
    tried("POST /{connectorId}/shipments", letter, 201, "BookingResponse", (bench) => book(bench, letter)),
    tried("GET /shipments/{id}", letter, 200, "ShipmentDetailResponse", async (bench) =>
      bench.freight("GET", `/shipments/${await shipmentId(bench, letter)}`),
    ),
    tried("POST /{connectorId}/pickups", `of a shipment, ${letter}`, 201, "PickupBookingResponse", (bench) =>
      pickUp(bench, letter),
    ),
    tried(
      "GET /pickups/{id}",
      `of a shipment, ${letter}`,
      200,
      "PickupBookingDetailResponse",
      async (bench) => pickupDetail(bench, await pickUp(bench, letter)),
    ),
    ...["MOVING", "DELIVERED"].map((state) =>
      tried("GET /track", `${letter} ${state}`, 200, "TrackingResponse", ({ freight }) =>
        freight("GET", `/track?consignment=DEMO-${letter.toUpperCase()}-${state}`),
      ),
    ),
  ]),
  ...["auto-pickup-booked", "auto-pickup-failed", "auto-pickup-unrecorded", "label-warning"].map((word) =>
    tried("POST /{connectorId}/shipments", word, 201, "BookingResponse", (bench) =>
      book(bench, "b", { customerReference: `sandbox:${word}` }),
    ),
  ),
  tried("GET /shipments", "of all carriers, one cancelled", 200, "ShipmentListResponse", async (bench) => {
    for (const letter of LETTERS) await book(bench, letter)
    await shipmentId(bench, "a", "sandbox:cancelled sandbox:slow")
    return bench.freight("GET", "/shipments?limit=200&offset=0")
  }),
  tried("GET /track", "nothing yet", 200, "TrackingResponse", ({ freight }) =>
    freight("GET", "/track?consignment=DEMO-B-MOVING&carrier=CARRIER_A_AU"),
  ),
  ...[{}, { serviceCode: "none" }].map((changes) =>
    tried(
      "POST /{connectorId}/pickups",
      `standalone ${JSON.stringify(changes)}`,
      201,
      "PickupBookingResponse",
      ({ freight }) => freight("POST", "/connector-a/pickups", { ...STANDALONE, ...changes }),
    ),
  ),
  tried("GET /pickups/{id}", "refused", 200, "PickupBookingDetailResponse", async (bench) =>
    pickupDetail(bench, await pickUp(bench, "b", "sandbox:pickup-failed")),
  ),
  tried("GET /pickups/{id}", "standalone", 200, "PickupBookingDetailResponse", async (bench) =>
    pickupDetail(bench, await bench.freight("POST", "/connector-a/pickups", STANDALONE)),
  ),
  tried("GET /print-devices", "all", 200, "PrintDeviceListResponse", ({ freight }) =>
    freight("GET", "/print-devices"),
  ),
  tried("POST /shipments/{id}/print", "one", 201, "PrintJobCreated", async (bench) =>
    printLabel(bench, await shipmentId(bench)),
  ),
  tried("GET /devices", "after a job", 200, "DeviceListResponse", async (bench) => {
    await bench.print("POST", "/print-jobs", { deviceId: "device-bench", pdfBase64: PDF })
    return bench.print("GET", "/devices")
  }),
  tried("POST /print-jobs", "one", 201, "DirectPrintJobCreated", ({ print }) =>
    print("POST", "/print-jobs", { deviceId: "device-bench", pdfBase64: PDF }),
  ),
]

function printLabel({ freight }: Bench, id: unknown, deviceId = "device-bench"): Promise<Answered> {
  return freight("POST", `/shipments/${id}/print`, { deviceId })
}

/** Statuses that each endpoint may answer, besides 401, 403 and 429, which all of them may. */
const ENDPOINTS: Record<string, readonly number[]> = {
  "GET /connectors": [200],
  "POST /rates": [200, 400],
  "POST /{connectorId}/rates": [200, 400, 404, 502],
  "POST /{connectorId}/shipments": [201, 400, 404, 502],
  "GET /shipments": [200, 400],
  "GET /shipments/{id}": [200, 404],
  "GET /track": [200, 400, 404],
  "GET /shipments/{id}/label": [200, 404],
  "POST /{connectorId}/pickups": [201, 400, 404, 500, 502],
  "GET /pickups/{id}": [200, 404],
  "GET /print-devices": [200],
  "POST /shipments/{id}/print": [201, 400, 404],
  "GET /devices": [200],
  "POST /print-jobs": [201, 400, 404],
}

const refused = (endpoint: string) => {
  const [method = "", url = ""] = endpoint
    .replace("{connectorId}", "connector-a")
    .replace("{id}", "x")
    .split(" ")
  const isPrint = ["/devices", "/print-jobs"].includes(url)
  const send = (bench: Bench, key?: string) =>
    (isPrint ? bench.print : bench.freight)(method, url, method === "POST" ? {} : undefined, key)
  return { isPrint, send }
}

const REFUSALS: Case[] = [
  ...Object.keys(ENDPOINTS).flatMap((endpoint): Case[] => {
    const { isPrint, send } = refused(endpoint)
    const scope = endpoint === "GET /devices" ? "withoutDevicesRead" : "withoutPrintJobsWrite"
    return [
      tried(endpoint, "a wrong key", 401, "ErrorBody", (bench) => send(bench, "wrong")),
      tried(endpoint, "no access", 403, isPrint ? "ForbiddenError" : "ErrorBody", (bench) =>
        send(bench, bench.sandbox.keys[isPrint ? scope : "noFreightAccess"]),
      ),
      tried(endpoint, "too often", 429, isPrint ? "RateLimitError" : "ErrorBody", async (bench) => {
        await bench.control("POST", "/faults", { fault: "429" })
        const answer = await send(bench)
        expect([answer.headers.get("retry-after"), Object(answer.body).retryAfter]).toEqual(
          isPrint ? [null, 1] : ["1", undefined],
        )
        return answer
      }),
    ]
  }),
  ...Object.entries(ENDPOINTS)
    .filter(([endpoint, statuses]) => endpoint.startsWith("POST") && statuses.includes(400))
    .map(([endpoint]) => tried(endpoint, "an empty body", 400, "ErrorBody", refused(endpoint).send)),
  tried("GET /shipments", "a limit of 201", 400, "ErrorBody", ({ freight }) =>
    freight("GET", "/shipments?limit=201"),
  ),
  ...["", "?consignment=C-1&carrier=ME"].map((query) =>
    tried("GET /track", `query '${query}'`, 400, "ErrorBody", ({ freight }) =>
      freight("GET", `/track${query}`),
    ),
  ),
  tried("POST /{connectorId}/shipments", "refused by the carrier", 400, "ErrorBody", (bench) =>
    book(bench, "a", { customerReference: "sandbox:carrier-rejects" }),
  ),
  tried("POST /{connectorId}/shipments", "a payer without an account", 400, "ErrorBody", (bench) =>
    book(bench, "a", { payer: { type: "ThirdParty" } }),
  ),
  tried("POST /{connectorId}/pickups", "half standalone", 400, "ErrorBody", ({ freight }) =>
    freight("POST", "/connector-b/pickups", { ...WHEN, collection: address() }),
  ),
  ...["rates", "shipments", "pickups"].flatMap((what): Case[] => {
    const body = { rates: rateRequest(), shipments: booking(), pickups: STANDALONE }[what]
    const down = JSON.parse(JSON.stringify(body).replace("Alexandria", "sandbox:carrier-a-down"))
    return [
      tried(`POST /{connectorId}/${what}`, "no such connector", 404, "ErrorBody", ({ freight }) =>
        freight("POST", `/none/${what}`, body),
      ),
      tried(`POST /{connectorId}/${what}`, "the carrier is down", 502, "ErrorBody", ({ freight }) =>
        freight("POST", `/connector-a/${what}`, down),
      ),
    ]
  }),
  ...["/shipments/{id}", "/shipments/{id}/label", "/pickups/{id}", "/track"].map((url) =>
    tried(`GET ${url}`, "nothing there", 404, "ErrorBody", ({ freight }) =>
      freight("GET", url === "/track" ? "/track?consignment=C-1" : url.replace("{id}", "none")),
    ),
  ),
  tried("GET /track", "no active connector", 404, "ErrorBody", ({ freight, sandbox }) =>
    freight(
      "GET",
      "/track?consignment=C&carrier=CARRIER_C_AU",
      undefined,
      sandbox.keys.inactiveCarrierFreight,
    ),
  ),
  tried("GET /shipments/{id}/label", "not yet", 404, "LabelNotAvailableError", async (bench) =>
    bench.freight("GET", `/shipments/${await shipmentId(bench, "c", "sandbox:slow")}/label`),
  ),
  tried("POST /shipments/{id}/print", "no label yet", 404, "PrintNotFoundError", async (bench) =>
    printLabel(bench, await shipmentId(bench, "c", "sandbox:slow")),
  ),
  tried("POST /shipments/{id}/print", "no shipment", 404, "PrintNotFoundError", (bench) =>
    printLabel(bench, "none"),
  ),
  tried("POST /shipments/{id}/print", "no device", 404, "PrintNotFoundError", async (bench) =>
    printLabel(bench, await shipmentId(bench), "device-retired"),
  ),
  tried("POST /shipments/{id}/print", "no direct print", 403, "ErrorBody", ({ freight, sandbox }) =>
    freight("POST", "/shipments/x/print", {}, sandbox.keys.noDirectPrint),
  ),
  tried("POST /print-jobs", "no device", 404, "PrintNotFoundError", ({ print }) =>
    print("POST", "/print-jobs", { deviceId: "none", pdfBase64: PDF }),
  ),
  ...["sandbox:pickup-500", "sandbox:pickup-500-empty"].map((word) =>
    tried("POST /{connectorId}/pickups", word, 500, "PickupServerError", (bench) => pickUp(bench, "b", word)),
  ),
]

describe("answers of the sandbox, by plain ajv", () => {
  it.each([...SUCCESSES, ...REFUSALS])("$endpoint, $what: $status $definition", async ({
    endpoint,
    status,
    definition,
    ask,
  }) => {
    const answer = await ask(await startBench())
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      status,
      "application/json; charset=utf-8",
    ])
    expect(problemsOfReply(definition, answer.body)).toEqual([])
    const described = describedReplies(endpoint).find((each) => each.status === status)
    expect(described?.problems(answer.body)).toEqual([])
    expect(described?.headers.filter((name) => !answer.headers.has(name))).toEqual([])
    const { message, error } = Object(answer.body)
    if (status >= 400 && definition !== "PickupServerError") expect(message ?? error).toMatch(/\w/)
  })

  it("GET /shipments/{id}/label answers a PDF", async () => {
    const bench = await startBench()
    const { status, headers, body } = await bench.freight(
      "GET",
      `/shipments/${await shipmentId(bench)}/label`,
    )
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(String(body)).toMatch(/^%PDF-/)
  })

  it.each(Object.entries(ENDPOINTS))("%s is tried with each status that it has", (name, statuses) => {
    const cases = [...SUCCESSES, ...REFUSALS].filter(({ endpoint }) => endpoint === name)
    const label = name.endsWith("/label") ? [200] : []
    expect(new Set([...cases.map(({ status }) => status), ...label])).toEqual(
      new Set([...statuses, 401, 403, 429]),
    )
  })

  it.each(Object.entries(ENDPOINTS))("%s is described with each status that it has", (name, statuses) => {
    const described = describedReplies(name).map(({ status }) => status)
    expect(new Set(described)).toEqual(new Set([...statuses, 401, 403, 429]))
  })

  it("a label is described as a PDF, and the other replies as JSON", () => {
    const others = Object.keys(ENDPOINTS).flatMap((name) =>
      describedReplies(name).flatMap(({ status, types }) =>
        types.join() === "application/json" ? [] : [[name, status, types]],
      ),
    )
    expect(others).toEqual([["GET /shipments/{id}/label", 200, ["application/pdf"]]])
  })

  it.each([
    ["AggregatedRateResponse", { quoteId: "q", results: [], own: 1 }],
    ["ShipmentListResponse", { total: 0, limit: 1, offset: 0, shipments: [{ own: 1 }] }],
    ["PickupServerError", { own: 1 }],
  ])("a field that the contract does not name would be seen: %s", (definition, body) => {
    expect(problemsOfReply(definition, body).join()).toContain("unevaluated")
  })
})

/** Requests that all rules of the sandbox's carrier B take, with all the fields that can stand together. */
const REQUESTS: [endpoint: string, definition: string, body: Body][] = [
  [
    "POST /rates",
    "RateRequest",
    {
      ...rateRequest(),
      ...{ localDateTime: "2026-11-23T10:00:00", serviceCode: "GEN", isDocument: false },
      ...{ businessUnit: "UNIT_A", timezone: "Australia/Perth" },
    },
  ],
  [
    "POST /connector-b/shipments",
    "ConsignmentBookingRequest",
    {
      ...booking(),
      serviceCode: "GEN",
      receiver: address({
        ...{ phoneAreaCode: "08", phoneNumber: "5550", address2: "Dock 3", email: "a@example.com" },
      }),
      payer: { type: "Receiver", accountNumber: "1", subAccount: "2", thirdPartyAddress: address() },
      businessUnit: "UNIT_B",
      dangerousGoods: true,
      dangerousGoodsDetails: {
        ...{ unNumber: "0012", packingGroup: "II", hazClass: "1.4S", packageType: "Box", quantity: 2 },
        ...{ aggregateQuantity: 10, shippingName: "CARTRIDGES", subRisk: "8", contactName: "Dana" },
        contactPhone: "1",
      },
      customerReference: "PO-1",
      specialInstructions: "Ring",
      alertAddresses: [{ email: "a@example.com", phone: "04", alertTypes: ["DELIVERED"] }],
      keepInStore: { numberOfDays: 5 },
      pickupBookingNumber: "P-1",
      extendedWarranty: { value: 10_000, class: "A" },
      foodFreight: false,
      bexAlerts: [{ alertType: "DELIVERED", contactName: "Dana", emailAddress: "a@example.com" }],
      timeSensitive: { timeslot: { dateTime: "2026-11-24T14:30:00+11:00", reference: "D" } },
      pallets: {
        poolA: {
          exchangeIn: 1,
          exchangeOut: 1,
          directTransferToRec: 1,
          transferOffBex: 1,
          docketNumber: "D",
        },
        poolB: {},
      },
      customerBarcodes: ["x".repeat(50)],
      ...{ quotedPriceExGstMinor: 1000, quotedGstMinor: 100, quotedPriceIncGstMinor: 1100 },
      ...{ quotedCurrency: "AUD", committedEta: "2026-11-25T17:00:00", quotedTransitDays: 2 },
      ...{ bookingCutoff: "15:00:00", collectionCutoff: "17:00:00" },
    },
  ],
  ["POST /connector-b/pickups", "PickupBookingRequest", STANDALONE],
  ["POST /shipments/SHIPMENT/print", "PrintRequest", { deviceId: "device-bench" }],
  ["POST /print-jobs", "PrintJobRequest", { deviceId: "device-bench", pdfBase64: PDF }],
]

type Place = readonly (string | number)[]

/** Other values for each place in a body, by its path from the top. Some add an unknown field or another element. */
function spoiled(value: unknown, place: Place = []): [place: Place, other: unknown][] {
  const here = othersOf(value).map((other): [Place, unknown] => [place, other])
  if (typeof value !== "object" || value === null) return here
  const keys = Array.isArray(value) ? value.map((_, at) => at) : Object.keys(value)
  const below = keys.flatMap((key) => spoiled(Object(value)[key], [...place, key]))
  return [...here, ...below, [[...place, Array.isArray(value) ? keys.length : "own"], 1]]
}

/** A copy of the body in which something else stands at the place; undefined takes it out. */
function changed(body: unknown, [key, ...rest]: Place, to: unknown): unknown {
  if (key === undefined) return to
  const copy = Array.isArray(body) ? [...body] : { ...Object(body) }
  copy[key] = changed(copy[key], rest, to)
  return copy
}

/** The replacements of a value: nothing, other types, and values out of range. */
function othersOf(value: unknown): unknown[] {
  if (typeof value === "number") return [undefined, null, "x", -1, 0, 0.5, 6, 10_001]
  if (typeof value === "string") return [undefined, null, 1, "", "x", "x".repeat(51)]
  if (typeof value === "boolean") return [undefined, null, "x", 0]
  return [undefined, null, "x", [], {}]
}

/** Refused as it is written, and not by a carrier: its errors have a code and no field. */
function isInvalid({ status, body }: Answered): boolean {
  const errors: { field?: string; code?: string }[] = Object(body).errors ?? []
  const isCarriers = errors.length > 0 && errors.every(({ field, code }) => code && field === undefined)
  return status === 400 && !isCarriers
}

/** No schema says what is a PDF. */
function isNoPdf(place: Place, other: unknown): boolean {
  return place.at(-1) === "pdfBase64" && typeof other === "string"
}

describe("requests that the sandbox takes and refuses, as plain ajv does", () => {
  it.each(REQUESTS)("%s", async (endpoint, definition, body) => {
    const bench = await startBench()
    const id = String(await shipmentId(bench))
    const [method = "", url = ""] = endpoint.replace("SHIPMENT", id).split(" ")
    const call = url === "/print-jobs" ? bench.print : bench.freight
    expect([problemsOf(definition, body), (await call(method, url, body)).status]).toEqual([
      [],
      url === "/rates" ? 200 : 201,
    ])
    const differ: unknown[] = []
    for (const [place, other] of spoiled(body)) {
      const sent = JSON.parse(JSON.stringify([changed(body, place, other)]))[0]
      const isRefused = problemsOf(definition, sent).length > 0
      const answer = await call(method, url, JSON.stringify(sent))
      if (isInvalid(answer) !== isRefused && !isNoPdf(place, other))
        differ.push([place.join("."), other, isRefused ? "refused" : "taken", answer.status, answer.body])
    }
    expect(differ).toEqual([])
  })
})
