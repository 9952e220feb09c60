/** `freight book` as a conversation: from the first question to the label. */
import { formatPackage, placeParts } from "../../contract/index.ts"
import { sameJson } from "../../base/json.ts"
import { safeText } from "../../base/safe-text.ts"
import { quoteBlanks, shellLine } from "../../base/command-line.ts"
import type {
  BookingAddress,
  BookingResponse,
  ConsignmentBookingRequest,
} from "../../contract/generated/types.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { FreightError, withOptions } from "../../base/errors.ts"
import type { Deps } from "../../session/index.ts"
import {
  addFirstKeys,
  type Created,
  describeBooked,
  describeDifference,
  describeIgnored,
  describeWay,
  type Entry,
  EQUAL_FOR_MS,
  getOwnNumber,
  type LedgerDeps,
  NotSent,
  pickIdentity,
  type WrittenOrder,
} from "../../ledger/index.ts"
import { onSameService, serviceFlags } from "../../machine/index.ts"
import { type Conversation, fileOpener } from "../../output/index.ts"
import { lookElsewhere, type LookOptions } from "../booking/elsewhere.ts"
import { finishBooking, type Stands } from "../booking/finish.ts"
import { checkDropOff, type FollowUps } from "../booking/follow-ups.ts"
import type { BookWords } from "../booking/gather.ts"
import { findStanding, type LedgerReader } from "../booking/standings.ts"
import { keyOfBooked, type SelectedRate, toSelectedRate, type OrderDraft, toOrder } from "../booking/order.ts"
import { askAboutDoubt, bookOne, previewOne, type Road } from "../booking/book-one.ts"
import type { BookingDraft } from "../booking/request.ts"
import { findSameGoods } from "../batch/renamed.ts"
import { listEarlier } from "../lookup/earlier.ts"
import { offerFollowUps, type Desk } from "./after.ts"
import { createDraft, createNoDraftError, describeContinued, offerToResume, resumeDraft } from "./begin.ts"
import { createContext, type EarlierBooking, type KeyMeaning } from "./context.ts"
import { type Draft, getPackages, getParty, getWholeRequest, readDraft } from "./draft.ts"
import { walk } from "./walk.ts"

interface WizardOptions {
  given: OrderDraft
  resume: boolean
  /** The command line begins with a file or an earlier booking, or brings an order back. */
  startsOwn: boolean
  dryRun: boolean
  withoutLooking: boolean
  followUps: FollowUps
  desk: Desk
  earlier: readonly EarlierBooking[]
}

export async function bookByAsking(
  deps: Deps,
  given: BookingDraft,
  { resume = false, dryRun = false, withoutLooking = false, file, like, last }: BookWords,
  followUps: FollowUps,
): Promise<undefined> {
  const conversation = await deps.converse({ keepsAnswers: true })
  const { globals, runtime, env } = deps
  for (const note of given.notes) await deps.note(note)
  const earlier = await listEarlier(await deps.readLedger())
  const desk: Desk = {
    sandbox: globals.sandbox === true,
    platform: runtime.platform,
    open: fileOpener(runtime.platform, env),
    flags: serviceFlags(globals),
  }
  const isReturn = given.source.written?.returned !== undefined
  const startsOwn = file !== undefined || like !== undefined || last === true || isReturn
  const options = { given, resume, startsOwn, dryRun, withoutLooking, followUps, earlier, desk }
  return bookInteractively(deps, conversation, options)
}

/** Continues in the sandbox if the only unfinished bookings were begun there. */
export async function resumeWhereBegun(deps: Deps): Promise<void> {
  const { globals, drafts, sandboxDrafts } = deps
  if ((await drafts.list()).length > 0) return
  const isElsewhere = globals.sandbox || globals.profile !== undefined
  if (isElsewhere || (await sandboxDrafts.list()).length === 0) throw createNoDraftError()
  deps.switchToSandbox()
}

