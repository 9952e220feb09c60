/** Everything at one moment, as plain data: databases, the service, desks and where each process stands; and what may happen next. */
import type { ShipmentDetail } from "../../src/contract/generated/types.ts"
import type { DatabaseRow } from "../../src/ledger/database/database.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { isListed } from "../simulation/expectations.ts"
import type { Order } from "../simulation/orders.ts"
import { type Shipment, toDetail } from "../simulation/services.ts"
import { type Databases, execute, isBegin, nameOf, type Outcome } from "./databases.ts"
import type { Engine } from "./engine.ts"
import type { Failure, Files, Op, Position, Program, Reply, Result, Runner } from "./process.ts"

/** A request: on its way, or what came of it. */
interface Request {
  process: string
  order: number
  token: string
  state: "on its way" | "made" | "refused" | "vanished"
  /** Who waits for the reply to this; 0 once nobody does. */
  op: number
  /** Its sender lives, and knows what came of it. */
  isKnown?: true
}

interface Actor {
  position: number
  /** Its sleeps that may end, as something has happened since they began. */
  awake: readonly number[]
  /** It has ended, or was killed. */
  isOver?: true
}

/** How many events of each kind may still happen. */
export interface Budget {
  /** Kills, lost connections, lost replies, refusals. */
  faults: number
  /** Times that everything stands still for longer than a lease. */
  stops: number
  /** Leases that are renewed. */
  renewals: number
}

export interface ModelState extends Databases {
  time: number
  actors: Record<string, Actor>
  /** Processes that do not reach the database any more. */
  cutOff: string[]
  outboxes: Record<string, Files>
  requests: Request[]
  /** Tokens of what a person released although it was made, or on its way. */
  wrongly: string[]
  /** Orders that a stranger has booked. */
  elsewhere: number[]
  /** Those of them that the list had when a process read it. */
  shown: Record<string, number[]>
  budget: Budget
  /** How often everything waited for time to go by, one after the other. */
  waits: number
}

export interface Scene {
  isServer: boolean
  engine: Engine
  runner: Runner
  programs: ReadonlyMap<string, Program>
  /** Programs that begin when another one is over. */
  after: ReadonlyMap<string, string>
  orders: readonly Order[]
  /** Shipments at the service in the beginning. */
  shipments: readonly Shipment[]
  /** Orders that a stranger may book too, with another ledger or in the portal. */
  strange: readonly number[]
  /** Wrong dates that the service gives for strangers' orders, by order. */
  dates: Readonly<Record<number, string>>
  /** Why two orders are one for the people who gave them; undefined if they are two. */
  findWhyOne(later: Order, earlier: Order): string | undefined
  /** Told how each process ends. */
  noteEnd?: (name: string, results: readonly Result[]) => void
}

export interface Choice {
  text: string
  /** Changes the model. @returns an answer for a process, where it gets one */
  act(model: ModelState): [actor: string, reply: Omit<Reply, "time" | "files">] | undefined
  isFault?: boolean
}

/** States that must not occur. */
export class Finding extends Error {}

export const LONGER_THAN_A_LEASE = LEASE_MS + 1_000
/** So often everything may wait for time alone: a process waits for others for 120 seconds. */
const MAX_WAITS = 24

export async function beginWorld(
  scene: Scene,
  { time, budget }: { time: number; budget: Budget },
  names: readonly string[],
): Promise<ModelState> {
  const model: ModelState = {
    ...{ time, content: 0, open: {}, actors: {}, cutOff: [], outboxes: {} },
    ...{ requests: [], wrongly: [], elsewhere: [], shown: {}, budget: { ...budget }, waits: 0 },
  }
  for (const name of names) addActor(scene, model, name)
  await runAlone(scene, model)
  return model
}

export function addActor({ programs, runner }: Scene, model: ModelState, name: string): void {
  const program = programs.get(name)
  if (!program) throw new TypeError(`there is no program ${name}`)
  model.actors[name] = { position: runner.begin(program).id, awake: [] }
}

/** The same at another moment is the same: what happened before does not matter. */
export function toText(model: ModelState): string {
  return JSON.stringify(model)
}

