/** The order of `doctor`'s checks: this machine, its settings, the account and the ledger. */
import path from "node:path"
import { parseBaseUrl, proxyFor } from "../../api/index.ts"
import { activeDevices, LIMITED } from "../../orders/index.ts"
import {
  ENDPOINT,
  type Endpoint,
  isOthersKey,
  otherApi,
  type Probe,
  probe,
  trustsAnyCertificate,
  variable,
} from "../../machine/index.ts"
import { apiChecks, type ApiFacts } from "./api.ts"
import {
  accountsCheck,
  addressesCheck,
  certificatesCheck,
  type Check,
  clockCheck,
  deviceCheck,
  ledgerCheck,
  modeOf,
  nodeCheck,
  privacyCheck,
  profileCheck,
  proxyCheck,
  savedCheck,
  type SavedFault,
  settingsFileCheck,
  stateFolderCheck,
  warn,
} from "./checks.ts"
import { type Api, checkAddress, densityDoubt, inWords, parsePackage } from "../../contract/index.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { Deps, LedgerReader } from "../../session/index.ts"
import { type FreightError, toStepError } from "../../base/errors.ts"
import { explainSavedParty } from "../../invoice/index.ts"
import {
  type AccountRow,
  countElsewhere,
  type Database,
  describeStrangers,
  listAccounts,
  readMark,
} from "../../ledger/index.ts"
import { findWriteError } from "../../base/system.ts"

/** Every finding, dependencies first. */
export async function examine(deps: Deps): Promise<Check[]> {
  const { file } = deps.config
  const folder = path.dirname(file)
  const damage = await findFailure(() => deps.config.read())
  const { platform } = deps.runtime
  const modes = { file: await modeOf(file), folder: await modeOf(folder) }
  const checks: (Check | undefined)[] = [
    nodeCheck(deps.runtime.node, platform, formatDate(wallClockNow(deps.clock.now()))),
    settingsFileCheck(file, modes.file !== undefined, damage, platform),
    privacyCheck(
      file,
      folder,
      modes,
      platform,
      ["USERPROFILE", "APPDATA"].map((name) => variable(deps.env, name)),
    ),
    stateFolderCheck(deps.stateDir, findWriteError(deps.stateDir), platform),
  ]
  // Without its settings nothing more can be checked.
  if (!damage) checks.push(...(await examineSettings(deps)))
  return checks.filter((each) => each !== undefined)
}

async function examineSettings(deps: Deps): Promise<(Check | undefined)[]> {
  const { settings } = deps
  // Only the profile can hold this setting, so reading it opens the profile.
  const unknown = await findFailure(() => settings.value("sender"))
  const profile = profileCheck(settings.profile().name, unknown)
  if (unknown) return [profile]
  const apis = [await examineApi(deps, "freight"), await examineApi(deps, "direct-print")]
  const clocks = apis.map(({ tried }) => tried?.clocks).find((each) => each !== undefined)
  return [
    profile,
    ...apis.flatMap((each) => apiChecks(each)),
    ...(await Promise.all(apis.map((each) => examineDevice(deps, each)))),
    ...(clocks ? [clockCheck(clocks, deps.runtime.platform)] : []),
    certificatesCheck(trustsAnyCertificate(deps.env), deps.runtime.platform),
    await examineProxy(deps, apis),
    examineAddresses(deps),
    ...examineOtherNames(deps),
    ...(await examineLedger(deps)),
  ]
}

async function examineApi(deps: Deps, api: Api): Promise<ApiFacts & { tried?: Probe }> {
  const key = deps.settings.resolve(ENDPOINT[api].key)
  const baseUrl = deps.settings.resolve(ENDPOINT[api].baseUrl)
  const { platform } = deps.runtime
  try {
    const endpoint = await deps.endpoint(api)
    const tried = await probe(deps, api, endpoint)
    const swapped = await whatIsSwapped(deps, api, endpoint, tried)
    return { api, platform, key, baseUrl, tried, ...(swapped && { swapped }) }
  } catch (error) {
    return { api, platform, key, baseUrl, unusable: toStepError(error) }
  }
}

/** A key or address refused with 401 or 404 may belong to the other API. */
async function whatIsSwapped(
  deps: Deps,
  api: Api,
  { baseUrl, key }: Endpoint,
  { outcome, error }: Probe,
): Promise<ApiFacts["swapped"]> {
  const othersUrl = deps.settings.value(ENDPOINT[otherApi(api)].baseUrl)
  const isTurnedAway = outcome === "refused" || error?.kind === "notFound"
  if (!isTurnedAway || othersUrl === undefined || othersUrl === baseUrl) return undefined
  if ((await probe(deps, api, { baseUrl: othersUrl, key })).outcome === "works") return "addresses"
  if (outcome === "refused" && (await isOthersKey(deps, api, key, othersUrl))) return "keys"
  return undefined
}

