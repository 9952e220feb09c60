/** The commands of freight as functions for programs. Each call runs one, in this process. */
import { setMaxListeners } from "node:events"
import { checkArgument, type CommandCall, toWords } from "../command/index.ts"
import { counted, listSome } from "../base/counted.ts"
import { FreightError } from "../base/errors.ts"
import { requireKind } from "../base/options.ts"
import type { CommandInput, Ran } from "../base/ports.ts"
import { createQueue } from "../base/queue.ts"
import { readNotes } from "../base/notes.ts"
import { reasonOf } from "../base/system.ts"
import type { programHost } from "../machine/index.ts"
import {
  type BatchOptions,
  type BookOptions,
  CALLS,
  checkOpenOptions,
  copyObject,
  type GivenFlag,
  type LabelOptions,
  type ListedOrder,
  type OpenOptions,
  type Order,
  type PickupOptions,
  type PrintOptions,
  readOptions,
  type ReturnOrder,
  type ServicePreferences,
  type ShipmentsOptions,
  type Signal,
  splitOrder,
  toFlagValues,
  type TrackOptions,
} from "./library-given.ts"
import type { Plain } from "../base/json.ts"
import type { LabelJob, PdfJob } from "../commands/print.ts"
import type { PickupBookingRequest, RateRequest } from "../contract/generated/types.ts"
import type { BookedPickup, NamedConnector, NamedSummary } from "../contract/index.ts"
import type {
  BookingJson,
  RateFailure,
  RateJson,
  RowRecord,
  RowState,
  SettledJson,
  toTrackedItem,
} from "../orders/index.ts"

/** Every list. */
export interface List<Item> {
  items: Item[]
  /** The number of all items, including those on other pages. */
  total: number
  /** The next page's offset; null if there is none. */
  nextOffset: number | null
  /** The notes that `onNote` gets, as warnings. */
  warnings: string[]
}

/** A carrier account. */
export type Connector = NamedConnector

/** A shipment of the list. */
export type Shipment = NamedSummary

/** A rate of a carrier; null where it does not say. */
export type Rate = Plain<RateJson>

/** Rates of all carriers, the cheapest first. */
export interface Rates extends List<Rate> {
  quoteId: string | null
  /** The accounts that gave no rates. */
  failures: Plain<RateFailure>[]
}

/** A consignment's position and status. */
export type Tracked = ReturnType<typeof toTrackedItem>

/** A booking that exists. */
export interface Booking extends Plain<BookingJson> {
  /** It was booked before under its key: nothing was sent now. */
  recorded: boolean
  warnings: string[]
  /** Whether it was made in the sandbox. */
  sandbox: boolean
  /** The error of a step after the booking: repeat only that step. */
  stepError?: FreightError
}

/**
 * The state of an order:
 * - `booked`: it is booked, now or before.
 * - `unknown`: it was sent, and its outcome is unknown: `reconcile`. `sending`: another process is sending it.
 * - `failed`: certainly not booked: call again. `waiting`: not reached, or on hold at its shop.
 * - `changed`: it was booked, and has changed since. `duplicate`: equal to one under another key.
 * - `too-late`: not sent, because only services that are too late for today meet its preferences.
 * - `invalid`: it has an error. `left-out`: its shop says that it is not to be shipped, or its carrier has cancelled
 * it.
 */
export type OrderState = RowState

type Known = "shipmentId" | "consignmentNumber" | "price" | "carrier" | "serviceCode" | "why"

/** The result of one order of a list. */
export interface BookedOrder
  extends Plain<Pick<RowRecord, Known | "state" | "recorded" | "error" | "warnings">> {
  /** Its `customerReference`. */
  reference: string
  /** The command line to run next: `freight reconcile` for an unknown outcome. */
  next: string | null
}