function isOver({ actors }: ModelState, name: string): boolean {
  return actors[name]?.isOver !== undefined
}

export function isDone({ actors, requests }: ModelState): boolean {
  return (
    Object.values(actors).every((actor) => actor.isOver) &&
    !requests.some(({ state }) => state === "on its way")
  )
}

/** All that may happen next. @throws Finding where nothing can, and something waits */
export function listChoices(scene: Scene, model: ModelState): Choice[] {
  if (isDone(model)) return []
  const choices: Choice[] = []
  const blocked: Blocked[] = []
  // A transaction in a file is one step: nobody sees what is in it, and nobody else writes.
  const [inFile] = scene.isServer ? [] : Object.keys(model.open)
  for (const [name, actor] of Object.entries(model.actors)) {
    if (actor.isOver || (inFile !== undefined && !inFile.startsWith(`${name}/`))) continue
    const { pending } = scene.runner.positionOf(actor.position)
    for (const op of pending) choices.push(...listOfOp(scene, model, name, op, blocked))
    if (model.budget.faults > 0) choices.push(listKill(name))
  }
  if (inFile !== undefined) return choices
  choices.push(...breakRings(model, blocked))
  for (const [n, { state, op, order }] of model.requests.entries())
    if (state === "on its way" && op === 0)
      choices.push(
        change(`order ${order} arrives at the service late`, (next) => arrive(next, n)),
        change(`order ${order} never arrives`, ({ requests }) => set(requests, n, "vanished")),
      )
  for (const order of scene.strange)
    if (!model.elsewhere.includes(order))
      choices.push({
        ...change(`a stranger books order ${order}`, ({ elsewhere }) => elsewhere.push(order)),
        // Nobody waits for it.
        isFault: true,
      })
  if (model.budget.stops > 0 && isAnyLeaseRunning(scene, model))
    choices.push(
      change("everything stands still for longer than a lease", (next) => {
        next.budget.stops--
        goOn(scene, next, LONGER_THAN_A_LEASE)
      }),
    )
  if (choices.every(({ isFault }) => isFault)) {
    if (model.waits >= MAX_WAITS || !hasSleeper(scene, model)) throw new Finding("something waits for ever")
    choices.push(
      change("everyone waits, and time goes by", (next) => {
        next.waits++
        goOn(scene, next, LONGER_THAN_A_LEASE)
      }),
    )
  }
  return choices
}

function change(text: string, act: (model: ModelState) => void): Choice {
  return {
    text,
    act(model) {
      act(model)
      return undefined
    },
  }
}

function goOn(scene: Scene, model: ModelState, ms: number): void {
  model.time += ms
  wakeAll(scene, model)
}

/** Whoever waits for others looks again. */
function wakeAll({ runner }: Scene, { actors }: ModelState): void {
  for (const actor of Object.values(actors)) if (!actor.isOver) actor.awake = listSleeps(runner, actor)
}

function listSleeps(runner: Runner, { position }: Actor): number[] {
  return runner.positionOf(position).pending.flatMap(({ kind, id }) => (kind === "sleep" ? [id] : []))
}

function hasSleeper({ runner }: Scene, { actors }: ModelState): boolean {
  return Object.values(actors).some((actor) => !actor.isOver && listSleeps(runner, actor).length > 0)
}

function isAnyLeaseRunning({ engine }: Scene, { content, open, time }: ModelState): boolean {
  return (
    Object.keys(open).length > 0 ||
    engine
      .contentOf(content)
      .sends.some(({ state, lease_until: until }) => state === "unknown" && Date.parse(String(until)) > time)
  )
}

type Reaction = Omit<Reply, "time" | "files" | "op">

