import { ALLOW_DENSITY_FLAG, command, FIX_PLACES_FLAG, type Flags, pickFieldFlags } from "../command/index.ts"
import {
  getGstBasis,
  limitsText,
  PREFERENCE_FLAGS,
  RATE_FIELDS,
  rateColumns,
  type RateEvidence,
  rateNotes,
  type RateReply,
  type RateRow,
  SORT_KEYS,
  type SortKey,
} from "../orders/index.ts"
import { nextCommand } from "../base/command-line.ts"
import { counted } from "../base/counted.ts"
import type { Deps } from "../session/index.ts"
import { EXIT } from "../base/errors.ts"
import { capital, print } from "../output/index.ts"

const flags = {
  from: { takes: "<place>", about: 'collection place: "Alexandria NSW 2015"' },
  to: { takes: "<place>", about: 'delivery place: "Fremantle WA 6160"' },
  ...pickFieldFlags(["fromResidential", "toResidential", "package", "dangerousGoods"]),
  date: {
    takes: "<day>",
    about: "shipping date: 2026-11-23, 23/11, tomorrow (default: today at the collection place)",
  },
  service: {
    takes: "<code>",
    about: "price this service only: a code, cheapest, best-value, fastest or reliable",
  },
  connector: { takes: "<id>", about: "ask this connector only" },
  file: {
    takes: "<file>",
    about: "a rate request as JSON, or - for standard input; flags override it",
    isInput: true,
  },
  set: { takes: "<field=value>", about: "any other field of the request (repeatable)", isRepeatable: true },
  sort: { takes: "<by>", about: "the order", default: "price", choices: SORT_KEYS },
  cheapest: { about: "only the cheapest", conflicts: "fastest" },
  fastest: { about: "only the one that arrives first" },
  ...PREFERENCE_FLAGS,
  ...ALLOW_DENSITY_FLAG,
  ...FIX_PLACES_FLAG,
} as const satisfies Flags

export default command({
  about:
    "Compares the prices and arrivals of all carriers. Asks on a terminal for what is missing. A carrier that does not answer within seconds is left out and named. The quotes are kept for 48 hours; freight book --rate 1 books the first of them.",
  flags,
  daily: ["from", "to", "package", "date", "cheapest", "fastest", "within", "maxPrice", "sort"],
  columns: RATE_FIELDS,
  examples: [
    'freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5',
    'freight rate-shop --sandbox --from "Surry Hills NSW 2010" --to "Hobart TAS 7000" --package 30x20x10@2 --date tomorrow --fastest --json',
    'freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Carlton VIC 3053" --package 30x20x10@2 --cheapest --within 3d --avoid B',
  ],
  /** @returns 1 when no carrier gave a rate */
  async run(deps, options) {
    const { shopForRates, warnOfFailures } = await import("../orders/rates/shop.ts")
    const { request, reply, rows, by, kind, best, chosenBecause, leftOut, limits } = await shopForRates(
      deps,
      options,
    )
    await print(deps, {
      rows,
      items: rows.map(toItem),
      summary: { quoteId: reply.quoteId ?? null, failures: listFailures(reply) },
      columns: rateColumns(rows, request, hasTwins(reply), by),
      dim: ({ visibility }) => visibility === "hidden",
      empty: "No carrier gave a rate.",
    })
    if (leftOut > 0 && !best) await deps.note(`${counted(leftOut, "rate")} left out: ${limitsText(limits)}.`)
    if (chosenBecause !== undefined)
      await deps.note(`${kind === undefined ? FIRST_BY[by] : capital(kind)}: ${chosenBecause}.`)
    await warnOfFailures(deps, reply)
    await noteRest(deps, rows)
    return rows.length === 0 ? EXIT.no : EXIT.done
  },
})

/** What the first of a list is. */
const FIRST_BY: Readonly<Record<SortKey, string>> = {
  price: "Cheapest",
  eta: "Fastest",
  likely: "Best value",
  reliable: "Most reliable",
}

/** Whether two accounts are of one carrier, so that its name alone does not tell them apart. */
function hasTwins({ results }: RateReply): boolean {
  return new Set(results.map(({ carrier }) => carrier)).size < results.length
}

/** A rate as the API gives it, with where it is from. */
/** A rate under `--json`; null is what its carrier does not say. */
export type RateJson = ReturnType<typeof toItem>

function toItem(row: RateRow) {
  const { quoteId, connectorId, carrier, ...others } = row
  const { arrives: _, standing: __, evidence, ...rate } = others
  return {
    connectorId,
    carrier,
    serviceCode: rate.serviceCode,
    description: rate.description,
    price: rate.price ?? null,
    priceGst: rate.priceGst ?? null,
    priceIncGst: rate.priceIncGst ?? null,
    /** Whether GST is in the price. */
    gstBasis: getGstBasis(rate),
    currency: rate.currency ?? null,
    eta: rate.eta ?? null,
    transitDays: rate.transitDays ?? null,
    bookingCutoff: rate.bookingCutoff ?? null,
    collectionCutoff: rate.collectionCutoff ?? null,
    visibility: rate.visibility ?? null,
    rateId: rate.rateId ?? null,
    quoteId,
    /** What earlier deliveries and bills say of it; null where they say nothing. */
    evidence: evidence ? toEvidenceItem(evidence) : null,
  }
}

function toEvidenceItem({ arrival, billed, likely }: RateEvidence) {
  return { arrival: arrival ?? null, billed: billed ?? null, likely: likely ?? null }
}

/** The accounts that gave no rate. */
/** A connector that gave no rate. */
export type RateFailure = ReturnType<typeof listFailures>[number]

function listFailures({ results }: RateReply) {
  return results.flatMap(({ connectorId, carrier, success, error }) =>
    success ? [] : [{ connectorId, carrier, code: error?.code ?? null, message: error?.message ?? null }],
  )
}

async function noteRest(deps: Deps, rows: readonly RateRow[]): Promise<void> {
  if (deps.output.format !== "table" || rows.length === 0) return
  for (const note of rateNotes(rows)) await deps.note(note)
  const sandbox = deps.globals.sandbox ? ["--sandbox"] : []
  const { next } = nextCommand("freight", "book", ...sandbox, "--rate", "1")
  await deps.note(`Book one by its number within 48 hours: ${next}`)
}
