/** Candidates that only this machine has. It uses no network, because a person waits at the keyboard. */
import {
  configDir,
  type ConfigFile,
  findSandboxSwitch,
  findShownRate,
  type Globals,
  isSettingKey,
  type KeptQuote,
  listQuoteIds,
  openConfigFile,
  openQuotes,
  openSeen,
  openSettings,
  type SeenKind,
  serviceFolder,
  settingOf,
  stateDir,
} from "../../machine/index.ts"
import { type Api, APIS, formatPlace, QUOTE_LIFETIME_MS } from "../../contract/index.ts"
import type { Clock, Ids, Env } from "../../base/ports.ts"
import { carrierLetter } from "../../carriers/index.ts"
import { formatMoney } from "../../base/money.ts"
import { isPrefix } from "../../base/names.ts"
import { safeText, UNSAFE } from "../../base/safe-text.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import type { LedgerPorts, Store } from "../../ledger/index.ts"
import type { DataKind, Word } from "./values.ts"

export interface Machine {
  env: Env
  platform: string
  clock: Clock
  ids: Ids
  sqlite: LedgerPorts["sqlite"]
}

/** Enough for a person, few enough for a terminal. */
const MAX_OFFERED = 300
/** Places that begin with the typed text, those with the most addresses first. */
const MAX_PLACES = 30
/** Recent quotes whose rates are offered. */
const MAX_QUOTES = 3

/**
 * @param words the words before the one that is completed, without `freight`
 * @param typed what is typed of that one
 * @returns nothing after an error: file names may still be offered
 */
export async function findOnMachine(
  kind: DataKind,
  words: readonly string[],
  machine: Machine,
  typed = "",
): Promise<Word[]> {
  try {
    const found = await SOURCES[kind](placeOf(words, machine), typed)
    const offered = ANY_CASE.includes(kind) ? found.map((word) => inCaseOf(typed, word)) : found
    // Fish also offers words that only contain the typed text; none of them may displace one that begins with it.
    const isBegun = ({ value }: Word) => value.startsWith(typed)
    return [...offered.filter(isBegun), ...offered.filter((word) => !isBegun(word))]
      .filter(isTypable)
      .slice(0, MAX_OFFERED)
      .map(({ value, about = "" }) => ({ value, about: safeText(about, 80).trim() }))
  } catch {
    return []
  }
}

/** Data that freight finds in upper or lower case: `so-17` is `SO-17`. */
const ANY_CASE: readonly DataKind[] = ["consignments", "orders", "pickups", "places", "shipments"]

/** The word with its beginning as typed, if only the case differs: shells compare case. */
function inCaseOf(typed: string, word: Word): Word {
  const isSame = word.value.toLowerCase().startsWith(typed.toLowerCase())
  return isSame ? { ...word, value: typed + word.value.slice(typed.length) } : word
}

/** Leaves out words that a shell would misread or treat as a flag or as the answer's last line. */
function isTypable({ value }: Word): boolean {
  return value !== "" && !/^[-:]/.test(value) && value.search(UNSAFE) < 0 && value.length <= 200
}

type KnownData = ReturnType<typeof placeOf>

/** The folder in which this machine keeps data about the service that the words name. */
function placeOf(words: readonly string[], { env, platform, clock, ids, sqlite }: Machine) {
  const profile = givenTo(words, "--profile")
  const given: Globals = { sandbox: words.includes("--sandbox"), ...(profile !== undefined && { profile }) }
  const config = openConfigFile(configDir(env, platform))
  const globals: Globals = { ...given, sandbox: findSandboxSwitch(given, env, config) !== undefined }
  const settings = openSettings(globals, env, config)
  const folderOf = (api: Api) => `${stateDir(env, platform)}/${serviceFolder(globals, settings, api)}`
  // Lazy: without the named profile there are still saved addresses.
  return {
    words,
    clock,
    config,
    /** Folders of both APIs; often the same. */
    get folders() {
      return [...new Set(APIS.map(folderOf))]
    },
    /** The ledger on this machine. A shared ledger is not read, because a person waits at the keyboard. */
    async ledger() {
      const { ledgerFile, openDatabase } = await import("../../ledger/open.ts")
      const folder = stateDir(env, platform)
      const set = globals.sandbox ? undefined : settings.value("ledger")
      const file = set ?? ledgerFile(globals.sandbox ? `${folder}/sandbox` : folder)
      const ports = { clock, ids, sqlite, password: async () => undefined }
      return file.startsWith("postgres") ? undefined : openDatabase(file, "ledger", ports, true)
    },
    get seen() {
      return openSeen(`${folderOf("freight")}/seen`)
    },
    get quotes() {
      return openQuotes(`${folderOf("freight")}/quotes`)
    },
  }
}

