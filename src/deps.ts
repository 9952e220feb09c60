/** All that a command may touch. Each part is made when it is first asked for, so that a command pays for what it uses. */
import path from "node:path"
import type { DirectPrintApi } from "./api/direct-print.ts"
import type { FreightApi } from "./api/freight.ts"
import type { Transport, TransportOptions } from "./api/transport.ts"
import { type ConfigStore, openConfig } from "./config/file.ts"
import { openSettings, serviceFolder, type Settings } from "./config/resolve.ts"
import { findSandboxSwitch } from "./config/sandbox-mode.ts"
import { ENDPOINT } from "./config/known.ts"
import {
  configDir,
  type Endpoint,
  type Globals,
  stateDir,
  timeoutMs,
  trustsAnyCertificate,
  variable,
  workstation,
} from "./config/settings.ts"
import type { Api } from "./contract/endpoints.ts"
import type { Clock, Ids, RunShell, Env } from "./ports.ts"
import { safeText } from "./contract/safe-text.ts"
import { FreightError } from "./errors.ts"
import type { Host } from "./host.ts"
import type { Account } from "./ledger/accounts/account.ts"
import type { LedgerDeps } from "./ledger/create.ts"
import type { Store } from "./ledger/store.ts"
import type { PostgresAddress } from "./ledger/database/address.ts"
import type { Entry, Sender } from "./ledger/entry.ts"
import type { LedgerPorts } from "./ledger/open.ts"
import type { ReconcileDeps } from "./ledger/reconcile.ts"
import { clearLeftovers } from "./memory/kept-file.ts"
import type { RunFreight } from "./mcp/tool.ts"
import { type DeviceMemory, openDevices } from "./memory/devices.ts"
import { type Drafts, openDrafts } from "./memory/drafts.ts"
import { openOutputs, type Outputs } from "./memory/outputs.ts"
import { openQuotes, type Quotes } from "./memory/quotes.ts"
import { openSeen, type Seen, THINGS_AT_MOST } from "./memory/seen.ts"
import { openTracked, type TrackedEvents } from "./memory/tracked.ts"
import type { Sandbox } from "./sandbox/server.ts"
import { type Conversation, type Questions, withoutBack } from "./terminal/conversation/conversation.ts"
import { createFiles, type Files } from "./terminal/files.ts"
import { inAscii } from "./terminal/said.ts"
import { createSpendGuard, type SpendGuard } from "./terminal/spend-guard.ts"
import type { Terminal } from "./terminal/terminal.ts"
import { FORMATS, type Format, type Output } from "./terminal/view.ts"
import { fitLine } from "./terminal/width.ts"
import { VERSION } from "./version.ts"

/** How a way to an API behaves under many requests. */
type Manners = Pick<TransportOptions, "limiter" | "finishes" | "rateLimitPolicy">

/** The ledger as far as it can be read and settled without sending anything. */
export interface LedgerReader extends ReconcileDeps {
  /** The account of the freight key that is set up, where the ledger knows it. */
  owner: Account | undefined
  scope: string | undefined
}

