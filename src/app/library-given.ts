/** What a program gives to the library, checked before anything is done. */
import { parseBaseUrl } from "../api/address.ts"
import { checkFlagValue, type FlagValue } from "../command/call.ts"
import type { Flags } from "../command/command.ts"
import { FreightError } from "../base/errors.ts"
import { describeKind, refuseUnknownOptions, requireKind } from "../base/options.ts"
import { reasonOf } from "../base/system.ts"
import { parseLedgerAddress } from "../ledger/database/address.ts"
import type * as published from "./library-types.d.ts"

/** The flag of the command that each option of a call is. */
type FlagNames<Options> = Readonly<Record<keyof Options, string>>

const ALLOWANCES: FlagNames<published.Allowances> = toSameNames("allowPast", "allowDensity", "acceptPlaces")
/** Where a service is chosen. */
const MISSING = toSameNames("withoutMissing")
const PREFERENCES: FlagNames<published.ServicePreferences> = {
  ...toSameNames("connector", "maxPrice", "within", "arriveBy", "onTime", "avoid"),
}

/** The options of each call. What a call is about, such as `--file`, is not among them. */
export const CALL_OPTIONS = {
  rates: PREFERENCES,
  book: {
    ...{ ...toSameNames("key", "again", "replaces", "pickup"), withoutRate: "noRate", waitSeconds: "wait" },
    ...{ ...ALLOWANCES, ...MISSING },
  } satisfies FlagNames<published.BookOptions>,
  bookAll: {
    ...toSameNames(
      "skipInvalid",
      "newOrders",
      "againFor",
      "replaces",
      "concurrency",
      "stopAfter",
      "maxTotal",
    ),
    ...{ withoutRate: "noRate", ...ALLOWANCES, ...MISSING },
  } satisfies FlagNames<Omit<published.BookAllOptions, "onBooked">>,
  track: { carrier: "carrier", waitSeconds: "wait" },
  label: { waitSeconds: "wait" },
  pickup: {
    ...toSameNames("connector", "key", "again"),
    ...ALLOWANCES,
  } satisfies FlagNames<published.PickupOptions>,
  print: toSameNames("device", "copies", "key", "again") satisfies FlagNames<published.PrintOptions>,
  shipments: toSameNames("limit", "offset"),
} as const

function toSameNames<Name extends string>(...names: readonly Name[]): Record<Name, Name> {
  return Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>
}

/** What a program gave for a flag. */
export interface GivenFlag {
  /** The call and the option, for people: `book: key`. */
  where: string
  flag: string
  value: unknown
}

/**
 * What a program gave as the options of a call.
 * @param also options that are not flags
 * @throws FreightError `usage` for what is not an object, and for an option that the call does not have
 */
export function readOptions(
  call: keyof typeof CALL_OPTIONS,
  options: unknown = {},
  also: readonly string[] = [],
): GivenFlag[] {
  requireKind(`${call}: options`, "an object", options)
  const names = new Map(Object.entries<string>(CALL_OPTIONS[call]))
  refuseUnknownOptions(call, options as object, [...names.keys(), ...also])
  return Object.entries(options as object).flatMap(([option, value]) => {
    const flag = names.get(option)
    return flag === undefined || value === undefined ? [] : [{ where: `${call}: ${option}`, flag, value }]
  })
}

/** @throws FreightError `usage` for a value that is not of its flag's type */
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

/** What is sent of an order, and by what its service is chosen. @param where for people: `bookAll: orders[2]` */
export function splitOrder(where: string, order: unknown) {
  const { connector, maxPrice, within, arriveBy, onTime, avoid, ...request } = copyObject(where, order)
  const given = Object.entries({ connector, maxPrice, within, arriveBy, onTime, avoid })
  const preferences = given.flatMap(([flag, value]): GivenFlag[] =>
    value === undefined ? [] : [{ where: `${where}.${flag}`, flag, value }],
  )
  return { request, preferences }
}

const NOT_JSON: readonly string[] = ["bigint", "function", "symbol"]

/**
 * A copy of what a program gave, as JSON has it: what the program changes meanwhile changes nothing of it.
 * @throws FreightError `usage` for what is not an object, and where a value would be lost on the way
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

/** @throws FreightError `usage` for what is given and cannot be used: nothing falls back to this machine's settings */
export function checkOpenOptions(options: published.OpenOptions): void {
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

/** @throws FreightError `usage` for an address that cannot be used */
function requireAddress(parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const { message, hint } = error
    throw new FreightError("usage", `${message}; nothing was sent`, hint === undefined ? {} : { hint })
  }
}
