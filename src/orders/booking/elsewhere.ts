/** Looks for bookings made elsewhere before orders are priced: a second ledger must not book a second time. */
import { AT_ONCE, type FreightApi, workThrough } from "../../api/index.ts"
import type { Globals, Settings } from "../../machine/index.ts"
import { counted } from "../../base/counted.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { FreightError, withOptions } from "../../base/errors.ts"
import { safeText } from "../../base/safe-text.ts"
import {
  type AccountLedger,
  countElsewhere,
  describeStrangers,
  keepReadShipments,
  type LedgerDeps,
  LedgerUnusable,
  listReadBefore,
  type Look,
  lookForElsewhere,
  writeMark,
} from "../../ledger/index.ts"
import { createProgress, type Questions, type Terminal } from "../../output/index.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import type { Notes } from "../../base/ports.ts"

export interface LookDeps extends Notes {
  readonly terminal: Terminal
  readonly globals: Globals
  readonly settings: Pick<Settings, "value">
  readonly spending: { readonly isOpen: boolean }
  prompt(): Promise<Pick<Questions, "choose" | "confirm">>
}

/** Announce a look at more shipments than this: more than a page of unknown ones takes a while. */
const ANNOUNCE_ABOVE = 100

export interface LookOptions {
  /** `--without-looking` */
  withoutLooking?: boolean | undefined
  /**
   * A second consignment is meant: entries without an outcome stay so, or it would be taken for the first one and booked
   * once more.
   */
  again?: boolean | undefined
  /** Nothing is sent, so nobody is asked whether to go on without. */
  dryRun?: boolean | undefined
  atOnce?: number
}

/** Reads what was booked elsewhere since the last look into the ledger, for everyone who uses it. */
export async function lookElsewhere(
  deps: LookDeps,
  ledger: LedgerDeps,
  api: FreightApi,
  { withoutLooking = false, again = false, dryRun = false, atOnce = AT_ONCE }: LookOptions = {},
): Promise<void> {
  if (withoutLooking || deps.settings.value("lookElsewhere") === "off") {
    if (deps.globals.verbose)
      await deps.note(
        "freight does not look for bookings made elsewhere: what another ledger has sent may be sent again.",
      )
    return
  }
  let look: Look
  try {
    look = await readList(deps, ledger, api, { atOnce, settles: !again })
  } catch (error) {
    // The list is kept in the ledger; an error of the ledger does not mean that the list cannot be read.
    if (!(error instanceof FreightError) || error instanceof LedgerUnusable) throw error
    if (!CANNOT_LOOK.includes(error.kind)) throw error
    await goOnWithout(deps, error, dryRun)
    return
  }
  await noteLook(deps, ledger, look)
}

/** Errors of reading the list that are due to the key, the service or the connection. */
const CANNOT_LOOK: readonly FreightError["kind"][] = [
  ...(["forbidden", "notFound", "refused"] as const),
  "unreadable",
  ...(["unavailable", "timeout", "rateLimited", "badReply"] as const),
]
/** Errors that do not pass by themselves: a person, or the provider, has to act. */
const LASTING: readonly FreightError["kind"][] = ["forbidden", "notFound", "refused", "unreadable"]

async function readList(
  deps: LookDeps,
  ledger: LedgerDeps,
  api: FreightApi,
  how: Parameters<typeof lookForElsewhere>[2],
): Promise<Look> {
  const progress = createProgress<{ rows: number }>(
    deps.terminal,
    ledger.clock,
    undefined,
    ({ rows }) => `Read ${counted(rows, "shipment")} so far, to find what was booked elsewhere`,
  )
  try {
    return await lookForElsewhere(ledger, api, how, async (read, since) => {
      if (read === ANNOUNCE_ABOVE)
        await deps.note(
          `Reading what was booked elsewhere since ${formatInstant(new Date(since).toISOString())}, each shipment once…`,
        )
      if (!deps.globals.quiet) await progress.show({ rows: read })
    })
  } finally {
    await progress.clear()
  }
}

