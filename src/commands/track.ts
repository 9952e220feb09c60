import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { type Failure, failureOf } from "../api/several.ts"
import { CARRIERS } from "../carriers/names.ts"
import { counted } from "../base/counted.ts"
import type { Carrier, TrackingResponse } from "../contract/generated/types.ts"
import type { Deps } from "../command/deps.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import type { Cancellation, Facts } from "../ledger/entry.ts"
import { createFinder } from "../orders/lookup/find.ts"
import { SHIPMENTS } from "../orders/lookup/given.ts"
import { DELIVERED_MARK, marksOf } from "../machine/memory/tracked.ts"
import { askUntilKnown, askUntilOver, foundIn } from "../orders/tracking/ask.ts"
import {
  createEndsFinder,
  endsOf,
  findOpen,
  type NameTracker,
  OPEN_DAYS,
  rememberSeen,
  toUpdates,
  trackBookings,
  trackByAnyName,
} from "../orders/tracking/booked.ts"
import { changeIn, handOver, keepLook, type Origin, withoutShown } from "../orders/tracking/changes.ts"
import {
  eventColumns,
  isOver,
  isPending,
  spreadsheetDamage,
  type Tracked,
  type FindEnds,
} from "../orders/tracking/events.ts"
import { openFeed } from "../orders/tracking/feed.ts"
import { milliseconds, nonEmpty } from "../command/flags.ts"
import { printJourneys, printStandings } from "../orders/tracking/journeys.ts"
import { namesOrAsk, SHIPMENT_NAMES } from "../orders/lookup/names.ts"
import { parsePast } from "../base/past.ts"
import { isForPeople } from "../output/terminal/view.ts"

const NAMING = {
  what: "consignment number",
  headings: ["consignmentNumber", "consignment", ...SHIPMENTS.headings],
  fault: spreadsheetDamage,
}