/** Value of a flag given as `--flag VALUE` or `--flag=VALUE`. */
function givenTo(words: readonly string[], flag: string): string | undefined {
  const joined = words.findLast((word) => word.startsWith(`${flag}=`))
  if (joined !== undefined) return joined.slice(flag.length + 1)
  const at = words.lastIndexOf(flag)
  return at < 0 ? undefined : words[at + 1]
}

type Source = (place: KnownData, typed?: string) => Word[] | Promise<Word[]>

const SOURCES: Readonly<Record<DataKind, Source>> = {
  addresses: ({ config }) =>
    Object.entries(config.read().addresses).map(([value, address]) => {
      const { companyName, suburb, state, postcode } = Object(address)
      return {
        value,
        about: [companyName, [suburb, state, postcode].filter(Boolean).join(" ")].filter(Boolean).join(", "),
      }
    }),

  parties: ({ config }) => listPartyWords(config, () => true),
  suppliers: ({ config }) => listPartyWords(config, ({ supplierName }) => supplierName !== undefined),
  customers: ({ config }) => listPartyWords(config, ({ billTo }) => billTo !== undefined),

  profiles: ({ config }) => {
    const { profiles, current } = config.read()
    return Object.keys(profiles).map((value) => ({ value, ...(value === current && { about: "in use" }) }))
  },

  async connectors({ seen, quotes }) {
    const known = (await seen.connectors()).map(({ id, name, carrier }) => ({
      value: id,
      about: `${name}, ${carrier}`,
    }))
    const quoted = (await quotes.latest(MAX_QUOTES)).flatMap(({ results }) =>
      results.map(({ connectorId, carrier }) => ({ value: connectorId, about: carrier })),
    )
    return distinct([...known, ...quoted])
  },

  async services({ words, seen, quotes }) {
    const wanted = givenTo(words, "--connector")
    const isAsked = (connector: string) => wanted === undefined || wanted === connector
    const known = (await seen.connectors())
      .filter(({ id, name }) => isAsked(id) || isAsked(name))
      .flatMap(({ name, services }) =>
        services.map((service) => ({ value: service.serviceCode, about: `${service.description}, ${name}` })),
      )
    const quoted = (await quotes.latest(MAX_QUOTES)).flatMap(({ results }) =>
      results
        .filter(({ connectorId }) => isAsked(connectorId))
        .flatMap(({ carrier, rates = [] }) =>
          rates.map(({ serviceCode, description }) => ({
            value: serviceCode,
            about: [description, carrier].filter(Boolean).join(", "),
          })),
        ),
    )
    return distinct([...known, ...quoted])
  },

  async avoided(place) {
    const carriers = (await place.seen.connectors()).map(({ carrier, name }) => ({
      value: carrierLetter(carrier),
      about: name,
    }))
    return distinct([...carriers, ...(await SOURCES.services(place))])
  },

  async devices({ words, folders }) {
    const wanted = givenTo(words, "--api")
    const lists = await Promise.all(
      folders.flatMap((folder) =>
        APIS.filter((api) => wanted === undefined || wanted === api).map((api) =>
          openSeen(`${folder}/seen`).devices(api),
        ),
      ),
    )
    return distinct(
      lists.flat().map(({ id, label, printerName }) => ({
        value: id,
        about: [label, printerName].filter(Boolean).join(", "),
      })),
    )
  },

  async places(_, typed = "") {
    const [{ createPlaces }, { loadPlaceList }] = await Promise.all([
      import("../../machine/places/judge.ts"),
      import("../../machine/places/load.ts"),
    ])
    const names = createPlaces(await loadPlaceList())
      .complete(typed, MAX_PLACES)
      .map(formatPlace)
    const fitting = names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
    return fitting.map((value) => ({ value }))
  },

  async shipments(place, typed) {
    return distinct([...(await SOURCES.consignments(place, typed)), ...(await things(place, "shipments"))])
  },
  pickups: (place) => things(place, "pickups"),

  async consignments(place, typed) {
    const numbers = (await place.seen.list("shipments")).flatMap(({ consignment, about }) =>
      consignment === undefined ? [] : [{ value: consignment, about }],
    )
    // Without a ledger there are still the numbers that were seen.
    const orders = await listOrders(place, typed).catch((): Word[] => [])
    return distinct([...orders, ...numbers])
  },

  async rates(place) {
    const wanted = givenTo(place.words, "--connector")
    const last = await place.quotes.lastShown()
    const numbered = last && isBookable(last, place) ? listNumbered(last, wanted) : []
    if (numbered.length > 0) return numbered
    return (await bookable(place)).flatMap(({ request, results }) =>
      results
        .filter(({ connectorId }) => wanted === undefined || wanted === connectorId)
        .flatMap(({ carrier, rates = [] }) =>
          rates.flatMap(({ rateId, serviceCode, price, currency, eta }) => {
            const about = [
              `${price} ${currency} ${carrier} ${serviceCode}`,
              ...(eta ? [`arrives ${eta.slice(0, 10)}`] : []),
              `to ${request.to.suburb}`,
            ]
            return rateId ? [{ value: rateId, about: about.join(", ") }] : []
          }),
        ),
    )
  },

  async quotes(place) {
    return (await bookable(place)).flatMap((quote) => {
      const { quotedAt, request } = quote
      const about = `${request.from.suburb} to ${request.to.suburb}, asked ${formatInstant(new Date(quotedAt).toISOString())}`
      return listQuoteIds(quote).map((value) => ({ value, about }))
    })
  },

  maps: ({ config }) => Object.keys(config.read().maps ?? {}).map((value) => ({ value })),

  orders: (place, typed) => listOrders(place, typed),

  async "open-keys"({ ledger }) {
    const open = await readLedger(ledger, (store) => store.open())
    const { nameText } = await import("../../ledger/entry.ts")
    return open.map((entry) => ({
      value: nameText(entry) || entry.id,
      about: [entry.kind, entry.facts.about].filter(Boolean).join(", "),
    }))
  },

  async disputes({ ledger }) {
    const book = await readBook(ledger)
    const { isOpen, toDisputeBalances } = await import("../../bills/disputes/balance.ts")
    return toDisputeBalances(book)
      .filter(isOpen)
      .map(({ dispute, state }) => ({
        value: dispute.consignment || dispute.id,
        about: `${state}, bill ${dispute.billNumber || dispute.file}`,
      }))
  },

  async credits({ ledger }) {
    const book = await readBook(ledger)
    const { toCreditBalances } = await import("../../bills/disputes/balance.ts")
    return toCreditBalances(book)
      .filter(({ cents, usedCents }) => cents > usedCents)
      .map(({ credit }) => ({ value: credit.id, about: credit.consignment }))
  },

  async "setting-values"(place) {
    const setting = place.words.findLast((word) => !word.startsWith("-")) ?? ""
    if (!isSettingKey(setting)) return []
    const { kind, choices } = settingOf(setting)
    if (choices) return choices.map((value) => ({ value }))
    if (kind === "service") return [...WORDS_FOR_SERVICE, ...(await SOURCES.services(place))]
    if (kind === "avoid") return SOURCES.avoided(place)
    return kind === "address" ? SOURCES.addresses(place) : []
  },
}