export interface BookAllOptions extends BatchOptions {
  /**
   * Gets each order when it ends. If it throws or rejects, no more orders are sent; once those under way are recorded,
   * the call rejects with `stepFailed`, whose `errors` list the booked ones. The call ends when everything that it
   * returned has.
   */
  onBooked?: (order: BookedOrder) => void
}

/** The result of looking for one unknown outcome. */
export type Settled = Plain<SettledJson>

/** A pickup that the carrier has. */
export interface Pickup extends Plain<BookedPickup> {
  /** Shipments that wait for it, because it was booked for others. */
  waiting: string[]
  /** Whether it was made in the sandbox. */
  sandbox: boolean
  /** The carrier has it, and the service could not record it: never book it again. */
  stepError?: FreightError
}

/** A job in the queue of a device; whether it was printed is unknown. */
export interface PrintJob extends Omit<Plain<LabelJob>, "shipmentId"> {
  /** Whether it was made in the sandbox. */
  sandbox: boolean
}

/** The print of a shipment's label. */
export interface PrintedLabel extends PrintJob, Plain<LabelJob> {}

/** The print of a program's own PDF. */
export interface PrintedPdf extends PrintJob, Plain<PdfJob> {}

/** Named by its id, consignment number, reference or key. */
export type ShipmentName = string

/**
 * Calls of one process run one after another, in the order in which they were made; `bookAll` sends several orders at
 * once. Every call rejects with a `FreightError`, and none throws. Input is checked before anything is done: a value of
 * another type, null, an empty text or an unknown option is `usage`; undefined counts as absent.
 */
export interface Freight {
  /** The carrier accounts, and the services of each. Clause: GET /connectors. */
  connectors(): Promise<List<Connector>>
  /**
   * Prices and arrivals of all carriers, which this machine keeps for 48 hours; a carrier that fails is in `failures`.
   * Clause: POST /rates, and with `connector` POST /{connectorId}/rates.
   */
  rates(request: RateRequest, options?: ServicePreferences): Promise<Rates>
  /**
   * Books one order, once. A booking cannot be cancelled. Clause: POST /{connectorId}/shipments.
   * @returns the booking, also where it was booked before under its key, or where a later step failed (`stepError`)
   * @throws FreightError `outcomeUnknown`: it was sent, now or before, and may exist; never book it under another key.
   * `usage`, `input` or `config`: nothing was sent. `refused`: the carrier said no, or it was booked and has changed.
   */
  book(order: Order | ReturnOrder, options?: BookOptions): Promise<Booking>
  /**
   * Books many orders, each once under its `customerReference`, at most 50,000. All are checked before the first is
   * sent.
   * @returns the result of each, in the order given
   * @throws FreightError where nothing was sent; `interrupted`; `stepFailed` where `onBooked` or `onNote` failed
   */
  bookAll(orders: readonly (ListedOrder | ReturnOrder)[], options?: BookAllOptions): Promise<BookedOrder[]>
  /**
   * Tracks a consignment, newest event first; `tracking` is null until its carrier has data. Clause: GET /track.
   * @param name a consignment number, which a booking has not before its carrier gives it, or any name of a shipment
   * @throws FreightError `notFound`; `notReady` when `waitSeconds` ran out
   */
  track(name: string, options?: TrackOptions): Promise<Tracked>
  /**
   * The label as a PDF. Clause: GET /shipments/{id}/label.
   * @param options `waitSeconds` for a label that its carrier makes later; default 120
   * @throws FreightError `notReady`: call again later; `notFound`
   */
  label(shipment: ShipmentName, options?: LabelOptions): Promise<Uint8Array>
  /**
   * Has the carrier collect, once: a shipment (`shipmentId`, with times of its booking where they are left out), or goods
   * on their own (`collection`, `receiver`, `items`). Clause: POST /{connectorId}/pickups.
   * @throws FreightError `refused` where the carrier said no; `outcomeUnknown`
   */
  pickup(request: Partial<PickupBookingRequest>, options?: PickupOptions): Promise<Pickup>
  /**
   * Prints the label of a shipment. Clause: POST /shipments/{id}/print.
   * @throws FreightError `refused` where it was printed within 24 hours; `notReady`; `notFound`; `outcomeUnknown`
   */
  print(shipment: ShipmentName, options?: PrintOptions): Promise<List<PrintedLabel>>
  /**
   * Prints your own PDF. Clause: POST /print-jobs.
   * @throws FreightError `input` for what is not a PDF; `refused` where it was printed within 24 hours;
   * `outcomeUnknown`
   */
  print(pdf: Uint8Array, options?: PrintOptions): Promise<List<PrintedPdf>>
  /** A page of shipments, newest first. @param page `limit` 1 to 200, default 50. Clause: GET /shipments. */
  shipments(page?: ShipmentsOptions): Promise<List<Shipment>>
  /**
   * Looks in the API for everything that was sent with an unknown outcome. It creates nothing; exactly one match
   * settles an entry.
   * @returns the result for each; no items where every outcome is known
   */
  reconcile(): Promise<List<Settled>>
  /**
   * You confirm that nothing was created, so that it may be sent again. Ask the carrier first: an existing booking
   * would be made a second time.
   * @param keys `key` or `id` of what `reconcile` gave
   */
  release(...keys: readonly string[]): Promise<List<Settled>>
  /** Waits for the calls under way. Later calls reject with `usage`. */
  close(): Promise<void>
}

