/** The commands of freight as functions of a program. Each call runs one, in this process. */
import { setMaxListeners } from "node:events"
import { type CommandCall, type FlagValue, toWords } from "../command/call.ts"
import { FreightError } from "../base/errors.ts"
import { refuseUnknownOptions } from "../base/options.ts"
import type { CommandInput, Ran } from "../base/ports.ts"
import { createQueue } from "../base/queue.ts"
import type { programHost } from "../machine/host.ts"
import type * as published from "./library-types.d.ts"

/** Of all that is opened in this process: see `createQueue`. */
const inTurn = createQueue()

const OPTIONS = ["profile", "baseUrl", "keys", "ledger", "sandbox", "clock", "signal", "env", "onNote"]

/**
 * Opens the commands for a program; see the published types.
 * @param makeHost what they run on: tests pass their own
 */
export function openOn(makeHost: typeof programHost, options: published.OpenOptions = {}): published.Freight {
  refuseUnknownOptions("openFreight", options, OPTIONS)
  let isClosed = false

  /** Runs a command when those before it have ended. */
  const run = (call: CommandCall, given: Partial<CommandInput> = {}): Promise<Ran> =>
    inTurn.add(async () => {
      if (isClosed) throw new FreightError("usage", "freight was closed")
      const { runWithin } = await import("./main.ts")
      const { signal, end } = createSignal(options.signal)
      const host = makeHost({ env: toEnv(options), signal, clock: options.clock })
      const words = toWords(call, [`--format=${call.format ?? "json"}`, "--no-input", ...toGlobals(options)])
      try {
        const ran = await runWithin(words, host, { ...given, signal })
        for (const line of ran.stderr.split("\n")) if (line !== "") options.onNote?.(line)
        return ran
      } finally {
        end()
      }
    })

  /** What a command printed as JSON. @throws FreightError what it ended with */
  const ask = async <T>(call: CommandCall, input?: unknown): Promise<T> => {
    const { stdout, error } = await run(call, input === undefined ? {} : { input: toInput(input) })
    if (error) throw error
    return JSON.parse(stdout)
  }

  /** The same of something that is created: what was made is given, also where a later step failed. */
  const make = async <T extends object>(call: CommandCall, input: unknown, isMade: (made: T) => boolean) => {
    const { stdout, error, shipments } = await run(call, { input: toInput(input) })
    const made = stdout === "" ? undefined : (JSON.parse(stdout) as T)
    if (error && (made === undefined || !isMade(made))) throw error
    return { made: { ...(made as T), ...(error && { stepError: error }) }, shipments }
  }

  return {
    connectors: async () =>
      (await ask<{ connectors: published.ConnectorSummary[] }>({ command: "connectors" })).connectors,

    rates: (request: published.RateRequest, preferences: published.ServicePreferences = {}) =>
      ask<never>({ command: "rate-shop", flags: { file: "-", ...toPreferences(preferences) } }, request),

    async book(order, { withoutRate, waitSeconds, ...flags } = {}) {
      const { request, preferences } = splitOrder(order)
      const more = { noRate: withoutRate, wait: waitSeconds }
      const call = { command: "book", flags: { file: "-", ...preferences, ...flags, ...more } }
      const { made, shipments } = await make<Omit<published.Booking, "recorded">>(call, request, () => true)
      return { ...made, recorded: shipments === 0 }
    },

    async bookAll(orders, { withoutRate, onBooked, ...flags } = {}) {
      const booked: published.BookedOrder[] = orders.map(({ customerReference }) =>
        notReached(customerReference),
      )
      let printed = 0
      const readLines = createLineReader((line) => {
        const row = JSON.parse(line) as RowRecord
        printed++
        const order = toBookedOrder(row)
        booked[row.row - 1] = order
        onBooked?.(order)
      })
      if (orders.length === 0) return []
      const input = toInput(orders.map(toRow))
      const { error } = await run(
        {
          command: "batch book",
          flags: { ...flags, checkFirst: true, noRate: withoutRate },
          args: ["-"],
          format: "ndjson",
        },
        { input, onOutput: readLines },
      )
      if (error && (printed === 0 || error.kind === "interrupted")) throw error
      return booked.map((order) => {
        if (order.state === "unknown" || order.state === "sending")
          return { ...order, next: error?.next ?? "freight reconcile" }
        return order.state === "waiting" && order.error === null
          ? { ...order, error: error?.message ?? null, next: error?.next ?? null }
          : order
      })
    },

    track: (name, { carrier, waitSeconds } = {}) =>
      ask({ command: "track", args: [name], flags: { noRemember: true, carrier, wait: waitSeconds } }),

    async label(shipment, { waitSeconds } = {}) {
      const chunks: Uint8Array[] = []
      const { error } = await run(
        { command: "label", args: [shipment], flags: { output: "-", wait: waitSeconds } },
        { onOutput: (chunk) => chunks.push(Buffer.from(chunk)) },
      )
      if (error) throw error
      return new Uint8Array(Buffer.concat(chunks))
    },

    async pickup(request, flags = {}) {
      const call = { command: "pickup book", flags: { file: "-", ...flags } }
      return (await make<published.Pickup>(call, request, ({ status }) => status !== "FAILED")).made
    },

    print: (what: string | Uint8Array, flags: published.PrintOptions = {}) =>
      typeof what === "string"
        ? ask<never>({ command: "print label", args: [what], flags: { ...flags } })
        : ask<never>({ command: "print pdf", args: ["-"], flags: { ...flags } }, what),

    shipments: (page = {}) => ask({ command: "shipments list", flags: { ...page } }),

    async reconcile() {
      const { stdout, error } = await run({ command: "reconcile" })
      // What stays open is said of each.
      if (error && (error.kind !== "outcomeUnknown" || stdout === "")) throw error
      return JSON.parse(stdout)
    },

    release: async (...keys) =>
      keys.length === 0 ? [] : ask({ command: "reconcile", flags: { release: keys } }),

    async close() {
      await inTurn.idle()
      isClosed = true
    },
  }
}

