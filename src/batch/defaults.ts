/** Defaults for all rows, from flags and the profile. */
import { clockAtCollection, type DraftDeps, fillFromProfile, readParty } from "../booking/request.ts"
import { applySets } from "../contract/fields/sets.ts"
import type { JsonObject } from "../base/json.ts"
import { checkAvoided, type PreferenceFlags, readPreferences } from "../booking/preferences.ts"
import { savedAddress } from "../config/addresses.ts"
import type { Globals } from "../config/settings.ts"
import { readPackages, readSkuPackages } from "../config/packages.ts"
import type { Allowances, Knowledge } from "../contract/collection-times.ts"
import type { BookingAddress, ConnectorSummary } from "../contract/generated/types.ts"
import { packagingCode } from "../contract/packaging.ts"
import { FreightError } from "../base/errors.ts"
import { quoted, valueOrThrow } from "../base/parsed.ts"
import { parsePayer } from "../contract/payer.ts"
import {
  formatTime,
  formatWallClock,
  parseCloseTime,
  parseTimeOfDay,
  type WallClock,
} from "../base/wall-clock.ts"
import { parseMoment } from "../base/when.ts"
import { capital } from "../terminal/sanitize.ts"
import { plainStatus } from "./columns/states.ts"
import type { RowDefaults } from "./rows/row.ts"
import { explainNotOffered } from "./rows/service.ts"

export interface RowFlags extends PreferenceFlags, Allowances, ShippingFlags {
  map?: string[]
  ignoreUnknown?: boolean
  sender?: string
  collection?: string
  package?: string[]
  mapService?: string[]
  mapPackage?: string[]
  packaging?: string
  ready?: string
  close?: string
  payer?: string
  instructions?: string
  set?: string[]
  service?: string
  connector?: string
  fixPlaces?: boolean
}

/** Which orders of a shop are to be shipped: see `shipping.ts`. */
export interface ShippingFlags {
  include?: string[]
  leaveOut?: string[]
}

interface DefaultsDeps extends Omit<DraftDeps, "quotes"> {
  note(text: string): Promise<void>
  readonly globals: Pick<Globals, "verbose">
}

/** @throws FreightError `usage`, `input` or `config` for a bad flag or setting */
export async function buildRowDefaults(
  deps: DefaultsDeps,
  flags: RowFlags,
  {
    connectors,
    sandbox,
    knowledge,
  }: {
    connectors: readonly ConnectorSummary[] | undefined
    sandbox: boolean
    knowledge?: Knowledge | undefined
  },
): Promise<RowDefaults> {
  const fields: JsonObject = {}
  for (const end of ["sender", "collection"] as const) {
    const given = flags[end]
    if (given !== undefined) fields[end] = await readParty(deps, given)
  }
  const now = () => clockAtCollection(deps, fields)
  if (flags.packaging !== undefined) fields.packagingCode = packagingCode(flags.packaging)
  if (flags.package !== undefined)
    fields.packages = (await readPackages(deps, flags.package)).map((each) => ({ ...each }))
  if (flags.close !== undefined)
    fields.collectionCloseTime = valueOrThrow(parseCloseTime(flags.close), "--close")
  if (flags.payer !== undefined) fields.payer = { ...valueOrThrow(parsePayer(flags.payer), "--payer") }
  if (flags.instructions !== undefined) fields.specialInstructions = flags.instructions
  const { readyTime, collectionDateTime } = parseReady(flags.ready, now)
  if (collectionDateTime !== undefined) fields.collectionDateTime = collectionDateTime
  const booking = applySets(fields, flags.set ?? [], "ConsignmentBookingRequest", now)
  const filled = fillFromProfile(deps, booking)
  if (deps.globals.verbose) for (const note of filled) await deps.note(note)
  const limits = readPreferences(flags, deps.settings, now)
  if (connectors) checkAvoided(limits, connectors)
  const services = readServices(flags.mapService ?? [], connectors)
  const skuPackages = await readSkuPackages(deps, flags.mapPackage ?? [])
  const known = new Map<string, BookingAddress>()
  const told = new Set<string>()
  return {
    map: flags.map ?? [],
    ignoreUnknown: flags.ignoreUnknown === true,
    // Rows are read more than once.
    async tell(note, isDetail) {
      if (told.has(note) || (isDetail && !deps.globals.verbose)) return
      told.add(note)
      await deps.note(note)
    },
    booking,
    readyTime,
    service: flags.service ?? deps.settings.value("service"),
    limits: { ...limits, ...(flags.connector !== undefined && { connectorId: flags.connector }) },
    // The settings file is read once for each name, not for each row.
    address(name) {
      const address = known.get(name) ?? savedAddress(deps.config, name)
      known.set(name, address)
      return address
    },
    connectors,
    services,
    skuPackages,
    sandbox,
    nowMs: deps.clock.now(),
    allowed: flags,
    ...(knowledge && { knowledge }),
    fixesPlaces: flags.fixPlaces === true,
  }
}

/**
 * What shipping methods of a shop mean, by `plainStatus`.
 * @throws FreightError `usage` for a text that is not one, or a service that nobody offers
 */
function readServices(
  texts: readonly string[],
  connectors: readonly ConnectorSummary[] | undefined,
): NonNullable<RowDefaults["services"]> {
  const services = new Map<string, { service: string; connectorId?: string } | undefined>()
  for (const text of texts) {
    const equals = text.lastIndexOf("=")
    if (equals < 1)
      throw new FreightError("usage", `--map-service takes METHOD=SERVICE, not ${quoted(text)}`, {
        hint: 'Such as --map-service "Express=fastest", or "Express=CONNECTOR CODE".',
      })
    const said = text.slice(equals + 1).trim()
    const [, connectorId, service = said] = /^(.*\S)\s+(\S+)$/.exec(said) ?? []
    const problem =
      connectors && said !== "" ? explainNotOffered(service, connectorId, connectors) : undefined
    if (problem) {
      const [message, hint] = problem
      throw new FreightError("usage", `--map-service ${quoted(text)}: ${message}`, {
        hint: `${capital(hint)}`,
      })
    }
    const meant = said === "" ? undefined : { service, ...(connectorId !== undefined && { connectorId }) }
    services.set(plainStatus(text.slice(0, equals)), meant)
  }
  return services
}

/** `2026-11-23T10:00` is for every row; `10:00` is for rows that give only a day. */
function parseReady(
  text: string | undefined,
  now: () => WallClock,
): {
  readyTime: string | undefined
  collectionDateTime?: string
} {
  if (text === undefined) return { readyTime: undefined }
  const time = parseTimeOfDay(text)
  if (time.ok) return { readyTime: formatTime(time.value) }
  const collectionDateTime = formatWallClock(valueOrThrow(parseMoment(text, now), "--ready"))
  return { readyTime: collectionDateTime.slice(11), collectionDateTime }
}
