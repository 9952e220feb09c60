/**
 * The scenarios, those first that take least. Each is searched whole up to its bound: so many faults, so often that all
 * stands still for longer than a lease, and so many renewals.
 */
import { type Order, toBooking } from "../simulation/orders.ts"
import type { ApiKey, Shipment } from "../simulation/services.ts"
import type { Way } from "./programs.ts"
import type { Doing, Scenario } from "./scenes.ts"

const send = (way: Way, ...orders: number[]): Doing => ({ does: "send", way, orders })
const looking = (way: Way, ...orders: number[]): Doing => ({ does: "send", way, orders, looks: true })
const look: Doing = { does: "look" }
const settle: Doing = { does: "settle" }
const release: Doing = { does: "release" }

/** One consignment without a reference, under each of these keys; without one where it is undefined. */
function booked(...numbers: (string | undefined)[]): Scenario["orders"] {
  return (key) => numbers.map((number) => toBooking(key, 10, { ...(number !== undefined && { number }) }))
}

/** The same goods to the same receiver under two spellings of a number; the second is collected until another time. */
const spelled: Scenario["orders"] = (key) => {
  const [first, second] = booked("0003", "3")(key, [])
  const until = { collectionCloseTime: "1800" }
  return [first, second && collected(second, until)]
}

function collected({ intent, ...order }: Order, until: object): Order {
  const [content, request] = [intent.content, intent.request].map((each) => ({ ...Object(each), ...until }))
  return {
    ...order,
    content: `${order.content}, collected later`,
    intent: { ...intent, content, request },
  }
}

/** The same goods twice: the second is asked for although the first exists. */
const doubled: Scenario["orders"] = (key) => [toBooking(key, 10), toBooking(key, 10, { again: true })]

const generated: Scenario["orders"] = (key) =>
  ["w-1", "w-2"].map((number) => toBooking(key, 10, { number, isNumberGenerated: true }))

/** One reference to one receiver, of two consignments. */
const referenced: Scenario["orders"] = (key) => [toBooking(key, 1), toBooking(key, 1, { variant: 1 })]

const two: Scenario["orders"] = (key) => [1, 2].map((n) => toBooking(key, n, { number: `PO-${n}` }))

/** @param collected which shipments each pickup collects, by their number; several at once have a key */
function pickups(...collected: number[][]): Scenario["orders"] {
  return (key, shipments) =>
    collected.map((each) =>
      toPickup(
        key,
        each.flatMap((n) => shipments[n] ?? []),
      ),
    )
}

function toPickup({ tenant }: ApiKey, shipments: readonly Shipment[]): Order | undefined {
  const [connector] = tenant.connectors
  const ids = shipments.map(({ id }) => id)
  const what = ids.join(" and ")
  const [shipmentId] = ids
  if (!connector || shipmentId === undefined) return undefined
  const isCommon = ids.length > 1
  return {
    ...{
      tenant,
      kind: "pickup",
      again: false,
      replaces: false,
      shipments,
      connector,
      goods: what,
      content: what,
      details: what,
    },
    isNumberGenerated: isCommon,
    ...(isCommon && { number: `PU-${what}` }),
    intent: {
      content: { connectorId: connector.id, ...(isCommon ? { goods: what } : { shipmentId }) },
      call: `POST /${connector.id}/pickups`,
      request: isCommon ? {} : { shipmentId },
      facts: { connectorId: connector.id, ...(!isCommon && { shipmentId }) },
    },
  }
}

const calm = { faults: 0, stops: 0, renewals: 0 }
const fault = { faults: 1, stops: 0, renewals: 0 }
const stop = { faults: 0, stops: 1, renewals: 0 }
const both = { faults: 1, stops: 1, renewals: 0 }
const renewed = { faults: 1, stops: 1, renewals: 1 }
const faults = { faults: 2, stops: 0, renewals: 0 }
const worse = { faults: 2, stops: 1, renewals: 1 }
const worst = { faults: 2, stops: 2, renewals: 1 }