/** Asks for missing parts, books, and runs the follow-ups. The answers are stored until it is booked. */
async function bookInteractively(
  deps: Deps,
  conversation: Conversation,
  options: WizardOptions,
): Promise<undefined> {
  const { given, resume, startsOwn, dryRun, withoutLooking, followUps, desk, earlier } = options
  const { drafts } = deps
  const ledger = await deps.ledger("freight")
  const complete = (command: string) => onSameService(command, deps.globals)
  const fresh = createDraft(given, deps.ids)
  const context = createContext(deps, conversation, {
    ...desk,
    dryRun,
    earlier,
    keep: keepDrafts(deps),
    lookUpKey: async (draft) => (dryRun ? {} : lookUpKey(ledger, draft, complete)),
    findRecent: async (draft) =>
      dryRun || given.source.again ? undefined : findRecent(ledger, draft, deps.clock.now(), complete),
  })
  if (!resume || desk.sandbox) await conversation.say(welcome(desk.sandbox, dryRun), "dim")
  // A file is an order of its own: answers for another order would fill its gaps.
  const unfinished = startsOwn ? [] : await drafts.list()
  for (const { value, savedAt } of unfinished)
    if (readDraft(value) === undefined)
      await deps.warn(
        `an unfinished booking from ${formatInstant(new Date(savedAt).toISOString())} was kept by another version of freight, and cannot be continued: start again with freight book`,
      )
  const kept = await offerToResume(unfinished, resume, context, drafts.forget)
  let draft = kept ? resumeDraft(kept, given) : fresh
  checkDropOff(draft.own, followUps.pickup)
  const finish = async (stands: Stands) => {
    await drafts.forget(draft.id)
    const api = await deps.freight()
    return finishBooking(deps, ledger, stands, keyOfBooked(draft, stands), async (booked) => {
      const after = { deps, api, ledger, desk, conversation, draft, booked }
      return offerFollowUps(after, followUps)
    })
  }
  try {
    const sent = kept && (await findSent(ledger, kept))
    if (!sent) {
      if (given.key !== undefined) {
        // A draft that was not sent may take another key.
        const { isKeyGenerated } = given.source
        draft = { ...draft, key: given.key, isKeyGenerated }
        if (!dryRun && !isKeyGenerated) await explainKey(ledger, conversation, given.key)
      }
      if (given.request.rateId !== undefined && !given.rate)
        await conversation.say("That rate is not known here: the rates are asked for again.")
      if (kept) await conversation.say(describeContinued(kept, draft))
      draft = await walk(draft, context)
      const notSent = `Nothing was sent. ${describeKept(desk)}`
      if (draft.at?.step === "later") {
        await context.keep(draft)
        await deps.note(notSent)
        return undefined
      }
      const request = getWholeRequest(draft)
      if (!request) throw new TypeError("a draft was confirmed that is not whole")
      const { rate } = draft
      if (!rate) throw new TypeError("a draft was confirmed that has no rate")
      const { own, key, wish = {}, allowed, isKeyGenerated, returned } = draft
      const { again, replaces } = given.source
      const written = { ...pickIdentity(request), ...(returned && { returned }) }
      const source = { isRow: false, written, allowed, isKeyGenerated, again, replaces }
      const [order, selected] = [toOrder({ own, key, wish, source }, request), toSelectedRate(rate)]
      if (dryRun) return await previewOne(deps, { price: async () => selected }, order, selected, notSent)
      const road = await createRoad(deps, ledger, conversation, selected, { withoutLooking, again })
      return await bookOne(road, order, selected, finish)
    }
    return await finish(sent)
  } catch (error) {
    const { id } = draft
    if (!(error instanceof FreightError) || !(await drafts.list()).some((each) => each.id === id)) throw error
    if (error.kind === "interrupted")
      throw new FreightError("interrupted", describeKept(desk), { cause: error })
    // The terminal may be gone.
    await deps.terminal.stderr.write(`${describeKept(desk)}\n`).catch(() => {})
    throw error
  }
}

function keepDrafts({ drafts, clock, warn }: Deps): (draft: Draft) => Promise<void> {
  let isWarned = false
  return async (draft) => {
    if (Object.keys(draft.request).length === 0) return
    try {
      await drafts.keep({ id: draft.id, savedAt: clock.now(), value: draft })
    } catch (error) {
      if (!isWarned)
        await warn(`the answers cannot be kept: ${error instanceof Error ? error.message : error}`)
      isWarned = true
    }
  }
}

function welcome(sandbox: boolean, dryRun: boolean): string {
  if (dryRun) return "A dry run: the request is shown at the end, and nothing is sent."
  if (sandbox) return "This is the sandbox: nothing is real, and nothing is charged."
  return "Nothing is booked until you confirm at the end."
}

function describeKept({ flags, platform }: Desk): string {
  return `Your answers are kept: ${shellLine(["freight", "book", "--resume", ...flags], platform)}`
}

/** Compares nothing: matches any entry under the key. */
const ANYTHING: WrittenOrder = { fields: {} }

/**
 * The outcome of a draft that was sent before: booked after all, or unknown. A generated key belongs to no other draft.
 * An unknown one is never sent again by itself.
 */
async function findSent(ledger: LedgerReader, draft: Draft): Promise<Created<BookingResponse> | undefined> {
  const { key, isKeyGenerated } = draft
  const request = getWholeRequest(draft)
  const written = isKeyGenerated ? ANYTHING : request && pickIdentity(request)
  const standing = written && (await findStanding(ledger, { key, written }))
  if (standing?.kind === "unknown")
    throw withOptions(new NotSent(standing), {
      hint: "It may exist. freight reconcile looks for it; when it is found, --resume continues with its label.",
    })
  if (standing?.kind !== "booked" || standing.entry.response === undefined) return undefined
  const { entry } = standing
  return { entry, recorded: true, response: entry.response as BookingResponse }
}

