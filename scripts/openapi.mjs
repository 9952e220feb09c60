// Writes schemas/openapi/: both APIs as OpenAPI 3.1, from schemas/ and the table of endpoints in src/contract/. What the
// schemas do not say of an endpoint stands here: its statuses, headers and rules. `--out DIR` writes elsewhere.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { stringify } from "yaml"
import { fromSource } from "./from-source.mjs"
import { STRICT } from "./strict-keywords.mjs"

const ROOT = path.resolve(import.meta.dirname, "..")
const VERSION = "0.1.0"
const HEADER =
  "# Generated from schemas/ by scripts/openapi.mjs: change those, then run `npm run generate`.\n"

/** Keywords that other tools do not know: only freight's questions and errors need them. */
const OWN_KEYWORDS = new Set(["errorMessage", "x-kind", "x-names", "x-hint", "x-needed", "x-else"])

const json = (schema) => ({ content: { "application/json": { schema: { $ref: schema } } } })
const idOf = (name, description) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string", minLength: 1 },
})
const CONNECTOR_ID = idOf("connectorId", "Which carrier account: an `id` of `GET /connectors`.")
const SHIPMENT_ID = idOf("id", "The service's id of the shipment: `shipmentId` of its booking.")

const UNKNOWN =
  "It creates something that no endpoint takes back, and there is no idempotency key: after a timeout, a broken connection or a 5xx it may exist. Look for it before it is sent again."
const BACKOFF = "Ask again with growing pauses."
const NO_CONNECTOR = "There is no such connector, or it is not active for this account."
const INVALID =
  "The request is not valid, or the carrier refused it. `errors` names each thing: a field and a message for what is not valid, a code and a message from a carrier."
const CARRIER_DOWN = "The carrier's own API failed or is down."

/**
 * Each endpoint: `body` and `reply` name schemas; `fails` has the statuses that not every endpoint of its API has, with the
 * schema of their body (`ErrorBody` where it is left out).
 */
