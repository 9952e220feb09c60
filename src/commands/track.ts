import { type Command, Option } from "commander"
import type { Carrier, TrackingEvent, TrackingResponse } from "../contract/generated/types.ts"
import { safeText } from "../contract/safe-text.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { paint } from "../terminal/style.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"

interface Options {
  carrier?: Carrier
}

const CARRIERS: readonly Carrier[] = ["CARRIER_A_AU", "CARRIER_B_AU", "CARRIER_C_AU"]

/** What one consignment's question came to. */
type Tracked = TrackingResponse & { consignment: string }

interface EventRow extends TrackingEvent {
  consignment: string
}

export function define(command: Command, act: Act): void {
  command
    .description("Shows where consignments are, newest event first.")
    .argument("<consignment...>", "the carrier's consignment numbers")
    .addOption(
      new Option(
        "--carrier <carrier>",
        "look with this carrier only; without it, your shipments and then all carriers",
      ).choices(CARRIERS),
    )
    .addHelpText(
      "after",
      examples("freight track --sandbox DEMOA000001", "freight track --sandbox DEMOA000001 --json"),
    )
    .action(act(run))
}

const columns: Column<EventRow>[] = [
  { key: "consignment", title: "CONSIGNMENT" },
  { key: "timestamp", title: "TIME" },
  { key: "status", title: "STATUS" },
  { key: "location", title: "LOCATION" },
  { key: "description", title: "DESCRIPTION" },
]

/**
 * GET /track, once for each consignment. One that fails does not hide the others.
 * @returns 5 when one was not found; 1 when its carrier has no tracking
 */
async function run(deps: Deps, consignments: string[], { carrier }: Options): Promise<number> {
  const api = await deps.freight()
  const found: Tracked[] = []
  const failed: FreightError[] = []
  for (const consignment of consignments) {
    try {
      found.push({
        consignment,
        ...(await api.track({ consignment, ...(carrier !== undefined && { carrier }) })),
      })
    } catch (error) {
      if (!(error instanceof FreightError) || consignments.length === 1) throw error
      if (error.kind !== "notFound" && error.kind !== "refused") throw error
      failed.push(error)
    }
  }

  const [first] = found
  const rows = found.flatMap(({ consignment, tracking }) =>
    (tracking?.events ?? []).map((event) => ({ consignment, ...event })),
  )
  const single = consignments.length === 1
  if (deps.output.format === "table") for (const each of found) await summarise(deps, each)
  if (deps.output.format === "ndjson" && !deps.output.fields) {
    for (const each of found) await deps.terminal.stdout.write(`${JSON.stringify(each)}\n`)
  } else {
    await print(deps.terminal, deps.output, {
      json: single && first ? withoutName(first) : found,
      rows,
      columns,
    })
  }
  for (const error of failed) await deps.warn(error.message)
  if (failed[0]) return failed[0].exitCode
  return found.some(({ supported }) => !supported) ? EXIT.no : EXIT.done
}

function withoutName({ consignment: _, ...reply }: Tracked): TrackingResponse {
  return reply
}

/** The state in a line or two, above the events. */
async function summarise({ terminal }: Deps, { consignment, supported, tracking }: Tracked): Promise<void> {
  const { stderr } = terminal
  const name = paint(stderr, "bold", safeText(consignment))
  if (!supported) return stderr.write(`${name}: this carrier has no tracking.\n`)
  if (!tracking) return stderr.write(`${name}: nothing yet; ask again in 30 to 60 seconds.\n`)
  const parts = [safeText(tracking.currentStatus)]
  if (tracking.deliveredAt) parts.push(`delivered ${safeText(tracking.deliveredAt)}`)
  else if (tracking.eta) parts.push(`expected ${safeText(tracking.eta)}`)
  await stderr.write(`${name}: ${parts.join(", ")}\n`)
  const { pod } = tracking
  if (!pod) return
  const proof = [
    pod.signedBy && `signed by ${pod.signedBy}`,
    pod.itemsReceived && `${pod.itemsReceived} received`,
    pod.deliveryNotation,
    pod.signatureImageUrl && `signature: ${pod.signatureImageUrl}`,
  ]
  await stderr.write(`Proof of delivery: ${safeText(proof.filter(Boolean).join("; "), 500)}\n`)
}