/** A reason of one's own would reach a person as a bug. */
function createSignal(outer: published.Signal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const interrupt = () => controller.abort(new FreightError("interrupted", "interrupted"))
  if (outer?.aborted) interrupt()
  outer?.addEventListener("abort", interrupt)
  return { signal: controller.signal, end: () => outer?.removeEventListener("abort", interrupt) }
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

function toPreferences({
  within,
  onTime,
  avoid,
  ...others
}: published.ServicePreferences): Record<string, FlagValue> {
  return {
    ...others,
    within: within === undefined ? undefined : `${within}d`,
    onTime: onTime === undefined ? undefined : `${onTime}%`,
    avoid,
  }
}

/** What is sent of an order, and by what its service is chosen. */
function splitOrder(order: published.Order) {
  const { connector, maxPrice, within, arriveBy, onTime, avoid, ...request } = order
  return {
    request,
    preferences: toPreferences({ connector, maxPrice, within, arriveBy, onTime, avoid } as object),
  }
}

/** An order as a row of a batch has it. */
function toRow(order: published.ListedOrder): object {
  const { request, preferences } = splitOrder(order)
  const { avoid, ...others } = preferences
  return { ...request, ...others, ...(avoid !== undefined && { avoid: [avoid].flat().join(", ") }) }
}

function toInput(value: unknown): string | Uint8Array {
  return value instanceof Uint8Array ? value : JSON.stringify(value)
}

/** As `batch book --format ndjson` prints it. */
interface RowRecord {
  row: number
  reference: string
  state: published.OrderState
  shipment: string | null
  consignment: string | null
  price: number | null
  carrier: string | null
  service: string | null
  why: string | null
  error: string | null
  recorded?: true
  warnings: string[]
}

function toBookedOrder({ reference, state, recorded, shipment, consignment, ...row }: RowRecord) {
  const { price, carrier, service: serviceCode, why, error, warnings } = row
  return {
    ...{
      reference,
      state,
      recorded: recorded === true,
      shipmentId: shipment,
      consignmentNumber: consignment,
    },
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
