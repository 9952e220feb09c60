/** Defaults for all rows, from flags and the profile. */
import { clockAtCollection, type DraftDeps, fillFromProfile, putFieldFlags } from "../booking/request.ts"
import {
  type Allowances,
  applySets,
  type FieldOptions,
  type Knowledge,
  pickAllowances,
  type SavedAddress,
  takeOwn,
} from "../../contract/index.ts"
import type { JsonObject } from "../../base/json.ts"
import {
  checkAvoided,
  type PreferenceFlags,
  readPreferences,
  readSaid,
  toLimits,
  toWishes,
} from "../booking/preferences.ts"
import {
  createFindSize,
  type Globals,
  readPackages,
  readSkuPackages,
  savedAddress,
} from "../../machine/index.ts"
import type { ConnectorSummary } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import { formatTime, parseTimeOfDay } from "../../base/wall-clock.ts"
import { capital } from "../../output/index.ts"
import { plainStatus } from "./columns/states.ts"
import type { RowDefaults } from "./rows/defaults.ts"
import { explainNotOffered } from "./rows/service.ts"

export interface RowFlags extends FieldOptions, PreferenceFlags, Allowances, ShippingFlags {
  map?: string[]
  ignoreUnknown?: boolean
  mapService?: string[]
  mapPackage?: string[]
  set?: string[]
  service?: string
  connector?: string
  fixPlaces?: boolean
}

/** Flags that choose which orders of a shop are shipped: see `shipping.ts`. */
export interface ShippingFlags {
  include?: string[]
  leaveOut?: string[]
}

export async function buildRowDefaults(
  deps: Omit<DraftDeps, "quotes"> & {
    readonly signal: AbortSignal
    note(text: string): Promise<void>
    readonly globals: Pick<Globals, "verbose">
  },
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
  const now = () => clockAtCollection(deps, fields)
  const { package: packages, ready, service: _, ...others } = flags
  // If rows give the day, the flag may give only the time.
  const time = ready === undefined ? undefined : parseTimeOfDay(ready)
  const isTime = time?.ok === true
  await putFieldFlags(deps, { ...others, ...(!isTime && ready !== undefined && { ready }) }, fields, now)
  const readyTime = isTime ? formatTime(time.value) : fields.collectionDateTime?.toString().slice(11)
  if (packages !== undefined)
    fields.packages = (await readPackages(deps, packages)).map((each) => ({ ...each }))
  const booking = applySets(fields, flags.set ?? [], "ConsignmentBookingRequest", now)
  // Data about the place of a party goes with the party: a row may have another.
  const { own, allowed } = takeOwn(applySets({}, flags.set ?? [], "ConsignmentBookingRequest", now), flags)
  if (own.returnOf !== undefined)
    throw new FreightError(
      "usage",
      "--set returnOf cannot be said of all rows: each brings back its own order",
      {
        hint: "Give the rows a column Return of. Nothing was sent.",
      },
    )
  // A person's answers to doubts are stored in the flags, too.
  Object.assign(flags, { ...allowed, ...pickAllowances(flags) })
  const wishes = readSaid(flags, now, toLimits(own))
  const said = Object.keys(booking)
  const filled = fillFromProfile(deps, booking)
  if (deps.globals.verbose) for (const note of filled) await deps.note(note)
  const limits = readPreferences(flags, deps.settings, now, wishes)
  if (connectors) checkAvoided(limits, connectors)
  const services = readServices(flags.mapService ?? [], connectors)
  const skuPackages = await readSkuPackages(deps, flags.mapPackage ?? [])
  const known = new Map<string, SavedAddress>()
  const told = new Set<string>()
  return {
    map: flags.map ?? [],
    ignoreUnknown: flags.ignoreUnknown === true,
    signal: deps.signal,
    // Rows are read more than once.
    async tell(note, isDetail) {
      if (told.has(note) || (isDetail && !deps.globals.verbose)) return
      told.add(note)
      await deps.note(note)
    },
    booking,
    filledIn: Object.keys(booking).filter((name) => !said.includes(name)),
    own: { ...own, ...toWishes(wishes) },
    readyTime,
    service: flags.service ?? deps.settings.value("service"),
    limits: { ...wishes, ...limits },
    // The settings file is read once for each name, not for each row.
    address(name) {
      const address = known.get(name) ?? savedAddress(deps.config, name)
      known.set(name, address)
      return address
    },
    findSize: createFindSize(deps.config),
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

/** Meanings of a shop's shipping methods, by `plainStatus`. */
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