/** Shared by everything that is opened in this process: see `createQueue`. */
const inTurn = createQueue()

/** A command, with a program's input for it. */
interface LibraryCall extends CommandCall {
  /** For people: `bookAll`. */
  name: string
  /** Flags of the command, beside the call's own. */
  given?: readonly GivenFlag[]
  /** Checked as the command's flags, but passed to it by other means. */
  checked?: readonly GivenFlag[]
  /** Names of shipments. */
  named?: readonly unknown[]
}

interface LibraryRan extends Ran {
  /** The error of the program's own function for notes. */
  noteError?: FreightError
}

/**
 * Opens the commands for a program; see the published types.
 * @param makeHost makes the host of their runs: tests pass their own
 */
export function openOn(makeHost: typeof programHost, options: OpenOptions = {}): Freight {
  checkOpenOptions(options)
  const { clock, onNote, signal: outer } = options
  const [env, globals] = [toEnv(options), toGlobals(options)]
  let isClosed = false

  /** Runs work after the calls before it have ended. */
  const addInTurn = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn.add(async () => {
      if (isClosed) throw new FreightError("usage", "freight was closed")
      return work()
    })

  const runInTurn = (call: LibraryCall, given: Partial<CommandInput>): Promise<Ran> =>
    addInTurn(async () => {
      const checked = await checkCall(call)
      if (clock) checkClock(clock)
      const { runWithin } = await import("./main.ts")
      const { signal, end } = createSignal([outer, given.signal])
      const words = toWords(checked, [`--format=${call.format ?? "json"}`, "--no-input", ...globals])
      try {
        return await runWithin(words, makeHost({ env, signal, clock }), { ...given, signal })
      } finally {
        end()
      }
    })

  const run = async (call: LibraryCall, given: Partial<CommandInput> = {}): Promise<LibraryRan> => {
    const ran = await runInTurn(call, given)
    const notes = createCallback(onNote)
    for (const line of readNotes(ran.stderr)) notes.call(line)
    const failed = await notes.failure()
    if (!failed) return ran
    const message = `onNote failed: ${reasonOf(failed.cause)}. The call itself was done.`
    return { ...ran, noteError: new FreightError("stepFailed", message, { cause: failed.cause }) }
  }

  /** Runs a command and returns the JSON that it printed. */
  const ask = async <T>(call: LibraryCall, input?: string | Uint8Array): Promise<T> => {
    const { stdout, error, noteError = error } = await run(call, { input })
    if (error ?? noteError) throw error ?? noteError
    return JSON.parse(stdout)
  }

  /** The same for calls that create: the created object is returned, also if a later step failed. */
  const make = async <T extends object>(call: LibraryCall, input: string, isMade: (made: T) => boolean) => {
    const { stdout, error, noteError, shipments } = await run(call, { input })
    const made = stdout === "" ? undefined : (JSON.parse(stdout) as T)
    if (error && (made === undefined || !isMade(made))) throw error
    const stepError = error ?? noteError
    return { made: { ...(made as T), ...(stepError && { stepError }) }, shipments }
  }

  return {
    async connectors() {
      return ask({ name: "connectors", command: "connectors" })
    },

    async rates(request: RateRequest, preferences?: ServicePreferences) {
      const call = toCall("rates", preferences)
      const input = JSON.stringify(copyObject("rates: request", request))
      return ask({ ...call, flags: { file: "-" } }, input)
    },

    async book(order, options) {
      const { request, preferences } = splitOrder("book: order", order)
      const call = toCall("book", options)
      const { made, shipments } = await make<Omit<Booking, "recorded">>(
        { ...call, flags: { file: "-" }, given: [...preferences, ...call.given] },
        JSON.stringify(request),
        () => true,
      )
      return { ...made, recorded: shipments === 0 }
    },

    async bookAll(orders, options) {
      const called = toCall("bookAll", options, ["onBooked"])
      const { onBooked } = { ...options }
      if (onBooked !== undefined) requireKind("bookAll: onBooked", "a function", onBooked)
      requireKind("bookAll: orders", "a list", orders, "Give a list of orders.")
      const split = Array.from(orders, (order, at) => splitOrder(`bookAll: orders[${at}]`, order))
      const booked = split.map(({ request }) => notReached(request.customerReference as string))
      const stop = new AbortController()
      // A request under way is finished and recorded.
      const callback = createCallback(onBooked, () => stop.abort())
      let printed = 0
      const readLines = createLineReader((line) => {
        const row = JSON.parse(line) as RowRecord
        printed++
        const order = toBookedOrder(row)
        booked[row.row - 1] = order
        callback.call(order)
      })
      const call: LibraryCall = {
        ...{ ...called, args: ["-"], flags: { checkFirst: true }, format: "ndjson" },
        checked: split.flatMap(({ preferences }) => preferences),
      }
      if (split.length === 0) return addInTurn(async () => (await checkCall(call)) && [])
      const { error, noteError } = await run(call, {
        input: JSON.stringify(split.map(toOrderRow)),
        onOutput: readLines,
        signal: stop.signal,
      })
      const failed = await callback.failure()
      if (failed) throw toCallbackError(failed, booked)
      if (error && (printed === 0 || error.kind === "interrupted")) throw error
      if (noteError) throw noteError
      return booked.map((order) => {
        if (order.state === "unknown" || order.state === "sending")
          return { ...order, next: error?.next ?? "freight reconcile" }
        return order.state === "waiting" && order.error === null
          ? { ...order, error: error?.message ?? null, next: error?.next ?? null }
          : order
      })
    },

    async track(name, options) {
      const call = { ...toCall("track", options), named: [name], flags: { noRemember: true } }
      return getOnly(await ask<List<Tracked>>(call))
    },

    async label(shipment, options) {
      const chunks: Uint8Array[] = []
      const { error, noteError = error } = await run(
        { ...toCall("label", options), named: [shipment], flags: { output: "-" } },
        { onOutput: (chunk) => chunks.push(Buffer.from(chunk)) },
      )
      if (error ?? noteError) throw error ?? noteError
      return new Uint8Array(Buffer.concat(chunks))
    },

    async pickup(request, options) {
      const call = { ...toCall("pickup", options), flags: { file: "-" } }
      const input = JSON.stringify(copyObject("pickup: request", request))
      const isMade = ({ items: [made] }: List<Pickup>) => made?.status !== "FAILED"
      const { stepError, ...booked } = (await make(call, input, isMade)).made
      return { ...getOnly(booked), ...(stepError && { stepError }) }
    },

    async print(what: string | Uint8Array, options?: PrintOptions) {
      const call = toCall("print", options)
      // The command takes one key for each of several.
      if (options?.key !== undefined) requireKind("print: key", "text", options.key)
      if (isBytes(what)) return ask<never>({ ...call, command: "print pdf", args: ["-"] }, what)
      const hint = "Give the name of a shipment, or the bytes of a PDF as a Uint8Array."
      requireKind("print: shipment", "text", what, hint)
      return ask<never>({ ...call, named: [what] })
    },

    async shipments(page) {
      return ask(toCall("shipments", page))
    },

    async reconcile() {
      const { stdout, error, noteError } = await run({ name: "reconcile", command: "reconcile" })
      // Each open entry is reported.
      if (error && (error.kind !== "outcomeUnknown" || stdout === "")) throw error
      if (noteError) throw noteError
      return JSON.parse(stdout)
    },

    async release(...keys) {
      if (keys.length === 0)
        return addInTurn(async () => ({ items: [], total: 0, nextOffset: null, warnings: [] }))
      const given = [{ where: "release: keys", flag: "release", value: keys }]
      return ask({ name: "release", command: "reconcile", given })
    },

    async close() {
      await inTurn.idle()
      isClosed = true
    },
  }
}

