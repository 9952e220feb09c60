/** The ledger as commands use it: to create, to read and settle, to maintain. */
import { MAX_SEEN, openSeen, stateDir as stateDirOf } from "../machine/index.ts"
import type { Api } from "../contract/index.ts"
import { FreightError } from "../base/errors.ts"
import type {
  Account,
  Entry,
  LedgerDeps,
  LedgerPorts,
  ReconcileDeps,
  Sender,
  Store,
} from "../ledger/index.ts"
import type { Asking } from "./asking.ts"
import type { Services } from "./services.ts"
import { openOwnKeys } from "./own-keys.ts"
import { openPlaces, type PlaceDeps } from "./places.ts"
import { once, type OpenSession } from "./session.ts"
import { VERSION } from "../base/version.ts"

/** The ledger for reading and settling, without sending anything. */
export interface LedgerReader extends ReconcileDeps {
  /** The account of the freight key that is set up, if the ledger knows it. */
  owner: Account | undefined
  scope: string | undefined
}

export interface Ledgers extends PlaceDeps {
  /** The ledger of one API: every create goes through `createOnce` with it. */
  ledger(api: Api): Promise<LedgerDeps>
  /** Whether there is a ledger: before the first send, its driver need not be loaded. */
  hasLedger(): Promise<boolean>
  /** The ledger, to read and to settle: no key is needed. */
  readLedger(): Promise<LedgerReader>
  /** The same, but the ledger is created if missing: for records that send nothing. */
  writeLedger(): Promise<LedgerReader>
  /**
   * Finds entries of the account that this desk's other ledger has and the one in use lacks, with the command that
   * copies them.
   * @param store the ledger in use; undefined before it is opened
   * @param place where it is
   */
  findLeftLedger(
    store: Store | undefined,
    place?: string,
  ): Promise<{ message: string; how: string; next?: string } | undefined>
  readonly sender: Sender
  /** Asks for the password of a ledger's database if it needs one. */
  readonly ledgerPorts: LedgerPorts
  /** Items created in this run: how many, how many of them shipments, and the last. */
  made(): { count: number; shipments: number; last: Entry } | undefined
}

