/** After the booking: the label, then what the person wants besides, and how to do the same again. */
import type { FreightApi } from "../../api/freight.ts"
import { shellLine } from "../../contract/command-line.ts"
import type { BookingAddress, BookingResponse } from "../../contract/generated/types.ts"
import { parsed, refused } from "../../contract/parsed.ts"
import { safeText } from "../../contract/safe-text.ts"
import { formatClock, parseTimeOfDay } from "../../contract/wall-clock.ts"
import { FreightError, toStepError } from "../../errors.ts"
import type { LedgerDeps } from "../../ledger/create.ts"
import { activeDevices } from "../../printing/devices.ts"
import { BACK, type Conversation } from "../../terminal/conversation/conversation.ts"
import { jsonText } from "../../terminal/json-text.ts"
import type { SpendGuard } from "../../terminal/spend-guard.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { type Field, flagName, isObject } from "../field.ts"
import { FIELDS } from "../fields.ts"
import { type Booked, type Followed, followUp, type FollowUpDeps, type FollowUps } from "../follow-ups.ts"
import { plainId } from "../label-files.ts"
import { type Json, type JsonObject, sameJson } from "../schema-fields.ts"
import { type Draft, getText } from "./draft.ts"
import { formatWeekdayAndTime, getReadyTime } from "./when.ts"
import type { World } from "./world.ts"

export interface Desk {
  sandbox: boolean
  zone: string
  platform: string
  /** Shows a file with the desktop's own program; undefined where there is no desktop. */
  open: ((file: string) => Promise<void>) | undefined
  /** `--sandbox`, `--profile NAME`: what a command needs to ask the same service. */
  flags: readonly string[]
}

interface After {
  deps: FollowUpDeps & { terminal: Terminal; spending: SpendGuard }
  api: FreightApi
  ledger: LedgerDeps
  desk: Desk
  conversation: Conversation
  world: World
  draft: Draft
  booked: Booked
}

const WAIT_MS = 120_000
const NONE = { waitMs: undefined, label: undefined, print: undefined, pickup: undefined }

/** Every step is tried; what failed is given back, as `followUp` does, and so is that the person left. */
export async function offerFollowUps(
  after: After,
  { label = true, labelName, waitMs = WAIT_MS, print, pickup }: FollowUps,
): Promise<Followed> {
  const { deps, api, ledger, conversation, world, booked } = after
  const first = await followUp(deps, api, ledger, booked, { ...NONE, waitMs, label, labelName })
  const { booking, labelFile, error } = first
  if (error?.kind === "interrupted") return first
  try {
    const number = booking.consignmentNumber
    if (number) await conversation.say(`Consignment ${world.paint("bold", safeText(number))}.`)
    const labelled = error === undefined
    if (labelled && labelFile !== undefined) await offerToOpen(after, labelFile)
    const then = {
      ...NONE,
      print: print ?? (labelled ? await askPrint(after) : undefined),
      pickup: pickup ?? (await askPickup(after, booking)),
    }
    const second = await followUp(deps, api, ledger, { ...booked, booking }, then)
    if (second.error?.kind !== "interrupted")
      await tellAgain(after, [
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

/** What failed first, with what failed after it; that the person left goes over both. */
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

/** A pickup that is there, or may be, is not offered again (pickupStatus). */
async function askPickup(
  { deps, draft, conversation }: After,
  { pickupStatus }: BookingResponse,
): Promise<boolean | undefined> {
  if (pickupStatus === "BOOKED" || pickupStatus === "RECONCILE_NEEDED") return undefined
  const ready = getReadyTime(draft)
  const close = parseTimeOfDay(getText(draft, "collectionCloseTime"))
  const when = ready && close.ok ? ` (${formatWeekdayAndTime(ready)} to ${formatClock(close.value)})` : ""
  const failed = pickupStatus === "FAILED" ? "The carrier's own pickup failed. " : ""
  const question = `${failed}Have the carrier collect it${when}?`
  const isWanted = (await conversation.confirm(question, false, { spends: true })) === true
  if (isWanted) deps.spending.skip()
  return isWanted
}

async function tellAgain(
  { deps, desk, conversation, world, draft, booked }: After,
  after: readonly string[],
): Promise<void> {
  const { booking, connectorId, request } = booked
  const { collectionDateTime: _, ...kept } = draft.request
  const again: Again = {
    request: { ...kept, serviceCode: request.serviceCode },
    connectorId,
    globals: desk.flags,
    after,
    platform: desk.platform,
  }
  let command = commandAlone(again, world.addresses())
  if ((await conversation.confirm("Save it as a booking file, to book the same again?", false)) === true) {
    const file = await conversation.text("File name", {
      initial: `booking-${plainId(booking.shipmentId)}.json`,
      check: (typed) => (typed === "" ? refused("A name is needed") : parsed(typed)),
    })
    if (file !== BACK) {
      await deps.files.write(file, `${jsonText(again.request, 2)}\n`)
      await conversation.say(`Written: ${file}.`)
      command = commandWithFile(again, file)
    }
  }
  await conversation.say(
    `\n${world.paint("bold", "To book the same again")}: this asks when it is ready, unless you add --ready "tomorrow 10am".`,
  )
  // As one line, however long it is: a line that was broken here could not be pasted.
  await deps.terminal.stderr.write(`${safeText(command, 10_000)}\n\n`)
}

export interface Again {
  /** The booking without its rate, its totals and its ready time: a quote is good for 48 hours, and the time passes. */
  request: JsonObject
  connectorId: string
  globals: readonly string[]
  /** What was done after it: `--wait`, `--label`. */
  after: readonly string[]
  platform: string
}

export function commandWithFile({ connectorId, globals, after, platform }: Again, file: string): string {
  const words = ["freight", "book", ...globals, "--file", file, "--connector", connectorId, ...after]
  return shellLine(words, platform)
}

/** The command alone: saved addresses by their names, all else field by field. */
export function commandAlone(
  { request, connectorId, globals, after, platform }: Again,
  saved: readonly { name: string; address: BookingAddress }[],
): string {
  const words = FIELDS.flatMap((field) => {
    const value = request[field.path]
    // What follows by itself need not be said.
    if (value === undefined) return []
    if (field.path === "collection" && sameJson(value, request.sender)) return []
    if (field.path === "dangerousGoods" && value === false) return []
    if (field.path === "payer" && sameJson(value, { type: "Sender" })) return []
    const name = saved.find(({ address }) => sameJson(value, address))?.name
    return flagWords(field, value, name) ?? setWords(field.path, value)
  })
  const known = new Set(FIELDS.map(({ path }) => path))
  const others = Object.entries(request).flatMap(([name, value]) =>
    known.has(name) ? [] : setWords(name, value),
  )
  return shellLine(
    ["freight", "book", ...globals, "--connector", connectorId, ...words, ...others, ...after],
    platform,
  )
}

function flagWords(
  { flag, answer }: Field,
  value: Json,
  savedName: string | undefined,
): string[] | undefined {
  if (!flag) return undefined
  const name = flagName(flag.takes)
  if (answer?.kind === "parts") return savedName === undefined ? undefined : [name, savedName]
  const texts = [value].flat().map((each) => (flag.write ? flag.write(each) : plainText(each)))
  return texts.every((text) => text !== undefined) ? texts.flatMap((text) => [name, text]) : undefined
}

function plainText(value: Json): string | undefined {
  return typeof value === "object" ? undefined : String(value)
}

function setWords(path: string, value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => setWords(`${path}.${at}`, each))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, each]) => setWords(`${path}.${name}`, each))
  return ["--set", `${path}=${String(value)}`]
}
