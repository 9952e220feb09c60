/** Every pickup beside what the ledger and the service may know of the shipments that it collects. */
import type { ShipmentDetail } from "../../src/contract/generated/types.ts"
import type { Intent } from "../../src/ledger/create.ts"
import { findPickup as findInLedger } from "../../src/ledger/pickups.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import type { ApiKey } from "../simulation/services.ts"
import { type Check, combine } from "./cases.ts"
import { type Desk, describeError, SCOPES, toEnd } from "./desk.ts"
import { askFor, toEntry, toIntent } from "./ledgers.ts"
import {
  type Asked,
  type Booked,
  findPickup,
  letEnd,
  type Name,
  type Past,
  type PickupStatus,
  tell,
  type Told,
} from "./rules.ts"

const MINUTE = 60_000
const PLAIN: Booked = {
  ...{ isOwn: true, isArranged: false, isWarned: false, isReplyLost: false },
  ...{ reply: "NOT_BOOKED", now: "NOT_BOOKED" },
}
const [FIRST, SECOND] = ["shp-first", "shp-second"]

const PICKUPS: readonly Pick<Past, "standing" | "sent" | "settled">[] = (
  [
    ["done", MINUTE],
    ["done", 3 * 24 * 60 * MINUTE],
    ["at the carrier", MINUTE],
    ["sending, then done", MINUTE],
    ["sending, then refused", MINUTE],
    ["sending, then dead", MINUTE],
    ["open", MINUTE],
    ["refused", MINUTE],
    ["released", MINUTE],
  ] as const
).map(([standing, sent]) => ({ standing, sent, settled: sent }))

function toPast(
  changes: Pick<Past, "standing" | "sent" | "settled" | "name" | "likeness" | "collects"> & Partial<Past>,
): Past {
  return { kind: "pickup", account: "own", ...changes }
}

/** One pickup in the ledger, for the same shipment, for another, or for several, in this account or another one. */
export function* listPickups(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  const wanted = combine<{
    collects: readonly string[]
    name: Name
    again: boolean
    before: Past["collects"]
    named: Name
    account: Past["account"]
  }>({
    collects: [[FIRST], [FIRST, SECOND]],
    name: ["PO-7", "w-1", ""],
    again: [false, true],
    before: [[FIRST], [SECOND], [FIRST, SECOND]],
    named: ["PO-7", "w-1", "PO-8", ""],
    account: ["own", "another's"],
  })
  for (const { collects, name, again, before, named, account } of wanted) {
    const asked: Asked = { kind: "pickup", door: "batch", hasReference: false, name, again, collects }
    const likeness = before.join() === collects.join() ? "equal" : "other"
    for (const shape of PICKUPS) {
      const past = toPast({ ...shape, name: named, likeness, collects: before, account })
      yield toCase(desk, key, asked, [past], PLAIN)
    }
  }
}

/** Combinations of a shipment's booking, the reply to it and the present answer of the service. */
export function* listBooked(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  const statuses: PickupStatus[] = ["NOT_BOOKED", "BOOKED", "FAILED", undefined]
  const known = combine<Booked>({
    isOwn: [true],
    isArranged: [false, true],
    isWarned: [false, true],
    isReplyLost: [false, true],
    reply: [...statuses, "RECONCILE_NEEDED"],
    now: statuses,
  })
  const all = [...known, ...statuses.map((now) => ({ ...PLAIN, isOwn: false, now }))]
  const pickups = PICKUPS.filter(({ standing, sent }) => !standing.startsWith("sending") && sent === MINUTE)
  for (const booked of all)
    for (const again of [false, true]) {
      const asked: Asked = {
        kind: "pickup",
        door: "batch",
        hasReference: false,
        name: "",
        again,
        collects: [FIRST],
      }
      yield toCase(desk, key, asked, [], booked)
      for (const shape of pickups) {
        const past = toPast({ ...shape, name: "PO-8", likeness: "equal", collects: [FIRST] })
        yield toCase(desk, key, asked, [past], booked)
      }
    }
}