/** The newest bookings by their names, and older ones if enough is typed to look them up. */
async function listOrders({ ledger }: KnownData, typed = ""): Promise<Word[]> {
  const [{ keyText }, { findNamed }] = await Promise.all([
    import("../../ledger/entry.ts"),
    import("../../ledger/records/named.ts"),
  ])
  const entries = await readLedger(ledger, async (store) => {
    const page = { after: undefined, size: MAX_OFFERED }
    const newest = await store.history({ kind: "shipment", state: "done", page })
    const named = isPrefix(typed) ? await findNamed(store.database, typed, undefined) : []
    return [...newest, ...named.filter(({ kind, state }) => kind === "shipment" && state === "done")]
  })
  return distinct(
    entries.flatMap((entry) => {
      const { reference, consignmentNumber, about = "" } = entry.facts
      // A generated key means nothing to people.
      const key = entry.keyGiven ? keyText(entry) : undefined
      return [key, reference, consignmentNumber].map((value = "") => ({ value, about }))
    }),
  )
}

/** Reads from the ledger; empty if there is none. */
async function readLedger<Item>(
  ledger: KnownData["ledger"],
  read: (store: Store) => Promise<Item[]>,
): Promise<Item[]> {
  const database = await ledger()
  if (!database) return []
  const { createStore } = await import("../../ledger/store.ts")
  const found = await read(createStore(database, { ids: { uuid: () => "", random: () => 0 }, leaseMs: 0 }))
  await database.close()
  return found
}