export function openLedgers(
  session: OpenSession,
  sender: Sender,
  { freight, endpoint }: Services,
  asking: Asking,
): Ledgers {
  const { host, env, clock, stateDir, note, warn, atEnd } = session

  const ledgerPorts = createPorts(session, asking)
  const openFor = (isRead: boolean) =>
    once(async () => {
      const { openLedger } = await import("../ledger/open.ts")
      const ledger = await openLedger(findLedger(session), ledgerPorts, note, isRead)
      atEnd(() => ledger.store.close())
      if (!isRead) {
        const { noteDesk } = await import("../ledger/records/desks.ts")
        const { SCHEMA_VERSION } = await import("../ledger/version.ts")
        // The claim reports errors of the database; this row is only for people.
        const desk = { workstation: sender.workstation, version: VERSION, schema: SCHEMA_VERSION }
        await noteDesk(ledger.store.database, desk).catch(() => {})
      }
      return ledger
    })
  const opened = openFor(false)

  const { toOwnKey, findOwnKey } = openOwnKeys(session, sender)
  const createReader = (open: typeof opened) => async (): Promise<LedgerReader> => {
    const { fingerprint, knownScopes } = await import("../ledger/accounts/keys.ts")
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

  let made: ReturnType<Ledgers["made"]>
  const openToCreate = (api: Api) => async (): Promise<LedgerDeps> => {
    if (!session.globals.sandbox) {
      const { refuseMisspeltVariables } = await import("../machine/config/misspelt.ts")
      refuseMisspeltVariables(env, host.platform)
    }
    const key = await toOwnKey(api, await endpoint(api))
    const { askingService, openAccount, openPrintAccount } = await import("../ledger/accounts/account.ts")
    const { createLeaseKeeper, LEASE_MS } = await import("../ledger/lease.ts")
    const { store, outbox } = await opened()
    const openOwner = async () =>
      api === "freight"
        ? openAccount(store.database, key, askingService(freight))
        : openPrintAccount(store.database, key, await findFreightAccount())
    const owner = await openOwner()
    if (api === "freight") {
      await warnOfDuplicates(store, owner, warn)
      const left = await findLeft(store)
      if (left) await warn(`${left.message}. ${left.how}`)
    }
    const newest: Entry[] = []
    // Once at the end, and not for each: a batch creates many.
    const remember = async () => {
      const { rememberMade } = await import("../machine/memory/seen.ts")
      await rememberMade(openSeen(`${session.serviceFolder(api)}/seen`), newest)
    }
    return {
      store,
      outbox,
      owner,
      async refreshAccount() {
        Object.assign(owner, await openOwner())
      },
      clock,
      sender,
      signal: host.signal,
      spending: asking.spending,
      leases: createLeaseKeeper({
        leaseMs: host.leaseMs ?? LEASE_MS,
        clock,
        every: host.every,
        renew: store.renew,
      }),
      made(entry) {
        if (newest.length === 0) atEnd(remember)
        newest.push(entry)
        const { count = 0, shipments = 0 } = made ?? {}
        made = { count: count + 1, shipments: shipments + (entry.kind === "shipment" ? 1 : 0), last: entry }
        if (newest.length > MAX_SEEN) newest.shift()
      },
      ...(host.at && { at: host.at }),
    }
  }
  const ledgers = {
    freight: once(openToCreate("freight")),
    "direct-print": once(openToCreate("direct-print")),
  }

  /** The account of a print. If it cannot be determined now, the address's: see `openPrintAccount`. */
  const findFreightAccount = async (): Promise<Account | undefined> => {
    const { owner } = await createReader(opened)()
    if (owner) return owner
    try {
      return (await ledgers.freight()).owner
    } catch (error) {
      if (error instanceof FreightError && error.kind !== "interrupted") return undefined
      throw error
    }
  }
  const findLeft: Ledgers["findLeftLedger"] = async (store, place = store?.place ?? "") => {
    const key = await findOwnKey("freight")
    if (key === undefined) return undefined
    const { findLeftBeside } = await import("../ledger/maintenance/left.ts")
    const folders = [stateDir, stateDirOf({ ...env, FREIGHT_STATE_DIR: undefined }, host.platform)]
    return findLeftBeside(folders, { store, place }, key.id, ledgerPorts)
  }

  const hasLedger = async () => (await import("../ledger/open.ts")).hasLedger(findLedger(session))
  const readLedger = once(createReader(openFor(true)))

  return {
    ledger: (api) => ledgers[api](),
    hasLedger,
    readLedger,
    ...openPlaces({ hasLedger, readLedger }),
    writeLedger: once(createReader(opened)),
    findLeftLedger: findLeft,
    sender,
    ledgerPorts,
    made: () => made,
  }
}

function createPorts({ host, env, clock, ids }: OpenSession, asking: Asking): LedgerPorts {
  const findPassword: LedgerPorts["password"] = async (address) => {
    const { passwordFor } = await import("../ledger/database/postgres.ts")
    const kept = await passwordFor(address, env)
    return kept === undefined && asking.interactive
      ? (await asking.prompt()).text(`Password of ${address.text}`, { isHidden: true })
      : kept
  }
  let password: Promise<string | undefined> | undefined
  return {
    clock,
    ids,
    sqlite: host.sqlite,
    password(address) {
      password ??= findPassword(address)
      return password
    },
    leaseMs: host.leaseMs,
    signal: host.signal,
  }
}

function findLedger({ globals, settings, stateDir }: OpenSession) {
  // The sandbox has a ledger of its own: its bookings are not real.
  const { value, from } = globals.sandbox ? { value: undefined } : settings.resolve("ledger")
  return {
    address: value,
    from: from ?? "ledger",
    folder: globals.sandbox ? `${stateDir}/sandbox` : stateDir,
  }
}

async function warnOfDuplicates(store: Store, { scope }: Account, warn: OpenSession["warn"]): Promise<void> {
  const { describeDuplicate } = await import("../ledger/refusals.ts")
  for (const entry of await store.duplicates([scope])) await warn(describeDuplicate(entry))
}
