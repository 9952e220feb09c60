/** Commands on the real ledger, put together as in `src/session/deps.ts`, and the fate of their requests. */
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/base/errors.ts"
import {
  type Account,
  openAccount,
  openPrintAccount,
  type OwnKey,
} from "../../src/ledger/accounts/account.ts"
import { keyId, knownScopes } from "../../src/ledger/accounts/keys.ts"
import { createOnce, type Intent, type LedgerDeps } from "../../src/ledger/create.ts"
import { hashDayGoods } from "../../src/ledger/elsewhere.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { FIRST_LOOK_MS, lookForElsewhere } from "../../src/ledger/look.ts"
import type { ReconcileDeps } from "../../src/ledger/reconcile.ts"
import { NotSent } from "../../src/ledger/refusals.ts"
import type { SendLease } from "../../src/base/ports.ts"
import { type Desk, Killed, openLedger, type Process, type Profile, startProcess } from "./desks.ts"
import { type Attempt, type Expectations, isListed } from "./expectations.ts"
import type { SimulatedLedger } from "./ledgers.ts"
import type { Order } from "./orders.ts"
import { count, type Report } from "./report.ts"
import { checkReach, dateOf, makeShipment, openApi, type Service, type Tenant } from "./services.ts"
import type { Shop } from "./shop.ts"
import { type Chance, HOUR, MINUTE, SECOND, type SimulatedTime } from "./time.ts"

/** One set of services, desks and ledgers, from its beginning to its end. */
export interface Round {
  time: SimulatedTime
  chance: Chance
  report: Report
  expectations: Expectations
  services: Service[]
  desks: Desk[]
  shops: Map<Tenant, Shop>
  /** The ledger that desks copy theirs to. */
  team: SimulatedLedger
  createToken: () => string
  /** Work that goes on in the background. */
  running: Set<Promise<unknown>>
}

/** Starts something that goes on by itself. */
export function begin({ running }: Round, work: Promise<unknown>): void {
  const guarded: Promise<unknown> = work.finally(() => running.delete(guarded))
  running.add(guarded)
}

/** Runs something as a command of its own, until it ends, fails or is killed. @returns why it failed */
export async function runCommand(
  round: Round,
  desk: Desk,
  work: (process: Process) => Promise<void>,
): Promise<FreightError | undefined> {
  if (desk.isClosed) return undefined
  const process = startProcess(desk, round)
  try {
    await openLedger(process)
    await work(process)
  } catch (error) {
    if (error instanceof FreightError) return error
    if (!(error instanceof Killed)) throw error
  } finally {
    process.end()
  }
}

/** Books, picks up or prints at a desk. */
export function runOrders(
  round: Round,
  desk: Desk,
  profile: Profile,
  orders: readonly Order[],
  isBatch = false,
): { asked: readonly Attempt[]; done: Promise<unknown> } {
  const [first] = orders
  const api = first?.kind === "pdf-print" ? "direct-print" : "freight"
  const { key, address } = profile
  const asked = orders.map((order) =>
    round.expectations.begin({
      ...{ order, key, address, desk: desk.name, ledger: desk.ledger, isBatch },
    }),
  )
  const ended = runCommand(round, desk, async (process) => {
    const ledger = await createDeps(round, process, profile, api)
    if (first?.kind === "shipment" && round.chance.of(0.6))
      await lookElsewhere(round, process, profile, ledger, asked)
    const waiting = [...asked]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await create(round, process, ledger, next)
    }
    await Promise.all([worker(), worker(), worker(), worker()])
  })
  const done = ended.finally(() => {
    for (const attempt of asked) if (attempt.isRunning) round.expectations.noteEnd(attempt, "ended before")
  })
  return { asked, done }
}