const flags = {
  open: { about: "everything booked from here, by anyone in the team, that is not delivered" },
  since: {
    takes: "<when>",
    about: `with --open: bookings from then on (default: ${OPEN_DAYS}d)`,
    needs: "open",
  },
  now: {
    about: "with --open: ask also about what was asked less than a minute ago",
    needs: "open",
  },
  carrier: {
    takes: "<carrier>",
    about: "ask this carrier only; without it, your shipments and then all carriers are searched",
    choices: CARRIERS,
  },
  wait: {
    takes: "[seconds]",
    about: "ask again for this long while the carrier knows nothing yet (default: 300)",
    alone: "300",
    read: milliseconds,
  },
  watch: {
    about: "ask again until all are delivered, and print new events as they come; Ctrl-C stops it",
    conflicts: "noRemember",
  },
  interval: {
    takes: "<seconds>",
    about: "ask again after this to twice this long (default: 30; with --watch 60)",
    needs: ["wait", "watch"],
    read: readInterval,
  },
  new: { about: "only events not shown before on this machine; with --open, only what changed" },
  noRemember: { about: "do not count what is shown as shown: --new shows it again" },
  exec: {
    takes: "<command>",
    about: "run this in the shell once for each consignment that changed; see below",
    read: nonEmpty,
  },
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

const EXEC_HELP = `What --exec runs gets the change on its standard input, as one JSON object:
  {"shipmentId","reference","consignmentNumber","supported","tracking":
    {"currentStatus","eta","deliveredAt","events":[…],"pod"}}
It has only the new events, newest first; none if only the status or the ETA changed. shipmentId and reference are null for what was booked elsewhere. What the command prints goes to standard error. If it fails, freight says so, ends with exit code 8, and repeats the change at the next look; it also repeats a change during which it was stopped. The first look has a change for each consignment. This machine remembers the changes, for all commands of --exec together.`

export default command({
  about:
    "Shows where consignments are, newest event first, and proof of delivery where the carrier gives it. On a terminal it asks which, if none is named, and --open has a line for each.",
  args: [{ takes: "[consignment...]", about: SHIPMENT_NAMES, isAsked: true, unless: "open" }],
  flags,
  columns: eventColumns,
  examples: [
    "freight track --sandbox DEMO-A-MOVING DEMO-A-DELIVERED",
    "freight track --sandbox DEMO-A-DELIVERED --json",
    "freight track --sandbox DEMO-B-DELIVERED --watch --format ndjson",
    "echo DEMO-A-MOVING | freight track --sandbox - --new",
    'freight track --sandbox --open --new --exec "more >> changes.ndjson"',
  ],
  notes: EXEC_HELP,
  endsWithReader: ({ exec }) => exec === undefined,
  run: track,
})

/** Another workstation's clock may be off by so much. */
const CLOCK_SLACK_MS = 2 * 3_600_000

/**
 * GET /track for each consignment. One that fails does not hide the others.
 * @returns 1 when a carrier has no tracking
 * @throws FreightError naming all that failed, after the rest was printed; `notReady` when --wait ran out
 */
async function track(deps: Deps, given: readonly string[], options: Options): Promise<number> {
  const { intervalMs, limitMs } = chooseTimes(options)
  const { format, fields } = deps.output
  const unknown = fields?.find((field) => !eventColumns.some(({ key }) => key === field))
  if (options.watch && unknown !== undefined)
    throw new FreightError("usage", `--fields: events have no field '${unknown}'`, {
      hint: `The fields are: ${eventColumns.map(({ key }) => key).join(", ")}.`,
    })
  const began = await deps.serviceNow()
  const { names, api, findEnds, originOf, known } = options.open
    ? await findOpenTargets(deps, given, options, began)
    : await findNamedTargets(deps, given)

  const onlyNew = options.new === true
  const streams = options.watch === true && (format === "table" || format === "ndjson")
  const feed = streams
    ? openFeed(
        {
          ...{ terminal: deps.terminal, output: deps.output, warnings: deps.warnings },
          ...{ tracked: deps.tracked, findEnds },
        },
        onlyNew,
      )
    : async () => {}
  const failed = new Map<string, Failure>()
  const findOrigin = (consignment: string): Origin => {
    const name = names.find((each) => api.numberOf(each) === consignment) ?? ""
    const { shipmentId = null, reference = null } = originOf(name) ?? {}
    return { shipmentId, reference }
  }
  const passOn = async (found: readonly Tracked[]) => {
    const asked = found.filter(({ consignment }) => !known.has(consignment))
    await rememberSeen(deps, toUpdates(asked), await deps.serviceNow())
    if (options.exec === undefined) return
    for (const { consignment } of found) failed.delete(consignment)
    for (const failure of await handOver(deps, options.exec, found, findOrigin))
      failed.set(failure.name, failure)
  }
  const question = { consignments: names, carrier: options.carrier, intervalMs, limitMs }
  const withNumbers = (found: readonly Tracked[]) =>
    found.map((one): Tracked => {
      const { cancelled } = originOf(one.consignment) ?? {}
      return {
        ...one,
        consignment: api.numberOf(one.consignment),
        ...(cancelled && { freight: { cancelled } }),
      }
    })
  const answers = options.watch
    ? await askUntilOver(deps, api, question, async (round) => {
        const found = withNumbers(round)
        await feed(found)
        await passOn(found)
      })
    : await askUntilKnown(deps, api, question)

  const found = withNumbers(foundIn(answers.values()))
  if (options.open && !options.watch) await keepAnswers(deps, found, options.carrier, known, began)
  if (known.size > 0)
    await deps.note(
      `${counted(known.size, "consignment")} asked about less than a minute ago: shown as then. --now asks again.`,
    )
  const hasAnswer = found.length > 0 || names.length === 0
  if (!streams) {
    if (hasAnswer && !options.open) {
      const shown = onlyNew ? await Promise.all(found.map((one) => withoutShown(deps.tracked, one))) : found
      await printJourneys(deps, findEnds, shown, onlyNew)
    } else if (hasAnswer) {
      const changes = onlyNew ? await Promise.all(found.map((one) => changeIn(deps.tracked, one))) : found
      const shown = changes.filter((one) => one !== undefined)
      const isLooked = isForPeople(deps.output) && !onlyNew && deps.terminal.stdout.isTTY
      if (isLooked)
        await printStandings(deps, findEnds, shown, (consignment) => findOrigin(consignment).reference)
      else await printJourneys(deps, findEnds, shown, false)
      if (shown.length === 0) await deps.note(names.length === 0 ? "Nothing is on its way." : "Nothing new.")
    }
    for (const { consignment, tracking } of options.remember ? found : [])
      await deps.tracked.keep(consignment, tracking ? marksOf(tracking) : [])
    if (!options.watch) await passOn(found)
  }

  const failures = Array.from(answers.values()).flatMap((answer): Failure[] =>
    answer.ok ? [] : [{ name: answer.item, error: answer.error }],
  )
  if (options.open) {
    const isWhole = failures.length === 0
    if (options.remember) await keepLook(deps.tracked, began, isWhole && onlyNew)
    if (options.exec !== undefined) await keepLook(deps.handedOver, began, isWhole && failed.size === 0)
  }
  if (options.wait !== undefined)
    for (const one of found)
      if (options.watch ? one.supported && !isOver(one) : isPending(one))
        failures.push({ name: one.consignment, error: outOfTime(one, options.watch === true, limitMs) })
  failures.push(...failed.values())
  if (failures.length > 0) throw failureOf("consignments", names.length, failures)
  return found.some(({ supported }) => !supported) ? EXIT.no : EXIT.done
}

/** What is tracked, and what is known of it. */
interface Targets {
  names: readonly string[]
  api: NameTracker
  findEnds: FindEnds
  originOf(name: string): (Pick<Facts, "shipmentId" | "reference"> & { cancelled?: Cancellation }) | undefined
  /** Those of the names of which the answer of the last minute is shown. */
  known: ReadonlySet<string>
}

async function findNamedTargets(deps: Deps, given: readonly string[]): Promise<Targets> {
  const names = await namesOrAsk(deps, given, NAMING, "Which shipment do you want to track?")
  const finder = createFinder(deps, "consignment")
  await finder.checkNames(names)
  const api = trackByAnyName(finder, await deps.freight())
  return { names, api, findEnds: createEndsFinder(deps), originOf: finder.foundAs, known: new Set() }
}

/** What an answer is kept under: another carrier may answer otherwise. */
function toQuestion(consignment: string, carrier: Carrier | undefined): string {
  return carrier === undefined ? consignment : `${consignment} ${carrier}`
}

/** Keeps what was asked now, for the next look; not that the carrier knew nothing yet. */
async function keepAnswers(
  deps: Deps,
  found: readonly Tracked[],
  carrier: Carrier | undefined,
  known: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const asked = found.filter((one) => !known.has(one.consignment) && !isPending(one))
  if (asked.length === 0) return
  const answers = asked.map(
    ({ consignment, ...answer }) => [toQuestion(consignment, carrier), answer] as const,
  )
  await (await deps.trackingAnswers()).keep(new Map(answers), now)
}

async function findOpenTargets(
  deps: Deps,
  given: readonly string[],
  { since, carrier, new: onlyNew, exec, now: asksNow, wait, watch }: Options,
  now: number,
): Promise<Targets> {
  if (given.length > 0)
    throw new FreightError(
      "usage",
      "--open tracks everything that is not delivered: name no consignments with it",
    )
  const from = parsePast(since ?? `${OPEN_DAYS}d`, "--since", now)
  // Deliveries seen by another workstation, or by freight today, have not been shown here yet.
  const memories = [...(onlyNew ? [deps.tracked] : []), ...(exec === undefined ? [] : [deps.handedOver])]
  const looks = (await Promise.all(memories.map((memory) => memory.lookedAt()))).filter(
    (at) => at !== undefined,
  )
  const [last] = looks.sort()
  const open = await findOpen(deps, {
    since: new Date(from).toISOString(),
    carrier,
    endedSince: last && new Date(Date.parse(last) - CLOCK_SLACK_MS).toISOString(),
    async isReported(consignment) {
      const shown = await Promise.all(memories.map((memory) => memory.shown(consignment)))
      return shown.every((marks) => marks.has(DELIVERED_MARK))
    },
  })
  const names = [...open.keys()]
  const none = {
    track: () => Promise.reject(new TypeError("nothing is tracked")),
    numberOf: (name: string) => name,
  }
  const isAskedAnew = asksNow === true || watch === true || wait !== undefined
  const kept = isAskedAnew
    ? new Map<string, TrackingResponse>()
    : await (await deps.trackingAnswers()).find(now)
  const known = new Map(
    names.flatMap((name) => {
      const answer = kept.get(toQuestion(name, carrier))
      return answer ? [[name, answer] as const] : []
    }),
  )
  const asked = names.length > known.size ? trackBookings(open, await deps.freight(), deps) : none
  const api: NameTracker = {
    numberOf: asked.numberOf,
    track: async (query) => known.get(query.consignment) ?? asked.track(query),
  }
  return {
    ...{ names, api, findEnds: endsOf(open), originOf: (name) => open.get(name)?.facts },
    known: new Set(known.keys()),
  }
}

/** Reads seconds as milliseconds. @throws FreightError `usage` */
function readInterval(text: string, flag: string): number {
  const intervalMs = milliseconds(text, flag)
  if (intervalMs >= 1000) return intervalMs
  throw new FreightError("usage", `${flag} takes seconds from 1, not '${text}'`, {
    hint: "The service asks to wait 30 to 60 seconds between two looks.",
  })
}

/** How often and how long to ask. @throws FreightError `usage` where --wait leaves no time for a second look */
function chooseTimes({ wait, watch, interval }: Options): { intervalMs: number; limitMs: number } {
  const intervalMs = interval ?? (watch ? 60_000 : 30_000)
  if (wait === undefined) return { intervalMs, limitMs: watch ? Number.POSITIVE_INFINITY : 0 }
  if (wait >= intervalMs) return { intervalMs, limitMs: wait }
  const seconds = intervalMs / 1000
  throw new FreightError("usage", `--wait ${wait / 1000} ends before the second look, after ${seconds} s`, {
    hint: `Give --wait ${seconds} or more, or a shorter --interval.`,
  })
}

function outOfTime({ consignment }: Tracked, watched: boolean, limitMs: number): FreightError {
  const after = `after ${limitMs / 1000} s`
  return watched
    ? new FreightError("notReady", `${consignment} is not delivered ${after}`)
    : new FreightError("notReady", `the carrier has no tracking of ${consignment} ${after}`, {
        retryAfter: 60,
      })
}
