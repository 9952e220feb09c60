import { type Command, Option } from "commander"
import { type Failure, failureOf } from "../api/several.ts"
import { CARRIERS } from "../contract/carrier-fields.ts"
import { nextCommand } from "../contract/command-line.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { zoneHere } from "../contract/wall-clock.ts"
import { zoneOfState } from "../contract/zones.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError } from "../errors.ts"
import { createFinder, trackByAnyName } from "../lookup/find.ts"
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
import { namesOrAsk } from "./shared/ask-shipment.ts"
import { examples } from "./shared/examples.ts"
import { printJourneys } from "./shared/journeys.ts"
import { namesFrom, SHIPMENT, SHIPMENTS } from "./shared/names.ts"

interface Options {
  carrier?: Carrier
  wait?: string | true
  watch?: boolean
  interval?: string
  new?: boolean
}

const NAMING = {
  what: "consignment number",
  headings: ["consignmentNumber", "consignment", ...SHIPMENTS.headings],
  fault: spreadsheetDamage,
}

export function define(command: Command, act: Act): void {
  command
    .description(
      "Shows where consignments are, newest event first, and proof of delivery where the carrier gives it. On a terminal it asks which, where none is named.",
    )
    .argument("[consignment...]", `${SHIPMENT}; or - for standard input, one a line`)
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
async function run(deps: Deps, given: string[], options: Options, command: Command): Promise<number> {
  const { intervalMs, limitMs } = patience(options)
  const { format, fields } = deps.output
  const unknown = fields?.find((field) => !eventColumns.some(({ key }) => key === field))
  if (options.watch && unknown !== undefined)
    throw new FreightError("usage", `--fields: events have no field '${unknown}'`, {
      hint: `The fields are: ${eventColumns.map(({ key }) => key).join(", ")}.`,
    })
  const args = await namesOrAsk(deps, given, command, "Which shipment is to be tracked?")
  const names = await namesFrom(deps.terminal, args, NAMING)
  const finder = createFinder(deps, "consignment")
  await finder.look(names)

  const onlyNew = options.new === true
  const streams = options.watch === true && (format === "table" || format === "ndjson")
  const zoneOf = zonesFor(deps)
  const feed = streams
    ? openFeed({ terminal: deps.terminal, output: deps.output, tracked: deps.tracked, zoneOf }, onlyNew)
    : async () => {}
  const asked = { consignments: names, carrier: options.carrier, intervalMs, limitMs }
  const api = trackByAnyName(finder, await deps.freight())
  const withNumbers = (found: readonly Tracked[]) =>
    found.map((one) => ({ ...one, consignment: api.numberOf(one.consignment) }))
  const answers = options.watch
    ? await askUntilOver(deps, api, asked, (found) => feed(withNumbers(found)))
    : await askUntilKnown(deps, api, asked)

  const found = withNumbers(foundIn(answers.values()))
  if (!streams) {
    const list = args.length > 1 || args[0] === "-"
    const shown = onlyNew ? await Promise.all(found.map((one) => withoutShown(deps, one))) : found
    await printJourneys(deps, zoneOf, shown, list, onlyNew)
    for (const { consignment, tracking } of found)
      await deps.tracked.keep(consignment, tracking?.events ?? [])
  }

  const failures = Array.from(answers.values()).flatMap((answer): Failure[] =>
    answer.ok ? [] : [{ name: answer.item, error: answer.error }],
  )
  if (options.wait !== undefined)
    for (const one of found)
      if (options.watch ? one.supported && !isOver(one) : isPending(one))
        failures.push({ name: one.consignment, error: outOfTime(one, options.watch === true, limitMs) })
  if (failures.length > 0) throw failureOf("consignments", names.length, failures)
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

async function withoutShown({ tracked }: Deps, one: Tracked): Promise<Tracked> {
  if (!one.tracking) return one
  const shown = await tracked.shown(one.consignment)
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