/** Does the same as `lookElsewhere` of `booking/elsewhere.ts` before orders are priced. */
async function lookElsewhere(
  round: Round,
  process: Process,
  profile: Profile,
  ledger: LedgerDeps,
  asked: readonly Attempt[],
): Promise<void> {
  const { freight, listed } = openDeskApi(round, process, profile)
  const oldest = round.time.now() - FIRST_LOOK_MS + HOUR
  // A service that sorts by dates has one with a very old date at the end of its list, where no look comes.
  const { sortsByDate } = profile.key.tenant.service
  const shown = new Set(
    listed().filter((each) => each.at > oldest && (!sortsByDate || dateOf(each) > oldest)),
  )
  const { unknown } = await lookForElsewhere(
    ledger,
    freight,
    { atOnce: 4, settles: round.chance.of(0.8) },
    async () => {},
  )
  for (const attempt of asked) attempt.listed = shown
  count(round.report.ends, unknown > 0 ? "looked, and found what was booked elsewhere" : "looked")
}

/** The same as `readLedger` in `deps.ts` gives to reconcile, release and settle. */
export async function createReader(process: Process, { key, address }: Profile): Promise<ReconcileDeps> {
  const { store, clock, signal } = process
  const own = [
    keyId({ fingerprint: key.fingerprint, address }),
    keyId({ fingerprint: key.printFingerprint, address: key.tenant.printAddress }),
  ]
  const [scope] = await knownScopes(store.database, own.slice(0, 1))
  const scopes = await knownScopes(store.database, own)
  return {
    ...{ store, clock, signal, account: key.fingerprint },
    ...(scope !== undefined && { owner: { scope } }),
    ...(scopes.length > 0 && { scopes }),
  }
}

export function openDeskApi(round: Round, { desk }: Process | { desk: Desk }, { key, address }: Profile) {
  return openApi(key, address, {
    ...round,
    ahead: desk.ahead,
    missed: () => round.expectations.noteMissed(key),
  })
}

function toOwnKey({ key, address, name }: Profile, { name: workstation }: Desk): OwnKey {
  const { fingerprint } = key
  return { fingerprint, address, api: "freight", workstation, ...(name !== undefined && { name }) }
}

/** Opens the account of a profile's freight key. */
export function openFreightAccount(round: Round, process: Process, profile: Profile): Promise<Account> {
  const api = openDeskApi(round, process, profile)
  return openAccount(process.store.database, toOwnKey(profile, process.desk), api)
}

export async function createDeps(
  round: Round,
  process: Process,
  profile: Profile,
  api: "freight" | "direct-print",
): Promise<LedgerDeps> {
  const { desk, store, clock, outbox, leases, signal } = process
  const { key, address, printsOnly } = profile
  const openFreight = () => openFreightAccount(round, process, profile)
  const findFreight = async (): Promise<Account | undefined> => {
    if (printsOnly) return undefined
    const own = toOwnKey(profile, desk)
    const [scope] = await knownScopes(store.database, [keyId(own)])
    if (scope !== undefined) return { id: keyId(own), fingerprint: own.fingerprint, scope }
    try {
      return await openFreight()
    } catch (error) {
      if (error instanceof FreightError) return undefined
      throw error
    }
  }
  const printing: OwnKey = {
    ...{ fingerprint: key.printFingerprint, address: key.tenant.printAddress, api: "direct-print" },
    workstation: desk.name,
  }
  const open = async () =>
    api === "freight" ? openFreight() : openPrintAccount(store.database, printing, await findFreight())
  const session = `${api} ${key.fingerprint} ${address}`
  const kept = round.chance.of(0.5) ? desk.sessions.get(session) : undefined
  const owner = kept ?? (await open())
  if (round.chance.of(0.1)) desk.sessions.set(session, owner)
  // A person who is asked something, or a long batch: what was known when it began may be old.
  if (round.chance.of(0.05)) await clock.sleep(round.chance.next() * 5 * MINUTE)
  return {
    ...{ store, owner, clock, outbox, leases, signal, sender: { workstation: desk.name, person: "" } },
    async refreshAccount() {
      Object.assign(owner, await open())
    },
  }
}