function listOfOp(scene: Scene, model: ModelState, name: string, op: Op, blocked: Blocked[]): Choice[] {
  const answer = (text: string, act: (model: ModelState) => Reaction, isFault = false): Choice => ({
    ...{ text: `${name}: ${text}`, isFault },
    act(next) {
      if (isFault) next.budget.faults--
      return [name, { op: op.id, ...act(next) }]
    },
  })
  const hasFaults = model.budget.faults > 0
  switch (op.kind) {
    case "start": {
      const before = scene.after.get(name)
      return before === undefined || isOver(model, before) ? [answer("begins", () => ({}))] : []
    }
    case "sql":
      return listOfStatement(scene, model, name, op, blocked, answer)
    case "sleep": {
      const isDue = !op.isPoll || model.time >= op.until || model.actors[name]?.awake.includes(op.id)
      if (!isDue) return []
      const wake = (next: ModelState): Reaction => {
        // Whoever waits for others looks when there is something to see; who waits for time lets it go by.
        if (!op.isPoll && !op.isRetry) next.time = Math.max(next.time, op.until)
        return {}
      }
      return [answer("has waited", wake)]
    }
    case "timer": {
      if (model.budget.renewals <= 0) return []
      const fire = answer("renews its leases", (next) => {
        next.budget.renewals--
        return {}
      })
      // It is nobody's next step: who waits for it alone waits for ever.
      return [{ ...fire, isFault: true }]
    }
    case "shipment":
      return [answer(`looks at ${op.shipment}`, (next) => readShipment(scene, next, op.shipment))]
    case "shipments":
      return [
        answer("looks at the list of shipments", (next) => {
          if (next.elsewhere.length > 0) next.shown[name] = [...next.elsewhere]
          return { value: listShipments(scene, next) }
        }),
      ]
    case "carrier":
      return [
        answer("asks the carrier", ({ requests }) => ({
          value: requests
            .map(({ token, state }, n) => ({ token, state, shipment: shipmentId(n) }))
            .filter(({ state }) => state === "made"),
        })),
      ]
    case "post": {
      const n = model.requests.findIndex((request) => request.process === name && request.op === op.id)
      const lost: Failure = { is: "freight", kind: "outcomeUnknown", message: "the connection broke" }
      const leave = (next: ModelState, state?: Request["state"], isKnown = state !== undefined) => {
        set(next.requests, n, state)
        const request = next.requests[n]
        if (!request) return
        request.op = 0
        if (isKnown) request.isKnown = true
      }
      if (model.requests[n]?.state === "made")
        return [
          answer("gets the reply", (next) => {
            leave(next, "made")
            return { value: replyOf(scene, n, op.order) }
          }),
          ...(hasFaults
            ? [
                answer(
                  "loses the reply",
                  (next) => {
                    leave(next)
                    return { failure: lost }
                  },
                  true,
                ),
              ]
            : []),
        ]
      return [
        change(`${name}: order ${op.order} arrives at the service`, (next) => arrive(next, n)),
        ...(hasFaults
          ? [
              answer(
                `order ${op.order} is refused`,
                (next) => {
                  leave(next, "refused")
                  return { failure: { is: "freight", kind: "refused", message: "bad postcode", status: 400 } }
                },
                true,
              ),
              answer(
                "loses the connection while its order is on the way",
                (next) => {
                  leave(next)
                  return { failure: lost }
                },
                true,
              ),
            ]
          : []),
      ]
    }
  }
}

const LOST: Reaction = {
  failure: { is: "driver", code: "08006", message: "the connection broke" },
}
const UNREACHABLE: Reaction = {
  failure: { is: "driver", code: "ECONNREFUSED", message: "nobody answers" },
}
const LOCKED: Reaction = { failure: { is: "driver", rawCode: 5, message: "database is locked" } }

interface Blocked {
  name: string
  actor: string
  on: readonly string[]
  answer: (text: string, act: (model: ModelState) => Reaction, isFault?: boolean) => Choice
}

