/** Reads the cells, headings, rows and statuses of orders, and what results say, by files of cases. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { stringify } from "csv-stringify/sync"
import { expect, it } from "vitest"
import { batchColumns } from "../../../src/orders/batch/columns/columns.ts"
import { type BatchRow, listCells } from "../../../src/orders/batch/rows/row.ts"
import type { RowDefaults } from "../../../src/orders/batch/rows/defaults.ts"
import { jsonRecords } from "../../../src/orders/batch/rows/json.ts"
import type { Outcome } from "../../../src/orders/batch/outcome.ts"
import { formatOf, type Result, resultLines, resultsFileOf } from "../../../src/orders/batch/results.ts"
import { batchQuestion, progressText } from "../../../src/orders/batch/summary.ts"
import { plainStatus } from "../../../src/orders/batch/columns/states.ts"
import { decideShipping, describeHold, type ShippingChoices } from "../../../src/orders/batch/shipping.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { findApiWords } from "../../api-words.ts"
import { expectCalls } from "../../cases.ts"
import { CONNECTORS, csvOf, defaults, rowsOf, rowWith, tallyOf } from "./batches.ts"
import { rowOf } from "./bench.ts"
import type { PricedRow } from "../../../src/orders/batch/price.ts"

type Cells = Readonly<Record<string, string>>

/** Options for all rows, as a case writes them. Null means that an option is not given. */
type Options = Record<string, unknown> & { connectors?: boolean; packages?: object[] }

function toDefaults({ connectors, packages, ...more }: Options, notes: string[]): Partial<RowDefaults> {
  return {
    tell: async (note) => void notes.push(note),
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, value ?? undefined])),
    ...(connectors && { connectors: CONNECTORS }),
    ...(packages && { booking: { ...defaults().booking, packages } as RowDefaults["booking"] }),
  }
}

/** Every value in it by its path. */
function flat(value: unknown, at = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[at, value]]
  return Object.entries(value).flatMap(([name, each]) => flat(each, at === "" ? name : `${at}.${name}`))
}

const contentOf = ({ request, wish, own }: BatchRow) =>
  new Map(flat({ ...request, ...(request ? { wish, own } : {}) }))

const base = rowsOf(csvOf()).then(([row]) => (row ? contentOf(row) : new Map()))