/** A call with a program's options. @param also options that are not flags */
function toCall(name: keyof typeof CALLS, options: unknown, also?: readonly string[]) {
  return { name, command: CALLS[name].command, given: readOptions(name, options, also) }
}

/** The only item of a command that was given one name. */
function getOnly<Item>({ items: [item] }: List<Item>): Item {
  if (item === undefined) throw new TypeError("the command printed nothing")
  return item
}

/** The call as a command line. */
async function checkCall({ name, given = [], checked = [], named = [], ...call }: LibraryCall) {
  const { loadCommand } = await import("./main.ts")
  const literal = await loadCommand(call.command.split(" "))
  if (!literal) throw new TypeError(`no command ${call.command}`)
  const { args: [argument] = [], flags = {} } = literal
  toFlagValues(checked, flags)
  for (const each of named) if (argument) checkArgument(name, argument, each)
  const names = named as readonly string[]
  return {
    ...call,
    args: [...(call.args ?? []), ...names],
    flags: { ...call.flags, ...toFlagValues(given, flags) },
  }
}

/** An invalid clock would be noticed only after something has been sent. */
function checkClock(clock: { now(): number }): void {
  let now: unknown
  try {
    now = clock.now()
  } catch (cause) {
    throw new FreightError("usage", `openFreight: clock.now failed: ${reasonOf(cause)}; nothing was sent`, {
      cause,
    })
  }
  if (Number.isFinite(now)) return
  throw new FreightError("usage", "openFreight: clock.now did not give a number; nothing was sent", {
    hint: "It gives the milliseconds since 1970, as Date.now does.",
  })
}