function listOfStatement(
  scene: Scene,
  model: ModelState,
  name: string,
  op: Op & { kind: "sql" },
  blocked: Blocked[],
  answer: (text: string, act: (model: ModelState) => Reaction, isFault?: boolean) => Choice,
): Choice[] {
  const { engine, isServer } = scene
  const statement = { ...op, process: name }
  const own = nameOf(statement)
  if (model.cutOff.includes(name)) return [answer("does not reach the database", () => UNREACHABLE)]
  // Tried on a copy: what waits is no choice, unless it gets further before it does.
  const copy = { content: model.content, open: copyOpen(model.open) }
  const outcome = execute(engine, copy, statement, model.time, isServer)
  const text = describe(op.sql)
  if (outcome.is === "waits") {
    blocked.push({ name: own, actor: name, on: outcome.on, answer })
    if (!outcome.hasMoved) return []
    return [
      change(`${name}: ${text}: waits`, (next) => {
        execute(engine, next, statement, next.time, isServer)
      }),
    ]
  }
  const take = (next: ModelState): Reaction => {
    const before = next.content
    const done = execute(engine, next, statement, next.time, isServer)
    if (next.content !== before) noteChange(scene, next, before)
    return toReaction(done)
  }
  const choices = [answer(text, take)]
  if (model.budget.faults <= 0) return choices
  if (op.sql === "commit" && isServer) {
    const drop = ({ open }: ModelState) => {
      delete open[own]
    }
    const faults: [text: string, isCommitted: boolean, isForGood: boolean][] = [
      ["loses the connection before the commit", false, false],
      ["loses the connection after the commit", true, false],
      ["is cut off for good before the commit", false, true],
      ["is cut off for good after the commit", true, true],
    ]
    for (const [what, isCommitted, isForGood] of faults)
      choices.push(
        answer(
          what,
          (next) => {
            if (isCommitted) take(next)
            drop(next)
            if (isForGood) next.cutOff.push(name)
            return LOST
          },
          true,
        ),
      )
  }
  if (!isServer && isBegin(op.sql)) choices.push(answer("finds the file locked", () => LOCKED, true))
  if (copy.content !== model.content)
    choices.push(killed(name, `${text}, and is killed`, (next) => void take(next)))
  return choices
}

function toReaction(outcome: Outcome): Reaction {
  if (outcome.is === "waits") throw new TypeError("it waits")
  if (outcome.is === "failure") return { failure: outcome.failure }
  return { value: { rows: outcome.rows, changes: outcome.changes } }
}

/** The server ends one of two transactions that wait for each other. */
function breakRings(model: ModelState, blocked: readonly Blocked[]): Choice[] {
  const waitsFor = new Map(blocked.map(({ name, on }) => [name, on]))
  const isInRing = (name: string): boolean => {
    const seen = new Set<string>()
    const reach = [...(waitsFor.get(name) ?? [])]
    for (let next = reach.pop(); next !== undefined; next = reach.pop()) {
      if (next === name) return true
      if (seen.has(next)) continue
      seen.add(next)
      reach.push(...(waitsFor.get(next) ?? []))
    }
    return false
  }
  return blocked
    .filter(({ name }) => name in model.open && isInRing(name))
    .map(({ name, answer }) =>
      answer("is ended, as it waits for who waits for it", ({ open }) => {
        delete open[name]
        return { failure: { is: "driver", code: "40P01", message: "deadlock detected" } }
      }),
    )
}

function endActor({ actors, shown }: ModelState, name: string): void {
  // Where it stood, and what it had seen, does not matter any more.
  actors[name] = { position: 0, awake: [], isOver: true }
  delete shown[name]
}

function forget(request: Request): void {
  request.op = 0
  delete request.isKnown
}

function listKill(name: string): Choice {
  return killed(name, "is killed", () => {})
}

function killed(name: string, text: string, before: (model: ModelState) => void): Choice {
  return {
    ...change(`${name}: ${text}`, (next) => {
      next.budget.faults--
      before(next)
      endActor(next, name)
      for (const each of Object.keys(next.open)) if (each.startsWith(`${name}/`)) delete next.open[each]
      for (const request of next.requests) if (request.process === name) forget(request)
    }),
    isFault: true,
  }
}

/** The name of a statement, for people. */
function describe(sql: string): string {
  const [first = ""] = /^(\w+( \w+)?)/.exec(sql.trim()) ?? []
  if (/clock_timestamp/.test(sql)) return "asks the database for the time"
  if (/pg_advisory/.test(sql)) return "locks"
  if (/from api_keys/.test(sql)) return "reads the keys"
  return /^select/.test(first) ? "reads the entries" : first
}