export interface Deps {
  readonly globals: Globals
  readonly env: Env
  readonly terminal: Terminal
  readonly output: Output
  readonly clock: Clock
  readonly ids: Ids
  readonly files: Files
  /** Files that a person names for what is written. */
  readonly outputs: Outputs
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Folder of what this machine remembers. */
  readonly stateDir: string
  /** The settings file: profiles and saved addresses. */
  readonly config: ConfigStore
  /** What is set, wherever it comes from. The file is read when the first value is asked for that it may hold. */
  readonly settings: Settings
  /** There is someone to ask: standard input and standard error are a terminal, and no `--no-input`. */
  readonly interactive: boolean
  /** Asks the person a question that stands alone; only where `interactive` is true. */
  prompt(): Promise<Questions>
  /** Asks once before money is spent. */
  readonly spending: SpendGuard
  /** A conversation with steps back; only where `interactive` is true. */
  converse(options: { keepsAnswers: boolean }): Promise<Conversation>
  /** Version of Node and name of the platform, for `doctor`. */
  readonly runtime: { readonly node: string; readonly platform: string }
  readonly quotes: Quotes
  /** Bookings that this person did not finish at this workstation. */
  readonly drafts: Drafts
  readonly seen: Seen
  readonly tracked: TrackedEvents
  /** The changes that `track --exec` has run a command for. */
  readonly handedOver: TrackedEvents
  /** The print device that this workstation keeps for an API, in the profile in use. */
  devices(api: Api): DeviceMemory
  /** The ledger of one API: every create goes through `createOnce` with it. */
  ledger(api: Api): Promise<LedgerDeps>
  /** Whether there is a ledger: where nothing was sent yet, its driver need not be loaded to look into it. */
  hasLedger(): Promise<boolean>
  /** The ledger, to read and to settle: no key is needed. */
  readLedger(): Promise<LedgerReader>
  /** The same, of a ledger that is made where there is none: to keep what sends nothing. */
  writeLedger(): Promise<LedgerReader>
  /** Who works here. */
  readonly sender: Sender
  /** Address and key of one API: the sandbox's under `--sandbox`. @throws FreightError as `Settings.endpoint` does. */
  endpoint(api: Api): Promise<Endpoint>
  /**
   * A way to an API with an address and key of its own, or with other manners than a single command's.
   * @param way `direct` goes past the proxy that the environment names
   */
  connect(api: Api, endpoint: Endpoint, way?: Partial<Manners> & { direct?: boolean }): Promise<Transport>
  freight(): Promise<FreightApi>
  directPrint(): Promise<DirectPrintApi>
  /** Asks for the password of a ledger's database where one is wanted. */
  ledgerPorts: LedgerPorts
  /** A line for the person, on standard error; silent under `--quiet`. */
  note(text: string): Promise<void>
  /** A line that must be seen, on standard error. */
  warn(text: string): Promise<void>
  /** What was made in this run: how many things, and the last. */
  made(): { count: number; last: Entry } | undefined
  /** The time at the freight service: in the sandbox that of its own clock, which can be moved. */
  serviceNow(): Promise<number>
  readonly runShell: RunShell
  /** Runs another command line in this process. */
  readonly runFreight: RunFreight
  /** Ends connections and the embedded sandbox. */
  close(): Promise<void>
}

/** @throws FreightError `usage` for an unknown format or a contradiction. */
function outputOf(globals: Globals, extraFormats: readonly string[] = []): Output {
  const asked = globals.json ? "json" : (globals.format ?? "table")
  if (globals.json && globals.format !== undefined && globals.format !== "json")
    throw new FreightError("usage", `--json and --format ${globals.format} contradict each other`)
  const known = [...new Set([...FORMATS, ...extraFormats])]
  if (!known.includes(asked))
    throw new FreightError("usage", `--format takes ${known.join(", ")}, not '${asked}'`)
  const fields = globals.fields
    ?.split(",")
    .map((field) => field.trim())
    .filter((field) => field !== "")
  if (fields?.length === 0)
    throw new FreightError("usage", "--fields is empty: name the fields, as in --fields id,carrier")
  return { format: asked as Format, ...(fields && { fields }) }
}

/**
 * @param extraFormats what `--format` takes besides, in the command that was called
 * @throws FreightError `usage` when a global flag has a value that it cannot have
 */