const OPERATIONS = {
  "GET /connectors": {
    id: "listConnectors",
    tag: "Rates",
    summary: "Lists the carrier accounts",
    about:
      "The active connectors of this account, with the services of each. A connector that was never tested lists its carrier's usual services. Keys of carriers are never part of it.",
    reply: [200, "ConnectorListResponse", "The active connectors."],
  },
  "POST /rates": {
    id: "shopRates",
    tag: "Rates",
    summary: "Asks all carriers for prices",
    about:
      "Every active connector is asked. One that fails has `success: false` and an `error` in its own result, and the reply is still a 200. `quoteId` names the whole reply; a booking is linked to one price by that price's `rateId`.",
    body: "RateRequest",
    reply: [200, "AggregatedRateResponse", "One result for each connector."],
    fails: { 400: [INVALID] },
  },
  "POST /{connectorId}/rates": {
    id: "shopConnectorRates",
    tag: "Rates",
    summary: "Asks one carrier account for prices",
    about: "With `serviceCode` that service alone is priced, otherwise all that are on offer.",
    parameters: [CONNECTOR_ID],
    body: "RateRequest",
    reply: [200, "SingleConnectorRateResponse", "The services on offer."],
    fails: { 400: [INVALID], 404: [NO_CONNECTOR], 502: [CARRIER_DOWN] },
  },
  "POST /{connectorId}/shipments": {
    id: "createShipment",
    tag: "Shipments",
    summary: "Books a consignment",
    about: [
      UNKNOWN,
      "Times are by the clock at the collection address. For carrier A, `collectionDateTime` lies from 07:00 to 17:00, `collectionCloseTime` from 13:00 to 19:00, and at least 120 minutes are between them.",
      "`rateId` links the booking to one offered rate, which has to be of this account, connector and service, and of a quote not more than 48 hours old; price and arrival are then taken from it. `quoteId` is checked only beside a `rateId`, and has to be the quote that it came from; alone it links nothing. Without `rateId`, the `quoted…` fields are kept as they are sent.",
      "`errors[].code` may be `PAYER_ACCOUNT_REQUIRED` (a payer other than the sender needs an account number) or `CARRIER_A_THIRD_PARTY_UNSUPPORTED`; carriers have codes of their own.",
      "`pickupStatus` says what became of a pickup that the connector books by itself. `FAILED`: there is none, and a pickup may be booked. `RECONCILE_NEEDED`: the carrier has one that the service could not record, with its reference in `labelWarning`; never book another.",
    ].join("\n\n"),
    parameters: [CONNECTOR_ID],
    body: "ConsignmentBookingRequest",
    reply: [201, "BookingResponse", "It is booked."],
    fails: { 400: [INVALID], 404: [NO_CONNECTOR], 502: [`${CARRIER_DOWN} Something may have been booked.`] },
  },
  "GET /shipments": {
    id: "listShipments",
    tag: "Shipments",
    summary: "Lists shipments, newest first",
    about:
      "New bookings move the pages: tell shipments apart by `id`. A consignment number that a carrier gives later appears here.",
    parameters: [
      {
        name: "limit",
        in: "query",
        description: "At most this many.",
        schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
      },
      {
        name: "offset",
        in: "query",
        description: "Skip this many.",
        schema: { type: "integer", minimum: 0, default: 0 },
      },
    ],
    reply: [200, "ShipmentListResponse", "One page, and how many there are in all."],
    fails: { 400: ["`limit` or `offset` is out of its range."] },
  },
  "GET /shipments/{id}": {
    id: "getShipment",
    tag: "Shipments",
    summary: "Shows one shipment",
    about:
      "A pickup that only the carrier knows (`RECONCILE_NEEDED` when it was booked) reads `NOT_BOOKED` here; `orderNumber` may get its reference later.",
    parameters: [SHIPMENT_ID],
    reply: [200, "ShipmentDetailResponse", "The shipment."],
    fails: { 404: ["There is no such shipment."] },
  },
  "GET /track": {
    id: "track",
    tag: "Shipments",
    summary: "Says where a consignment is",
    about:
      "With `carrier`, that carrier alone is asked. Without it, the carrier of this account's shipment with that number; and where there is none, all carriers, of which the first that knows it answers. `supported: true` with `tracking: null` means that the carrier knows nothing yet: ask again after 30 to 60 seconds.",
    parameters: [
      {
        name: "consignment",
        in: "query",
        required: true,
        description: "The carrier's consignment number, not a shipment's id.",
        schema: { type: "string", minLength: 1 },
      },
      {
        name: "carrier",
        in: "query",
        description: "Ask this carrier only.",
        schema: { $ref: "Carrier" },
      },
    ],
    reply: [200, "TrackingResponse", "What the carrier knows, newest event first."],
    fails: {
      400: ["`consignment` is missing, or `carrier` is none of the carriers."],
      404: [
        "No shipment and no carrier knows the number; or, with `carrier`, no active connector is of that carrier.",
      ],
    },
  },
  "GET /shipments/{id}/label": {
    id: "getLabel",
    tag: "Shipments",
    summary: "Fetches the label",
    about: "Most carriers make the label when they are booked, some a while later.",
    parameters: [SHIPMENT_ID],
    reply: [200, undefined, "The label as a PDF."],
    fails: {
      404: [
        `With the code \`LABEL_NOT_AVAILABLE\` the label is still to come: ${BACKOFF.toLowerCase()} Any other 404: there is no such shipment.`,
        ["LabelNotAvailableError", "ErrorBody"],
      ],
    },
  },
  "POST /{connectorId}/pickups": {
    id: "createPickup",
    tag: "Pickups",
    summary: "Has a carrier collect",
    about: [
      UNKNOWN,
      "With `shipmentId`, address and goods are those of the shipment. Without it, `collection`, `items` and `receiver` are all needed; carriers A and C then want `serviceCode` too.",
      "A pickup that the carrier refuses is also a 201: read its `status`.",
    ].join("\n\n"),
    parameters: [CONNECTOR_ID],
    body: "PickupBookingRequest",
    reply: [201, "PickupBookingResponse", "`BOOKED`, with the carrier's reference; or `FAILED`."],
    fails: {
      400: [INVALID],
      404: [NO_CONNECTOR],
      500: [
        "The carrier has the pickup, and the service could not record it. Never send it again: `orderNumber` is the carrier's reference to sort it out with.",
        ["PickupServerError"],
      ],
      502: [CARRIER_DOWN],
    },
  },
  "GET /pickups/{id}": {
    id: "getPickup",
    tag: "Pickups",
    summary: "Shows one pickup",
    about: "Failed ones too, with the carrier's error.",
    parameters: [idOf("id", "`pickupBookingId` of the reply that booked it.")],
    reply: [200, "PickupBookingDetailResponse", "The pickup."],
    fails: { 404: ["There is no such pickup."] },
  },
  "GET /print-devices": {
    id: "listPrintDevices",
    tag: "Printing",
    summary: "Lists the print devices",
    about: "Devices are registered in the portal. Revoked ones are left out.",
    reply: [200, "PrintDeviceListResponse", "The devices."],
  },
  "POST /shipments/{id}/print": {
    id: "printLabel",
    tag: "Printing",
    summary: "Prints a label",
    about: `Fetches the label from the carrier and queues it for a device. ${UNKNOWN} The account needs direct print, and the device its client running.`,
    parameters: [SHIPMENT_ID],
    body: "PrintRequest",
    reply: [201, "PrintJobCreated", "It is queued; whether it was printed is not known."],
    forbidden: "Freight is not active for this account, or direct print is not enabled for it.",
    fails: {
      400: [INVALID],
      404: [
        `\`SHIPMENT_NOT_FOUND\`; \`DEVICE_NOT_FOUND\`: the device was revoked or replaced, so list the devices again; \`LABEL_NOT_AVAILABLE\`: the label is still to come. ${BACKOFF}`,
        ["PrintNotFoundError"],
      ],
    },
  },
  "GET /devices": {
    id: "listDevices",
    tag: "Printing",
    summary: "Lists the print devices",
    about:
      "Needs the scope `devices:read`. Revoked devices are left out. Ask once, and keep the `id` at the workstation.",
    reply: [200, "DeviceListResponse", "The devices."],
    forbidden: "The key lacks the scope `devices:read`.",
  },
  "POST /print-jobs": {
    id: "createPrintJob",
    tag: "Printing",
    summary: "Prints a PDF",
    about: `Needs the scope \`print-jobs:write\`. ${UNKNOWN}`,
    body: "PrintJobRequest",
    reply: [
      201,
      "DirectPrintJobCreated",
      "It is in the queue of the device; whether it was printed is not known.",
    ],
    forbidden: "The key lacks the scope `print-jobs:write`.",
    fails: {
      400: ["The request is not valid."],
      404: [
        "The device does not exist or was revoked (`DEVICE_NOT_FOUND`): list the devices again, and have one chosen.",
      ],
    },
  },
}

