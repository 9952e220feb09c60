/** After the booking: the label, further steps if the person wants them, and how to do the same again. */
import { describeOwn, getOwnForNext, withOwn } from "../../contract/index.ts"
import type { FreightApi } from "../../api/index.ts"
import { shellLine } from "../../base/command-line.ts"
import type { BookingResponse } from "../../contract/generated/types.ts"
import { shortId } from "../../base/names.ts"
import { parsed, refused } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatClock, parseTimeOfDay } from "../../base/wall-clock.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import type { LedgerDeps } from "../../ledger/index.ts"
import { activeDevices } from "../printing/devices.ts"
import {
  BACK,
  type Conversation,
  jsonText,
  paint,
  type SpendGuard,
  type Terminal,
} from "../../output/index.ts"
import {
  type BookedShipment,
  type Followed,
  followUp,
  type FollowUps,
  toPickup,
} from "../booking/follow-ups.ts"
import { describeSamePickup, findSamePickup } from "../booking/pickup.ts"
import { plainId } from "../booking/label-files.ts"
import type { LabelDeps } from "../booking/label-steps.ts"
import { type Draft, getText } from "./draft.ts"
import { formatWeekdayAndTime, getReadyTime } from "./when.ts"

export interface Desk {
  sandbox: boolean
  platform: string
  /** Shows a file with the desktop's own program; undefined if there is no desktop. */
  open: ((file: string) => Promise<void>) | undefined
  /** `--sandbox`, `--profile NAME`: flags with which a command asks the same service. */
  flags: readonly string[]
}

interface After {
  deps: LabelDeps & { terminal: Terminal; spending: SpendGuard }
  api: FreightApi
  ledger: LedgerDeps
  desk: Desk
  conversation: Conversation
  draft: Draft
  booked: BookedShipment
}

const WAIT_MS = 120_000
const NONE = { waitMs: undefined, label: undefined, print: undefined, pickup: undefined }

/** Every step is tried. Returns the error, as `followUp` does; also if the person left. */
export async function offerFollowUps(
  after: After,
  { label = true, labelName, waitMs = WAIT_MS, print, pickup }: FollowUps,
): Promise<Followed> {
  const { deps, api, ledger, conversation, booked } = after
  const first = await followUp(deps, api, ledger, booked, { ...NONE, waitMs, label, labelName })
  const { booking, labelFile, error } = first
  if (error?.kind === "interrupted") return first
  try {
    const number = booking.consignmentNumber
    if (number) await conversation.say(`Consignment ${bold(safeText(number))}.`)
    const labelled = error === undefined
    if (labelled && labelFile !== undefined) await offerToOpen(after, labelFile)
    const then = {
      ...NONE,
      print: print ?? (labelled ? await askPrint(after) : undefined),
      pickup: pickup ?? (await askPickup(after, booking)),
    }
    const second = await followUp(deps, api, ledger, { ...booked, booking }, then)
    if (second.error?.kind !== "interrupted")
      await explainAgain(after, [
        "--wait",
        "--label",
        ...(then.print ? ["--print"] : []),
        ...(then.pickup ? ["--pickup"] : []),
      ])
    return { booking: second.booking, labelFile, error: joinErrors(error, second.error) }
  } catch (left) {
    if (!(left instanceof FreightError)) throw left
    return { booking, labelFile, error: joinErrors(error, left) }
  }
}

function bold(text: string): string {
  return paint({ colour: true }, "bold", text)
}

/** The first error, with the later one; the person's leaving goes before both. */
function joinErrors(
  one: FreightError | undefined,
  other: FreightError | undefined,
): FreightError | undefined {
  if (!one || !other || other.kind === "interrupted") return other ?? one
  return new FreightError("stepFailed", one.message, {
    errors: [...(one.errors ?? []), ...(other.errors ?? [])],
    hint: one.hint,
    next: one.next,
  })
}

async function offerToOpen({ desk, conversation }: After, file: string): Promise<void> {
  if (!desk.open || (await conversation.confirm("Open the label?", false)) !== true) return
  await desk.open(file)
}

