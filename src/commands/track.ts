import { type Command, Option } from "commander"
import { type Failure, failureOf } from "../api/several.ts"
import { CARRIERS } from "../contract/carrier-fields.ts"
import { nextCommand } from "../contract/command-line.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { quoted } from "../contract/parsed.ts"
import { zoneHere } from "../contract/wall-clock.ts"
import { zoneOfState } from "../contract/zones.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError, withOptions } from "../errors.ts"
import { markOf } from "../memory/tracked.ts"
import { askUntilKnown, askUntilOver, foundIn } from "../tracking/ask.ts"
import {
  eventColumns,
  isOver,
  isPending,
  spreadsheetDamage,
  type Tracked,
  type ZoneOf,
} from "../tracking/events.ts"
import { openFeed } from "../tracking/feed.ts"
import type { Act } from "./shared/act.ts"
import { duration } from "./shared/duration.ts"
import { examples } from "./shared/examples.ts"
import { printJourneys } from "./shared/journeys.ts"
import { namesFrom } from "./shared/names.ts"

interface Options {
  carrier?: Carrier
  wait?: string | true
  watch?: boolean
  interval?: string
  new?: boolean
}

const NAMING = {
  what: "consignment number",
  headings: ["consignmentNumber", "consignment"],
  fault: spreadsheetDamage,
}

export function define(command: Command, act: Act): void {
  command
    .description(
      "Shows where consignments are, newest event first, and proof of delivery where the carrier gives it.",
    )
    .argument("<consignment...>", "the carrier's consignment numbers, or - for standard input, one a line")
    .addOption(
      new Option(
        "--carrier <carrier>",
        "look with this carrier only; without it, your shipments and then all carriers",
      ).choices(CARRIERS),
    )
    .option("--wait [seconds]", "ask again while the carrier knows nothing yet, for this long (default: 300)")
    .option("--watch", "ask again until all are delivered, and print new events as they come; Ctrl-C ends it")
    .option("--interval <seconds>", "ask again after this to twice this long (default: 30; with --watch 60)")
    .option("--new", "only events that were not shown before on this machine")
    .addHelpText(
      "after",
      examples(
        "freight track --sandbox DEMO-A-MOVING DEMO-A-DELIVERED",
        "freight track --sandbox DEMO-A-DELIVERED --json",
        "freight track --sandbox DEMO-B-DELIVERED --watch --format ndjson",
        "echo DEMO-A-MOVING | freight track --sandbox - --new",
      ),
    )
    .action(act(run))
}

/**
 * GET /track for each consignment. One that fails does not hide the others.
 * @returns 1 when a carrier has no tracking
 * @throws FreightError naming all that failed, after the rest was printed; `notReady` when --wait ran out
 */
async function run(deps: Deps, args: string[], options: Options): Promise<number> {
  const { intervalMs, limitMs } = patience(options)
  const { format, fields } = deps.output
  const unknown = fields?.find((field) => !eventColumns.some(({ key }) => key === field))
  if (options.watch && unknown !== undefined)
    throw new FreightError("usage", `--fields: events have no field '${unknown}'`, {
      hint: `The fields are: ${eventColumns.map(({ key }) => key).join(", ")}.`,
    })
  const consignments = await namesFrom(deps.terminal, args, NAMING)
  const before = new Map<string, ReadonlySet<string>>()
  if (options.new) for (const each of consignments) before.set(each, await deps.tracked.shown(each))

  const streams = options.watch === true && (format === "table" || format === "ndjson")
  const zoneOf = zonesFor(deps)
  const feed = streams
    ? openFeed({ terminal: deps.terminal, output: deps.output, tracked: deps.tracked, zoneOf }, before)
    : async () => {}
  const asked = { consignments, carrier: options.carrier, intervalMs, limitMs }
  const api = await deps.freight()
  const answers = options.watch
    ? await askUntilOver(deps, api, asked, feed)
    : await askUntilKnown(deps, api, asked)

  const found = foundIn(answers.values())
  if (!streams) {
    const list = args.length > 1 || args[0] === "-"
    await printJourneys(
      deps,
      zoneOf,
      found.map((one) => withoutShown(one, before)),
      list,
      options.new === true,
    )
    for (const { consignment, tracking } of found)
      await deps.tracked.keep(consignment, tracking?.events ?? [])
  }

  const failures = Array.from(answers.values()).flatMap((answer): Failure[] =>
    answer.ok ? [] : [{ name: answer.item, error: withWordsOnNumbers(answer.item, answer.error) }],
  )
  if (options.wait !== undefined)
    for (const one of found)
      if (options.watch ? one.supported && !isOver(one) : isPending(one))
        failures.push({ name: one.consignment, error: outOfTime(one, options.watch === true, limitMs) })
  if (failures.length > 0) throw failureOf("consignments", consignments.length, failures)
  return found.some(({ supported }) => !supported) ? EXIT.no : EXIT.done
}

