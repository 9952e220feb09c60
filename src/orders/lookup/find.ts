/**
 * Finds the shipment, consignment or pickup that a person means: by its id, consignment number, order number, customer
 * reference, idempotency key, pickup id or the carrier's number of a pickup, or by a unique beginning of one.
 *
 * A name that the ledger has in full is taken from there. Any other is tried as an id first, so that an id costs only its
 * own request. Only if that fails are beginnings looked at, in the ledger and in the API's list.
 */
import { quoted } from "../../base/parsed.ts"
import { type FreightApi, shipmentPages } from "../../api/index.ts"
import { grouped } from "../../base/counted.ts"
import { groupNumber } from "../../base/order-number.ts"
import { hasName, isPrefix, matchName } from "../../base/names.ts"
import { suggest } from "../../base/suggest.ts"
import { FreightError, type FreightErrorOptions, toStepError } from "../../base/errors.ts"
import { describeWord, type Entry, findElsewhere, findNamed, type Store } from "../../ledger/index.ts"
import type { Seen } from "../../machine/index.ts"
import { describeFound, fromEntry, fromList, namesOf, type ShipmentOrPickup } from "./shipment-or-pickup.ts"

export interface FinderDeps {
  hasLedger(): Promise<boolean>
  readLedger(): Promise<{ store: Store; scopes?: readonly string[] }>
  freight(): Promise<Pick<FreightApi, "listShipments" | "getShipment">>
  readonly seen: Pick<Seen, "list">
  note(text: string): Promise<void>
}

/** The kind that a command needs; the names are the same for all. */
export type Wanted = "shipment" | "consignment" | "pickup"

export interface Finder {
  /**
   * Looks for the names in the ledger alone, before anything is asked or sent.
   * @throws FreightError `input` for a name that fits several
   */
  checkNames(names: readonly string[]): Promise<void>
  /**
   * Calls `use` with the id that the name stands for, and notes on standard error what was found.
   * @param use also gets the match, unless the name itself is tried as the id; its errors go through
   * @throws FreightError `notFound` with a suggestion if nothing fits, `input` with a list if several do
   */
  find<T>(name: string, use: (id: string, found: ShipmentOrPickup | undefined) => Promise<T>): Promise<T>
  /** The id that a name was resolved to; the name itself if it is the id. */
  idOf(name: string): string
  /** The match of a name, as far as the ledger or the list knows it. */
  foundAs(name: string): ShipmentOrPickup | undefined
}

/** Maximum number of shipments of the list that are looked at; older ones are found by their id, or in the ledger. */
const MAX_LISTED = 1000
const MAX_SHOWN = 10

interface LedgerMatches {
  exact: readonly ShipmentOrPickup[]
  /** With a name that begins so. */
  close: readonly ShipmentOrPickup[]
  /** Something was sent under exactly this name, whatever its outcome: nothing else is meant. */
  isSent: boolean
  /** An entry sent under it that is not known to exist. */
  open: Entry | undefined
}