async function goOnWithout(deps: LookDeps, error: FreightError, dryRun: boolean): Promise<void> {
  const why = `the account's shipments cannot be read (${error.message}), so what was booked elsewhere is not known`
  const kind = LASTING.includes(error.kind) ? "input" : "unavailable"
  if (dryRun || !deps.spending.isOpen)
    throw withOptions(new FreightError(kind, `${why}; nothing was sent`, { cause: error }), {
      hint: "Run this again when the list can be read. --without-looking books without: what another ledger, another program or the portal has booked may then be booked twice.",
    })
  await deps.warn(why)
  const question = "Book without looking? What was booked elsewhere may be booked twice."
  if (await (await deps.prompt()).confirm(question, false, { spends: true })) return
  throw new FreightError("input", "you said no: nothing was sent")
}

/**
 * An entry read longer ago than this is read again before an order is left out for it: it may have been cancelled since.
 */
const READ_AGAIN_MS = 3_600_000

/**
 * Reads shipments that were booked elsewhere again, unless that was done recently.
 * @returns whether any was cancelled since
 */
export async function recheckElsewhere(
  ledger: AccountLedger,
  api: Pick<FreightApi, "getShipment">,
  ids: readonly string[],
  atOnce = AT_ONCE,
): Promise<boolean> {
  const before = new Date((await ledger.store.now()) - READ_AGAIN_MS).toISOString()
  const read: ShipmentDetail[] = []
  await workThrough(await listReadBefore(ledger.store.database, ids, before), atOnce, async (id) => {
    read.push((await api.getShipment(id)).shipment)
  })
  return (await keepReadShipments(ledger, read)).length < read.length
}

async function noteLook(deps: LookDeps, { store, owner, clock }: LedgerDeps, look: Look): Promise<void> {
  const { pages, unknown, contradicting, settled, mark } = look
  if (deps.globals.verbose)
    await deps.note(
      `Looked for what was booked elsewhere: ${counted(pages, "page")} of the account's shipments, ${counted(unknown, "shipment")} that the ledger did not know.`,
    )
  for (const { key, reference, matches, warning } of settled) {
    await deps.note(
      `${reference ?? key}, whose outcome was unknown, is shipment ${safeText(matches.join(""))}: it is settled.`,
    )
    if (warning !== undefined) await deps.warn(warning)
  }
  if (contradicting.length > 0) await deps.note(describeContradicting(contradicting))
  const now = new Date(clock.now()).toISOString()
  const told = { ...mark }
  if (mark.isLimited && mark.limitToldAt === undefined) {
    await deps.warn(LIMITED)
    told.limitToldAt = now
  }
  if (unknown > 0 && mark.strangersToldAt === undefined) {
    const { programs } = await countElsewhere(store.database, [owner.scope])
    if (programs > 0) {
      await deps.note(describeStrangers(programs))
      told.strangersToldAt = now
    }
  }
  if (told.limitToldAt !== mark.limitToldAt || told.strangersToldAt !== mark.strangersToldAt)
    await writeMark(store.database, told)
}

/** Note for a key that cannot read other keys' bookings. */
export const LIMITED =
  "this API key is shown its own shipments only: what other keys of the account have booked with another ledger is not known, and can be booked twice"

/** Each contradiction is reported once, in the look that reads it. */
function describeContradicting([first, ...others]: Look["contradicting"]): string {
  const more = others.length > 0 ? `, and ${counted(others.length, "more shipment")},` : ""
  const verb = others.length > 0 ? "have dates that contradict" : "has a date that contradicts"
  return `Shipment ${safeText(first?.id ?? "")} (${safeText(first?.createdAt ?? "")})${more} ${verb} the list's order or the service's time. freight goes by the order, and skips nothing.`
}
