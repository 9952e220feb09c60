/**
 * Advice on the amounts of a bill, followed to the letter: `--map` as questions print it, in each mix of headings and contents.
 * Then the audited amounts are those that were charged, to the cent, or the bill is refused or asked about again.
 */
import { describe, expect, it } from "vitest"
import { draw as drawSome } from "../drawn.ts"
import type { ColumnQuestion } from "../../src/input/columns/questions.ts"
import { BOOKED, bookedDatabase, csv, money, taxOf, tryBill } from "./desk.ts"
import { createDraw, type Draw, pick } from "./layouts.ts"

const SEEDS = Array.from({ length: 400 }, (_, at) => at + 1)
/** Seeds that found a fault. */
const FOUND = [22, 54, 110, 157, 385]
const MAX_STEPS = 5
/** Consignments of a bill. */
const ROWS = BOOKED.slice(0, 4)

/** The meaning of a column to its author. */
type Role = "name" | "whole" | "part" | "held" | "gst" | "told"

interface Column {
  heading: string
  role: Role
  cells: readonly string[]
}

const NAMES = ["Consignment", "Con Note", "Docket", "Consignment Code", "Carrier paperwork"]
/** Headings for all that a row costs. */
const TOTALS = ["Total", "Line total", "Con total", "Total charge", "Freight total", "After discount"]
/** Headings for that, or for an amount that others are added to. */
const AMOUNTS = ["Amount", "Charge", "Cost", "Consignment charge", "Net"]
const PARTS = [
  ...["Freight", "Base charge", "Cartage", "Line haul", "Fuel", "Fuel levy", "FAF", "Tolls", "Tail lift"],
  ...["Surcharge", "Sundry", "Blorb", "XC1 Charge", "Peak season", "Metro run", "Other"],
]
const TOLD = [
  "Quoted price",
  "Before discount",
  "List price",
  "Declared value",
  "Running balance",
  "Budget",
  "Rate card",
]
const BASES = ["", "", " ex GST", " inc GST"] as const

/** A bill, in which each row costs what was booked. */
function drawBill(draw: Draw): Column[] {
  const basis = pick(BASES, draw)
  const withGst = basis === " inc GST" || (basis === "" && draw(3) === 0)
  const sign = pick(["", "", "$"], draw)
  const write = (cents: number) => `${sign}${money(cents)}`
  const given = (cents: number) => (withGst ? cents + taxOf(cents) : cents)
  const called = (heading: string) => `${heading}${basis}`
  const column = (heading: string, role: Role, centsOf: (cents: number) => number): Column => ({
    ...{ heading, role },
    cells: ROWS.map(({ cents }) => write(centsOf(cents))),
  })
  const fuelOf = (cents: number) => given(Math.round(cents / 77) * 10)
  const kind = pick(
    ["whole", "parts", "whole and what it holds", "whole and what comes on top"] as const,
    draw,
  )
  const wholes = kind === "whole and what comes on top" ? AMOUNTS : [...TOTALS, ...AMOUNTS]
  // Amounts headed Net are without GST.
  const whole = pick(withGst ? wholes.filter((each) => each !== "Net") : wholes, draw)
  const parts = PARTS.filter((each) => each !== whole)
  const first = pick(parts, draw)
  const second = pick(
    parts.filter((each) => each !== first),
    draw,
  )
  const amounts = {
    whole: [column(called(whole), "whole", given)],
    parts: [
      column(called(first), "part", (cents) => given(cents) - fuelOf(cents)),
      column(called(second), "part", fuelOf),
    ],
    "whole and what it holds": [column(called(whole), "whole", given), column(called(first), "held", fuelOf)],
    "whole and what comes on top": [
      column(called(whole), "whole", (cents) => given(cents) - fuelOf(cents)),
      column(called(first), "part", fuelOf),
    ],
  }[kind]
  const gst = draw(2) === 0 ? [column("GST", "gst", taxOf)] : []
  const told = draw(2) === 0 ? [column(pick(TOLD, draw), "told", (cents) => given(cents) + 1234)] : []
  const name: Column = { heading: pick(NAMES, draw), role: "name", cells: ROWS.map(({ number }) => number) }
  const others = draw(2) === 0 ? [...amounts, ...gst, ...told] : [...told, ...amounts, ...gst]
  return [name, ...others]
}