/** Whether this workstation's device exists; a key that may not list devices cannot tell. */
async function examineDevice(deps: Deps, { api, tried }: ApiFacts): Promise<Check | undefined> {
  if (tried?.outcome !== "works") return undefined
  const chosen = await deps.devices(api).chosen()
  let devices: readonly { id: string }[] = []
  const error = await findFailure(async () => {
    devices = await activeDevices(deps, api)
  })
  return deviceCheck(api, chosen?.id, error ?? devices.map(({ id }) => id))
}

function examineAddresses({ config, settings }: Deps): Check {
  const faultOf = (address: unknown) => {
    const { errors, warnings } = checkAddress(address)
    const [error] = errors
    if (error) return { error: inWords(error) }
    const [doubt] = warnings
    return doubt && { doubt: inWords(doubt) }
  }
  const addresses = Object.entries(config.read().addresses)
  const named = ADDRESS_SETTINGS.flatMap((setting) => {
    const name = settings.value(setting)
    return name === undefined ? [] : [{ setting, name }]
  })
  return addressesCheck(new Map(addresses.map(([name, address]) => [name, faultOf(address)])), named)
}

/** Packages and parties, if any are saved. */
function examineOtherNames({ config }: Deps): (Check | undefined)[] {
  const { packages, parties = {} } = config.read()
  const packageFaults = findFaults(packages, (size) => {
    const read = parsePackage(size)
    if (!read.ok) return { error: read.reason }
    const doubt = densityDoubt(read.value)
    return doubt === undefined ? undefined : { doubt }
  })
  const partyFaults = findFaults(parties, (party) => {
    const error = explainSavedParty(party)
    return error === undefined ? undefined : { error }
  })
  return [
    savedCheck("packages", "package", packageFaults, () => "freight package list"),
    savedCheck("parties", "party", partyFaults, (name) => `freight party add ${name} --replace`),
  ]
}

function findFaults<T>(
  saved: Readonly<Record<string, T>>,
  findFault: (value: T) => SavedFault,
): Map<string, SavedFault> {
  return new Map(Object.entries(saved).map(([name, value]) => [name, findFault(value)]))
}

const ADDRESS_SETTINGS = ["sender", "collection"] as const

/** Checks the proxies in use; a host that does not answer through one is tried without. */
async function examineProxy(deps: Deps, apis: readonly ApiFacts[]): Promise<Check> {
  const { env, runtime, settings } = deps
  const [proxies, barred, silent] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const wrong = await findFailure(async () => {
    for (const { api, tried } of deps.globals.sandbox ? [] : apis) {
      const setting = ENDPOINT[api].baseUrl
      const address = settings.value(setting)
      const url = address === undefined ? undefined : parseBaseUrl(address, setting)
      const proxy = url && proxyFor(url, env)
      if (!url || !proxy) continue
      proxies.add(proxy.host)
      if (tried?.outcome !== "failed") continue
      // The proxy refused the login.
      if (tried.error?.kind === "config") throw tried.error
      const direct = await probe(deps, api, await deps.endpoint(api), { direct: true })
      const answers = direct.outcome !== "failed" || direct.error?.status !== undefined
      if (answers) barred.add(url.hostname)
      else silent.add(url.hostname)
    }
  })
  const exempt = variable(env, "no_proxy") ?? variable(env, "NO_PROXY")
  const facts = { proxies: [...proxies], barred: [...barred], silent: [...silent], exempt }
  return proxyCheck(wrong ?? facts, runtime.platform)
}

async function examineLedger(deps: Deps): Promise<Check[]> {
  let open = 0
  let place = ""
  let accounts: AccountRow[] = []
  const others: Check[] = []
  const error = await findFailure(async () => {
    const { store, scopes, owner } = await deps.readLedger()
    const left = await deps.findLeftLedger(store)
    if (left)
      others.push(
        warn("other-ledger", left.message, {
          remedy: "Copy them into the ledger in use.",
          ...(left.next !== undefined && { next: left.next }),
        }),
      )
    others.push(...(await examineElsewhere(store.database, owner)))
    place = store.place
    open = (await store.open(scopes)).length
    accounts = await listAccounts(store.database)
  })
  return [
    ledgerCheck(open, place, error),
    ...(accounts.length > 1 ? [accountsCheck(accounts)] : []),
    ...others,
  ]
}

/** Who else books with the account, as far as this workstation knows. */
async function examineElsewhere(database: Database, owner: LedgerReader["owner"]): Promise<Check[]> {
  if (!owner) return []
  const mark = await readMark(database, owner.id)
  const { programs } = await countElsewhere(database, [owner.scope])
  return [
    ...(mark?.isLimited
      ? [warn("own-shipments-only", LIMITED, { remedy: "Use one ledger for all who book with the account." })]
      : []),
    ...(programs > 0
      ? [
          warn("elsewhere", describeStrangers(programs), {
            remedy: "freight looks for them before it books; freight help doubles says what that cannot see.",
          }),
        ]
      : []),
  ]
}

/** The error, if a person can fix it. */
async function findFailure(act: () => unknown): Promise<FreightError | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return toStepError(error)
  }
}
