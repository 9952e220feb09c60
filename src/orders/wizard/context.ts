/** The parts of freight that the wizard's steps use. */
import {
  type Knowledge,
  type PlaceOwn,
  rateDefaults,
  type SavedAddress,
  takePlaceOwn,
  type WrittenPlace,
} from "../../contract/index.ts"
import type { FreightApi } from "../../api/index.ts"
import {
  checkNewName,
  type ConfigStore,
  createFindSize,
  type KeptQuote,
  type Places,
  type Quotes,
  type Seen,
  type Settings,
} from "../../machine/index.ts"
import * as requests from "../../contract/generated/requests.js"
import type { BookingAddress, RateRequest } from "../../contract/generated/types.ts"
import { zoneHere } from "../../base/wall-clock.ts"
import { toStepError } from "../../base/errors.ts"
import type { Clock } from "../../base/ports.ts"
import type { Conversation } from "../../output/index.ts"
import type { AskOptions, RatePace } from "../booking/carrier-rates.ts"
import { fetchConnectors, findConnectors } from "../booking/connector.ts"
import { createCompleteRates, type EvidenceDeps } from "../booking/evidence.ts"
import { createJudge } from "../booking/in-time.ts"
import { formatComparedRates } from "../booking/compared-rates.ts"
import { askRates } from "../booking/price.ts"
import { rateRows } from "../booking/rates.ts"
import type { JsonObject } from "../../base/json.ts"
import { isSameParty } from "../booking/request.ts"
import type { Earlier } from "../lookup/earlier.ts"
import { type Draft, getParty } from "./draft.ts"

export interface SavedParty {
  name: string
  address: BookingAddress
  /** Stored data about its place, beside the address. */
  own?: PlaceOwn
}

/** A booking without fields that belong to that order alone. */
export type EarlierBooking = Omit<Earlier, "entry">

/** The effect of the draft key; shown before it is confirmed. */
export interface KeyMeaning {
  /** The key belongs to another booking: this one cannot be sent under it. */
  taken?: string
  /** It was booked under the key before: that booking is shown, and nothing is sent. */
  recorded?: string
  /** The same goods were booked under another reference. */
  same?: string
}

interface ContextOptions {
  sandbox: boolean
  earlier: readonly EarlierBooking[]
  dryRun?: boolean
  /** Finds the zone of the workstation's clock. It takes Node 12 ms at its first use. */
  zone?(): string
  keep?: (draft: Draft) => Promise<void>
  lookUpKey?: (draft: Draft) => Promise<KeyMeaning>
  /**
   * Describes a booking of the last 24 hours from this sender to this receiver with these goods; undefined if there is
   * none.
   */
  findRecent?: (draft: Draft) => Promise<string | undefined>
}

export type WizardContext = ReturnType<typeof createContext>

export function createContext(
  deps: EvidenceDeps & {
    clock: Clock
    config: ConfigStore
    quotes: Quotes
    seen: Pick<Seen, "connectors">
    settings: Pick<Settings, "resolve" | "value">
    freight(): Promise<FreightApi>
    ratePace: RatePace
    /** The list of places; without it none is completed or checked. */
    places?(asked: readonly WrittenPlace[]): Promise<Places>
    knowledge?(asked: readonly WrittenPlace[]): Promise<Knowledge>
  },
  conversation: Conversation,
  options: ContextOptions,
) {
  const { clock, config, quotes } = deps
  const completeRates = createCompleteRates(deps)
  return {
    dryRun: false,
    zone: zoneHere,
    keep: async (_: Draft): Promise<void> => {},
    lookUpKey: async (_: Draft): Promise<KeyMeaning> => ({}),
    findRecent: async (_: Draft): Promise<string | undefined> => undefined,
    ...options,
    conversation,
    ...(deps.places && { places: deps.places }),
    ...(deps.knowledge && { knowledge: deps.knowledge }),
    now: () => clock.now(),
    /** Saved addresses that the contract accepts, by name. */
    addresses: (): SavedParty[] =>
      Object.entries(config.read().addresses).flatMap(([name, saved]) => {
        const { address, own } = takePlaceOwn(saved)
        return requests.BookingAddress(address) ? [{ name, address, own }] : []
      }),
    async saveAddress(name: string, address: SavedAddress): Promise<void> {
      if (!Object.hasOwn(config.read().addresses, name)) checkNewName("addresses", name)
      await config.update((before) => ({ ...before, addresses: { ...before.addresses, [name]: address } }))
    },
    findSize: createFindSize(config),
    /**
     * Live rates of every connector that answers soon, stored for `freight book --rate`.
     * @param booking tells when and where it is collected
     * @param onAnswer gets the answer of each, if one delays the others
     */
    async fetchRates(
      wanted: RateRequest,
      booking: JsonObject,
      onAnswer?: AskOptions["onAnswer"],
    ): Promise<KeptQuote> {
      const asked = rateDefaults(wanted, clock.now())
      const every = { connectorId: undefined, isBrief: true, needsEvidence: true, onAnswer }
      const connectors = () => fetchConnectors(deps)
      const asking = { api: await deps.freight(), clock, completeRates, connectors, ratePace: deps.ratePace }
      const { reply, quotedAt, request } = await askRates(asking, asked, every)
      const offers = formatComparedRates(rateRows(reply, createJudge(booking, clock.now())), request.date)
      const quote = { ...reply, quotedAt, request, offers }
      await quotes.keep(quote)
      return quote
    },
    async connectorNames(): Promise<ReadonlyMap<string, string>> {
      try {
        return new Map((await findConnectors(deps)).map(({ id, name }) => [id, name]))
      } catch (error) {
        // Without the names, ids are shown.
        toStepError(error)
        return new Map()
      }
    },
  }
}

/** The newest booking for the draft's receiver, otherwise the newest. */
export function findLastTime(
  draft: Draft,
  { earlier }: Pick<WizardContext, "earlier">,
): EarlierBooking | undefined {
  return findLastForReceiver(draft, { earlier }) ?? earlier[0]
}

/** The last booking for the draft's receiver; the service for another one means nothing. */
export function findLastForReceiver(
  draft: Draft,
  { earlier }: Pick<WizardContext, "earlier">,
): EarlierBooking | undefined {
  const receiver = getParty(draft, "receiver")
  return earlier.find(({ request }) => receiver && isSameParty(request.receiver, receiver))
}