/** How it differs from the row that says the least, and all that is said of it. */
async function showRow(row: BatchRow): Promise<string[]> {
  const before = await base
  const now = contentOf(row)
  const changes = [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name}: ${JSON.stringify(now.get(name)) ?? "none"}`)
  return [row.request ? changes.join(", ") || "as it is without" : "no booking", ...showFindings(row)]
}

function showFindings({ findings, late = [] }: Pick<BatchRow, "findings"> & { late?: BatchRow["findings"] }) {
  const show =
    (what: string) =>
    ({ row, column, rule, message, hint, severity }: BatchRow["findings"][number]) => {
      expect(findApiWords(message), message).toEqual([])
      return `${what}${severity}, row ${row}${column ? `, ${column}` : ""}: ${message}${hint ? ` — ${hint}` : ""} (${rule})`
    }
  return [...findings.map(show("")), ...late.map(show("unless booked: "))]
}

async function attempt(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const { kind, message, hint, next, errors = [] } = error
    const said = errors.map((each) => `line ${each.line}: ${each.message}`)
    return [`throws ${kind}: ${message}`, ...said, hint ?? "", next ?? ""].filter((text) => text !== "")
  }
}

async function listHeld(text: string, choices: ShippingChoices = {}, options: Options = {}) {
  const notes: string[] = []
  const rows = await rowsOf(text, toDefaults(options, notes))
  const held = rows.flatMap(({ reference, statuses = [] }) => {
    const found = decideShipping(statuses, choices)
    return found ? [`${reference} ${found.means} ${found.status}`] : []
  })
  return [
    held.join(", ") || `all ${rows.length} are shipped`,
    ...notes.filter((note) => /status/i.test(note)),
  ]
}

const BOOKED: Outcome = {
  ...{ state: "booked", entryId: "po-1.1", shipmentId: "shp-1", consignment: "CON1" },
  ...{ priceCents: 1250, currency: "AUD", error: "" },
}

async function resultsOf(
  format: "csv" | "ndjson",
  cells: [string, string][],
  outcome: object,
  label?: string,
) {
  const known = Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, value ?? undefined]))
  const result: Result = {
    row: {
      ...rowOf("PO-1"),
      cells: { columns: cells.map(([column]) => column), texts: cells.map(([, text]) => text) },
    },
    outcome: { ...BOOKED, ...known },
    label,
  }
  let text = ""
  for await (const line of resultLines(
    format,
    cells.map(([column]) => column),
    [result],
    { sandbox: false },
  ))
    text += line
  return text.trimEnd()
}

const columns = batchColumns()

const FUNCTIONS: Record<string, (...given: never[]) => string[] | Promise<string[]>> = {
  row: async (cells: Cells, options: Options = {}) => {
    const notes: string[] = []
    const row = await rowWith(cells, toDefaults(options, notes))
    return [...(await showRow(row)), ...notes]
  },
  rows: (text: string, options: Options = {}) =>
    attempt(async () => {
      const notes: string[] = []
      const rows = await rowsOf(text, toDefaults(options, notes))
      const shown = rows.flatMap((row) => [
        `row ${row.row}, line ${row.line}, ${row.reference || "no reference"}: ${JSON.stringify(listCells(row.cells))}`,
        ...(row.request ? [JSON.stringify(row.request)] : []),
        ...showFindings(row),
      ])
      return [...notes, ...shown]
    }),
  /** @param cells where they are to say it */
  meaning: (heading: string, ...cells: string[]) => {
    const meaning = columns.meaning(heading)
    const refined = cells.length > 0 && "refine" in meaning ? meaning.refine?.(cells) : undefined
    if (refined) return [`${refined.name}, by its cells`]
    if ("field" in meaning) return [meaning.field?.name ?? "left out"]
    return "likely" in meaning
      ? [`unknown, near ${meaning.likely() ?? "nothing"}`]
      : [JSON.stringify(meaning)]
  },
  /** Which orders of a shop's export are held, with some cells of its first lines changed. */
  decide: async (name: string, lines: Cells[], choices: ShippingChoices = {}, options: Options = {}) => {
    const text = await readFile(path.join(import.meta.dirname, "rows/files", name), "utf8")
    const [head = [], ...records] = parse(text) as string[][]
    const changed = records.map((record, at) =>
      record.map((cell, column) => lines[at]?.[head[column] ?? ""] ?? cell),
    )
    return listHeld(stringify([head, ...changed]), choices, options)
  },
  /** The same of a text. */
  decideText: (text: string) => listHeld(text),
  /** A line of the results, below the headings of CSV. */
  csv: async (cells: [string, string][], outcome: Partial<Outcome> = {}, label?: string) =>
    (await resultsOf("csv", cells, outcome, label)).split("\n"),
  ndjson: async (cells: [string, string][], outcome: Partial<Outcome> = {}, label?: string) =>
    (await resultsOf("ndjson", cells, outcome, label)).split("\n"),
  resultsFileOf: (orders: string, sheet?: string) => [resultsFileOf(orders, sheet)],
  formatOf: (results: string) => [formatOf(results)],
  batchQuestion: (...prices: (number | null)[]) => [
    batchQuestion(prices.map((price) => ({ price, currency: "AUD", gstBasis: "excluded" }))) ?? "no question",
  ],
  batchQuestionOf: (...bases: PricedRow["gstBasis"][]) => [
    batchQuestion(bases.map((gstBasis) => ({ price: 10, currency: "AUD", gstBasis }))) ?? "no question",
  ],
  progressText: (states: Outcome["state"][], rows: number | null, seconds: number) => [
    progressText(tallyOf(states), rows ?? undefined, seconds),
  ],
  records: (text: string) =>
    attempt(async () => {
      const found: string[] = []
      const pieces = async function* () {
        yield text
      }
      for await (const record of jsonRecords("orders.json", pieces()))
        found.push(
          "error" in record
            ? `line ${record.line}: ${record.error}`
            : `line ${record.line}: ${record.members.map(({ name, source }) => `${name} = ${source()}`).join(", ")}`,
        )
      return found.length > 0 ? found : ["no rows"]
    }),
  plainStatus: (text: string) => [plainStatus(text)],
  describeHold: (held: Parameters<typeof describeHold>[0]) => [describeHold(held)],
}

/** Each line is shown as the sentence that it is. */
const SHOWN = Object.fromEntries(
  Object.entries(FUNCTIONS).map(([name, call]) => [
    name,
    async (...given: never[]) => (await call(...given)).map((message) => ({ message })),
  ]),
)

it.each(["cells", "headings", "json", "results", "rows", "shipping"])("texts/%s.txt", async (name) => {
  await expectCalls(import.meta.dirname, `texts/${name}.txt`, SHOWN)
  expect({}).not.toHaveProperty("polluted")
  expect({}).not.toHaveProperty("x")
})
