/** The commands of freight as functions of a program. Each call runs one, in this process. */
import { setMaxListeners } from "node:events"
import { checkArgument, type CommandCall, toWords } from "../command/call.ts"
import { counted, listSome } from "../base/counted.ts"
import { FreightError } from "../base/errors.ts"
import { requireKind } from "../base/options.ts"
import type { CommandInput, Ran } from "../base/ports.ts"
import { createQueue } from "../base/queue.ts"
import { readNotes } from "../base/notes.ts"
import { reasonOf } from "../base/system.ts"
import type { programHost } from "../machine/host.ts"
import {
  checkOpenOptions,
  copyObject,
  type GivenFlag,
  readOptions,
  splitOrder,
  toFlagValues,
} from "./library-given.ts"
import type { RowRecord } from "../orders/batch/results.ts"
import type * as published from "./library-types.d.ts"

/** Of all that is opened in this process: see `createQueue`. */
const inTurn = createQueue()

/** A command, with what a program gave for it. */
interface LibraryCall extends CommandCall {
  /** For people: `bookAll`. */
  name: string
  /** Flags of the command, beside the call's own. */
  given?: readonly GivenFlag[]
  /** Checked as the command's flags, and given to it by other means. */
  checked?: readonly GivenFlag[]
  /** Names of shipments. */
  named?: readonly unknown[]
}

interface LibraryRan extends Ran {
  /** What the program's own function for notes failed with. */
  noteError?: FreightError
}

/**
 * Opens the commands for a program; see the published types.
 * @param makeHost what they run on: tests pass their own
 */
