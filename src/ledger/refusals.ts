/** Why nothing was sent, or what to do with what was: the ledger's errors in words. */
import { nextCommand } from "../contract/command-line.ts"
import { FreightError, type FreightErrorOptions, withOptions } from "../errors.ts"
import { type Entry, type Facts, sentText } from "./entry.ts"
import type { Verdict } from "./judge.ts"
import type { Slot } from "./store.ts"

/** Something equal was made within 24 hours: a person may say that a second one is meant (`again`). */
export class AlreadyMade extends FreightError {
  readonly entry: Entry

  constructor(entry: Entry, message: string, options: FreightErrorOptions) {
    super("refused", message, options)
    this.entry = entry
  }
}

export const UNKNOWN_HINT =
  "It may exist: do not run this again. freight reconcile looks for it, and settles it when there is exactly one match."

const THINGS = {
  shipment: "booking",
  pickup: "pickup",
  "label-print": "print",
  "pdf-print": "print",
} as const

/** It exists, and the ledger cannot be written: the entry stays `unknown`, so that it is not sent again. */
export function unrecorded({ kind, facts, response }: Entry, trouble: unknown): FreightError {
  return new FreightError(
    "stepFailed",
    `the ${THINGS[kind]} was made: ${whatOf(facts)}; but ${messageOf(trouble)}. The reply was ${JSON.stringify(response)}`,
    {
      hint: "Do not run this again. Its outcome is not in the ledger: mend that, then let freight reconcile find it.",
      next: "freight reconcile",
      cause: trouble,
    },
  )
}

/** It was refused, and the ledger cannot be written: the entry stays `unknown` until it is released. */
export function unrecordedRefusal(error: FreightError, { name }: Slot, trouble: unknown): FreightError {
  return withOptions(error, {
    hint: `Nothing was created; but ${messageOf(trouble)}. Mend that, and release it before you run this again.`,
    next: `freight reconcile --release ${name}`,
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function whatOf({ shipmentId, about }: Facts): string {
  return [shipmentId && `shipment ${shipmentId}`, about].filter(Boolean).join(", ")
}

/** Why an entry stands in the way; nothing was sent. */
export function refusal(entry: Entry, verdict: Exclude<Verdict, "free" | "recorded">): FreightError {
  const thing = THINGS[entry.kind]
  const { shipmentId } = entry.facts
  const what = whatOf(entry.facts)
  const when = sentText(entry)
  switch (verdict) {
    case "equal":
      if (entry.facts.standing)
        return new FreightError("refused", `the carrier already has this ${thing}: ${what}`, {
          hint: entry.note ?? "It must not be made again: settle it with the carrier by that reference.",
          next: "freight history",
        })
      return new AlreadyMade(entry, `an equal ${thing} was made at ${when}: ${what || entry.key}`, {
        hint: "Nothing was sent. If you mean a second one, add --again; to make each one its own, name it with --key.",
        ...(shipmentId
          ? nextCommand("freight", "shipments", "show", shipmentId)
          : { next: "freight history" }),
      })
    case "other-content":
      return new FreightError(
        "input",
        `the key ${entry.key.slice("key:".length)} was used for another ${thing} at ${when}${what ? `: ${what}` : ""}`,
        {
          hint: "Nothing was sent. A key names one thing for good: give this one another.",
          next: "freight history",
        },
      )
    case "in-flight":
    case "unknown":
      return new FreightError(
        "outcomeUnknown",
        verdict === "unknown"
          ? `this ${thing} was sent at ${when} and its outcome is not known; nothing was sent now`
          : `another process has been sending this ${thing} since ${when}; nothing was sent now`,
        { hint: UNKNOWN_HINT, next: "freight reconcile" },
      )
  }
}
