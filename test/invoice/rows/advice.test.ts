/**
 * Advice on the amounts of lines, followed to the letter: `--map` as questions print it, in each mix of headings and contents.
 * Then the lines have the quantities and cents that were meant, or are refused or asked about again.
 */
import { stringify } from "csv-stringify/sync"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { type ColumnQuestion, UnclearColumns } from "../../../src/input/columns/questions.ts"
import { createDraw, type Draw, pick } from "../../bills/layouts.ts"
import { draw as drawSome } from "../../drawn.ts"
import { linesOf } from "./rows.ts"

const SEEDS = Array.from({ length: 400 }, (_, at) => at + 1)
const MAX_STEPS = 5

/** Cents of one, without GST. */
const LINES = [
  { goods: "Lamp", quantity: 4, cents: 2000 },
  { goods: "Cord", quantity: 12, cents: 550 },
  { goods: "Shade", quantity: 7, cents: 3010 },
] as const

/** The meaning of a column to its author; freight does not need a `told` one. */
type Role = "goods" | "quantity" | "unit" | "line" | "gst" | "told"

interface Column {
  heading: string
  role: Role
  cells: readonly string[]
}

const QUANTITIES = ["Qty", "Quantity", "Units", "Shipped", "Count", "Sold"]
const UNITS = ["Price", "Unit price", "Rate", "Each", "Cost", "Unit $", "Net price", "Sell price", "Price ea"]
const TOTALS = [
  "Total",
  "Amount",
  "Line total",
  "Ext price",
  "Line $",
  "Value",
  "Subtotal",
  "Net",
  "Blorb",
  "Charge",
]
const TOLD = [
  "RRP",
  "List price",
  "Cost price",
  "Retail price",
  "Was",
  "Buy price",
  "Old price",
  "Stock value",
]
const BASES = ["", "", " ex GST", " inc GST"] as const

type Line = (typeof LINES)[number]

function drawLines(draw: Draw): Column[] {
  const basis = pick(BASES, draw)
  const sign = pick(["", "", "$"], draw)
  const write = (cents: number) => `${sign}${(cents / 100).toFixed(2)}`
  const given = (cents: number) => (basis === " inc GST" ? (cents * 11) / 10 : cents)
  const column = (heading: string, role: Role, cellOf: (line: Line) => string): Column => ({
    ...{ heading, role },
    cells: LINES.map(cellOf),
  })
  const allOf = ({ quantity, cents }: Line) => quantity * cents
  const kind = pick(["unit", "line", "both"] as const, draw)
  const unit = column(pick(UNITS, draw) + basis, "unit", ({ cents }) => write(given(cents)))
  const line = column(pick(TOTALS, draw) + basis, "line", (each) => write(given(allOf(each))))
  const amounts = { unit: [unit], line: [line], both: [unit, line] }[kind]
  const gst = draw(3) === 0 ? [column("GST", "gst", (each) => write(allOf(each) / 10))] : []
  const told =
    draw(3) === 0 ? [column(pick(TOLD, draw), "told", ({ cents }) => write(given(cents) + 700))] : []
  const first = [
    column("Description", "goods", ({ goods }) => goods),
    column(pick(QUANTITIES, draw), "quantity", ({ quantity }) => String(quantity)),
  ]
  return draw(2) === 0 ? [...first, ...amounts, ...gst, ...told] : [...first, ...told, ...amounts, ...gst]
}

/** The answer of a person who has the lines, out of the choices; undefined if none of them is right. */
function answer(columns: readonly Column[], { column, choices }: ColumnQuestion): string | undefined {
  const { role, heading } = columns.find((each) => each.heading === column) ?? { role: "told", heading: "" }
  const isInc = heading.endsWith(" inc GST")
  const wanted: Record<Role, readonly string[]> = {
    goods: ["description"],
    quantity: ["quantity"],
    unit: [isInc ? "unitPriceIncGst" : "unitPrice"],
    line: isInc ? ["amountIncGst"] : ["subtotal", "amount"],
    gst: ["taxAmount"],
    told: [],
  }
  return wanted[role].find((field) => choices.includes(field)) ?? (role === "told" ? "" : undefined)
}

/** Follows the advice until nothing more is advised. @returns what is wrong, or `right` or `asked` */
async function follow(columns: readonly Column[]): Promise<{ outcome: string; map: string[] }> {
  const map: string[] = []
  const csv = stringify([
    columns.map(({ heading }) => heading),
    ...LINES.map((_, at) => columns.map(({ cells }) => cells[at] ?? "")),
  ])
  for (let step = 0; step < MAX_STEPS; step++) {
    try {
      const lines = await linesOf(csv, { options: { map } })
      const shown = lines.map(({ quantity, subtotal }) => `${quantity} for ${subtotal}`)
      const meant = LINES.map(({ quantity, cents }) => `${quantity} for ${(quantity * cents) / 100}`)
      return { outcome: shown.join() === meant.join() ? "right" : shown.join(), map }
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      if (!(error instanceof UnclearColumns)) return { outcome: "asked", map }
      const answers = error.questions.flatMap((question) => {
        const field = answer(columns, question)
        return field === undefined ? [] : [`${question.column}=${field}`]
      })
      const next = answers.filter((each) => !map.includes(each))
      if (next.length === 0) return { outcome: "asked", map }
      map.push(...next)
    }
  }
  return { outcome: "asked", map }
}

describe("advice on the columns of lines", () => {
  it("never makes a wrong amount", async () => {
    const wrong: string[] = []
    const counts = { right: 0, asked: 0 }
    for (const seed of drawSome(SEEDS)) {
      const columns = drawLines(createDraw(seed * 104_729))
      const { outcome, map } = await follow(columns)
      if (outcome === "right" || outcome === "asked") counts[outcome]++
      else
        wrong.push(
          `seed ${seed}: ${columns.map(({ heading, role, cells: [cell] }) => `${heading} ${role} ${cell}`).join(", ")}; ${map.join(" ")}: ${outcome}`,
        )
    }
    expect(wrong, JSON.stringify(counts)).toEqual([])
    expect(counts.right, JSON.stringify(counts)).toBeGreaterThan(counts.asked)
  })
})
