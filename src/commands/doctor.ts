import path from "node:path"
import type { Command } from "commander"
import { parseBaseUrl } from "../api/base-url.ts"
import { proxyFor } from "../api/proxy.ts"
import {
  type ApiFacts,
  apiChecks,
  type Check,
  clockCheck,
  deviceCheck,
  ledgerCheck,
  nodeCheck,
  privacyCheck,
  profileCheck,
  proxyCheck,
  type State,
  settingsFileCheck,
  stateFolderCheck,
} from "../config/checks.ts"
import { modeOf, whyNotWritable } from "../config/inspect.ts"
import { ENDPOINT } from "../config/known.ts"
import { APIS, type Api, otherApi } from "../config/settings.ts"
import { safeText } from "../contract/safe-text.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError } from "../errors.ts"
import { activeDevices } from "../printing/devices.ts"
import { paint, type Style } from "../terminal/style.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"
import { isOthersKey, type Probe, probe } from "./shared/probe.ts"

export function define(command: Command, act: Act): void {
  command
    .description(
      "Looks for what is wrong with the set-up, and says how to mend it. It changes nothing and creates nothing.",
    )
    .addHelpText("after", examples("freight doctor --sandbox", "freight doctor --sandbox --json"))
    .action(act(run))
}

const MARKS: Readonly<Record<State, { word: string; style: Style }>> = {
  ok: { word: "ok  ", style: "green" },
  warn: { word: "warn", style: "yellow" },
  fail: { word: "FAIL", style: ["bold", "red"] },
}

/** @returns 1 when something will not work */
async function run(deps: Deps): Promise<number> {
  const checks = await examine(deps)
  const failed = checks.some(({ state }) => state === "fail")
  if (deps.output.format === "table" && !deps.output.fields)
    for (const check of checks) await deps.terminal.stdout.write(line(deps, check))
  else
    await print(deps.terminal, deps.output, {
      json: { ok: !failed, checks },
      rows: checks,
      columns: ["check", "state", "message", "remedy"].map((key) => ({ key, title: key.toUpperCase() })),
    })
  return failed ? EXIT.no : EXIT.done
}

function line({ terminal: { stdout } }: Deps, { check, state, message, remedy }: Check): string {
  const { word, style } = MARKS[state]
  const said = `${paint(stdout, style, word)}  ${check.padEnd(20)} ${safeText(message)}\n`
  return remedy && state !== "ok" ? `${said}${" ".repeat(27)}${safeText(remedy)}\n` : said
}

/** Every finding, in the order in which one thing rests on another. */
async function examine(deps: Deps): Promise<Check[]> {
  const { file } = deps.config
  const folder = path.dirname(file)
  const damage = await failure(() => deps.config.read())
  const modes = { file: await modeOf(file), folder: await modeOf(folder) }
  const checks: (Check | undefined)[] = [
    nodeCheck(deps.runtime.node),
    settingsFileCheck(file, modes.file !== undefined, damage),
    privacyCheck(file, folder, modes, deps.runtime.platform),
    stateFolderCheck(deps.stateDir, await whyNotWritable(deps.stateDir, deps.ids.uuid())),
  ]
  // Without its settings nothing more can be asked of it.
  if (!damage) checks.push(...(await examineSettings(deps)))
  return checks.filter((each) => each !== undefined)
}

async function examineSettings(deps: Deps): Promise<(Check | undefined)[]> {
  const { settings } = deps
  // Nothing but the profile can hold this one, so that asking for it opens the profile.
  const unknown = await failure(() => settings.value("sender"))
  const profile = profileCheck(settings.profile().name, unknown)
  if (unknown) return [profile]
  const apis = [await examineApi(deps, "freight"), await examineApi(deps, "direct-print")]
  const clocks = apis.map(({ tried }) => tried?.clocks).find((each) => each !== undefined)
  return [
    profile,
    ...apis.flatMap((each) => apiChecks(each)),
    ...(await Promise.all(apis.map((each) => examineDevice(deps, each)))),
    ...(clocks ? [clockCheck(clocks)] : []),
    examineProxy(deps),
    await examineLedger(deps),
  ]
}

async function examineApi(deps: Deps, api: Api): Promise<ApiFacts & { tried?: Probe }> {
  const key = deps.settings.resolve(ENDPOINT[api].key)
  const baseUrl = deps.settings.resolve(ENDPOINT[api].baseUrl)
  try {
    const endpoint = await deps.endpoint(api)
    const tried = await probe(deps, api, endpoint)
    const othersUrl = deps.settings.value(ENDPOINT[otherApi(api)].baseUrl)
    const swapped = tried.outcome === "refused" && (await isOthersKey(deps, api, endpoint.key, othersUrl))
    return { api, key, baseUrl, tried, swapped }
  } catch (error) {
    return { api, key, baseUrl, unusable: asFailure(error) }
  }
}

/** Whether the device that this workstation keeps is still there; a key that may not list devices cannot tell. */
async function examineDevice(deps: Deps, { api, tried }: ApiFacts): Promise<Check | undefined> {
  if (tried?.outcome !== "works") return undefined
  const chosen = await deps.devices(api).chosen()
  if (!chosen) return undefined
  let devices: readonly { id: string }[] = []
  const error = await failure(async () => {
    devices = await activeDevices(deps, api)
  })
  return deviceCheck(api, chosen.id, error ?? devices.map(({ id }) => id))
}

function examineProxy(deps: Deps): Check {
  if (deps.globals.sandbox) return proxyCheck([], undefined)
  try {
    const hosts = APIS.flatMap((api) => {
      const setting = ENDPOINT[api].baseUrl
      const address = deps.settings.value(setting)
      return address === undefined ? [] : (proxyFor(parseBaseUrl(address, setting), deps.env)?.host ?? [])
    })
    return proxyCheck([...new Set(hosts)], undefined)
  } catch (error) {
    return proxyCheck([], asFailure(error))
  }
}

async function examineLedger(deps: Deps): Promise<Check> {
  let open = 0
  const error = await failure(async () => {
    for (const { store } of await deps.ledgers()) open += (await store.open()).length
  })
  return ledgerCheck(open, error)
}

/** What goes wrong, when it is something that a person can mend. */
async function failure(act: () => unknown): Promise<FreightError | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return asFailure(error)
  }
}

function asFailure(error: unknown): FreightError {
  if (error instanceof FreightError && error.kind !== "interrupted") return error
  throw error
}