/** The clock of the receiver, of what was booked from here; otherwise this machine's. */
function zonesFor(deps: Deps): ZoneOf {
  const known = new Map<string, Promise<string>>()
  const find = async (consignment: string): Promise<string> => {
    const { readHistory } = await import("../ledger/history.ts")
    const { store, scopes } = await deps.readLedger()
    const filter = { kind: "shipment" as const, search: consignment, ...(scopes && { scopes }) }
    for await (const rows of readHistory(store, filter)) {
      const booked = rows.find(({ consignmentNumber }) => consignmentNumber === consignment)
      if (booked) return zoneOfState(booked.receiverState) ?? zoneHere()
    }
    return zoneHere()
  }
  return (consignment) => {
    // A ledger that cannot be read does not keep anybody from tracking.
    const zone = known.get(consignment) ?? find(consignment).catch(zoneHere)
    known.set(consignment, zone)
    return zone
  }
}

/** The API says neither what it was asked for nor what it takes. */
function withWordsOnNumbers(consignment: string, error: FreightError): FreightError {
  if (error.kind !== "notFound" || error.hint !== undefined) return error
  const hint = `Is ${quoted(consignment)} the carrier's consignment number, copied whole? A shipment's id is another thing.`
  return withOptions(error, { hint, ...nextCommand("freight", "shipments", "list") })
}

/** How often and how long to ask. @throws FreightError `usage` for flags that do not go together. */
function patience({ wait, watch, interval }: Options): { intervalMs: number; limitMs: number } {
  if (interval !== undefined && wait === undefined && !watch)
    throw new FreightError("usage", "--interval goes with --wait or --watch")
  const intervalMs = duration(interval ?? true, "--interval", watch ? 60 : 30)
  if (intervalMs < 1000)
    throw new FreightError("usage", `--interval takes seconds from 1, not '${interval}'`, {
      hint: "The service asks to wait 30 to 60 seconds between two looks.",
    })
  if (wait === undefined) return { intervalMs, limitMs: watch ? Number.POSITIVE_INFINITY : 0 }
  const limitMs = duration(wait, "--wait", 300)
  if (limitMs < intervalMs)
    throw new FreightError(
      "usage",
      `--wait ${wait} is over before the second look, after ${intervalMs / 1000} s`,
      {
        hint: `Give --wait ${intervalMs / 1000} or more, or a shorter --interval.`,
      },
    )
  return { intervalMs, limitMs }
}

function withoutShown(one: Tracked, before: ReadonlyMap<string, ReadonlySet<string>>): Tracked {
  const shown = before.get(one.consignment)
  if (!shown || !one.tracking) return one
  const events = one.tracking.events.filter((event) => !shown.has(markOf(event)))
  return { ...one, tracking: { ...one.tracking, events } }
}

function outOfTime({ consignment }: Tracked, watched: boolean, limitMs: number): FreightError {
  const after = `after ${limitMs / 1000} s`
  const again = nextCommand("freight", "track", consignment)
  return watched
    ? new FreightError("notReady", `${consignment} is not delivered ${after}`, again)
    : new FreightError("notReady", `the carrier has no tracking of ${consignment} ${after}`, {
        retryAfter: 60,
        ...again,
      })
}