export function createFinder(deps: FinderDeps, wanted: Wanted): Finder {
  const matches = new Map<string, Promise<LedgerMatches>>()
  const taken = new Map<string, ShipmentOrPickup>()
  const list = listReader(deps)

  const inLedger = (name: string) => {
    const found = matches.get(name) ?? readNamed(deps, name)
    matches.set(name, found)
    return found
  }
  /** The one that is meant; undefined if there is none. */
  const chooseOne = async (name: string, named: readonly ShipmentOrPickup[]) => {
    const targets = new Map<string, ShipmentOrPickup>()
    for (const one of named) {
      const target = await findTarget(deps.readLedger, wanted, one)
      if (target) targets.set(target.id, target)
    }
    const all = [...targets.values()]
    const standing = all.filter(({ isCancelled }) => !isCancelled)
    const meant = standing.length > 0 ? standing : all
    if (meant.length > 1) throw createAmbiguousError(name, wanted, meant)
    return meant[0]
  }
  const take = async (name: string, found: ShipmentOrPickup) => {
    const isPlain = name === (wanted === "consignment" ? found.consignmentNumber : found.id)
    const word = found.cancelled && `, ${describeWord(found.cancelled)}`
    if (!taken.has(name) && (!isPlain || word))
      await deps.note(`${name} is ${describeFound(found, name)}${word ?? ""}.`)
    taken.set(name, found)
  }

  return {
    async checkNames(names) {
      for (const name of names) await chooseOne(name, (await inLedger(name)).exact)
    },
    idOf: (name) => taken.get(name)?.id ?? name,
    foundAs: (name) => taken.get(name),
    async find(name, use) {
      if (!taken.has(name)) {
        const found = await chooseOne(name, (await inLedger(name)).exact)
        if (found) await take(name, found)
      }
      const found = taken.get(name)
      if (found) return use(found.id, found)
      try {
        return await use(name, undefined)
      } catch (error) {
        if (!isMissing(error) || taken.has(name)) throw error
        const { close, isSent, open } = await inLedger(name)
        const others = await list.until(name, error)
        const all = [...close, ...others]
        const fits = await chooseOne(
          name,
          isSent ? all.filter((each) => hasName(name, each)) : matchName(name, all),
        )
        if (!fits) throw createNotFoundError(name, wanted, error, open, await candidates(deps, others))
        await take(name, fits)
        return use(fits.id, fits)
      }
    },
  }
}

/** GET /shipments/{id}, by any name of the shipment. */
export async function findShipment(deps: FinderDeps, name: string) {
  const api = await deps.freight()
  return createFinder(deps, "shipment").find(name, (id) => api.getShipment(id))
}

/** The pickup of a name in the ledger, if no shipment has it. */
export async function findPickup(deps: FinderDeps, name: string): Promise<ShipmentOrPickup | undefined> {
  const [one, ...others] = (await readNamed(deps, name)).exact
  return one?.kind === "pickup" && others.length === 0 ? one : undefined
}

const NOTHING: LedgerMatches = { exact: [], close: [], isSent: false, open: undefined }

/** If the ledger cannot be read, look in the API only. */
async function readNamed(deps: FinderDeps, name: string): Promise<LedgerMatches> {
  try {
    if (!(await deps.hasLedger())) return NOTHING
    const { store, scopes } = await deps.readLedger()
    const number = { column: "normalized_number", values: [groupNumber(name)] } as const
    const entries = [
      ...(await findNamed(store.database, name, scopes)),
      ...(await findElsewhere(store.database, scopes, number)),
    ]
    const named = entries.flatMap((entry) => fromEntry(entry) ?? [])
    const exact = named.filter((one) => hasName(name, one))
    const sent = entries.filter((entry) => hasName(name, { id: entry.id, names: namesOf(entry) }))
    return {
      exact: matchName(name, exact),
      close: named,
      isSent: sent.length > 0,
      open: sent.find(({ state }) => state === "unknown"),
    }
  } catch (error) {
    toStepError(error)
    return NOTHING
  }
}

/** The API's list, newest first: read once, and no further than any name needs. */
function listReader(deps: FinderDeps): {
  until(name: string, missing: FreightError): Promise<readonly ShipmentOrPickup[]>
} {
  const listed: ShipmentOrPickup[] = []
  let pages: ReturnType<typeof shipmentPages> | undefined
  let isAll = false
  // Several names may ask at the same time.
  let turn: Promise<unknown> = Promise.resolve()
  const read = async (name: string) => {
    pages ??= shipmentPages(await deps.freight())
    while (!isAll && listed.length < MAX_LISTED && !listed.some((one) => hasName(name, one))) {
      const { value: page, done } = await pages.next()
      if (done) isAll = true
      else listed.push(...page.map(fromList))
    }
    return listed
  }
  return {
    async until(name, missing) {
      const reading = turn.then(() => read(name))
      turn = reading.catch(() => {})
      try {
        return await reading
      } catch (error) {
        throw error instanceof FreightError && error.kind === "notFound" ? missing : error
      }
    },
  }
}

