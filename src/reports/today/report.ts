import { type Failure, failureOf } from "../../api/index.ts"
import { command, wholeNumber } from "../../command/index.ts"
import { onSameService } from "../../machine/index.ts"
import { counted } from "../../base/counted.ts"
import { safeText } from "../../base/safe-text.ts"
import type { Session } from "../../session/index.ts"
import { EXIT } from "../../base/errors.ts"
import { OPEN_DAYS } from "../../orders/index.ts"
import { type Column, cut, paint, print, wrap } from "../../output/index.ts"
import { findNeeds } from "./find.ts"
import { groupNeeds, type Need, NEED_KINDS, NEEDS, showNeed, type ShownNeed } from "./needs.ts"
import { parsePast } from "../../base/past.ts"

const columns: Column<Need>[] = [
  { key: "need", title: "NEEDS", rank: 1, show: ({ need }) => need.replaceAll("-", " ") },
  { key: "next", title: "RUN", rank: 2, gives: "nothing" },
  { key: "reference", title: "REFERENCE", rank: 3 },
  { key: "consignmentNumber", title: "CONSIGNMENT", rank: 5, gives: "nothing" },
  { key: "what", title: "WHAT", rank: 4, gives: "words" },
  { key: "about", title: "ABOUT", rank: 6 },
  { key: "shipmentId", title: "SHIPMENT", hidden: true },
  { key: "carrier", title: "CARRIER", hidden: true },
  { key: "since", title: "SINCE", hidden: true },
]

const NEED_LINES = Object.entries(NEEDS).map(([need, { meaning }]) => `  ${need.padEnd(16)} ${meaning}`)

export default command({
  about:
    "Shows what needs someone, worst first, each with the command to run. It looks in the ledger, and asks the service only about what may be wrong by now; it changes nothing. The exit code is 1 if there is something, 0 if not.",
  flags: {
    since: {
      takes: "<when>",
      about: `look at bookings since then (default: ${OPEN_DAYS}d)`,
    },
    hours: {
      takes: "<n>",
      about: "hours after the ready time until the first scan is overdue; weekends do not count",
      default: "24",
      read: wholeNumber(0, 9999, " of hours"),
    },
    all: { about: "in the table, a line for each, where many of one carrier and place are one" },
    leaveOut: {
      formerly: ["--skip"],
      takes: "<need...>",
      about: "leave out those with one of these needs",
      choices: NEED_KINDS,
    },
  },
  columns,
  examples: [
    "freight today --sandbox",
    "freight today --sandbox --leave-out no-pickup late",
    "freight today --sandbox --json",
  ],
  notes: `What it looks for, worst first:
${NEED_LINES.join("\n")}

With --json:
  {"items":[{"need","consignmentNumber","reference","shipmentId","carrier",
    "about","what","since","next"}],"total","nextOffset","at",
    "unseen":[{"what","kind","message"}],"warnings"}
unseen lists what could not be checked. If nothing else needs anyone, that is an error with its own exit code.`,
  async run(deps, { since = `${OPEN_DAYS}d`, hours, leaveOut, all }) {
    const now = await deps.serviceNow()
    const { needs, bookingOf, failures } = await findNeeds(deps, {
      now,
      since: parsePast(since, "--since", now),
      hours,
      isWanted: (need) => leaveOut?.includes(need) !== true,
    })
    const shown = all ? needs.map(showNeed) : groupNeeds(needs, bookingOf, now)
    const rows = needs.map((need) => ({ ...need, next: onSameService(need.next, deps.globals) }))
    const unseen = failures.map(({ what, error: { kind, message } }) => ({
      what,
      kind,
      message: `${what} could not be looked at: ${message}`,
    }))
    if (rows.length === 0 && failures.length > 0) {
      const named = failures.map(({ what, error }): Failure => ({ name: what, error }))
      throw failureOf("looks", named.length, named)
    }
    await print(deps, {
      summary: { at: new Date(now).toISOString(), unseen },
      warnings: unseen.map(({ message }) => message),
      rows,
      columns,
      text: () =>
        shown
          .map((each) => formatNeed(deps.terminal, { ...each, next: onSameService(each.next, deps.globals) }))
          .join(""),
      empty: "Nothing needs you today.",
    })
    if (rows.length === 0) return EXIT.done
    for (const { message } of unseen) await deps.warn(message)
    if (deps.output.format === "table") await deps.note(`${counted(shown.length, "thing")} to look at.`)
    return EXIT.no
  },
})

/** The subject, the problem, and the command, which is never broken across lines. */
function formatNeed(
  { stdout, unicode }: Session["terminal"],
  { need, about, what, next }: ShownNeed,
): string {
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
  const kind = need.replaceAll("-", " ")
  const line = cut(safeText(`${kind}: ${about}`, 400), width, unicode ? "…" : "...")
  const lines = what === undefined ? [] : wrap(safeText(what, 1000), width - 2).map((each) => `  ${each}\n`)
  const heading = line.startsWith(kind) ? paint(stdout, "bold", kind) + line.slice(kind.length) : line
  return `${heading}\n${lines.join("")}  ${next}\n`
}