export const scenarios: readonly Scenario[] = [
  {
    name: "one desk, one key, and the next command there",
    orders: booked("PO-1"),
    doings: [send("by hand", 0), { does: "open", at: 0, after: 0 }],
    bounds: { sqlite: worse, postgres: faults, long: worst },
  },
  {
    name: "two desks, one key: by hand and api",
    orders: booked("PO-1"),
    doings: [send("by hand", 0), send("api", 0)],
    bounds: { sqlite: both, postgres: fault, long: worse },
  },
  {
    name: "two desks, one key, two contents",
    orders: (key) => [0, 1].map((variant) => toBooking(key, 10, { number: "PO-1", variant })),
    doings: [send("batch", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks with two API keys, one key that freight made up, two contents",
    orders: (key) =>
      [0, 1].map((variant) => toBooking(key, 10, { number: "w-1", isNumberGenerated: true, variant })),
    doings: [send("api", 0), { does: "send", way: "api", orders: [1], withOtherKey: true }],
    bounds: { sqlite: fault, postgres: calm, long: both },
  },
  {
    name: "one desk, a batch of two rows with one reference",
    orders: referenced,
    doings: [send("batch", 0, 1)],
    bounds: { sqlite: both, postgres: fault, long: worse },
  },
  {
    name: "two desks, no key: by hand and api",
    orders: booked(undefined),
    doings: [send("by hand", 0), send("api", 0)],
    bounds: { sqlite: both, postgres: stop, long: worse },
  },
  {
    name: "two desks, one content: a key and none",
    orders: booked("PO-1", undefined),
    doings: [send("batch", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks, one content: two keys that freight made up",
    orders: generated,
    doings: [send("by hand", 0), send("by hand", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks, one content: two keys that people gave",
    orders: booked("PO-1", "PO-2"),
    doings: [send("api", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks, one content without a key, and once more for good",
    orders: doubled,
    doings: [send("api", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks, two contents without a key or a reference",
    orders: (key) => [0, 1].map((variant) => toBooking(key, 10, { variant })),
    doings: [send("batch", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks, one reference, two consignments",
    orders: referenced,
    doings: [send("api", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "one desk, and a person who looks",
    orders: booked("PO-1"),
    doings: [send("api", 0), look],
    bounds: { sqlite: renewed, postgres: fault, long: worse },
  },
  {
    name: "one desk, and a person who releases",
    orders: booked("PO-1"),
    doings: [send("api", 0), release],
    bounds: { sqlite: renewed, postgres: both, long: worse },
  },
  {
    name: "one desk, and a person who asks the carrier",
    orders: booked("PO-1"),
    doings: [send("api", 0), settle],
    bounds: { sqlite: renewed, postgres: fault, long: worse },
  },
  {
    name: "one desk that looks, and a stranger with its order",
    orders: (key) => [toBooking(key, 1)],
    doings: [looking("by hand", 0)],
    strange: [0],
    bounds: { sqlite: worse, postgres: both, long: worst },
  },
  {
    name: "two desks that look, one order, and a stranger with it",
    orders: (key) => [toBooking(key, 1, { number: "PO-1" })],
    doings: [looking("batch", 0), looking("api", 0)],
    strange: [0],
    bounds: { sqlite: both, postgres: fault, long: worse },
  },
  {
    name: "two desks that look, one reference under two keys, and a stranger with it",
    orders: (key) => ["PO-1", "PO-2"].map((number) => toBooking(key, 1, { number })),
    doings: [looking("batch", 0), looking("api", 1)],
    strange: [0],
    bounds: { sqlite: both, postgres: calm, long: both },
  },
  {
    name: "two commands that look, and a stranger with the second's order after one that is dated ahead",
    orders: (key) => [1, 2, 3].map((n) => toBooking(key, n, { number: `PO-${n}` })),
    doings: [looking("api", 0), { ...looking("api", 1), after: 0 }],
    strange: [2, 1],
    dates: { 2: "2099-01-01T00:00:00Z" },
    bounds: { sqlite: calm, long: both },
  },
  {
    name: "two desks pick up one shipment",
    orders: pickups([0]),
    shipments: 1,
    doings: [send("by hand", 0), send("api", 0)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks pick up one shipment, one of them with another",
    orders: pickups([0], [0, 1]),
    shipments: 2,
    doings: [send("api", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks pick up one shipment under two keys that people gave",
    orders: (key, shipments) =>
      ["PU-1", "PU-2"].map((number) => {
        const order = toPickup(key, shipments)
        return order && { ...order, number, isNumberGenerated: false }
      }),
    shipments: 1,
    doings: [send("api", 0), send("api", 1)],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "one desk picks up, and a person looks",
    orders: pickups([0]),
    shipments: 1,
    doings: [send("api", 0), look],
    bounds: { sqlite: both, postgres: fault, long: both },
  },
  {
    name: "two desks, a batch of two rows each",
    orders: two,
    doings: [send("batch", 0, 1), send("batch", 1, 0)],
    bounds: { sqlite: fault, postgres: calm, long: both },
  },
  {
    name: "three desks, one key: by hand, batch and api",
    orders: booked("PO-1"),
    doings: [send("by hand", 0), send("batch", 0), send("api", 0)],
    bounds: { sqlite: fault, postgres: calm, long: fault },
  },
  {
    name: "two desks, one key, and a person who looks",
    orders: booked("PO-1"),
    doings: [send("api", 0), send("api", 0), look],
    bounds: { sqlite: both, long: both },
  },
  {
    name: "two desks, one key, and a person who releases",
    orders: booked("PO-1"),
    doings: [send("api", 0), send("api", 0), release],
    bounds: { sqlite: fault, long: both },
  },
  {
    name: "two desks, two keys of one content, and a person who looks",
    orders: booked("PO-1", "PO-2"),
    doings: [send("api", 0), send("api", 1), look],
    bounds: { sqlite: fault, long: both },
  },
  {
    name: "two desks, one order with a reference under two keys",
    orders: (key) => ["PO-1", "PO-2"].map((number) => toBooking(key, 1, { number })),
    doings: [send("api", 0), send("batch", 1)],
    bounds: { sqlite: fault, postgres: fault, long: both },
  },
  {
    name: "two desks, two keys that are spellings of one number",
    orders: spelled,
    areOneOrder: true,
    doings: [send("api", 0), send("api", 1)],
    bounds: { sqlite: fault, postgres: fault, long: both },
  },
]
