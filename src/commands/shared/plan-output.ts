/** A plan as a person reads it, and as programs do: without the requests, which are in its file. */
import { totalText } from "../../batch/summary.ts"
import { isPlanned, type Plan, type PlanRow } from "../../batch/plan/plan.ts"
import { arrives } from "../../booking/rates.ts"
import { serviceFlags } from "../../config/next.ts"
import { carrierLetter } from "../../contract/carrier-fields.ts"
import { nextCommand } from "../../contract/command-line.ts"
import { counted } from "../../contract/counted.ts"
import { formatInstant } from "../../contract/wall-clock.ts"
import type { Deps } from "../../deps.ts"
import { type Column, money } from "../../terminal/columns.ts"
import { print } from "../../terminal/view.ts"

interface ShownRow {
  row: number
  reference: string
  receiver: string
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
}

const columns: Column<ShownRow>[] = [
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
  { ...money("price"), title: "PRICE", rank: 4 },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "arrives", title: "ARRIVES", rank: 5, gives: "nothing" },
  { key: "why", title: "WHY", rank: 7, gives: "words", show: ({ why, error }) => error ?? why ?? "" },
  { key: "error", title: "ERROR", hidden: true },
]

export async function showPlan(deps: Deps, plan: Plan, file: string): Promise<void> {
  const { planHash, file: orders, madeAt, validUntil, complete, totals } = plan
  const rows = plan.rows.map(toShown)
  const count = (state: PlanRow["state"]) => rows.filter((row) => row.state === state).length
  const [planned, booked] = [count("planned"), count("booked")]
  const without = rows.length - planned - booked
  const summary = {
    plan: file,
    planHash,
    file: orders,
    madeAt,
    validUntil,
    complete,
    totals,
    planned,
    booked,
    without,
  }
  await print(deps, { json: { ...summary, rows }, rows, columns })
  const parts = [
    `${counted(planned, "row")} to be booked${planned > 0 ? `, ${totalText({ totals, unpriced: 0 })} in total` : ""}`,
    ...(booked > 0 ? [`${booked} booked before`] : []),
    ...(without > 0 ? [`${without} without a choice`] : []),
  ]
  await deps.note(`${parts.join("; ")}.`)
  await deps.note(`Plan hash: ${planHash}`)
  if (validUntil !== null) {
    const isPast = deps.clock.now() > Date.parse(validUntil)
    await deps.note(
      isPast
        ? `The rates expired ${formatInstant(validUntil)}: they are asked for again when the plan is booked.`
        : `The rates are valid until ${formatInstant(validUntil)}.`,
    )
  }
  for (const { row, reference, error } of rows.filter(
    ({ state }) => state !== "planned" && state !== "booked",
  ))
    await deps.warn(`row ${row}${reference ? ` (${reference})` : ""}: ${error ?? "it has no choice"}`)
  if (without > 0)
    await deps.note(
      "It can be booked once all rows have a choice, or with --skip-invalid, which leaves those out.",
    )
  const flags = serviceFlags({ ...deps.globals, sandbox: plan.account.service === "sandbox" })
  const { next } = nextCommand("freight", "batch", "book", ...flags, "--plan", file)
  if (next !== undefined && file !== "-") await deps.note(`Book it: ${next}`)
}

function toShown(planRow: PlanRow): ShownRow {
  const { row, reference, state, error, request } = planRow
  const { companyName, suburb, state: region, postcode } = request?.receiver ?? {}
  const place = [suburb, region, postcode].filter(Boolean).join(" ")
  const planned = isPlanned(planRow) ? planRow : undefined
  return {
    row,
    reference,
    receiver: [companyName, place].filter(Boolean).join(", "),
    state,
    connectorId: planned?.connectorId ?? null,
    carrier: planned?.rate.carrier ?? null,
    serviceCode: planned?.serviceCode ?? null,
    price: planned?.price ?? null,
    currency: planned?.currency ?? null,
    arrives: planned ? arrives(planned.rate.rate) : null,
    why: planned?.why ?? null,
    error,
  }
}
