/** What the steps of the wizard may touch besides the conversation. */
import type { FreightApi } from "../../api/freight.ts"
import type { ConfigStore } from "../../config/file.ts"
import { expandPackage } from "../../config/packages.ts"
import { checkNewName } from "../../config/saved.ts"
import * as requests from "../../contract/generated/requests.js"
import type { AggregatedRateResponse, BookingAddress, RateRequest } from "../../contract/generated/types.ts"
import { type Parsed, parsed, refused } from "../../contract/parsed.ts"
import { rateDefaults } from "../../contract/request-rules.ts"
import { FreightError, toStepError } from "../../errors.ts"
import type { Drafts } from "../../memory/drafts.ts"
import type { KeptQuote, Quotes } from "../../memory/quotes.ts"
import type { Seen } from "../../memory/seen.ts"
import type { Clock } from "../../ports.ts"
import { paint, type Style } from "../../terminal/style.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { findConnectors } from "../connector.ts"
import { type Draft, getParty } from "./draft.ts"

export interface SavedParty {
  name: string
  address: BookingAddress
}

export type World = ReturnType<typeof openWorld>

/** A booking that was made, without what belongs to that order alone. */
export interface EarlierBooking {
  request: Record<string, unknown>
  connectorId: string | undefined
}

/** The newest booking for the draft's receiver, or else the newest. */
export function findLastTime(draft: Draft, { earlier }: Pick<World, "earlier">): EarlierBooking | undefined {
  const receiver = getParty(draft, "receiver")
  return earlier.find(({ request }) => receiver && isSameParty(request.receiver, receiver)) ?? earlier[0]
}

/** Whether both are the same business at the same place, whatever else differs. */
export function isSameParty(one: unknown, other: BookingAddress): boolean {
  const { companyName, postcode } = Object(one) as Partial<BookingAddress>
  return companyName === other.companyName && postcode === other.postcode
}

/** What the draft's key means for it, to be told before it is confirmed. */
export interface Keyed {
  /** The key belongs to another booking: this one cannot be sent under it. */
  taken?: string
  /** It was booked under the key before: that booking is shown, and nothing is sent. */
  recorded?: string
}

export interface Marks {
  readonly arrow: string
  readonly times: string
  readonly cubic: string
  readonly dot: string
}

/** The signs of a terminal. @param unicode whether it has more than ASCII */
export function chooseMarks(unicode: boolean): Marks {
  return unicode
    ? { arrow: "→", times: "×", cubic: "m³", dot: "·" }
    : { arrow: "->", times: "x", cubic: "m3", dot: "-" }
}

export interface WorldDeps {
  clock: Clock
  config: ConfigStore
  quotes: Quotes
  seen: Pick<Seen, "connectors">
  drafts: Drafts
  terminal: Terminal
  freight(): Promise<FreightApi>
  warn(text: string): Promise<void>
}

interface WorldOptions {
  /** The zone of the workstation's clock. */
  zone: string
  sandbox: boolean
  dryRun: boolean
  unicode: boolean
  /** Earlier bookings, the newest first. */
  earlier: readonly EarlierBooking[]
  lookUpKey(draft: Draft): Promise<Keyed>
}

/** What one conversation may touch. */
export function openWorld(deps: WorldDeps, { unicode, ...options }: WorldOptions) {
  const { clock, config, quotes, drafts, terminal } = deps
  const now = () => clock.now()
  let told = false
  return {
    ...options,
    now,
    marks: chooseMarks(unicode),
    /** Saved addresses that the contract takes, by name. */
    addresses: (): SavedParty[] =>
      Object.entries(config.read().addresses).flatMap(([name, address]) =>
        requests.BookingAddress(address) ? [{ name, address }] : [],
      ),
    /** @throws FreightError `usage` for a name that an address cannot have, `config` when it cannot be saved */
    async saveAddress(name: string, address: BookingAddress): Promise<void> {
      checkNewName("addresses", name)
      await config.update((before) => ({ ...before, addresses: { ...before.addresses, [name]: address } }))
    },
    /** A package with the name of a saved one written out. */
    expandPackage(text: string): Parsed<string> {
      try {
        return parsed(expandPackage(config, text))
      } catch (error) {
        if (error instanceof FreightError) return refused(`${error.message}. ${error.hint ?? ""}`.trim())
        throw error
      }
    },
    /** Live rates of every connector, kept for `freight book --rate`. */
    async rates(asked: RateRequest): Promise<KeptQuote> {
      const request = rateDefaults(asked, now())
      const { quoteId, results }: AggregatedRateResponse = await (await deps.freight()).rates(request)
      const quote = { quoteId, quotedAt: now(), request, results }
      await quotes.keep(quote)
      return quote
    },
    /** Names of connectors by id, as far as they were seen. */
    async connectorNames(): Promise<ReadonlyMap<string, string>> {
      try {
        return new Map((await findConnectors(deps)).map(({ id, name }) => [id, name]))
      } catch (error) {
        // A name is a convenience.
        toStepError(error)
        return new Map()
      }
    },
    async keep(draft: Draft): Promise<void> {
      // Before the first answer there is nothing to lose.
      if (Object.keys(draft.request).length === 0) return
      try {
        await drafts.keep({ id: draft.id, savedAt: now(), value: draft })
      } catch (error) {
        if (!told)
          await deps.warn(`the answers cannot be kept: ${error instanceof Error ? error.message : error}`)
        told = true
      }
    },
    paint: (style: Style, text: string) => paint(terminal.stderr, style, text),
  }
}