export function createDeps(
  given: Globals,
  host: Host,
  runFreight: RunFreight,
  extraFormats: readonly string[] = [],
): Deps {
  const { terminal, clock, ids, env } = host
  const output = outputOf(given, extraFormats)
  const folder = stateDir(env, host.platform)
  const config = openConfig(configDir(env, host.platform), { clock, ids })
  let sandboxSwitch: { by: string | undefined } | undefined
  const globals: Globals = {
    ...given,
    get sandbox() {
      sandboxSwitch ??= { by: findSandboxSwitch(given, env, config) }
      return sandboxSwitch.by !== undefined
    },
  }
  const settings = openSettings(globals, env, config, host.runCommand)
  const files = createFiles(`${folder}/unfinished`, host.signal)
  const scopeOf = (api: Api) => serviceFolder(globals, settings, api)
  const seenOf = (api: Api) => openSeen(`${folder}/${scopeOf(api)}/seen`)
  const profileName = () => (globals.sandbox ? "sandbox" : settings.profile().name)
  const closers: (() => Promise<void>)[] = []
  // A wrong flag is told before anything is done; a profile's limit is looked up when something is sent.
  if (globals.timeout !== undefined) timeoutMs(globals.timeout)

  const sandbox = once(async (): Promise<Sandbox> => {
    const { startSandbox } = await import("./sandbox/server.ts")
    const started = await startSandbox({ dir: `${folder}/sandbox`, clock })
    closers.push(() => started.close())
    return started
  })

  /** Notes and warnings hold words of servers and files: each is one line, so that none can forge another. */
  const tell = (text: string) => {
    const safe = safeText(text, 4000)
    return terminal.stderr.write(`${fitLine(terminal.stderr, terminal.unicode ? safe : inAscii(safe))}\n`)
  }
  const note = async (text: string) => {
    if (!globals.quiet) await tell(text)
  }
  const warn = (text: string) => tell(`warning: ${text}`)

  const warnOfTrust = once(async () => {
    if (!trustsAnyCertificate(env)) return
    const { UNCHECKED } = await import("./config/doctor.ts")
    await warn(UNCHECKED)
  })
  const noteOfSandbox = once(async () => {
    if (!given.sandbox) await note(`This is the sandbox (${sandboxSwitch?.by}): nothing is real.`)
  })
  const endpointOf = (api: Api) => async (): Promise<Endpoint> => {
    if (globals.sandbox) {
      await noteOfSandbox()
      return sandboxEndpoint(await sandbox(), api)
    }
    const found = settings.endpoint(api)
    for (const name of settings.beaten(api))
      await warn(`${name} is set in the environment, and beats what profile '${globals.profile}' holds`)
    await warnOfTrust()
    return found
  }
  const endpoints = { freight: once(endpointOf("freight")), "direct-print": once(endpointOf("direct-print")) }
  const endpoint = (api: Api) => endpoints[api]()

  const connect: Deps["connect"] = async (api, { baseUrl, key }, { direct = false, ...manners } = {}) => {
    const { createTransport } = await import("./api/transport.ts")
    const timeout = settings.timeoutMs()
    const transport = createTransport({
      baseUrl,
      key,
      api,
      clock,
      ids,
      env: globals.sandbox || direct ? {} : env,
      timeouts: { connectMs: Math.min(timeout, 10_000), headersMs: timeout, bodyMs: timeout },
      userAgent: `freight-cli/${VERSION}`,
      signal: host.signal,
      ...manners,
      ...(globals.verbose && { onExchange: (line: string) => void terminal.stderr.write(`${line}\n`) }),
    })
    closers.unshift(() => transport.close())
    return transport
  }
  const transport = async (api: Api) => connect(api, await endpoint(api))
  const freight = once(async () => {
    const [made, { createFreightApi }, { rememberingFreight }] = await Promise.all([
      transport("freight"),
      import("./api/freight.ts"),
      import("./memory/seen.ts"),
    ])
    return rememberingFreight(createFreightApi(made), seenOf("freight"))
  })
  const converse: Deps["converse"] = (options) => host.converse({ plain: globals.plain === true, ...options })
  const prompt = once(async () => withoutBack(await converse({ keepsAnswers: false })))
  const isInteractive = () => globals.input !== false && terminal.stdin.isTTY && terminal.stderr.isTTY
  const spending = createSpendGuard(
    () => !given.yes && output.format === "table" && isInteractive() && settings.value("confirm") !== "never",
    () => converse({ keepsAnswers: false }),
  )

  const desk = workstation(env)
  const person = variable(env, "USER") ?? variable(env, "LOGNAME") ?? variable(env, "USERNAME") ?? ""
  let password: Promise<string | undefined> | undefined
  const askPassword = async (address: PostgresAddress) => {
    const { passwordFor } = await import("./ledger/database/postgres.ts")
    const kept = await passwordFor(address, env)
    return kept === undefined && isInteractive()
      ? (await prompt()).text(`Password of ${address.text}`, { isHidden: true })
      : kept
  }
  const ledgerPorts: LedgerPorts = {
    clock,
    ids,
    sqlite: host.sqlite,
    password(address) {
      password ??= askPassword(address)
      return password
    },
    leaseMs: host.leaseMs,
  }
  const ledgerPlace = () => {
    // The sandbox has a ledger of its own: what it books is not real.
    const { value, from } = globals.sandbox ? { value: undefined } : settings.resolve("ledger")
    return {
      address: value,
      from: from ?? "ledger",
      folder: globals.sandbox ? `${folder}/sandbox` : folder,
    }
  }
  const openedFor = (isRead: boolean) =>
    once(async () => {
      const { openLedger } = await import("./ledger/open.ts")
      const ledger = await openLedger(ledgerPlace(), ledgerPorts, note, isRead)
      closers.push(() => ledger.store.close())
      return ledger
    })
  const opened = openedFor(false)
  const openedToRead = openedFor(true)

  const toOwnKey = async (api: Api, { baseUrl, key }: Endpoint) => {
    const { fingerprint, keyId, SANDBOX_ADDRESS, serviceAddress } = await import("./ledger/accounts/keys.ts")
    const address = globals.sandbox ? SANDBOX_ADDRESS : serviceAddress(baseUrl)
    const own = { fingerprint: fingerprint(key), address, api, workstation: desk }
    const name = settings.value("account")
    return { ...own, id: keyId(own), ...(name !== undefined && { name }) }
  }
  /** The key that is set up, without asking whether it is whole; the sandbox's has all of its ledger. */
  const findOwnKey = async (api: Api) => {
    if (globals.sandbox) return undefined
    const key = settings.value(ENDPOINT[api].key)
    const baseUrl = settings.value(ENDPOINT[api].baseUrl)
    return key === undefined || baseUrl === undefined ? undefined : toOwnKey(api, { baseUrl, key })
  }

  const readerOf = (open: typeof opened) => async (): Promise<LedgerReader> => {
    const { fingerprint, knownScopes } = await import("./ledger/accounts/keys.ts")
    const { store } = await open()
    const key = await findOwnKey("freight")
    const keys = [key, await findOwnKey("direct-print")].flatMap((each) => each?.id ?? [])
    const [scope] = await knownScopes(store.database, key ? [key.id] : [])
    const scopes = await knownScopes(store.database, keys)
    return {
      store,
      account: key?.fingerprint ?? fingerprint(""),
      owner: key && scope !== undefined ? { ...key, scope } : undefined,
      scope,
      ...(scopes.length > 0 && { scopes }),
      clock,
      signal: host.signal,
    }
  }

  let made: { count: number; last: Entry } | undefined
  const makeLedger = (api: Api) => async (): Promise<LedgerDeps> => {
    const key = await toOwnKey(api, await endpoint(api))
    const { openAccount, openPrintAccount } = await import("./ledger/accounts/account.ts")
    const { createLeaseKeeper, LEASE_MS } = await import("./ledger/lease.ts")
    const { store, outbox } = await opened()
    const open = async () =>
      api === "freight"
        ? openAccount(store.database, key, { listConnectors, sees })
        : openPrintAccount(store.database, key, await findFreightAccount())
    const owner = await open()
    if (api === "freight") await warnOfDuplicates(store, owner)
    const newest: Entry[] = []
    // At the end and at once: a batch makes many.
    const remember = async () => {
      const { rememberMade } = await import("./memory/seen.ts")
      await rememberMade(seenOf(api), newest)
    }
    return {
      store,
      outbox,
      owner,
      async refreshAccount() {
        Object.assign(owner, await open())
      },
      clock,
      sender: { workstation: desk, person },
      signal: host.signal,
      spending,
      leases: createLeaseKeeper({
        leaseMs: host.leaseMs ?? LEASE_MS,
        clock,
        every: host.every,
        renew: store.renew,
      }),
      made(entry) {
        if (newest.length === 0) closers.push(remember)
        newest.push(entry)
        made = { count: (made?.count ?? 0) + 1, last: entry }
        if (newest.length > THINGS_AT_MOST) newest.shift()
      },
      ...(host.at && { at: host.at }),
    }
  }
  const ledgers = { freight: once(makeLedger("freight")), "direct-print": once(makeLedger("direct-print")) }

  /** Whose a print is. Where that cannot be found out now, those of the address: see `openPrintAccount`. */
  const findFreightAccount = async (): Promise<Account | undefined> => {
    const { owner } = await readerOf(opened)()
    if (owner) return owner
    try {
      return (await ledgers.freight()).owner
    } catch (error) {
      if (error instanceof FreightError && error.kind !== "interrupted") return undefined
      throw error
    }
  }
  const warnOfDuplicates = async (store: Store, { scope }: Account) => {
    const { describeDuplicate } = await import("./ledger/refusals.ts")
    for (const entry of await store.duplicates([scope])) await warn(describeDuplicate(entry))
  }
  const listConnectors = async (): Promise<string[]> =>
    (await (await freight()).listConnectors()).connectors.map(({ id }) => id)
  const sees = async (shipmentId: string): Promise<boolean> => {
    try {
      await (await freight()).getShipment(shipmentId)
      return true
    } catch (error) {
      if (error instanceof FreightError && error.kind === "notFound") return false
      throw error
    }
  }

  return {
    globals,
    env,
    terminal,
    output,
    clock,
    ids,
    files,
    get outputs() {
      return openOutputs(`${folder}/outputs.json`, files.write, terminal.stdout)
    },
    signal: host.signal,
    stateDir: folder,
    config,
    settings,
    get interactive() {
      return isInteractive()
    },
    prompt,
    spending,
    converse,
    runtime: { node: host.node, platform: host.platform },
    get quotes() {
      return openQuotes(`${folder}/${scopeOf("freight")}/quotes`, clock)
    },
    get drafts() {
      const owner = { profile: profileName(), workstation: desk, user: person }
      return openDrafts(`${folder}/${scopeOf("freight")}/drafts`, owner, clock.now)
    },
    get seen() {
      return seenOf("freight")
    },
    get tracked() {
      return openTracked(`${folder}/${scopeOf("freight")}/tracked`)
    },
    get handedOver() {
      return openTracked(`${folder}/${scopeOf("freight")}/handed-over`)
    },
    devices(api) {
      const owner = { profile: profileName(), api, workstation: desk }
      return openDevices(`${folder}/${scopeOf(api)}/devices`, owner)
    },
    ledger: (api) => ledgers[api](),
    hasLedger: async () => (await import("./ledger/open.ts")).hasLedger(ledgerPlace()),
    readLedger: once(readerOf(openedToRead)),
    writeLedger: once(readerOf(opened)),
    sender: { workstation: desk, person },
    endpoint,
    connect,
    freight,
    directPrint: once(async () => {
      const [made, { createDirectPrintApi }, { rememberingPrint }] = await Promise.all([
        transport("direct-print"),
        import("./api/direct-print.ts"),
        import("./memory/seen.ts"),
      ])
      return rememberingPrint(createDirectPrintApi(made), seenOf("direct-print"))
    }),
    ledgerPorts,
    note,
    warn,
    made: () => made,
    serviceNow: async () => (globals.sandbox ? (await sandbox()).now() : clock.now()),
    runShell: host.runShell,
    runFreight,
    async close() {
      for (const closer of closers.splice(0)) await closer()
      clearLeftovers([folder, path.dirname(config.file)], clock.now())
    },
  }
}

function sandboxEndpoint(sandbox: Sandbox, api: Api): Endpoint {
  return api === "freight"
    ? { baseUrl: sandbox.freightBaseUrl, key: sandbox.freightApiKey }
    : { baseUrl: sandbox.directPrintBaseUrl, key: sandbox.directPrintApiKey }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