interface CallbackFailure<Given> {
  cause: unknown
  given: Given
}

/**
 * Calls a function of the program until it fails.
 * @param onFailure is told at once of the first failed call
 */
function createCallback<Given>(work: ((given: Given) => unknown) | undefined, onFailure = () => {}) {
  const running: Promise<void>[] = []
  let failed: CallbackFailure<Given> | undefined
  return {
    call(given: Given): void {
      if (!work || failed) return
      const fail = (cause: unknown) => {
        failed ??= { cause, given }
        onFailure()
      }
      try {
        running.push(Promise.resolve(work(given)).then(() => {}, fail))
      } catch (cause) {
        fail(cause)
      }
    },
    /** Undefined if no call failed, when all have ended. */
    async failure(): Promise<CallbackFailure<Given> | undefined> {
      await Promise.all(running)
      return failed
    },
  }
}

/** @param booked what came of each order */
function toCallbackError(
  { cause, given }: CallbackFailure<BookedOrder>,
  booked: readonly BookedOrder[],
): FreightError {
  const done = booked.filter(({ state }) => state === "booked").map(({ reference }) => reference)
  const isOpen = ({ state }: BookedOrder) => state === "unknown" || state === "sending"
  const names = done.length === 0 ? "" : `: ${listSome(done, 10)}`
  const message = `onBooked failed for ${given.reference}: ${reasonOf(cause)}. Booked by then: ${counted(done.length, "order")} of ${booked.length}${names}`
  const next = booked.some(isOpen) ? "freight reconcile" : undefined
  return new FreightError("stepFailed", message, {
    ...{ cause, next, retry: "safe" },
    hint: "Call bookAll again with the same orders: those that are booked are given to onBooked again, and not booked again.",
    errors: booked.flatMap((order) => {
      const { reference, state, shipmentId } = order
      if (isOpen(order)) return [{ message: `${reference} was sent, and its outcome is not known`, next }]
      return state === "booked" ? [{ message: `${reference} is booked: shipment ${shipmentId}` }] : []
    }),
  })
}