function set(requests: readonly Request[], n: number, state: Request["state"] | undefined): void {
  const request = requests[n]
  if (request && state) request.state = state
}

function arrive(model: ModelState, n: number): void {
  set(model.requests, n, "made")
}

export function shipmentId(n: number): string {
  return `shp-${n + 1}`
}

export function strangeId(order: number): string {
  return `elsewhere-${order}`
}

function replyOf({ orders }: Scene, n: number, index: number): Record<string, unknown> {
  const order = orders[index]
  if (order?.kind === "pickup") return { pickupBookingId: `pickup-${n}`, status: "BOOKED" }
  const { serviceCode } = Object(order?.intent.request) as { serviceCode?: string }
  return { shipmentId: shipmentId(n), orderNumber: `ORD-${n}`, pickupStatus: "NOT_BOOKED", serviceCode }
}

function readShipment(scene: Scene, model: ModelState, id: string): Reaction {
  const value = listShipments(scene, model).find((each) => each.id === id)
  if (value) return { value }
  return { failure: { is: "freight", kind: "notFound", message: "no such shipment", status: 404 } }
}

/** Newest first. */
function listShipments(
  { orders, shipments, dates }: Scene,
  { requests, elsewhere, time }: ModelState,
): ShipmentDetail[] {
  // A pickup for several names none of them to the service.
  const hasPickup = (id: string) =>
    requests.some(({ state, order }) => {
      const shipments = state === "made" ? (orders[order]?.shipments ?? []) : []
      return shipments.length === 1 && shipments[0]?.id === id
    })
  const made = requests.flatMap(({ state, order: index }, n): ShipmentDetail[] => {
    const order = orders[index]
    if (state !== "made" || order?.kind !== "shipment") return []
    const id = shipmentId(n)
    const shipment = { id, order, at: time, hasPickup: hasPickup(id) } as Shipment
    return [toDetail(shipment)]
  })
  return [
    ...shipments.map((each) => toDetail({ ...each, hasPickup: hasPickup(each.id) || each.hasPickup })),
    ...made,
    ...elsewhere.flatMap((order): ShipmentDetail[] => {
      const dated = dates[order]
      const shipment = {
        ...{ id: strangeId(order), order: orders[order], at: time, hasPickup: false },
        ...(dated !== undefined && { dated }),
      }
      return shipment.order ? [toDetail(shipment as Shipment)] : []
    }),
  ].reverse()
}

/** Whoever waits for others looks again; and what was released is noted. @throws Finding where it is being sent */
function noteChange(scene: Scene, model: ModelState, before: number): void {
  wakeAll(scene, model)
  const { engine } = scene
  const states = new Map(engine.contentOf(before).sends.map(({ id, state }) => [id, state]))
  for (const row of engine.contentOf(model.content).sends) {
    const { id, state, claim_token: token, created_at: claimed } = row
    const isSending = model.requests.some((each) => each.token === token && each.op !== 0)
    if (state !== "unknown" && isSending && model.time < Date.parse(String(claimed)) + LEASE_MS)
      throw new Finding(`${id} is ${state} while its sender, whose lease runs, waits for the reply`)
    if (state !== "released" || states.get(id) === "released") continue
    const exists = model.requests.some(
      (each) => each.token === token && (each.state === "made" || each.state === "on its way"),
    )
    if (exists && !model.wrongly.includes(String(token))) model.wrongly.push(String(token))
  }
}

/** Lets a choice happen, and all that follows from it alone. @throws Finding */
export async function take(scene: Scene, from: ModelState, choice: Choice): Promise<ModelState> {
  const model = copyOf(from)
  const answered = choice.act(model)
  if (answered) await deliver(scene, model, ...answered)
  await runAlone(scene, model)
  return model
}

