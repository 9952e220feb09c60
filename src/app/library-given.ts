/** Checks a program's input to the library before anything is done. */
import { parseBaseUrl } from "../api/index.ts"
import { checkFlagValue, type Flags, type FlagValue, type GivenValue } from "../command/index.ts"
import type batchBook from "../commands/batch-book.ts"
import type book from "../commands/book.ts"
import type label from "../commands/label.ts"
import type { book as bookPickup } from "../commands/pickup.ts"
import type { label as printLabel } from "../commands/print.ts"
import type { list as listShipments } from "../commands/shipments.ts"
import type track from "../commands/track.ts"
import type { ALLOWANCES, Own, PlaceOwn, Wishes } from "../contract/index.ts"
import type { BookingAddress, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { FreightError } from "../base/errors.ts"
import { describeKind, refuseUnknownOptions, requireKind } from "../base/options.ts"
import { reasonOf } from "../base/system.ts"
import { parseLedgerAddress } from "../ledger/index.ts"

/** The part of an `AbortSignal` that is used. */
export interface Signal {
  readonly aborted: boolean
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

export interface OpenOptions {
  /** The profile to use, as `--profile` does. Default: the one in use. */
  profile?: string
  /** Addresses of the APIs, instead of the profile's. */
  baseUrl?: { freight?: string; directPrint?: string }
  /** API keys, instead of the profile's. They are never logged, and masked in errors. */
  keys?: { freight?: string; directPrint?: string }
  /** The ledger: `postgres://…`, or the full path of a file. Default: the profile's, or this machine's own. */
  ledger?: string
  /** Use the built-in sandbox: nothing is real. Its ledger is its own. Default false. */
  sandbox?: boolean
  /** The time, in milliseconds since the epoch. Default: the system's clock. */
  clock?: { now(): number }
  /** Aborts the work under way, as Ctrl-C does: the call rejects with an error of the kind `interrupted`. */
  signal?: Signal
  /** Environment variables, which the command line reads too. Default: those of the process, at each call. */
  env?: Readonly<Record<string, string | undefined>>
  /**
   * Gets each note and warning that the command line would print on standard error, one line at a time. If it throws or
   * rejects, the call ends with `stepFailed` when it was done; a booking has that as its `stepError`.
   */
  onNote?: (line: string) => void
}

/** How a service is chosen if an order names none. */
export interface ServicePreferences extends Wishes {
  /** Up to this price with GST, in whole units: 85.5. */
  maxPrice?: number
  /** Arrived in time at least this often, in percent, if that is known. */
  onTime?: number
  /** Services (`GEN`) or carriers (`A`) to avoid. */
  avoid?: readonly string[]
}

/** Allowances for one order, besides those of the call. */
export type OrderAllowances = { [Name in keyof typeof ALLOWANCES]?: boolean }

/** Allowances for findings that are otherwise errors, because they are most likely mistakes. */
export type Allowances = Omit<OrderAllowances, "withoutMissing">

type FromProfile = "sender" | "payer" | "dangerousGoods" | "packagingCode"
type MayBeLeftOut = FromProfile | "items" | "collectionDateTime" | "collectionCloseTime"

/** Fields that freight keeps with an order and never sends. */
type KeptBeside = {
  [Path in keyof Own as Path extends `${string}.${string}` | keyof Wishes ? never : Path]: Own[Path]
}

/**
 * One consignment to book: the request of the API (clause: BookingRequest), and everything else that a booking file
 * takes. Fields that the profile or a usual value fills in may be left out: `sender`, `collection` (the sender's),
 * `items` (the sums of `packages`), `payer` (the sender), `dangerousGoods` (false), `packagingCode`, the times.
 * `serviceCode` may also be `cheapest`, `best-value`, `fastest` or `reliable`.
 */
export interface Order
  extends Omit<ConsignmentBookingRequest, MayBeLeftOut | "collection" | "receiver">,
    Partial<Pick<ConsignmentBookingRequest, MayBeLeftOut>>,
    KeptBeside,
    ServicePreferences,
    OrderAllowances {
  /** The place of collection; the sender's own address if absent. */
  collection?: Place
  /** The receiver's address. */
  receiver: Place
}

/**
 * A return of a booked order, by any of its names. Sender and receiver change places and the goods are the same; other
 * given fields replace theirs. Its key is `RETURN-OF-` with the order's number, unless it has another.
 */
export interface ReturnOrder extends Partial<Order> {
  returnOf: string
}

/** An address, with freight's own fields of the place. */
export interface Place extends BookingAddress, PlaceOwn {}

/** One order of a list: `customerReference` is its name and its key, and no two have the same. */
export type ListedOrder = Order & { customerReference: string }

type SameNames<Names> = { readonly [Name in keyof Required<Names>]: Name }

/** Service preferences, as flags of the commands that choose a service. */
const PREFERENCES = {
  connector: "connector",
  maxPrice: "maxPrice",
  arriveBy: "arriveBy",
  within: "within",
  onTime: "onTime",
  avoid: "avoid",
} as const satisfies SameNames<ServicePreferences>

const ALLOWED = {
  allowPast: "allowPast",
  allowDensity: "allowDensity",
  acceptPlaces: "acceptPlaces",
} as const satisfies SameNames<Allowances>

const ALLOWED_OF_ORDER = {
  ...ALLOWED,
  withoutMissing: "withoutMissing",
} as const satisfies SameNames<OrderAllowances>

/**
 * The command that each call runs, and the flag of each of its options. A call's subject, such as `--file`, is not
 * among them.
 */
export const CALLS = {
  rates: { command: "rate-shop", options: PREFERENCES },
  book: {
    command: "book",
    options: {
      /**
       * Your own name for the order: the same key is never booked twice, in however many processes and at whatever times. A
       * list of orders, and a batch at the command line, use `customerReference`: give that, to mean the same order. Without
       * a key, an equal order within 24 hours is refused.
       */
      key: "key",
      again: "again",
      replaces: "replaces",
      withoutRate: "noRate",
      /** Then wait this many seconds for the consignment number. */
      waitSeconds: "wait",
      pickup: "pickup",
      ...ALLOWED_OF_ORDER,
    },
  },
  bookAll: {
    command: "batch book",
    options: {
      /** Leave out orders with errors, and book the others. Default: nothing is sent while one has an error. */
      skipInvalid: "skipInvalid",
      /**
       * Orders are new although they repeat goods, receiver and collection day of a booking that is not in the list.
       */
      newOrders: "newOrders",
      /** References of orders that were booked before, also under another key, and that get a second consignment. */
      againFor: "againFor",
      /** They replace bookings that their carriers have cancelled: see `freight cancel --confirmed`. */
      replaces: "replaces",
      /** Requests at once, 1 to 64. Default 8. */
      concurrency: "concurrency",
      stopAfter: "stopAfter",
      /** Ask for all prices first, and book nothing above this total with GST, in whole units. */
      maxTotal: "maxTotal",
      /** Do not ask for the price of orders that name their service. */
      withoutRate: "noRate",
      ...ALLOWED_OF_ORDER,
    },
  },
  track: {
    command: "track",
    options: {
      carrier: "carrier",
      /** Ask again for this many seconds until the carrier has data. */
      waitSeconds: "wait",
    },
  },
  label: {
    command: "label",
    options: {
      /** Wait this many seconds for a label that its carrier makes later. Default 120. */
      waitSeconds: "wait",
    },
  },
  pickup: {
    command: "pickup book",
    options: { connector: "connector", key: "key", again: "again", ...ALLOWED },
  },
  print: {
    command: "print label",
    options: {
      device: "device",
      /** 1 to 99. Default 1. */
      copies: "copies",
      /** Your own name for the print: the same key is never printed twice. */
      key: "key",
      again: "again",
    },
  },
  shipments: { command: "shipments list", options: { limit: "limit", offset: "offset" } },
} as const

type FlagsOf<Command extends { flags?: object }> = NonNullable<Command["flags"]>

/** The options of a call, typed by their flags. */
type OptionsOfCall<Call extends keyof typeof CALLS, Command extends { flags?: object }> = {
  -readonly [Option in keyof (typeof CALLS)[Call]["options"]]?: (typeof CALLS)[Call]["options"][Option] extends keyof FlagsOf<Command>
    ? GivenValue<FlagsOf<Command>[(typeof CALLS)[Call]["options"][Option]]>
    : never
}

export type BookOptions = OptionsOfCall<"book", typeof book>

/** Without the callbacks of `BookAllOptions`. */
export type BatchOptions = OptionsOfCall<"bookAll", typeof batchBook>

export type TrackOptions = OptionsOfCall<"track", typeof track>

export type LabelOptions = OptionsOfCall<"label", typeof label>

export type PickupOptions = OptionsOfCall<"pickup", typeof bookPickup>

export type PrintOptions = Omit<OptionsOfCall<"print", typeof printLabel>, "key"> & {
  /** Your own name for the print: the same key is never printed twice. */
  key?: string
}

export type ShipmentsOptions = OptionsOfCall<"shipments", typeof listShipments>

/** A program's value for a flag. */
export interface GivenFlag {
  /** The call and the option, for people: `book: key`. */
  where: string
  flag: string
  value: unknown
}

/**
 * Reads a program's options of a call.
 * @param also options that are not flags
 */
export function readOptions(
  call: keyof typeof CALLS,
  options: unknown = {},
  also: readonly string[] = [],
): GivenFlag[] {
  requireKind(`${call}: options`, "an object", options)
  const names = new Map(Object.entries<string>(CALLS[call].options))
  refuseUnknownOptions(call, options as object, [...names.keys(), ...also])
  return Object.entries(options as object).flatMap(([option, value]) => {
    const flag = names.get(option)
    return flag === undefined || value === undefined ? [] : [{ where: `${call}: ${option}`, flag, value }]
  })
}

export function toFlagValues(given: readonly GivenFlag[], declared: Flags): Record<string, FlagValue> {
  const flags: Record<string, FlagValue> = {}
  for (const { where, flag, value } of given) {
    const known = declared[flag]
    if (!known) throw new TypeError(`no flag ${flag}`)
    checkFlagValue(where, known, value)
    flags[flag] = value
  }
  return flags
}

/** Splits an order into its request and its service preferences. @param where for people: `bookAll: orders[2]` */
export function splitOrder(where: string, order: unknown) {
  const request = copyObject(where, order)
  const preferences = Object.keys(PREFERENCES).flatMap((flag): GivenFlag[] => {
    const { [flag]: value } = request
    delete request[flag]
    return value === undefined ? [] : [{ where: `${where}.${flag}`, flag, value }]
  })
  return { request, preferences }
}

const NOT_JSON: readonly string[] = ["bigint", "function", "symbol"]

/**
 * A copy of a program's input, as JSON: later changes by the program have no effect. A value that would be lost on the
 * way is refused.
 */
export function copyObject(where: string, value: unknown): Record<string, unknown> {
  requireKind(where, "an object", value, "Give an object with the fields of the request.")
  const refuseLost = (name: string, each: unknown) => {
    if (typeof each === "number" ? Number.isFinite(each) : !NOT_JSON.includes(typeof each)) return each
    const message = `${where}: ${name} is ${describeKind(each)}, which JSON cannot hold; nothing was sent`
    throw new FreightError("usage", message)
  }
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value, refuseLost))
    requireKind(where, "an object", copy)
    return copy as Record<string, unknown>
  } catch (error) {
    if (error instanceof FreightError) throw error
    const [why] = reasonOf(error).split("\n")
    throw new FreightError("usage", `${where} cannot be written as JSON: ${why}; nothing was sent`, {
      cause: error,
    })
  }
}