export function openOn(makeHost: typeof programHost, options: published.OpenOptions = {}): published.Freight {
  checkOpenOptions(options)
  const { clock, onNote, signal: outer } = options
  const [env, globals] = [toEnv(options), toGlobals(options)]
  let isClosed = false

  /** Does something when the calls before it have ended. */
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

  /** What a command printed as JSON. @throws FreightError what it ended with */
  const ask = async <T>(call: LibraryCall, input?: string | Uint8Array): Promise<T> => {
    const { stdout, error, noteError = error } = await run(call, { input })
    if (error ?? noteError) throw error ?? noteError
    return JSON.parse(stdout)
  }

  /** The same of something that is created: what was made is given, also where a later step failed. */
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

    async rates(request: published.RateRequest, preferences?: published.ServicePreferences) {
      const given = readOptions("rates", preferences)
      const input = JSON.stringify(copyObject("rates: request", request))
      return ask({ name: "rates", command: "rate-shop", flags: { file: "-" }, given }, input)
    },

    async book(order, options) {
      const { request, preferences } = splitOrder("book: order", order)
      const given = [...preferences, ...readOptions("book", options)]
      const { made, shipments } = await make<Omit<published.Booking, "recorded">>(
        { name: "book", command: "book", flags: { file: "-" }, given },
        JSON.stringify(request),
        () => true,
      )
      return { ...made, recorded: shipments === 0 }
    },

    async bookAll(orders, options) {
      const given = readOptions("bookAll", options, ["onBooked"])
      const { onBooked } = { ...options }
      if (onBooked !== undefined) requireKind("bookAll: onBooked", "a function", onBooked)
      requireKind("bookAll: orders", "a list", orders, "Give a list of orders.")
      const split = Array.from(orders, (order, at) => splitOrder(`bookAll: orders[${at}]`, order))
      const booked = split.map(({ request }) => notReached(request.customerReference as string))
      const stop = new AbortController()
      // What is under way is finished and recorded.
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
        ...{ name: "bookAll", command: "batch book", args: ["-"], format: "ndjson" },
        ...{ flags: { checkFirst: true }, given, checked: split.flatMap(({ preferences }) => preferences) },
      }
      if (split.length === 0) return addInTurn(async () => (await checkCall(call)) && [])
      const { error, noteError } = await run(call, {
        input: JSON.stringify(split.map(toRow)),
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
      const given = readOptions("track", options)
      const call = { name: "track", command: "track", named: [name], flags: { noRemember: true }, given }
      return getOnly(await ask<published.List<published.Tracked>>(call))
    },

    async label(shipment, options) {
      const chunks: Uint8Array[] = []
      const given = readOptions("label", options)
      const { error, noteError = error } = await run(
        { name: "label", command: "label", named: [shipment], flags: { output: "-" }, given },
        { onOutput: (chunk) => chunks.push(Buffer.from(chunk)) },
      )
      if (error ?? noteError) throw error ?? noteError
      return new Uint8Array(Buffer.concat(chunks))
    },

    async pickup(request, options) {
      const given = readOptions("pickup", options)
      const call = { name: "pickup", command: "pickup book", flags: { file: "-" }, given }
      const input = JSON.stringify(copyObject("pickup: request", request))
      const isMade = ({ items: [made] }: published.List<published.Pickup>) => made?.status !== "FAILED"
      const { stepError, ...booked } = (await make(call, input, isMade)).made
      return { ...getOnly(booked), ...(stepError && { stepError }) }
    },

    async print(what: string | Uint8Array, options?: published.PrintOptions) {
      const given = readOptions("print", options)
      // The command takes one for each of several.
      if (options?.key !== undefined) requireKind("print: key", "text", options.key)
      if (isBytes(what)) return ask<never>({ name: "print", command: "print pdf", args: ["-"], given }, what)
      const hint = "Give the name of a shipment, or the bytes of a PDF as a Uint8Array."
      requireKind("print: shipment", "text", what, hint)
      return ask<never>({ name: "print", command: "print label", named: [what], given })
    },

    async shipments(page) {
      return ask({ name: "shipments", command: "shipments list", given: readOptions("shipments", page) })
    },

    async reconcile() {
      const { stdout, error, noteError } = await run({ name: "reconcile", command: "reconcile" })
      // What stays open is said of each.
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

/** Of a command that was given one name. */
function getOnly<Item>({ items: [item] }: published.List<Item>): Item {
  if (item === undefined) throw new TypeError("the command printed nothing")
  return item
}

/** The call as a command line has it. @throws FreightError `usage` for what the command does not take */
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

/** A clock that gives something else would be found out when something has been sent. */
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
  /** With what it was called. */
  given: Given
}

/**
 * Calls a function of the program until it fails.
 * @param onFailure hears at once of the first call that fails
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
    /** Undefined where no call failed, when all have ended. */
    async failure(): Promise<CallbackFailure<Given> | undefined> {
      await Promise.all(running)
      return failed
    },
  }
}

/** @param booked what came of each order */
function toCallbackError(
  { cause, given }: CallbackFailure<published.BookedOrder>,
  booked: readonly published.BookedOrder[],
): FreightError {
  const done = booked.filter(({ state }) => state === "booked").map(({ reference }) => reference)
  const isOpen = ({ state }: published.BookedOrder) => state === "unknown" || state === "sending"
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

/** A reason of one's own would reach a person as a bug. */
function createSignal(outers: readonly (published.Signal | undefined)[]): {
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

function toEnv({ env, baseUrl, keys, ledger }: published.OpenOptions) {
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

function toGlobals({ profile, sandbox }: published.OpenOptions): string[] {
  return [...(profile === undefined ? [] : [`--profile=${profile}`]), ...(sandbox ? ["--sandbox"] : [])]
}

/** An order as a row of a batch has it. */
function toRow({ request, preferences }: ReturnType<typeof splitOrder>): object {
  const toCell = (value: unknown) => (Array.isArray(value) ? value.join(", ") : value)
  return { ...request, ...Object.fromEntries(preferences.map(({ flag, value }) => [flag, toCell(value)])) }
}

/** Also those of another realm, as tests have them. */
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

function notReached(reference: string): published.BookedOrder {
  return {
    ...{ reference, state: "waiting", recorded: false, shipmentId: null, consignmentNumber: null },
    ...{ price: null, carrier: null, serviceCode: null, why: null, error: null, next: null, warnings: [] },
  }
}

/** Gives each line as soon as it is whole. */
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
