/** Looks for what needs someone: in the ledger first, then by as few requests as can tell. */
import type { FreightApi } from "../api/freight.ts"
import { several } from "../api/several.ts"
import { counted } from "../contract/counted.ts"
import type { Api } from "../contract/endpoints.ts"
import type { PrintDevice, ShipmentDetail, TrackingResponse } from "../contract/generated/types.ts"
import { formatDate } from "../contract/wall-clock.ts"
import { FreightError, toStepError } from "../errors.ts"
import { isInFlight } from "../ledger/judge.ts"
import { findPickup } from "../ledger/pickups.ts"
import { countUnbilled } from "../ledger/records/bills.ts"
import {
  isEnded,
  NEVER,
  readBooked,
  type TrackingUpdate,
  toTrackingUpdate,
} from "../ledger/records/journeys.ts"
import type { Store } from "../ledger/store.ts"
import type { DeviceMemory } from "../memory/devices.ts"
import {
  BILLED_WITHIN_DAYS,
  byUrgency,
  type Case,
  dayFrom,
  findNeed,
  hasItemsMissing,
  isLate,
  isScanned,
  type Need,
  type NeedKind,
  needOfDevice,
  needOfDuplicate,
  needOfOpen,
  needOfUnbilled,
  scanDueAt,
  toCase,
} from "./needs.ts"

interface LookDeps {
  hasLedger(): Promise<boolean>
  readLedger(): Promise<{ store: Store; scopes?: readonly string[] }>
  freight(): Promise<FreightApi>
  devices(api: Api): Pick<DeviceMemory, "chosen">
  listDevices(api: Api): Promise<readonly PrintDevice[]>
  /** Remembers what was seen, for the next look. */
  remember(looks: readonly TrackingUpdate[]): Promise<void>
}

interface LookOptions {
  /** Milliseconds since the epoch, at the service; as are all instants here. */
  now: number
  /** Bookings from then on. */
  since: number
  /** Hours after the ready time until the first scan is overdue. */
  hours: number
  isWanted(need: NeedKind): boolean
}

interface Looked {
  /** Worst first. */
  needs: Need[]
  /** The bookings that they are of, where they are of one. */
  caseOf: Map<Need, Case>
  /** What could not be looked at, and why. */
  unseen: { what: string; error: FreightError }[]
}

/** How long the carrier may take to give a number and a label before it is reported. */
const GIVEN_WITHIN_MS = 30 * 60_000
/** Tracking younger than this is not asked for again. */
const FRESH_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** How long a delivery with fewer items is reported. */
const TOLD_DAYS = 7

/** Checks everything; a failed check does not hide the others. */
export async function lookForNeeds(deps: LookDeps, options: LookOptions): Promise<Looked> {
  const looked: Looked = { needs: [], caseOf: new Map(), unseen: [] }
  const trying = async (what: string, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      looked.unseen.push({ what, error: toStepError(error) })
    }
  }
  const cases: Case[] = []
  await trying("the ledger", async () => {
    if (!(await deps.hasLedger())) return
    const { store, scopes } = await deps.readLedger()
    if (options.isWanted("unknown-outcome")) {
      const now = await store.now()
      looked.needs.push(
        ...(await store.open(scopes)).filter((entry) => !isInFlight(entry, now)).map(needOfOpen),
      )
    }
    if (options.isWanted("made-twice"))
      looked.needs.push(...(await store.duplicates(scopes)).map(needOfDuplicate))
    const filter = { scopes, since: new Date(options.since).toISOString() }
    const countedSince = new Date(options.now - TOLD_DAYS * DAY_MS).toISOString()
    if (options.isWanted("items-missing"))
      for await (const page of readBooked(store, { ...filter, countedSince, content: "request" }))
        cases.push(...page.flatMap((booked) => toCase(booked) ?? []).filter(hasItemsMissing))
    for await (const page of readBooked(store, { ...filter, openSince: NEVER }))
      cases.push(...page.flatMap((booked) => toCase(booked) ?? []))
  })
  if (options.isWanted("not-audited"))
    await trying("what was billed", async () => {
      if (await deps.hasLedger())
        looked.needs.push(...(await findUnbilled(await deps.readLedger(), options.now)))
    })
  const look = createLook(deps, options, looked, trying)
  const open = cases.filter(({ journey }) => !journey || !isEnded(journey))
  await look.findNumbers(open)
  await look.track(open)
  for (const found of cases)
    if (
      hasItemsMissing(found) &&
      Date.parse(found.journey?.deliveredAt ?? "") > options.now - TOLD_DAYS * DAY_MS
    )
      look.add("items-missing", found)
  const waiting = open.filter((found) => !found.journey || !isEnded(found.journey))
  await look.judgeProgress(waiting)
  const unscanned = waiting.filter((found) => !isScanned(found))
  await look.findPickups(unscanned)
  await look.findLabels(unscanned)
  await deps.remember(look.looks())
  if (options.isWanted("device-gone"))
    for (const api of ["freight", "direct-print"] as const) {
      const device = await deps.devices(api).chosen()
      if (device)
        await trying(`the print device ${device.id}`, async () => {
          const listed = await deps.listDevices(api)
          if (!listed.some(({ id }) => id === device.id)) looked.needs.push(needOfDevice(device, api))
        })
    }
  looked.needs.sort(byUrgency)
  return looked
}