function toCase(
  desk: Desk,
  key: ApiKey,
  asked: Asked,
  pasts: readonly Past[],
  booked: Booked,
): readonly [string, Check] {
  const text = `the ledger has ${JSON.stringify(pasts)}, the shipment is ${JSON.stringify(booked)}, and ${JSON.stringify(asked)} is asked for`
  return [text, () => checkPickup(desk, key, asked, pasts, booked)]
}

async function checkPickup(
  desk: Desk,
  key: ApiKey,
  asked: Asked,
  pasts: readonly Past[],
  booked: Booked,
): Promise<string | undefined | false> {
  const entries = pasts.map((past, n) => toEntry(past, n, asked, key))
  const others = booked.isOwn ? asked.collects.map((id, n) => toBooking(key, id, n + 1, booked)) : []
  if (!(await desk.fill({ entries: [...entries, ...others] }))) return false
  const getShipment = async () => ({ pickupStatus: booked.now }) as ShipmentDetail
  const own = pasts.filter(({ account }) => account === "own")
  const collected = own.filter(({ collects }) => collects.includes(FIRST))
  const found = await toEnd(findInLedger({ store: desk.store, scope: SCOPES.own }, FIRST, getShipment))
  const is = "value" in found ? found.value.is : describeError(found.error)
  const expected = findPickup(booked, collected)
  if (is !== expected) return `the shipment's pickup is ${is}, and should be ${expected}`
  const rules = (all: readonly Past[], question: Asked): Told => {
    const told = tell(all, question)
    if (told.is !== "sent") return told
    const finds = question.collects.map((id) =>
      findPickup(
        booked,
        all.filter(({ collects }) => collects.includes(id)),
      ),
    )
    for (const each of finds) {
      if (each === "lost") return { is: "at the carrier" }
      if (!question.again && each === "booked") return { is: "equal" }
      if (!question.again && each === "unclear") return { is: "unclear" }
    }
    return told
  }
  const intent: Intent = {
    ...toIntent(asked, key),
    kind: "pickup",
    collects: { shipments: asked.collects, getShipment },
  }
  const first = await askFor(desk, { pasts, entries, others, asked, intent, rules })
  if (first.wrong !== undefined || !first.made) return first.wrong
  const made = toPast({
    standing: "done",
    sent: 0,
    settled: 0,
    name: asked.name,
    likeness: "equal",
    collects: asked.collects,
  })
  // Each of what was collected, alone and without a key.
  for (const id of asked.collects) {
    const alone: Asked = { ...asked, name: "", again: false, collects: [id] }
    const likeness = asked.collects.length === 1 ? "equal" : "other"
    const again = await askFor(desk, {
      pasts: [
        ...pasts.map(letEnd).map((past) => ({
          ...past,
          likeness: past.collects.join() === id ? ("equal" as const) : ("other" as const),
        })),
        { ...made, likeness },
      ],
      entries: [...entries, first.made],
      ...{ others, asked: alone, rules },
      intent: { ...toIntent(alone, key), kind: "pickup", collects: { shipments: [id], getShipment } },
    })
    if (again.wrong !== undefined) return `then ${id} alone: ${again.wrong}`
  }
  return undefined
}

function toBooking(key: ApiKey, shipmentId: string, n: number, booked: Booked): Entry {
  const past: Past = {
    ...{ kind: "shipment", standing: "done", sent: MINUTE, settled: MINUTE, name: n === 1 ? "w-1" : "w-2" },
    ...{ likeness: "equal", account: "own", collects: [] },
  }
  const asked: Asked = {
    kind: "shipment",
    door: "batch",
    hasReference: false,
    name: "",
    again: false,
    collects: [],
  }
  const entry = toEntry(past, n, asked, key)
  const { reply, isWarned, isArranged, isReplyLost } = booked
  return {
    ...entry,
    facts: { ...entry.facts, shipmentId },
    request: { ...Object(entry.request), ...(isArranged && { pickupBookingNumber: "PU-9" }) },
    response: {
      shipmentId,
      ...(reply && { pickupStatus: reply }),
      ...(isWarned && { labelWarning: "PU-8?" }),
    },
    ...(isReplyLost && { note: "Found by reconcile." }),
  }
}