const TAGS = {
  Rates: "Carrier accounts and their prices.",
  Shipments: "Booking, and all about what is booked.",
  Pickups: "Collections of shipments, or alone.",
  Printing: "Print devices and jobs.",
}

const APIS = {
  freight: {
    file: "freight.yaml",
    title: "Freight API",
    about:
      "One way to several carriers: rates, bookings, tracking, labels, pickups and label printing. All of it belongs to the account of the API key. No webhook tells of a change: ask. How many requests are too many is not published; a 429 says how long to wait.",
    key: "A fixed prefix and 64 hexadecimal digits.",
    forbidden: [[403, "Freight is not active for this account.", "ErrorBody"]],
    tooMany: {
      description: "Too many requests with this key.",
      headers: {
        "Retry-After": {
          description: "How long to wait: seconds, or a date.",
          schema: { type: "string", examples: ["1"] },
        },
      },
      body: "ErrorBody",
    },
  },
  "direct-print": {
    file: "direct-print.yaml",
    title: "Direct print API",
    about:
      "Prints your own PDF on a registered device, at most 9,000,000 characters of base64. A key has scopes, and its prefix is not that of a freight key.",
    key: "A prefix other than a freight key's and 64 hexadecimal digits.",
    forbidden: [[403, "", "ForbiddenError"]],
    tooMany: {
      description: "Too many requests with this key: `retryAfter` in the body says how many seconds to wait.",
      body: "RateLimitError",
    },
  },
}

