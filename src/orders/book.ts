/** Books from a command line: the order that was sent before, by asking for missing parts, or at once. */
import { toFlagName } from "../base/command-line.ts"
import { FreightError } from "../base/errors.ts"
import { FLAG_FIELDS, momentAt } from "../contract/index.ts"
import type { CreateKey } from "../ledger/index.ts"
import type { Deps } from "../session/index.ts"
import { bookOne, createConfirm, previewOne } from "./booking/book-one.ts"
import { checkDraft } from "./booking/checked.ts"
import { requireConnector } from "./booking/connector.ts"
import { askAboutDoubts } from "./booking/doubts.ts"
import { finishBooking, followFlags, prepareFollowUps, type Stands } from "./booking/finish.ts"
import { checkDropOff, type FollowUps } from "./booking/follow-ups.ts"
import { type BookWords, fillDraft, findSent, gatherSaid } from "./booking/gather.ts"
import { keyOf, keyOfBooked } from "./booking/order.ts"
import { checkDraftDensity, isIncomplete } from "./booking/request.ts"
import { findReplacingKey } from "./booking/standings.ts"

interface CommandLine extends BookWords {
  /** Then wait this long for the consignment number, in milliseconds. */
  wait?: number
  /** Other follow-ups: see `FollowUps`. */
  label?: string | true
  labelName?: string
  print?: string | true
  pickup?: boolean
}

/**
 * POST /{connectorId}/shipments, once: a booking whose reply never came is not sent again. A dry run shows the request.
 * @param given flags; answers to doubts are stored in them
 * @throws FreightError `usage` or `input` for contradictory words; nothing was sent. Also what `bookOne` throws
 */
export async function bookSaid(plain: Deps, given: CommandLine): Promise<undefined> {
  const deps = keepingWarnings(plain)
  const words = given.replaces && given.key !== undefined ? await underLaterKey(deps, given) : given
  checkWords(deps.interactive, words)
  if (words.resume) await (await import("./wizard/run.ts")).resumeWhereBegun(deps)
  const said = await gatherSaid(deps, words)
  checkDropOff(said.given.own, words.pickup)
  const { wait: waitMs, label, labelName, print, pickup } = words
  const moment = momentAt(deps.clock.now(), words)
  const followUps: FollowUps = { moment, waitMs, label, labelName, print, pickup }
  const finish = async (stands: Stands, key: CreateKey, wanted: FollowUps) => {
    const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
    return finishBooking(deps, ledger, stands, key, (shipment) =>
      followFlags(deps, api, ledger, stands, shipment, wanted),
    )
  }
  const before = await findSent(deps, said.given, words)
  if (before) return finish({ ...before, selected: said.given }, words, followUps)
  const draft = await fillDraft(deps, words, said)
  if (words.resume || (deps.interactive && isIncomplete(draft))) {
    await askAboutDoubts(deps, words, async () => checkDraftDensity(draft, words))
    const { own, wish, source } = draft
    const { bookByAsking } = await import("./wizard/run.ts")
    const wanted = words.dryRun ? followUps : await prepareFollowUps(deps, followUps)
    return bookByAsking(deps, { ...said.given, own, wish, source }, words, wanted)
  }
  const { order, selected, road } = await checkDraft(deps, draft, words)
  if (words.dryRun) return previewOne(deps, road, order, selected)
  const named = { ...selected, connectorId: requireConnector(selected.connectorId) }
  const wanted = await prepareFollowUps(deps, followUps)
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  return bookOne({ ...road, ledger, api, confirm: createConfirm(deps) }, order, named, (booked) =>
    finish(booked, keyOfBooked(keyOf(order), booked), wanted),
  )
}

/** The same words for a booking that replaces one its carrier has cancelled. */
async function underLaterKey(
  deps: Pick<Deps, "readLedger" | "ledger">,
  words: CommandLine,
): Promise<CommandLine> {
  const { key = "", dryRun } = words
  const ledger = await (dryRun ? deps.readLedger() : deps.ledger("freight"))
  return { ...words, key: await findReplacingKey(ledger, { key, written: { fields: {} } }), again: true }
}

/** Whether the command line describes a booking at all, so that its errors and missing fields can be reported. */
function hasContent(words: CommandLine): boolean {
  const { file, rate, set, like, last } = words
  return [file, rate, set, like, last].some(Boolean) || FLAG_FIELDS.some(({ flag }) => flag.name in words)
}

function checkWords(isInteractive: boolean, words: CommandLine): void {
  if (words.resume && !isInteractive)
    throw new FreightError("usage", "--resume asks for what is missing, and there is no terminal")
  if (!isInteractive && !hasContent(words))
    throw new FreightError(
      "usage",
      "there is nothing to book: give a booking with --file, or its parts as flags",
      { hint: "To start from a booking file: freight book --example. To find a rate: freight rate-shop." },
    )
  if (words.returnOf !== undefined && (words.like !== undefined || words.last))
    throw new FreightError("usage", "--return-of says what is booked, and so does --like or --last", {
      hint: "Leave one of them out. Nothing was sent.",
    })
  const begins = (["returnOf", "like", "last", "file"] as const).find((name) => words[name])
  if (begins !== undefined && words.resume)
    throw new FreightError("usage", `${toFlagName(begins)} begins a booking, and --resume continues one`, {
      hint: "Leave one of them out. Nothing was sent.",
    })
  if (words.labelName !== undefined && words.label !== true)
    throw new FreightError("usage", "--label-name needs --label without a file")
}

function keepingWarnings(deps: Deps): Deps {
  const warnings: string[] = []
  const warn = async (text: string) => {
    warnings.push(text)
    await deps.warn(text)
  }
  // Members that are created on first use stay so.
  return Object.assign(Object.create(deps) as Deps, { warn, warnings })
}
