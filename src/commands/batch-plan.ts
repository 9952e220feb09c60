import { makePlan } from "../batch/plan/make.ts"
import { isPlanned, type Plan, type PlanRow, planText, readPlan } from "../batch/plan/plan.ts"
import { totalText } from "../batch/summary.ts"
import { arrives } from "../booking/rates.ts"
import { command } from "../command.ts"
import { serviceFlags } from "../config/next.ts"
import { carrierLetter } from "../contract/carrier-fields.ts"
import { nextCommand } from "../contract/command-line.ts"
import { counted } from "../contract/counted.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { EXIT, FreightError } from "../errors.ts"
import { isSameFile } from "../system.ts"
import { type Column, money } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import {
  AGAIN_FOR,
  applySavedMap,
  checkOrders,
  CONCURRENCY,
  findPlanAccount,
  noteRenamed,
  refusePlan,
  ROW_FLAGS,
  withOrders,
} from "./shared/batch.ts"
import { cents, FORCE_FLAG, OUTPUT } from "./shared/flags.ts"

interface PlanLine {
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

const columns: Column<PlanLine>[] = [
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
  { key: "arrives", title: "ARRIVES THERE", rank: 5, gives: "nothing" },
  { key: "why", title: "WHY", rank: 7, gives: "words", show: ({ why, error }) => error ?? why ?? "" },
  { key: "error", title: "ERROR", hidden: true },
]

export default command({
  about:
    "Gets rates for every row of a file of orders, chooses by its wishes, and writes a plan for someone to approve. Books nothing. freight batch book --plan books exactly that, within the 48 hours that rates are valid.",
  usage: "[flags] <file>",
  args: [{ takes: "<file>", about: "the rows, or - for standard input" }],
  flags: {
    output: {
      ...OUTPUT,
      about: "write the plan here, or to standard output with - (FILE.plan.json beside the file)",
    },
    ...FORCE_FLAG,
    ...ROW_FLAGS,
    skipInvalid: { about: "leave out rows with errors, and plan the others" },
    maxTotal: { takes: "<amount>", about: "make no plan that costs more than this in total", read: cents },
    concurrency: CONCURRENCY,
    againFor: AGAIN_FOR,
    again: { about: "plan rows even if an equal booking was made under another key within 24 hours" },
  },
  columns,
  examples: [
    "freight batch plan --sandbox orders.csv --service cheapest --within 3d",
    "freight batch plan show orders.plan.json",
    "freight batch book --sandbox --plan orders.plan.json",
  ],
  /** @returns 1 when some rows have no choice */
  async run(deps, file, given) {
    const flags = applySavedMap(deps, given)
    if (file === "-" && flags.output === undefined)
      throw new FreightError("usage", "say where to write the plan: -o plan.json")
    const target = flags.output ?? `${file.replace(/(?<=[^/\\])\.[^./\\]*$/, "")}.plan.json`
    if (isSameFile(target, file)) throw new FreightError("usage", "-o names the file with the rows")
    await refusePlan(deps, file, ["batch", "plan", "show"])
    await deps.outputs.check(target, flags.force)
    return withOrders(deps, file, flags, false, async (orders) => {
      const { batchDeps } = orders
      const { batch, checked } = await checkOrders(deps, flags, orders)
      const renamed = await noteRenamed(deps, batchDeps, checked)
      if (renamed > 0)
        await deps.spending.confirm(
          renamed === 1 ? "Plan it as a separate order?" : "Plan them as separate orders?",
        )
      const plan = await makePlan(batchDeps, batch, checked, await findPlanAccount(deps, batchDeps))
      await deps.outputs.write(target, planText(plan))
      if (target === "-") await deps.note(`Plan hash: ${plan.planHash}`)
      else await showPlan(deps, plan, target)
      return plan.complete ? EXIT.done : EXIT.no
    })
  },
})

export const show = command({
  about:
    "Shows what a plan would book: each row with its service, arrival and price, and why; the total; and how long its rates are valid. freight refuses a plan that was changed after it was made.",
  args: [{ takes: "<file>", about: "the plan, or - for standard input" }],
  columns,
  examples: ["freight batch plan show orders.plan.json", "freight batch plan show orders.plan.json --json"],
  async run(deps, file) {
    await showPlan(deps, await readPlan(deps, file), file)
  },
})

/** A plan as a person reads it, and as programs do: without the requests, which are in its file. */
async function showPlan(deps: Deps, plan: Plan, file: string): Promise<void> {
  const { planHash, file: orders, madeAt, validUntil, complete, totals } = plan
  const rows = plan.rows.map(toPlanLine)
  const count = (state: PlanRow["state"]) => rows.filter((row) => row.state === state).length
  const [planned, booked, leftOut] = [count("planned"), count("booked"), count("left-out")]
  const changed = count("changed")
  const without = rows.length - planned - booked - leftOut - changed
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
    leftOut,
    changed,
    without,
  }
  await print(deps, { json: { ...summary, rows }, rows, columns })
  const parts = [
    `${counted(planned, "row")} to be booked${planned > 0 ? `, ${totalText({ totals, unpriced: 0 })} in total` : ""}`,
    ...(booked > 0 ? [`${booked} booked before`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ...(changed > 0 ? [`${changed} booked before and changed since`] : []),
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
    ({ state }) => state !== "planned" && state !== "booked" && state !== "left-out",
  ))
    await deps.warn(`row ${row}${reference ? ` (${reference})` : ""}: ${error ?? "it has no choice"}`)
  const isHeld = (row: PlanRow) => "held" in row && row.state !== "left-out" && row.state !== "changed"
  const held = plan.rows.filter(isHeld).length
  if (held > 0) await deps.note("Rows that the shop holds wait when it is booked, and the others are booked.")
  if (without > held)
    await deps.note(
      "It can be booked once all rows have a choice, or with --skip-invalid, which leaves those out.",
    )
  const flags = serviceFlags({ ...deps.globals, sandbox: plan.account.service === "sandbox" })
  const { next } = nextCommand("freight", "batch", "book", ...flags, "--plan", file)
  if (next !== undefined && file !== "-" && planned > 0) await deps.note(`Book it: ${next}`)
}

function toPlanLine(planRow: PlanRow): PlanLine {
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