const { values } = parseArgs({ options: { out: { type: "string", default: "schemas/openapi" } } })
const out = path.resolve(ROOT, values.out)
const definitions = Object.assign(
  {},
  ...["freight", "direct-print"].map(
    (name) => JSON.parse(readFileSync(path.join(ROOT, "schemas", `${name}.schema.json`), "utf8")).$defs,
  ),
)
const endpoints = await fromSource("src/contract/endpoints.ts", ({ ENDPOINTS }) => ENDPOINTS)
const bases = await fromSource("src/sandbox/base-paths.ts", ({ BASE_PATHS }) => BASE_PATHS)
const undescribed = Object.keys({ ...endpoints, ...OPERATIONS }).filter(
  (name) => !(name in endpoints && name in OPERATIONS),
)
if (undescribed.length > 0) throw new Error(`endpoints in one table only: ${undescribed.join(", ")}`)

/** The definitions that requests use. */
const sent = new Set()
for (const { body } of Object.values(OPERATIONS)) if (body) collectNames(body)

mkdirSync(out, { recursive: true })
for (const [api, { file }] of Object.entries(APIS)) {
  const text = HEADER + stringify(describeApi(api), { aliasDuplicateObjects: false, lineWidth: 0 })
  writeFileSync(path.join(out, file), text)
}

function describeApi(api) {
  const { title, about, key } = APIS[api]
  const names = Object.keys(endpoints).filter((name) => endpoints[name].api === api)
  const components = collectSchemas()
  const paths = {}
  for (const name of names) {
    const [method, at] = name.split(" ")
    paths[at] = { ...paths[at], [method.toLowerCase()]: describeOperation(api, OPERATIONS[name], components) }
  }
  const tags = new Set(names.map((name) => OPERATIONS[name].tag))
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: VERSION,
      description: about,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "{baseUrl}",
        description: "The address that came with your key, or that of `freight sandbox start`.",
        variables: { baseUrl: { default: `http://127.0.0.1:8080${bases[api]}` } },
      },
    ],
    security: [{ key: [] }],
    tags: Object.entries(TAGS).flatMap(([name, description]) =>
      tags.has(name) ? [{ name, description }] : [],
    ),
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: key } },
      schemas: components.schemas(),
    },
  }
}

function describeOperation(api, operation, components) {
  const { id, tag, summary, about, parameters, body, reply, forbidden, fails = {} } = operation
  const { tooMany, forbidden: usual } = APIS[api]
  const fail = (description, names = ["ErrorBody"]) => {
    const refs = names.map((name) => ({ $ref: components.forReply(name) }))
    const schema = refs.length === 1 ? refs[0] : { anyOf: refs }
    return { description, content: { "application/json": { schema } } }
  }
  const [status, name, description] = reply
  const content = name
    ? json(components.forReply(name)).content
    : { "application/pdf": { schema: { type: "string", format: "binary" } } }
  const [[, notAllowed, forbiddenBody]] = usual
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: about,
    ...(parameters && {
      parameters: parameters.map((parameter) => ({
        ...parameter,
        schema: parameter.schema.$ref
          ? { $ref: components.forRequest(parameter.schema.$ref) }
          : parameter.schema,
      })),
    }),
    ...(body && { requestBody: { required: true, ...json(components.forRequest(body)) } }),
    responses: {
      [status]: { description, content },
      ...Object.fromEntries(
        Object.entries({
          ...Object.fromEntries(Object.entries(fails).map(([code, told]) => [code, fail(...told)])),
          401: fail("The API key is missing or not valid."),
          403: fail(forbidden ?? notAllowed, [forbiddenBody]),
          429: {
            description: tooMany.description,
            ...(tooMany.headers && { headers: tooMany.headers }),
            ...json(components.forReply(tooMany.body)),
          },
        }),
      ),
    },
  }
}