async function askPrint({ deps, conversation }: After): Promise<string | true | undefined> {
  const kept = await deps.devices("freight").chosen()
  if (kept) {
    const yes = await conversation.confirm(`Print the label on ${safeText(kept.label, 60)}?`, true)
    return yes === true ? true : undefined
  }
  const devices = await activeDevices(deps, "freight").catch((error: unknown) => {
    // Do not offer to print; the print command explains why.
    toStepError(error)
    return []
  })
  if (devices.length === 0) return undefined
  const choice = await conversation.choose<string | false>(
    "Print the label?",
    [
      { name: "No", value: false },
      ...devices.map(({ id, label, printerName }) => ({
        name: `On ${[label, printerName].filter(Boolean).join(", ")}`,
        value: id,
      })),
    ],
    false,
  )
  return choice === BACK || choice === false ? undefined : choice
}

/** A pickup that exists, or may exist, is not offered again (pickupStatus). */
async function askPickup(
  { deps, api, ledger, draft, conversation, desk, booked }: After,
  { pickupStatus, shipmentId, consignmentNumber }: BookingResponse,
): Promise<boolean | "another" | undefined> {
  const isOpen = pickupStatus === undefined || pickupStatus === "NOT_BOOKED" || pickupStatus === "FAILED"
  if (!isOpen || draft.own?.dropOff) return undefined
  const ready = getReadyTime(draft)
  const close = parseTimeOfDay(getText(draft, "collectionCloseTime"))
  const when = ready && close.ok ? ` (${formatWeekdayAndTime(ready)} to ${formatClock(close.value)})` : ""
  const same = await findSamePickup(ledger, api, toPickup(booked), booked.request.collection).catch(
    (error: unknown) => void toStepError(error),
  )
  await conversation.say(
    pickupStatus === "FAILED"
      ? "The carrier's own pickup failed: the goods are not collected."
      : same
        ? `No pickup is booked for it, but ${describeSamePickup(same)}: tell the carrier that there is more.`
        : "No pickup is booked: unless the carrier comes anyway, the goods are not collected.",
  )
  const question = same ? "Book another pickup?" : `Have the carrier collect it${when}?`
  if ((await conversation.confirm(question, false, { spends: true })) === true) {
    deps.spending.skip()
    return same ? "another" : true
  }
  const name = consignmentNumber ?? shortId(shipmentId)
  const command = shellLine(["freight", "pickup", "book", ...desk.flags, name], desk.platform)
  await conversation.say(`To have it collected later: ${command}`)
  return false
}

async function explainAgain(
  { deps, desk, conversation, draft, booked }: After,
  after: readonly string[],
): Promise<void> {
  const { booking, connectorId, request } = booked
  const name = request.customerReference ?? booking.consignmentNumber ?? shortId(booking.shipmentId)
  let given = ["--like", name]
  if ((await conversation.confirm("Save it as a booking file, to book the same again?", false)) === true) {
    const file = await conversation.text("File name", {
      initial: `booking-${plainId(booking.shipmentId)}.json`,
      check: (typed) => (typed === "" ? refused("A name is needed") : parsed(typed)),
    })
    if (file !== BACK) {
      // A quote is good for 48 hours, the time passes, and each order has its own reference.
      const { collectionDateTime: _, customerReference: __, ...kept } = draft.request
      const own = getOwnForNext(draft.own ?? {})
      const again = { ...withOwn(kept, own), serviceCode: request.serviceCode }
      await deps.files.write(file, `${jsonText(again, 2)}\n`)
      const words = describeOwn(own)
      await conversation.say(
        `Written: ${file}${words && `, ${words}`}. Its reference, times and rate are left out.`,
      )
      given = ["--file", file, "--connector", connectorId]
    }
  }
  await conversation.say(
    `\n${bold("To book the same again")}: this asks when it is ready, unless you add --ready "tomorrow 10am".`,
  )
  // On one line, however long it is: a broken line could not be pasted.
  const command = shellLine(["freight", "book", ...desk.flags, ...given, ...after], desk.platform)
  await deps.terminal.stderr.write(`${safeText(command, 10_000)}\n\n`)
}