/** Books, picks up or prints one thing in a command that runs. */
export async function create(
  round: Round,
  process: Process,
  ledger: LedgerDeps,
  attempt: Attempt,
): Promise<void> {
  const { expectations, chance } = round
  const { order } = attempt
  const { database } = attempt.ledger
  let token = ""
  const killedAt = chance.of(0.05) ? chance.pick(["after-intent", "before-outcome", "after-outcome"]) : ""
  const store = {
    ...ledger.store,
    newToken() {
      token = ledger.store.newToken()
      expectations.noteToken(attempt, token)
      return token
    },
  }
  const at: LedgerDeps["at"] = (moment) => {
    if (moment === "after-intent") expectations.noteClaim(attempt)
    if (moment === killedAt) process.kill(moment)
  }
  const answered = async (entry: Entry, isRecorded: boolean) => {
    const [row] = await database.all("select claim_token from sends where id = ?", [entry.id])
    if (row) expectations.noteAnswer(attempt, String(row.claim_token), isRecorded)
  }
  let end = "killed"
  try {
    const created = await createOnce(
      { ...ledger, store, at },
      toIntent(round, process, attempt),
      (lease) => send(round, process, attempt, lease),
      ({ shipmentId }) => (shipmentId === undefined ? {} : { shipmentId }),
    )
    end = created.recorded ? "recorded" : "made"
    if (created.entry.cancelledAt !== undefined) expectations.noteGivenAway(attempt)
    if (created.recorded) await answered(created.entry, true)
  } catch (error) {
    if (error instanceof Killed) throw error
    if (!(error instanceof FreightError)) {
      end = "bug"
      throw error
    }
    end = isOtherAccount(error) ? "other account" : error.kind
    const standing = error instanceof NotSent ? error.standing : undefined
    if (standing?.kind === "cancelled" || standing?.kind === "not-cancelled") end = standing.kind
    const isEqual = ["equal", "has-pickup", "elsewhere"].includes(standing?.kind ?? "")
    if (isEqual && standing && "entry" in standing && standing.entry) {
      end = standing.entry.elsewhere === undefined ? "equal" : "elsewhere"
      await answered(standing.entry, false)
    }
    if (end === "outcomeUnknown" && attempt.claimed === 0) {
      end = "held by another"
      const own = await database.all("select id from sends where claim_token = ? and state = 'unknown'", [
        token,
      ])
      if (own.length > 0) expectations.noteHeldByItself(attempt)
    }
  } finally {
    expectations.noteEnd(attempt, end)
  }
  await process.clock.sleep(0)
  if (order.kind === "shipment" && chance.of(0.02)) process.kill("after its end")
}

/** Whether it is not known whose the entry is that prevents it. */
function isOtherAccount({ kind, next }: FreightError): boolean {
  return kind === "input" && next === "freight ledger status"
}

function toIntent(round: Round, process: Process, { order, key, address }: Attempt): Intent {
  const { kind, number, isNumberGenerated, again, replaces, shipments, intent } = order
  const { freight } = openApi(key, address, { ...round, ahead: process.desk.ahead })
  const given = {
    ...intent,
    again,
    replaces,
    isKeyGenerated: isNumberGenerated,
    ...(number !== undefined && { key: number }),
  }
  if (kind === "shipment")
    return { ...given, kind, dayGoodsHash: hashDayGoods(intent.request as ConsignmentBookingRequest) }
  if (kind !== "pickup") return { ...given, kind }
  const getShipment = async (id: string) => (await freight.getShipment(id)).shipment
  return { ...given, kind, collects: { shipments: shipments.map(({ id }) => id), getShipment } }
}

interface Reply {
  shipmentId?: string
  [field: string]: unknown
}