/**
 * The schemas that a document needs. What is sent is closed and has limits; what comes back may have new fields and other
 * ways of writing. A schema that serves both ways, and is another one there, is written twice.
 */
function collectSchemas() {
  const found = new Map()
  const add = (name, isReply) => {
    const isOther = isReply && differs(name) && sent.has(name)
    const key = isOther ? `${name}InReply` : name
    if (!found.has(key)) {
      found.set(key, undefined)
      found.set(
        key,
        toOpenApi(flat(definitions[name]), isReply, (ref) => add(ref, isReply)),
      )
    }
    return `#/components/schemas/${key}`
  }
  return {
    forRequest: (name) => add(name, false),
    forReply: (name) => add(name, true),
    schemas: () => Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

function collectNames(name) {
  if (sent.has(name)) return
  sent.add(name)
  toOpenApi(flat(definitions[name]), false, collectNames)
}

/** Whether a schema, or one that it refers to, is another one in a reply. */
function differs(name) {
  let isOther = false
  const read = (isReply) =>
    JSON.stringify(
      toOpenApi(flat(definitions[name]), isReply, (ref) => {
        isOther ||= differs(ref)
        return ref
      }),
    )
  return read(false) !== read(true) || isOther
}

/** A definition with what it refers to at its top written into it: generators of clients leave such fields out. */
function flat({ $ref, unevaluatedProperties, ...schema }) {
  if ($ref === undefined) return schema
  const base = flat(definitions[nameIn($ref)])
  return {
    ...base,
    ...schema,
    properties: { ...base.properties, ...schema.properties },
    required: [...new Set([...(base.required ?? []), ...(schema.required ?? [])])],
    ...(unevaluatedProperties === false && { additionalProperties: false }),
  }
}

function nameIn(ref) {
  return ref.slice(ref.lastIndexOf("/") + 1)
}

/** @param refer gives the reference to a definition */
function toOpenApi(schema, isReply, refer) {
  if (typeof schema !== "object" || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((each) => toOpenApi(each, isReply, refer))
  // An object or null: `if` and `then` are for the messages of this tool.
  if (schema.then?.$ref !== undefined && Array.isArray(schema.type)) {
    const { title, description, then } = schema
    return { title, description, anyOf: [{ $ref: refer(nameIn(then.$ref)) }, { type: "null" }] }
  }
  const made = {}
  for (const [key, value] of Object.entries(schema)) {
    if (OWN_KEYWORDS.has(key) || (isReply && STRICT.has(key))) continue
    if (key === "$ref") made.$ref = refer(nameIn(value))
    else if (key === "properties")
      made.properties = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, toOpenApi(field, isReply, refer)]),
      )
    else
      made[key] = ["examples", "required", "enum", "const"].includes(key)
        ? value
        : toOpenApi(value, isReply, refer)
  }
  // Linters want each field that is required to be described beside it.
  const undescribed = (made.required ?? []).filter((name) => !(name in (made.properties ?? {})))
  if (undescribed.length > 0)
    made.properties = { ...made.properties, ...Object.fromEntries(undescribed.map((name) => [name, {}])) }
  const literal = made.const ?? made.enum?.[0]
  return literal === undefined || made.type ? made : { type: typeof literal, ...made }
}