/** The answer of a person who has the bill, out of the choices; undefined if none of them is right. */
function answer(columns: readonly Column[], { column, choices }: ColumnQuestion): string | undefined {
  const { role } = columns.find(({ heading }) => heading === column) ?? { role: "told" }
  const isOfAll = (field: string) => field.startsWith("amount")
  const isPart = (field: string) => !isOfAll(field) && field !== "gst"
  const wanted = {
    name: (field: string) => field === "consignment",
    whole: columns.some(({ role: other }) => other === "held") ? isOfAll : isHere(columns),
    part: isPart,
    held: () => false,
    gst: (field: string) => field === "gst",
    told: () => false,
  }[role]
  return choices.find(wanted) ?? (role === "held" || role === "told" ? "" : undefined)
}

/** An amount beside which others are charged is one of several charges. */
const isHere = (columns: readonly Column[]) => (field: string) =>
  columns.some(({ role }) => role === "part") ? !field.startsWith("amount") : true

type Database = Awaited<ReturnType<typeof bookedDatabase>>

/** Follows the advice until nothing more is advised. @returns what is wrong with the cents, or `right` or `asked` */
async function follow(
  database: Database,
  columns: readonly Column[],
): Promise<{ outcome: string; map: string[] }> {
  const map: string[] = []
  const bill = csv(
    columns.map(({ heading }) => heading),
    ...ROWS.map((_, at) => columns.map(({ cells }) => cells[at] ?? "")),
  )
  for (let step = 0; step < MAX_STEPS; step++) {
    const tried = await tryBill(database, { bill, map })
    if (tried.asked) {
      const answers = tried.asked.flatMap((question) => {
        const field = answer(columns, question)
        return field === undefined ? [] : [`${question.column}=${field}`]
      })
      const next = answers.filter((each) => !map.includes(each))
      if (next.length === 0) return { outcome: "asked", map }
      map.push(...next)
      continue
    }
    if (tried.refused) return { outcome: "asked", map }
    const billed = tried.rows.map(({ billed: amount, gstBasis: gst, consignmentNumber: consignment }) => [
      consignment,
      Math.round(gst === "included" ? (amount * 100) / 1.1 : amount * 100),
    ])
    const wrong = billed.filter(
      ([number, cents]) =>
        Math.abs(Number(cents) - (ROWS.find((each) => each.number === number)?.cents ?? 0)) > 1,
    )
    return { outcome: wrong.length === 0 ? "right" : wrong.join("; "), map }
  }
  return { outcome: "asked", map }
}

const database = await bookedDatabase()

describe("advice on the columns of a bill", () => {
  it("never makes a wrong amount", async () => {
    const wrong: string[] = []
    const counts = { right: 0, asked: 0 }
    for (const seed of new Set([...FOUND, ...drawSome(SEEDS)])) {
      const columns = drawBill(createDraw(seed * 104_729))
      const { outcome, map } = await follow(database, columns)
      if (outcome === "right" || outcome === "asked") counts[outcome]++
      else
        wrong.push(
          `seed ${seed}: ${columns.map(({ heading, role, cells: [cell] }) => `${heading} ${role} ${cell}`).join(", ")}; ${map.map((each) => `--map "${each}"`).join(" ")}: ${outcome}`,
        )
    }
    expect(wrong, JSON.stringify(counts)).toEqual([])
    expect(counts.right, JSON.stringify(counts)).toBeGreaterThan(counts.asked)
  })
})