async function readBook(ledger: KnownData["ledger"]) {
  const database = await ledger()
  if (!database) return { disputes: [], steps: [], credits: [] }
  const { readUnsettled } = await import("../../bills/records/disputes.ts")
  const book = await readUnsettled(database)
  await database.close()
  return book
}

/** The rates of a table by their numbers, as `--rate` takes them. */
function listNumbered(quote: KeptQuote, connector: string | undefined): Word[] {
  return (quote.shown ?? []).flatMap((_, at) => {
    const shown = findShownRate(quote, at + 1)
    if (!shown || (connector !== undefined && shown.connectorId !== connector)) return []
    const { rate, carrier } = shown
    const about = `${formatMoney(rate.price, rate.currency)}, ${rate.description}, carrier ${carrierLetter(carrier)}`
    return [{ value: String(at + 1), about }]
  })
}

function listPartyWords(config: ConfigFile, isOffered: (party: Record<string, unknown>) => boolean): Word[] {
  return Object.entries(config.read().parties ?? {})
    .filter(([, party]) => isOffered(party))
    .map(([value, { supplierName, billTo }]) => ({
      value,
      about: [supplierName, billTo].filter(Boolean).join(", "),
    }))
}

const WORDS_FOR_SERVICE: readonly Word[] = [
  { value: "cheapest", about: "the cheapest that meets the wishes" },
  { value: "best-value", about: "the cheapest by what it is likely to be billed at" },
  { value: "fastest", about: "the one that arrives first" },
  { value: "reliable", about: "the cheapest that arrives in time 9 times of 10" },
]

async function things({ seen }: KnownData, kind: SeenKind): Promise<Word[]> {
  return (await seen.list(kind)).map(({ id, consignment, about }) => ({
    value: id,
    about: [consignment, about].filter(Boolean).join(", "),
  }))
}

async function bookable(place: KnownData) {
  return (await place.quotes.latest(MAX_QUOTES)).filter((quote) => isBookable(quote, place))
}

function isBookable({ quotedAt }: KeptQuote, { clock }: KnownData): boolean {
  return quotedAt > clock.now() - QUOTE_LIFETIME_MS
}

function distinct(words: readonly Word[]): Word[] {
  const first = new Map<string, Word>()
  for (const word of words) if (!first.has(word.value)) first.set(word.value, word)
  return [...first.values()]
}