/** A custom reason would look like a bug to a person. */
function createSignal(outers: readonly (Signal | undefined)[]): {
  signal: AbortSignal
  end: () => void
} {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const interrupt = () => controller.abort(new FreightError("interrupted", "interrupted"))
  for (const outer of outers) {
    if (outer?.aborted) interrupt()
    outer?.addEventListener("abort", interrupt)
  }
  const end = () => {
    for (const outer of outers) outer?.removeEventListener("abort", interrupt)
  }
  return { signal: controller.signal, end }
}

function toEnv({ env, baseUrl, keys, ledger }: OpenOptions) {
  const given = {
    FREIGHT_BASE_URL: baseUrl?.freight,
    DIRECT_PRINT_BASE_URL: baseUrl?.directPrint,
    FREIGHT_API_KEY: keys?.freight,
    DIRECT_PRINT_API_KEY: keys?.directPrint,
    FREIGHT_LEDGER: ledger,
  }
  const isSet = Object.entries(given).filter(([, value]) => value !== undefined)
  return { env, given: Object.fromEntries(isSet) }
}

function toGlobals({ profile, sandbox }: OpenOptions): string[] {
  return [...(profile === undefined ? [] : [`--profile=${profile}`]), ...(sandbox ? ["--sandbox"] : [])]
}

/** An order as a row of a batch. */
function toOrderRow({ request, preferences }: ReturnType<typeof splitOrder>): object {
  const toCell = (value: unknown) => (Array.isArray(value) ? value.join(", ") : value)
  return { ...request, ...Object.fromEntries(preferences.map(({ flag, value }) => [flag, toCell(value)])) }
}

/** Also those of another realm, as in tests. */
function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]"
}

function toBookedOrder({ reference, state, recorded, shipmentId, consignmentNumber, ...row }: RowRecord) {
  const { price, carrier, serviceCode, why, error, warnings } = row
  return {
    ...{ reference: reference ?? "", state, recorded, shipmentId, consignmentNumber },
    ...{ price, carrier, serviceCode, why, error, next: null, warnings },
  }
}

function notReached(reference: string): BookedOrder {
  return {
    ...{ reference, state: "waiting", recorded: false, shipmentId: null, consignmentNumber: null },
    ...{ price: null, carrier: null, serviceCode: null, why: null, error: null, next: null, warnings: [] },
  }
}

/** Passes on each line when it is complete. */
function createLineReader(onLine: (line: string) => void): (chunk: string | Uint8Array) => void {
  const decoder = new TextDecoder()
  let begun = ""
  return (chunk) => {
    const lines = (
      begun + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))
    ).split("\n")
    begun = lines.pop() ?? ""
    for (const line of lines) if (line !== "") onLine(line)
  }
}