/** A request that is sent while its lease is held, and what may happen to it. */
async function send(round: Round, process: Process, attempt: Attempt, lease: SendLease): Promise<Reply> {
  const { expectations, chance, report } = round
  if (chance.of(0.08)) {
    const isMachine = chance.of(0.5)
    count(report.faults, `${isMachine ? "machine asleep" : "process stopped"} before the first byte`)
    await process.stop(chance.next() * MINUTE, isMachine)
  }
  process.check()
  if (!lease.isHeld()) {
    count(report.faults, "lease lost, nothing sent")
    throw new FreightError("unavailable", "the lease ran out")
  }
  checkReach(attempt.key, attempt.address)
  await forgetOwn(round, attempt)
  expectations.noteLeaving(attempt, await listSettled(attempt))
  let isLate = false
  try {
    if (chance.of(0.05) || attempt.order.connector?.isActive === false) {
      count(report.faults, "refused")
      throw new FreightError("refused", "bad postcode", { status: 400 })
    }
    if (chance.of(0.05)) {
      count(report.faults, "connection broken before it was made")
      throw new FreightError("outcomeUnknown", "the connection broke")
    }
    if (chance.of(0.02)) {
      count(report.faults, "made long after the connection broke")
      isLate = true
      begin(round, makeLate(round, attempt))
      throw new FreightError("outcomeUnknown", "the connection broke")
    }
    if (chance.of(0.12)) {
      count(report.faults, "slow carrier")
      await round.time.sleep(chance.next() * 50 * SECOND)
    }
    const reply = make(round, attempt)
    if (chance.of(0.05)) {
      count(report.faults, "connection broken after it was made")
      throw new FreightError("outcomeUnknown", "the connection broke")
    }
    if (chance.of(0.1)) {
      count(report.faults, "slow reply")
      await round.time.sleep(chance.next() * 50 * SECOND)
    }
    process.check()
    if (chance.of(0.02)) process.kill("while it waited")
    return reply
  } finally {
    if (!isLate) attempt.isAtService = false
  }
}

/**
 * Removes listed shipments that the ledger itself has by now: its own rules report those. Without a reference, a shipment
 * may be the outcome of an equal order that has none yet, so each such order accounts for one shipment of its time.
 */
async function forgetOwn({ expectations }: Round, attempt: Attempt): Promise<void> {
  const { listed, ledger, order } = attempt
  if (!listed) return
  const alike = [...listed].filter((shipment) => isListed(order, shipment.order))
  const rows = await ledger.database.all("select shipment_id from sends where shipment_id is not null")
  const own = new Set(rows.map(({ shipment_id: id }) => id))
  const left = alike.filter(({ id }) => !own.has(id)).sort((one, other) => one.at - other.at)
  const open = await ledger.database.all(
    "select claim_token from sends where kind = 'shipment' and state = 'unknown' order by created_at",
  )
  const makers = open
    .flatMap((row) => expectations.findByToken(String(row.claim_token)) ?? [])
    .filter((maker) => maker !== attempt && maker.order.details === order.details)
  attempt.listed = new Set(
    left.filter((shipment) => {
      const { customerReference } = shipment.order.intent.request as ConsignmentBookingRequest
      const n = makers.findIndex(
        (maker) =>
          maker.order.tenant === order.tenant &&
          !maker.listed?.has(shipment) &&
          (shipment.dated !== undefined || shipment.at > maker.at - 3 * HOUR),
      )
      if (customerReference !== undefined || n === -1) return true
      makers.splice(n, 1)
      return false
    }),
  )
}

/** The shipments that a ledger has for orders, by the claim's token. */
async function listSettled({ ledger }: Attempt): Promise<Map<string, string>> {
  const rows = await ledger.database.all(
    "select claim_token, shipment_id from sends where kind = 'shipment' and state = 'done' and shipment_id is not null",
  )
  return new Map(rows.map((row) => [String(row.claim_token), String(row.shipment_id)]))
}

async function makeLate(round: Round, attempt: Attempt): Promise<void> {
  await round.time.sleep(round.chance.next() * 4 * MINUTE)
  make(round, attempt)
  attempt.isAtService = false
}

function make(round: Round, attempt: Attempt): Reply {
  const { expectations, time } = round
  const { order, key, id } = attempt
  const at = time.now()
  if (order.kind === "shipment") {
    const shipment = makeShipment(order, key, round)
    expectations.noteMade(attempt, { id: shipment.id, at, shipment })
    const { serviceCode } = order.intent.request as ConsignmentBookingRequest
    return {
      shipmentId: shipment.id,
      orderNumber: `ORD-${shipment.id}`,
      pickupStatus: "NOT_BOOKED",
      serviceCode,
    }
  }
  const name = `${order.kind} ${id}`
  expectations.noteMade(attempt, { id: name, at })
  if (order.kind !== "pickup") return { jobId: name }
  for (const shipment of order.shipments) shipment.hasPickup = true
  return { pickupBookingId: name, status: "BOOKED" }
}