async function deliver(
  scene: Scene,
  model: ModelState,
  name: string,
  reply: Omit<Reply, "time" | "files">,
): Promise<void> {
  const program = scene.programs.get(name)
  const actor = model.actors[name]
  if (!program || !actor) throw new TypeError(`there is no ${name}`)
  const files = model.outboxes[program.desk] ?? {}
  const from = scene.runner.positionOf(actor.position)
  const position = await scene.runner.next(program, from, { ...reply, time: model.time, files })
  actor.position = position.id
  const sleeps = listSleeps(scene.runner, actor)
  actor.awake = actor.awake.filter((id) => sleeps.includes(id))
  if (Object.keys(position.files).length > 0) model.outboxes[program.desk] = position.files
  else delete model.outboxes[program.desk]
  noteRequests(scene, model, name, from, position)
  if (!position.ended) return
  scene.noteEnd?.(name, position.ended.results)
  checkEnd(scene, model, name, position)
  checkKnown(scene, model, name)
  endActor(model, name)
}

/** Checks that the ledger or the desk's outbox has all that a process knew when it ended. @throws Finding */
function checkKnown(scene: Scene, model: ModelState, name: string): void {
  const desk = scene.programs.get(name)?.desk ?? ""
  for (const request of model.requests) {
    if (request.process !== name || !request.isKnown) continue
    const { token, order, state } = request
    const row = rowsOf(scene, model).find(({ claim_token: of }) => of === token)
    const isKept = Object.values(model.outboxes[desk] ?? {}).some((text) => text.includes(token))
    if (row?.state === "unknown" && !isKept)
      throw new Finding(`${name} ends, and has forgotten that order ${order} was ${state}`)
    delete request.isKnown
  }
}

/** Takes the steps of processes that can be taken at any time with the same result, so that there is no choice. */
async function runAlone(scene: Scene, model: ModelState): Promise<void> {
  for (let isMoving = true; isMoving; ) {
    isMoving = false
    for (const [name, { position, isOver: isEnded }] of Object.entries(model.actors)) {
      if (isEnded) continue
      const at = scene.runner.positionOf(position)
      const op = at.pending.find((each) => isAlone(scene, model, name, each))
      if (!op) continue
      const [choice] = listOfOp(scene, model, name, op, [])
      const answered = choice?.act(model)
      if (!answered) continue
      await deliver(scene, model, ...answered)
      isMoving = true
    }
  }
}

/**
 * Whether a step commutes with all that others do, and shows nothing to them: then it is enough to look at the order in
 * which it comes first. (Keys and accounts do not change in a search, and a transaction that has only begun, or only shares
 * a name that nobody takes alone, holds up nobody.)
 */