/** A command that needs one kind takes the other for it: a pickup's shipment, or a shipment's pickup. */
export async function findTarget(
  readLedger: FinderDeps["readLedger"],
  wanted: Wanted,
  found: ShipmentOrPickup,
): Promise<ShipmentOrPickup | undefined> {
  const { kind, shipmentId, scope } = found
  if ((wanted === "pickup") === (kind === "pickup")) return found
  if (shipmentId === undefined) return undefined
  const { store, scopes } = await readLedger()
  if (kind === "shipment") {
    const pickup = await store.pickupOf(scope ?? scopes, shipmentId)
    return pickup && fromEntry(pickup)
  }
  const booked = await store.ofShipment(scope, shipmentId)
  return (booked && fromEntry(booked)) ?? { ...found, kind: "shipment", id: shipmentId }
}

/** Not found; a label that is not ready yet, or a missing device, is a different error. */
function isMissing(error: unknown): error is FreightError {
  return (
    error instanceof FreightError &&
    error.kind === "notFound" &&
    error.code !== "DEVICE_NOT_FOUND" &&
    error.next !== "freight doctor"
  )
}

export function createAmbiguousError(
  name: string,
  wanted: Wanted,
  fitting: readonly ShipmentOrPickup[],
): FreightError {
  const noun = wanted === "pickup" ? "pickups" : "shipments"
  const shown = fitting.slice(0, MAX_SHOWN)
  const more = fitting.length - shown.length
  return new FreightError("input", `${quoted(name)} matches ${fitting.length} ${noun}: name one of them`, {
    code: "AMBIGUOUS_NAME",
    hint: `Nothing was sent. Name it by its id${more > 0 ? `; ${more} more are not shown` : ""}.`,
    errors: shown.map((one) => ({
      message: [
        describeFound(one),
        ...new Set(one.names.filter((each) => each !== one.consignmentNumber)),
        one.about,
      ]
        .filter((text) => text !== "")
        .join(", "),
    })),
  })
}

const NOUN: Readonly<Record<Wanted, string>> = {
  shipment: "shipment",
  consignment: "consignment or shipment",
  pickup: "pickup",
}

function createNotFoundError(
  name: string,
  wanted: Wanted,
  error: FreightError,
  open: Entry | undefined,
  names: readonly string[],
): FreightError {
  const near = suggest(name, names)
  const what = `there is no ${NOUN[wanted]} ${quoted(name)}`
  const lookedFor =
    wanted === "pickup"
      ? "Looked for in the ledger: ids, the carriers' numbers, keys, and every name of the shipment. A pickup that was booked elsewhere is found by its id only."
      : `Looked for in the ledger and the newest ${grouped(MAX_LISTED)} shipments: ids, consignment numbers, order numbers, references and keys${isPrefix(name) ? ", and how they begin" : ""}.`
  const list = wanted === "pickup" ? "freight history --kind pickup" : "freight shipments list"
  const more: FreightErrorOptions = open
    ? { hint: "It was sent, and its outcome is unknown.", next: "freight reconcile" }
    : { hint: lookedFor, next: list }
  return new FreightError("notFound", near === undefined ? what : `${what}; did you mean ${near}?`, {
    status: error.status,
    ...(wanted !== "pickup" && { code: "SHIPMENT_NOT_FOUND" }),
    apiCode: error.apiCode,
    // A consignment is looked for with several carriers: the API says with which.
    errors: wanted === "consignment" ? [{ message: error.message }] : undefined,
    ...more,
    cause: error,
  })
}

/** Names for a suggestion: from the list, and those that this machine saw last. */
async function candidates(deps: FinderDeps, listed: readonly ShipmentOrPickup[]): Promise<string[]> {
  const seen = [...(await deps.seen.list("shipments")), ...(await deps.seen.list("pickups"))]
  return [
    ...listed.flatMap(({ id, names }) => [id, ...names]),
    ...seen.flatMap(({ id, consignment }) => (consignment === undefined ? [id] : [id, consignment])),
  ]
}
