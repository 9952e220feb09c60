/** Gathers an order from a command line: its flags, its file, and the earlier booking that it begins with. */
import { safeText } from "../../base/safe-text.ts"
import { capital } from "../../output/index.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { typedAgain } from "../../base/command-line.ts"
import { type FreightError, toStepError, withOptions } from "../../base/errors.ts"
import type { Deps } from "../../session/index.ts"
import { mayAsk } from "../../command/index.ts"
import {
  type Allowances,
  describeOwn,
  fixPlaces,
  listPlaces,
  PARTIES,
  pickAllowances,
  withoutWishes,
  withOwn,
} from "../../contract/index.ts"
import type { BookingResponse } from "../../contract/generated/types.ts"
import {
  type Created,
  type CreateKey,
  describeIgnored,
  describeWay,
  MEANT_BESIDE,
  NotSent,
  sentText,
  type StandingOf,
} from "../../ledger/index.ts"
import { type KeptRate, onSameService } from "../../machine/index.ts"
import type { Earlier } from "../lookup/earlier.ts"
import { checkAvoidedNames } from "./connector.ts"
import { askAboutDoubts } from "./doubts.ts"
import { type LookOptions, lookElsewhere } from "./elsewhere.ts"
import { getMostCents } from "./gst.ts"
import { createJudge } from "./in-time.ts"
import {
  type Limits,
  type PreferenceFlags,
  readPreferences,
  readSaid,
  toLimits,
  toWishes,
} from "./preferences.ts"
import { checkNamedRate, limitToRate } from "./price.ts"
import { nameRate } from "./rates.ts"
import {
  type BegunReturn,
  type BookingDraft,
  type BookOptions,
  clockAtCollection,
  fillDefaults,
  gatherBooking,
  hasOrder,
} from "./request.ts"
import { findStanding } from "./standings.ts"

export interface BookWords
  extends Omit<BookOptions, "rate" | "maxPrice">,
    PreferenceFlags,
    CreateKey,
    Allowances,
    LookOptions {
  like?: string | undefined
  last?: boolean | undefined
  resume?: boolean | undefined
  rate?: string | false
  fixPlaces?: boolean | undefined
}

export interface Said {
  given: BookingDraft
  connectorId: string | undefined
  /** The price of the expired rate is the limit, because nobody sees the new one. */
  isHeld: boolean
}

export async function gatherSaid(deps: Deps, words: BookWords): Promise<Said> {
  const { rate, like: _, ...others } = words
  const like = await findLike(deps, words)
  const isRateNamed = typeof rate === "string"
  let connectorId = words.connector
  if (like?.connectorId !== undefined && !isRateNamed) connectorId ??= like.connectorId
  const given = await gatherBooking(
    deps,
    { ...others, ...(isRateNamed && { rate }) },
    like && withOwn(like.request, like.own),
    (order) => beginReturn(deps, order),
  )
  // A file may give permissions as well; answers to doubts are stored beside them.
  Object.assign(words, pickAllowances(given.source.allowed))
  const { connector: kept } = given.own
  // A rate that is known here has its own account.
  if (words.connector === undefined && !given.rate && kept !== undefined) connectorId = kept
  const isHeld = rate !== false && words.maxPrice === undefined && !deps.spending.isOpen
  if (given.expired) {
    connectorId ??= given.expired.connectorId
    given.notes.push(describeExpired(given.expired, connectorId, rate === false, isHeld))
  }
  return { given, connectorId, isHeld }
}

/** Finds the booking that `--like` or `--last` names, and notes which it is. */
async function findLike(deps: Deps, { like, last, rate }: BookWords): Promise<Earlier | undefined> {
  if (like === undefined && !last) return undefined
  const { findEarlier } = await import("../lookup/earlier.ts")
  const earlier = await findEarlier(await deps.readLedger(), like)
  const { facts } = earlier.entry
  const name = [facts.reference, facts.about].filter(Boolean).join(": ")
  // A named rate was chosen already.
  const own = typeof rate === "string" ? withoutWishes(earlier.own) : earlier.own
  const words = describeOwn(own)
  await deps.note(
    `As ${name || facts.shipmentId}, booked ${sentText(earlier.entry)}${words && `; ${words}`}. Its reference, times and rate are left out.`,
  )
  return { ...earlier, own }
}

/** Begins the return of an order, and notes what is taken from the order. */
async function beginReturn(deps: Deps, order: string): Promise<BegunReturn> {
  const { findReturn, nameReturn, toReturnFile } = await import("../lookup/earlier.ts")
  const confirm = async (refusal: FreightError) => {
    const question = `${capital(refusal.message)}. Bring them back anyway?`
    if (!(await (await deps.prompt()).confirm(question, false))) throw refusal
  }
  const found = await findReturn(await deps.readLedger(), order, mayAsk(deps) ? confirm : undefined)
  const { entry, own, returnOf } = found
  const words = [describeOwn(own), entry.facts.about].filter(Boolean).join("; ")
  await deps.note(
    `The return of ${safeText(returnOf, 100)}, booked ${sentText(entry)}: ${safeText(words, 200)}. Sender and receiver change places; its payer, times, instructions and rate are left out.`,
  )
  return { file: toReturnFile(found), name: (packages) => nameReturn(found, packages) }
}