function isAlone(scene: Scene, model: ModelState, name: string, op: Op): boolean {
  if (op.kind === "start") return scene.after.get(name) === undefined && isOnlyAtDesk(scene, model, name)
  if (op.kind === "sleep") return op.isRetry
  if (op.kind !== "sql") return false
  if (model.cutOff.includes(name)) return true
  const own = model.open[nameOf({ ...op, process: name })]
  // A commit without writes only lets others go on.
  if (op.sql === "commit" && own?.log.length === 0) return true
  if (op.sql === "rollback" || /^\s*select \* from api_keys/.test(op.sql)) return true
  if (scene.isServer)
    return (
      isBegin(op.sql) ||
      /pg_advisory_xact_lock_shared/.test(op.sql) ||
      (/pg_advisory_xact_lock\(/.test(op.sql) && Object(op.values[0]).length === 0) ||
      // Time may stand between it and what follows, but no one else.
      (/clock_timestamp/.test(op.sql) && model.budget.stops === 0)
    )
  // Once a transaction in a file has begun: it is one step until its end.
  return own !== undefined && op.sql !== "commit"
}

function isOnlyAtDesk({ programs }: Scene, { actors }: ModelState, name: string): boolean {
  const desks = Object.keys(actors).map((each) => programs.get(each)?.desk)
  return desks.filter((desk) => desk === programs.get(name)?.desk).length === 1
}

/** @throws Finding where something leaves that must not */
function noteRequests(scene: Scene, model: ModelState, name: string, from: Position, to: Position): void {
  const known = new Set(from.pending.map(({ id }) => id))
  for (const op of to.pending) {
    if (op.kind !== "post" || known.has(op.id)) continue
    const { order, token } = op
    const { orders } = scene
    const own = orders[order]
    const row = rowsOf(scene, model).find(({ claim_token: of }) => of === token)
    if (row?.state !== "unknown")
      throw new Finding(
        `order ${order} is sent although its claim ${row ? `is ${row.state}` : "does not exist"}`,
      )
    for (const each of model.requests) {
      const other = orders[each.order]
      if (each.token === token) throw new Finding(`the claim ${token} is sent twice`)
      if (!own || !other || (each.state !== "made" && each.state !== "on its way")) continue
      if (model.wrongly.includes(each.token)) continue
      const why = scene.findWhyOne(own, other)
      if (why !== undefined)
        throw new Finding(`order ${order} is sent although order ${each.order} is ${each.state}: ${why}`)
    }
    // Unless it was taken for what came of another order meanwhile.
    for (const n of model.shown[name] ?? [])
      if (own && orders[n] && isListed(own, orders[n]) && !isInLedger(scene, model, strangeId(n)))
        throw new Finding(`order ${order} is sent although the list had shown that a stranger has booked it`)
    model.requests.push({ process: name, order, token, state: "on its way", op: op.id })
  }
}

/** Ends that say that nothing was sent. */
const UNSENT = ["refused", "input", "unavailable", "config", "interrupted"]

/** @throws Finding where a process was told what is not so */
function checkEnd(scene: Scene, model: ModelState, name: string, { ended }: Position): void {
  const { orders, findWhyOne } = scene
  for (const { order: index, outcome, shipmentId: id, message } of ended?.results ?? []) {
    if (outcome === "bug") throw new Finding(`${name} ends with a fault of freight: ${message}`)
    const order = orders[index]
    const mine = model.requests.filter((each) => each.process === name && each.order === index)
    const isMade = mine.some(({ state }) => state === "made" || state === "on its way")
    if (UNSENT.includes(outcome) && isMade)
      throw new Finding(`${name} is told that nothing was sent (${message}), and order ${index} was`)
    if (outcome === "outcomeUnknown") checkHeld(scene, model, name)
    if (outcome !== "made" && outcome !== "recorded") continue
    if (order?.kind !== "shipment") continue
    const made = model.requests.find((_, n) => shipmentId(n) === id)
    if (made?.state !== "made" && !/^(old|elsewhere)-/.test(String(id)))
      throw new Finding(`${name} is given ${id} for order ${index}, which does not exist`)
    const its = made && orders[made.order]
    const isOther = its && its !== order
    if (outcome === "recorded" && isOther && (its.content !== order.content || !findWhyOne(order, its)))
      throw new Finding(`${name} is given ${id}, which is another order`)
  }
}

/** @throws Finding where a process was held up by a claim of its own, which it never sent, and by nothing else */
function checkHeld(scene: Scene, model: ModelState, name: string): void {
  const open = rowsOf(scene, model).filter(({ state }) => state === "unknown")
  const isUnsent = (token: string) =>
    token.startsWith(`${name}-`) && !model.requests.some((each) => each.token === token)
  if (open.length > 0 && open.every(({ claim_token: token }) => isUnsent(String(token))))
    throw new Finding(`${name} was held up by its own claim`)
}

function isInLedger(scene: Scene, model: ModelState, shipment: string): boolean {
  return rowsOf(scene, model).some(({ shipment_id: id }) => id === shipment)
}

/** The rows of the ledger now. */
export function rowsOf({ engine }: Scene, { content }: ModelState): readonly DatabaseRow[] {
  return engine.contentOf(content).sends
}

/** With all of its own that is changed in place. */
function copyOf(model: ModelState): ModelState {
  return {
    ...model,
    open: copyOpen(model.open),
    actors: mapValues(model.actors, (actor) => ({ ...actor })),
    cutOff: [...model.cutOff],
    outboxes: { ...model.outboxes },
    requests: model.requests.map((request) => ({ ...request })),
    wrongly: [...model.wrongly],
    elsewhere: [...model.elsewhere],
    shown: { ...model.shown },
    budget: { ...model.budget },
  }
}

function copyOpen(open: Databases["open"]): Databases["open"] {
  return mapValues(open, (each) => ({
    ...each,
    log: [...each.log],
    rows: [...each.rows],
    names: { ...each.names },
  }))
}

function mapValues<T>(values: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
