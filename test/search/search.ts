/**
 * Searches a scene whole: every order of steps and every fault, up to the scene's bound. Two histories that lead to the
 * same moment are one from there on.
 */
import { hash } from "node:crypto"
import { isListed } from "../simulation/expectations.ts"
import {
  addActor,
  beginWorld,
  type Budget,
  type Choice,
  Finding,
  isDone,
  listChoices,
  rowsOf,
  type Scene,
  shipmentId,
  strangeId,
  take,
  toText,
  type ModelState,
} from "./model.ts"

export interface Searched {
  states: number
  /** Steps from one state to another. */
  steps: number
  /** States in which all had ended. */
  ends: number
  /** The number that differ in what was left behind; each was put right. */
  settled: number
  /** Doubles after a person was wrong: not freight's. */
  excused: number
  /** It was not searched whole. */
  isCut: boolean
  finding?: { what: string; trace: readonly string[] }
}

export interface Ending {
  /** Takes in what each desk has kept. */
  taking: readonly string[]
  /** Looks into the API, and settles the rest as a person does who asks the carrier. */
  settling: readonly string[]
  /** Asks for each order once more. */
  again: readonly string[]
}

interface Node {
  model: ModelState
  text: string
  before: Node | undefined
}

const HOUR = 3_600_000

/** @param most states that are looked at */
export async function search(
  scene: Scene,
  actors: readonly string[],
  { time, budget, ending, most }: { time: number; budget: Budget; ending: Ending; most: number },
): Promise<Searched> {
  const seen = new Set<string>()
  const endings = new Set<string>()
  const found: Searched = { states: 0, steps: 0, ends: 0, settled: 0, excused: 0, isCut: false }
  let at: Node | undefined
  try {
    const first = await beginWorld(scene, { time, budget }, actors)
    const waiting: Node[] = [{ model: first, text: "", before: undefined }]
    seen.add(digest(first))
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      at = node
      found.states++
      if (found.states > most) {
        found.isCut = true
        break
      }
      const choices = listChoices(scene, node.model)
      if (isDone(node.model)) {
        found.ends++
        const name = JSON.stringify(leftBehind(node.model))
        if (endings.has(name)) continue
        endings.add(name)
        found.settled++
        at = { model: node.model, text: "in the end", before: node }
        await settle(scene, node.model, ending, found)
        continue
      }
      for (const choice of choices) {
        found.steps++
        at = { model: node.model, text: choice.text, before: node }
        const next = await take(scene, node.model, choice)
        const name = digest(next)
        if (seen.has(name)) continue
        seen.add(name)
        waiting.push({ model: next, text: choice.text, before: node })
      }
    }
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const trace: string[] = []
    for (let node = at; node; node = node.before) if (node.text) trace.unshift(node.text)
    found.finding = { what: error.message, trace }
  }
  return found
}

function digest(model: ModelState): string {
  return hash("sha1", toText(model), "base64")
}

function leftBehind({ content, outboxes, requests, wrongly }: ModelState) {
  return { content, outboxes, requests, wrongly }
}

/** Everything works again, and time has gone by. @throws Finding where what is left cannot be put right */
async function settle(
  scene: Scene,
  left: ModelState,
  { taking, settling, again }: Ending,
  found: Searched,
): Promise<void> {
  let model: ModelState = {
    ...structuredClone(left),
    ...{ actors: {}, open: {}, cutOff: [], time: left.time + 3 * HOUR, waits: 0 },
    budget: { faults: 0, stops: 0, renewals: 0 },
  }
  for (const name of taking) model = await runToEnd(scene, model, name)
  const kept = Object.values(left.outboxes).flatMap((files) => Object.values(files))
  for (const { id, state, claim_token: token } of rowsOf(scene, model))
    if (state === "unknown" && kept.some((text) => text.includes(String(token))))
      throw new Finding(`a desk had kept what came of ${id}, and it is thrown away`)
  for (const name of settling) model = await runToEnd(scene, model, name)
  const open = rowsOf(scene, model).filter(({ state }) => state === "unknown")
  if (open.length > 0) throw new Finding(`nobody can settle ${open.map(({ id }) => id).join(", ")}`)
  if (Object.keys(model.outboxes).length > 0) throw new Finding("what a desk has kept is not taken in")
  checkLost(scene, model)
  for (const name of again) model = await runToEnd(scene, model, name)
  checkOrders(scene, model, found)
}

async function runToEnd(scene: Scene, from: ModelState, name: string): Promise<ModelState> {
  let model: ModelState = { ...structuredClone(from), actors: {} }
  addActor(scene, model, name)
  const ends = new Map<string, string>()
  const watched: Scene = {
    ...scene,
    noteEnd: (_, results) => {
      for (const { order, outcome } of results) ends.set(String(order), outcome)
    },
  }
  while (!isDone(model)) {
    const choice = listChoices(watched, model).find(({ isFault }) => !isFault) as Choice
    model = await take(watched, model, choice)
  }
  for (const outcome of ends.values())
    if (outcome === "unavailable" || outcome === "outcomeUnknown")
      throw new Finding(`${name} does not get through: ${outcome}`)
  return model
}

/** Checks that everything that was made is in the ledger. */
function checkLost(scene: Scene, model: ModelState): void {
  const rows = rowsOf(scene, model)
  for (const [n, { state, token, order }] of model.requests.entries()) {
    if (state !== "made" || model.wrongly.includes(token)) continue
    const isShipment = scene.orders[order]?.kind === "shipment"
    const its = rows.filter((row) =>
      isShipment ? row.shipment_id === shipmentId(n) && row.kind === "shipment" : row.claim_token === token,
    )
    const isKept = ({ state: of }: { state?: unknown }) => of === "done" || of === "unknown"
    if (its.length === 0 && isShipment && isTakenForStranger(scene, model, order)) continue
    if (its.length === 0 || (!isShipment && !its.some(isKept)))
      throw new Finding(`${isShipment ? shipmentId(n) : token} exists, and is not in the ledger`)
    if (its.length > 1) throw new Finding(`${shipmentId(n)} is in the ledger twice`)
  }
}

/** A stranger has booked the same order meanwhile, and nothing that the service shows tells the two shipments apart. */
function isTakenForStranger(scene: Scene, model: ModelState, order: number): boolean {
  const own = scene.orders[order]
  const recorded = new Set(rowsOf(scene, model).map(({ shipment_id: id }) => id))
  return model.elsewhere.some((n) => {
    const other = scene.orders[n]
    return recorded.has(strangeId(n)) && own !== undefined && other !== undefined && isListed(own, other)
  })
}

/** Each order exists once. */
function checkOrders(
  { orders, findWhyOne }: Scene,
  { requests, wrongly, elsewhere }: ModelState,
  found: Searched,
): void {
  const made = requests.filter(({ state }) => state === "made")
  for (const [n, order] of orders.entries()) {
    const its = made.filter((each) => {
      const other = orders[each.order]
      return each.order === n || (other && findWhyOne({ ...order, again: false }, other) !== undefined)
    })
    const isElsewhere = elsewhere.some((other) => orders[other] && isListed(order, orders[other]))
    if (its.length === 0 && !isElsewhere) throw new Finding(`order ${n} never gets through`)
    if (its.length > 1 && its.some(({ token }) => wrongly.includes(token))) found.excused++
  }
}