/**
 * Says that the rate in a file is too old, and what happens instead.
 * @param isHeld the price of that rate is the limit
 */
function describeExpired(
  kept: KeptRate,
  connectorId: string,
  isWithoutPrice: boolean,
  isHeld: boolean,
): string {
  const { serviceCode, currency } = kept.rate
  const instead = isWithoutPrice ? "it is left out" : `${serviceCode} of ${connectorId} is priced again`
  const most = getMostCents(kept.rate)
  const limit =
    isHeld && Number.isFinite(most)
      ? ` It is booked at no more than ${formatMoney(amountOf(most), currency)} with GST, as it was quoted: --max-price sets another limit.`
      : ""
  return `${capital(nameRate(kept))} of the file is from a quote more than 48 hours old: ${instead}.${limit}`
}

/** The entry under the given key, if it is of the given order. A look may settle an unknown outcome. */
export async function findSent(
  deps: Deps,
  given: BookingDraft,
  { key, dryRun, resume, withoutLooking }: BookWords,
): Promise<Created<BookingResponse> | undefined> {
  if (key === undefined || dryRun || resume || (deps.interactive && !hasOrder(given))) return undefined
  const ledger = await deps.ledger("freight")
  const { written } = given.source
  let standing = await findStanding(ledger, { key, written, own: given.own })
  if (standing.kind === "unknown") {
    try {
      await lookElsewhere(deps, ledger, await deps.freight(), { withoutLooking, dryRun: true })
    } catch (error) {
      toStepError(error)
    }
    standing = await findStanding(ledger, { key, written, own: given.own })
  }
  if (standing.kind === "changed") throw refuseChanged(deps, standing)
  if (standing.kind === "unknown") throw new NotSent(standing)
  if (standing.kind !== "booked") return undefined
  const { entry, ignored } = standing
  if (ignored.length > 0) await deps.note(describeIgnored(ignored))
  return { response: entry.response as BookingResponse, recorded: true, entry }
}

/** The refusal with all steps, each command ready to paste. */
function refuseChanged({ globals, words: typed }: Deps, standing: StandingOf<"changed">): FreightError {
  const words = typed.includes("--replaces") ? typed : [...typed, "--replaces"]
  const again = typed.includes("-") ? undefined : typedAgain(words).next
  const way = describeWay(standing.entry, again, (command) => onSameService(command, globals))
  return withOptions(new NotSent(standing), { hint: `Nothing was sent. ${way} ${MEANT_BESIDE}` })
}

/**
 * The draft with derived values, and the limits for its service.
 * @param words answers to doubts are stored in them
 */
export async function fillDraft(deps: Deps, words: BookWords, said: Said): Promise<BookingDraft> {
  const { given, connectorId, isHeld } = said
  const whole = fillDefaults(given)
  const keepsPlaces = words.acceptPlaces && !words.fixPlaces
  const filled = keepsPlaces
    ? whole
    : await fixDraftPlaces(deps, whole, words.fixPlaces ? "all" : "sameWords")
  const now = () => clockAtCollection(deps, filled.request)
  const ofFile = toLimits(filled.own)
  const wishes = readPreferences(words, deps.settings, now, ofFile)
  const own = { ...filled.own, ...toWishes(readSaid(words, now, ofFile)) }
  if (filled.rate || filled.request.rateId !== undefined)
    await askAboutDoubts(deps, words, async () =>
      checkNamedRate(filled.rate, wishes, createJudge(filled.request, deps.clock.now()), words),
    )
  await checkAvoidedNames(deps, wishes)
  const wish: Limits = {
    ...wishes,
    ...(connectorId !== undefined && { connectorId }),
    ...(given.expired && isHeld && limitToRate(wishes, given.expired)),
  }
  return { ...filled, own, wish, source: { ...filled.source, allowed: words } }
}

/** Corrects the places of a draft, and reports the changes. The original text still identifies the order. */
export async function fixDraftPlaces(
  deps: Deps,
  draft: BookingDraft,
  kind: "all" | "sameWords",
): Promise<BookingDraft> {
  const judge = await deps.places(listPlaces(draft.request, PARTIES))
  const { request, writtenPlaces, changes } = fixPlaces(draft.request, PARTIES, judge, kind)
  if (!writtenPlaces) return draft
  for (const { field, says } of changes) await deps.note(`The ${field}'s place ${says}.`)
  const written = { ...draft.source.written, places: writtenPlaces }
  return { ...draft, request, source: { ...draft.source, written } }
}