/** Bookings that should have been billed by now, as one need. Users who never audit are not reminded. */
async function findUnbilled(
  { store, scopes }: { store: Store; scopes?: readonly string[] },
  now: number,
): Promise<Need[]> {
  const until = new Date(now - BILLED_WITHIN_DAYS * DAY_MS).toISOString()
  const span = { until, withinDays: BILLED_WITHIN_DAYS }
  const { count, oldest } = await countUnbilled(store.database, scopes, span)
  return oldest === undefined ? [] : [needOfUnbilled(count, oldest)]
}

/** No carrier knows the consignment: nothing was scanned of it. */
function unlessUnknown(error: unknown): TrackingResponse {
  if (error instanceof FreightError && error.kind === "notFound") return { supported: true, tracking: null }
  throw error
}

/** What is asked of the service, each thing once. */
function createLook(
  deps: LookDeps,
  { now, hours, isWanted }: LookOptions,
  { needs, caseOf, unseen }: Looked,
  trying: (what: string, act: () => Promise<void>) => Promise<void>,
) {
  const looks = new Map<string, TrackingUpdate>()
  const details = new Map<string, ShipmentDetail>()
  /** Too little is known about it: it could not be tracked. */
  const untold = new Set<Case>()
  const remember = (look: TrackingUpdate) =>
    looks.set(look.consignmentNumber, { ...looks.get(look.consignmentNumber), ...look })
  const add = (need: NeedKind, found: Case, more?: { reference?: string | undefined }) => {
    if (!isWanted(need)) return
    const one = findNeed(need, found, now, more)
    needs.push(one)
    caseOf.set(one, found)
  }
  /** One call for each case; failures are reported once for each reason. */
  const askAll = async (
    what: string,
    cases: readonly Case[],
    call: (api: FreightApi, found: Case) => Promise<void>,
  ) => {
    if (cases.length === 0) return
    await trying(`${what} of ${counted(cases.length, "shipment")}`, async () => {
      const api = await deps.freight()
      const failures = new Map<string, { count: number; error: FreightError }>()
      for (const attempt of await several(cases, (found) => call(api, found))) {
        if (attempt.ok) continue
        const { message } = attempt.error
        failures.set(message, { count: (failures.get(message)?.count ?? 0) + 1, error: attempt.error })
      }
      for (const { count, error } of failures.values())
        unseen.push({ what: `${what} of ${counted(count, "shipment")}`, error })
    })
  }
  const getDetail = async (api: FreightApi, found: Case): Promise<ShipmentDetail> => {
    const { shipmentId, entry } = found
    const shipment = details.get(shipmentId) ?? (await api.getShipment(shipmentId)).shipment
    details.set(shipmentId, shipment)
    const number = shipment.consignmentNumber ?? undefined
    if (number !== undefined && entry.facts.consignmentNumber === undefined) {
      entry.facts.consignmentNumber = number
      const { store } = await deps.readLedger()
      await store.learnConsignment(entry.id, number).catch(() => {})
    }
    if (shipment.status === "CANCELLED" && entry.facts.consignmentNumber !== undefined)
      remember({ consignmentNumber: entry.facts.consignmentNumber, isCancelled: true })
    return shipment
  }
  const isCancelled = ({ shipmentId }: Case) => details.get(shipmentId)?.status === "CANCELLED"
  const dayOf = ({ ready }: Case) => formatDate(ready)
  const isCollectedBetween = (found: Case, from: number, to: number) =>
    dayOf(found) >= dayFrom(now, found.collectionZone, from) &&
    dayOf(found) <= dayFrom(now, found.collectionZone, to)

  return {
    add,
    looks: () => [...looks.values()],

    /** Whose carrier gives it later; without one nothing can be tracked. */
    async findNumbers(cases: readonly Case[]) {
      const without = cases.filter(
        ({ entry, bookedAt }) =>
          entry.facts.consignmentNumber === undefined && now - bookedAt > GIVEN_WITHIN_MS,
      )
      await askAll("the number", without, async (api, found) => {
        const { consignmentNumber } = await getDetail(api, found)
        if (!consignmentNumber && !isCancelled(found)) add("no-number", found)
      })
    },

    /** Only bookings with which something may be wrong by now. */
    async track(cases: readonly Case[]) {
      const due = cases.filter((found) => {
        const { journey, entry, dueOn, receiverZone } = found
        if (entry.facts.consignmentNumber === undefined || isCancelled(found)) return false
        if (journey && now - Date.parse(journey.lookedAt) < FRESH_MS) return false
        const isExpected = dueOn === undefined || dueOn <= dayFrom(now, receiverZone, 0)
        return isScanned(found) ? isExpected : now >= scanDueAt(found, hours)
      })
      for (const found of due) untold.add(found)
      await askAll("tracking", due, async (api, found) => {
        const consignment = found.entry.facts.consignmentNumber ?? ""
        const answer = await api.track({ consignment }).catch(unlessUnknown)
        if (!answer.supported) return
        const look = toTrackingUpdate(consignment, answer)
        remember(look)
        untold.delete(found)
        const before = found.journey ?? {
          consignmentNumber: consignment,
          isCancelled: false,
          hasLabel: false,
        }
        found.journey = { events: 0, ...before, ...look, lookedAt: new Date(now).toISOString() }
        found.dueOn ??= look.eta
      })
    },

    async judgeProgress(cases: readonly Case[]) {
      const suspects = cases.flatMap((found): [Case, NeedKind][] => {
        if (!found.journey || untold.has(found)) return []
        if (!isScanned(found)) return now >= scanDueAt(found, hours) ? [[found, "not-scanned"]] : []
        return isLate(found, now) ? [[found, "late"]] : []
      })
      const wanted = suspects.filter(([, need]) => isWanted(need))
      const needOfCase = new Map(wanted)
      // Tracking has no field for it.
      await askAll("the status", [...needOfCase.keys()], async (api, found) => {
        await getDetail(api, found)
        const need = needOfCase.get(found)
        if (need && !isCancelled(found)) add(need, found)
      })
    },

    async findPickups(cases: readonly Case[]) {
      if (!["pickup-failed", "no-pickup", "pickup-lost"].some((need) => isWanted(need as NeedKind))) return
      const near = cases.filter(
        (found) =>
          !isCancelled(found) &&
          (isCollectedBetween(found, -1, 1) ||
            (["FAILED", "RECONCILE_NEEDED"].includes(found.response.pickupStatus ?? "") &&
              isCollectedBetween(found, 1, 365))),
      )
      await askAll("the pickup", near, async (api, found) => {
        const { store } = await deps.readLedger()
        const { entry, shipmentId, response } = found
        const { is, reference } = await findPickup({ store, scope: entry.scope }, shipmentId, () =>
          getDetail(api, found),
        )
        if (isCancelled(found)) return
        if (is === "lost") return add("pickup-lost", found, { reference })
        if (is !== "none" && is !== "unclear") return
        const status = details.get(shipmentId)?.pickupStatus
        if (status === "FAILED" || response.pickupStatus === "FAILED") return add("pickup-failed", found)
        if (isCollectedBetween(found, 0, 1)) add("no-pickup", found)
      })
    },

    /** Once a label was there it is not asked for again. */
    async findLabels(cases: readonly Case[]) {
      if (!isWanted("no-label")) return
      const near = cases.filter(
        (found) =>
          found.entry.facts.consignmentNumber !== undefined &&
          !found.journey?.hasLabel &&
          !isCancelled(found) &&
          now - found.bookedAt > GIVEN_WITHIN_MS &&
          isCollectedBetween(found, -1, 1),
      )
      await askAll("the label", near, async (api, found) => {
        try {
          await api.getLabel(found.shipmentId)
          remember({ consignmentNumber: found.entry.facts.consignmentNumber ?? "", hasLabel: true })
        } catch (error) {
          if (!(error instanceof FreightError) || error.kind !== "notReady") throw error
          add("no-label", found)
        }
      })
    },
  }
}
