/** Finds requests in a driver's note that cost extra, if no other field of the order asks for them. */
import { quoted } from "../base/parsed.ts"
import type { Own } from "./fields/own.ts"
import { findingAt, type RuleFinding } from "./findings.ts"

const NOTE_RULE = "driverNote"

/** `home del`, `residential address`, `private house` */
const HOME =
  /\b(?:home|resi(?:dential|dence)?|private) (?:del(?:iver(?:y|ies))?\b|address|house|home|residence|property)|\bdel(?:iver(?:y|ed)?)?(?: (?:is|goes))? to (?:a |the |their |her |his |my )?(?:home|house|residence|private address|residential address)\b/i
/** A tail lift: the truck lowers the goods to the ground. */
const TAIL_LIFT = /\btail[ -]?(?:lift|gate)s?\b/i

const readText = (note: unknown) => (typeof note === "string" ? note.replace(/\s+/g, " ") : "")

/**
 * The words of a note that make the receiver's place residential; undefined if there are none, or the order says it.
 */
export function findHomeNote(note: unknown, own: Own | undefined): string | undefined {
  return own?.["receiver.residential"] === undefined ? HOME.exec(readText(note))?.[0] : undefined
}

/** Warns of notes to the driver that ask for services which the price does not include. */
export function noteWarnings(note: unknown, own: Own | undefined): RuleFinding[] {
  const path = ["specialInstructions"]
  const home = findHomeNote(note, own)
  const lift = TAIL_LIFT.exec(readText(note))?.[0]
  return [
    ...(home === undefined
      ? []
      : [
          findingAt(path, NOTE_RULE, `has ${quoted(home)}, and the price is that of a business`, {
            hint: "if it is a home, --to-residential or a column Residential says so; carriers charge more for homes",
          }),
        ]),
    ...(lift === undefined
      ? []
      : [
          findingAt(path, NOTE_RULE, `asks for ${quoted(lift)}, which is not in any price`, {
            hint: "ask the carrier what it charges for it",
          }),
        ]),
  ]
}
