/** A plan as a person reads it, and as programs do. */
import type { GstBasis } from "../../../ledger/index.ts"
import { describeUnstatedGst } from "../../booking/gst.ts"
import { arrives, getGstBasis } from "../../booking/rates.ts"
import { type Globals, serviceFlags } from "../../../machine/index.ts"
import { carrierLetter } from "../../../carriers/index.ts"
import { nextCommand } from "../../../base/command-line.ts"
import { counted } from "../../../base/counted.ts"
import { formatInstant } from "../../../base/wall-clock.ts"
import type { Clock, Notes } from "../../../base/ports.ts"
import { type Column, money, print, type Writing } from "../../../output/index.ts"
import { countPlanGst, isPlanned, type Plan, type PlanRow } from "./plan.ts"
import { formatSumWithGst, formatTotal } from "../gst.ts"
import { totalText } from "../summary.ts"

interface PlanLine {
  row: number
  reference: string | null
  receiver: string | null
  /** `planned`: it would be booked. */
  state: PlanRow["state"]
  connectorId: string | null
  carrier: string | null
  serviceCode: string | null
  price: number | null
  currency: string | null
  /** For people: a date and time, or a number of days. */
  arrives: string | null
  why: string | null
  error: string | null
  /** Whether GST is in the price; null without one. */
  gstBasis: GstBasis | null
  /** With GST, as far as that is known. */
  priceIncGst: number | null
}

export const planColumns: Column<PlanLine>[] = [
  { key: "row", title: "ROW", rank: 1, align: "right" },
  { key: "reference", title: "REFERENCE", rank: 2 },
  { key: "receiver", title: "RECEIVER", rank: 6, gives: "words" },
  { key: "state", title: "STATE", rank: 8, isState: true },
  { key: "connectorId", title: "CONNECTOR", hidden: true },
  { key: "carrier", title: "CARRIER", hidden: true },
  {
    key: "serviceCode",
    title: "SERVICE",
    rank: 3,
    show: ({ carrier, serviceCode }) =>
      serviceCode === null ? "" : `${carrierLetter(carrier ?? "")}/${serviceCode}`,
  },
  { ...money("price"), title: "TOTAL INC GST", rank: 4, show: formatTotal },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "arrives", title: "ARRIVES THERE", rank: 5, gives: "nothing" },
  { key: "why", title: "WHY", rank: 7, gives: "words", show: ({ why, error }) => error ?? why ?? "" },
  { key: "error", title: "ERROR", hidden: true },
  { key: "gstBasis", title: "GST", hidden: true },
  { key: "priceIncGst", title: "PRICE INC GST", hidden: true, isMoney: true },
]

/** Prints a plan without the requests, which are in its file. @param file its name, for the command to run next */
export async function showPlan(
  deps: Writing &
    Notes & {
      readonly clock: Clock
      readonly globals: Globals
    },
  plan: Plan,
  file: string,
): Promise<void> {
  const { planHash, file: orders, madeAt, validUntil, complete, totals } = plan
  const rows = plan.rows.map(toPlanLine)
  const count = (state: PlanRow["state"]) => rows.filter((row) => row.state === state).length
  const [planned, booked, leftOut] = [count("planned"), count("booked"), count("left-out")]
  const changed = count("changed")
  const without = rows.length - planned - booked - leftOut - changed
  const summary = {
    planFile: file,
    planHash,
    file: orders,
    madeAt,
    validUntil,
    complete,
    totals,
    planned,
    booked,
    leftOut,
    changed,
    without,
  }
  const warnings = rows
    .filter(({ state }) => state !== "planned" && state !== "booked" && state !== "left-out")
    .map(
      ({ row, reference, error }) =>
        `row ${row}${reference ? ` (${reference})` : ""}: ${error ?? "no service was chosen for it"}`,
    )
  await print(deps, { summary, rows, columns: planColumns, warnings })
  const parts = [
    `${counted(planned, "row")} to be booked${planned > 0 ? ` for ${totalText({ totals, gst: countPlanGst(plan.rows), unpriced: 0 })}${formatSumWithGst(rows.filter(({ state }) => state === "planned"))}` : ""}`,
    ...(booked > 0 ? [`${booked} booked before`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ...(changed > 0 ? [`${changed} booked before and changed since`] : []),
    ...(without > 0 ? [`${without} for which no service was chosen`] : []),
  ]
  await deps.note(`${parts.join("; ")}.`)
  const unstated = rows
    .filter(({ gstBasis }) => gstBasis === "unknown")
    .flatMap(({ carrier }) => carrier ?? [])
  for (const note of describeUnstatedGst(unstated)) await deps.note(note)
  await deps.note(`Plan hash: ${planHash}`)
  if (validUntil !== null) {
    const isPast = deps.clock.now() > Date.parse(validUntil)
    await deps.note(
      isPast
        ? `The rates expired ${formatInstant(validUntil)}: they are asked for again when the plan is booked.`
        : `The rates are valid until ${formatInstant(validUntil)}.`,
    )
  }
  for (const warning of warnings) await deps.warn(warning)
  const isHeld = (row: PlanRow) => "held" in row && row.state !== "left-out" && row.state !== "changed"
  const held = plan.rows.filter(isHeld).length
  if (held > 0) await deps.note("Rows that the shop holds wait when it is booked, and the others are booked.")
  if (without > held)
    await deps.note(
      "It can be booked once a service is chosen for all rows, or with --skip-invalid, which leaves the others out.",
    )
  const skip = without > held ? ["--skip-invalid"] : []
  const flags = serviceFlags({ ...deps.globals, sandbox: plan.account.service === "sandbox" })
  const { next } = nextCommand("freight", "batch", "book", ...flags, "--plan", file, ...skip)
  if (next !== undefined && file !== "-" && planned > 0) await deps.note(`Book it: ${next}`)
}

function toPlanLine(planRow: PlanRow): PlanLine {
  const { row, reference, state, error, request } = planRow
  const { companyName, suburb, state: region, postcode } = request?.receiver ?? {}
  const place = [suburb, region, postcode].filter(Boolean).join(" ")
  const planned = isPlanned(planRow) ? planRow : undefined
  return {
    row,
    reference: reference || null,
    receiver: [companyName, place].filter(Boolean).join(", ") || null,
    state,
    connectorId: planned?.connectorId ?? null,
    carrier: planned?.rate.carrier ?? null,
    serviceCode: planned?.serviceCode ?? null,
    price: planned?.price ?? null,
    currency: planned?.currency ?? null,
    arrives: planned ? arrives(planned.rate.rate) : null,
    why: planned?.why ?? null,
    error,
    gstBasis: planned ? getGstBasis(planned.rate.rate) : null,
    priceIncGst: planned?.rate.rate.priceIncGst ?? null,
  }
}