const OPEN_OPTIONS = ["profile", "baseUrl", "keys", "ledger", "sandbox", "clock", "signal", "env", "onNote"]
const APIS = ["freight", "directPrint"]

/** Refuses what is given and cannot be used: nothing falls back to this machine's settings. */
export function checkOpenOptions(options: OpenOptions): void {
  refuseUnknownOptions("openFreight", options, OPEN_OPTIONS)
  const at = (name: string) => `openFreight: ${name}`
  const { sandbox, clock, signal, env, onNote } = options
  for (const name of ["profile", "ledger"] as const)
    if (options[name] !== undefined) requireKind(at(name), "text", options[name])
  for (const name of ["baseUrl", "keys"] as const) {
    const given = options[name]
    if (given === undefined) continue
    refuseUnknownOptions(at(name), given, APIS)
    const values = Object.entries(given).filter(([, value]) => value !== undefined)
    for (const [api, value] of values) {
      const where = at(`${name}.${api}`)
      requireKind(where, "text", value)
      if (name === "baseUrl") requireAddress(() => parseBaseUrl(value, where))
    }
    if (values.length === 0)
      throw new FreightError("usage", `${at(name)} has neither freight nor directPrint; nothing was sent`, {
        hint: "Leave it out to use those of the profile.",
      })
  }
  const { ledger } = options
  if (ledger !== undefined) requireAddress(() => parseLedgerAddress(ledger, at("ledger")))
  if (sandbox !== undefined) requireKind(at("sandbox"), "true or false", sandbox)
  if (onNote !== undefined) requireKind(at("onNote"), "a function", onNote)
  if (clock !== undefined) requireKind(at("clock.now"), "a function", Object(clock).now)
  if (signal !== undefined) {
    const { aborted, addEventListener, removeEventListener } = Object(signal)
    requireKind(at("signal.aborted"), "true or false", aborted)
    requireKind(at("signal.addEventListener"), "a function", addEventListener)
    requireKind(at("signal.removeEventListener"), "a function", removeEventListener)
  }
  if (env === undefined) return
  requireKind(at("env"), "an object", env)
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && typeof value !== "string") requireKind(at(`env.${name}`), "text", value)
}

function requireAddress(parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const { message, hint } = error
    throw new FreightError("usage", `${message}; nothing was sent`, hint === undefined ? {} : { hint })
  }
}