/** Reports a booking under the person's key before asking anything. */
async function explainKey(ledger: LedgerReader, conversation: Conversation, key: string): Promise<void> {
  const standing = await findStanding(ledger, { key, written: ANYTHING })
  if (standing.kind === "unknown")
    throw withOptions(new NotSent(standing), {
      hint: "It may exist: freight reconcile looks for it.",
    })
  if (standing.kind === "cancelled") throw new NotSent(standing)
  if (standing.kind === "booked")
    await conversation.say(
      `The key ${key} belongs to ${describeEntry(standing.entry)}. The same answers show that booking again. If you mean a second one, begin again with --again, without --key.`,
    )
}

/** Its order has the draft's own key, so that resuming never sends twice. */
async function createRoad(
  deps: Deps,
  ledger: LedgerDeps,
  conversation: Conversation,
  selected: SelectedRate,
  looks: LookOptions,
): Promise<Road> {
  const api = await deps.freight()
  return {
    ...{ ledger, api },
    look: () =>
      conversation.during("Looking at what was booked elsewhere", () =>
        lookElsewhere(deps, ledger, api, looks),
      ),
    price: async () => selected,
    async confirm(doubt) {
      const second = await conversation.confirm(askAboutDoubt(doubt), false, { spends: true })
      if (second !== true) throw doubt
    },
    during(work) {
      // The review has asked for the confirmation.
      deps.spending.skip()
      return conversation.during("Booking", work)
    },
  }
}

/** Looks the draft's key and goods up in the ledger; a generated key means nothing. */
async function lookUpKey(
  ledger: LedgerDeps,
  draft: Draft,
  complete: (command: string) => string,
): Promise<KeyMeaning> {
  const { key, isKeyGenerated } = draft
  const request = getWholeRequest(draft)
  if (!request) return {}
  if (isKeyGenerated) {
    const before = await findSameGoods(ledger, request)
    if (!before) return {}
    const name = before.facts.reference ?? "one without a reference"
    return { same: `the same goods go to this receiver that day already: ${name} ${describeBooked(before)}` }
  }
  const written = { ...pickIdentity(request), asked: { ...request } }
  const standing = await findStanding(ledger, { key, written })
  if (standing.kind === "changed")
    return {
      taken: `${key} ${describeBooked(standing.entry)}, and has changed since: ${standing.comparison.changed.map(describeDifference).join(", ")}. ${describeWay(standing.entry, beginAgain(key), complete)} For a second one that is meant, begin again with --again, without --key`,
    }
  if (standing.kind === "cancelled") return { taken: new NotSent(standing).message }
  if (standing.kind !== "booked") return {}
  const { entry, ignored } = standing
  const stays = ignored.length > 0 ? `. ${describeIgnored(ignored).slice(0, -1)}` : ""
  return {
    recorded: `booked before under the key ${key}, ${describeEntry(entry)}: it is not sent again${stays}`,
  }
}

/** Reports a recent booking with the same goods, whatever else is answered later. */
async function findRecent(
  { store, owner }: LedgerDeps,
  draft: Draft,
  now: number,
  complete: (command: string) => string,
): Promise<string | undefined> {
  const [sender, receiver] = [getParty(draft, "sender"), getParty(draft, "receiver")]
  if (!sender || !receiver) return undefined
  const recent = await store.history({
    kind: "shipment",
    state: "done",
    since: new Date(now - EQUAL_FOR_MS).toISOString(),
    scopes: owner.compared ?? [owner.scope],
    postcodes: [receiver.postcode],
  })
  const before = recent.find(({ request }) => {
    const booked = Object(request) as Partial<ConsignmentBookingRequest>
    const isSame = (one: BookingAddress | undefined, other: BookingAddress) =>
      one !== undefined && sameJson(placeParts(one), placeParts(other))
    const isOfSame = isSame(booked.sender, sender) && isSame(booked.receiver, receiver)
    return isOfSame && sameJson(booked.packages?.map(formatPackage), getPackages(draft).map(formatPackage))
  })
  if (!before) return undefined
  const name = before.facts.reference ?? "One without a reference"
  const [named = before] = await addFirstKeys(store.database, [before])
  const again = before.keyGiven ? beginAgain(getOwnNumber(named)) : null
  const isCancelled = before.cancelledAt !== undefined
  const inPlace = isCancelled
    ? again && ` To book it again in its place, ${again}.`
    : again && ` ${describeWay(before, again, complete)}`
  return `${name} ${describeBooked(before)} with these goods, from this sender to this receiver.${inPlace ?? ""} An equal booking is refused for 24 hours, unless you say at the end that a second one is meant.`
}

function beginAgain(key: string): string {
  return `begin again with --key ${quoteBlanks(safeText(key, 100))} --replaces`
}

/** `2 packages to Port Street Fittings, Fremantle WA 6160 (shipment sh-1)` */
function describeEntry({ state, facts: { about, shipmentId } }: Entry): string {
  const which = state === "unknown" ? "outcome unknown" : shipmentId && `shipment ${shipmentId}`
  return [about ?? "a booking", which && `(${which})`].filter(Boolean).join(" ")
}
