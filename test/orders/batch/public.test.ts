/**
 * Files of orders as people met them: a folder for each, and beside the file what freight reads from it. To add a case,
 * make its folder with a file called orders, and run this test with -u.
 */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { expect, it } from "vitest"
import { readRows } from "../../../src/orders/batch/rows/rows.ts"
import { decideRows, describeHold } from "../../../src/orders/batch/shipping.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { openSheet } from "../../../src/input/sheets/open.ts"
import { fileSource, type TextSource } from "../../../src/input/sheets/source.ts"
import { defaults } from "./batches.ts"

const FOLDER = path.join(import.meta.dirname, "public")
const PACKAGES = [{ count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }]

/** Reads a file whose rows may lack packages. */
async function describeOrders(file: string | TextSource): Promise<string[]> {
  const said: string[] = []
  const common = defaults()
  const given = {
    ...common,
    booking: { ...common.booking, packages: PACKAGES },
    tell: async (note: string) => void said.push(note),
  }
  const opened = await openSheet(typeof file === "string" ? fileSource(file) : file, {})
  const source = { ...opened, name: path.basename(opened.name) }
  try {
    for await (const row of decideRows(readRows(source, given), {})) {
      const { reference, request, held, findings } = row
      const { receiver, packages, specialInstructions = "" } = request ?? {}
      const what = held ? describeHold(held) : request ? "to book" : "not to book"
      said.push(`${reference}: ${what}`)
      if (receiver) said.push(JSON.stringify({ receiver, packages, specialInstructions }))
      for (const { severity, column, message, hint } of findings)
        said.push(`${severity}, ${column}: ${message}${hint ? `: ${hint}` : ""}`)
      for (const { message } of row.request === undefined ? [] : row.late)
        said.push(`unless booked: ${message}`)
    }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    said.push(
      `${error.kind}: ${error.message}`,
      ...(error.errors ?? []).map(({ message }) => message),
      error.hint ?? "",
    )
  }
  return said
}

const cases = readdirSync(FOLDER)

it.each(cases)("reads %s", async (name) => {
  const folder = path.join(FOLDER, name)
  const file = readdirSync(folder).find((each) => each.startsWith("orders")) ?? "none"
  const text = `${(await describeOrders(path.join(folder, file))).join("\n")}\n`
  await expect(text).toMatchFileSnapshot(path.join(folder, "read.txt"))
})

/** The rows of a table as NDJSON; undefined for one that JSON cannot have. */
function toNdjson(text: string): string | undefined {
  const delimiter = text.includes("\t") ? "\t" : ","
  const [headings = [], ...records] = parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
  }) as string[][]
  if (new Set(headings).size < headings.length) return undefined
  return records
    .filter((cells) => cells.length >= headings.length)
    .map((cells) => `${JSON.stringify(Object.fromEntries(headings.map((each, at) => [each, cells[at]])))}\n`)
    .join("")
}

/** Rows have other numbers in JSON, and a file of one order more or less. */
const withoutRows = (line: string) => line.replace(/\brows? [\d, -]+\d|\brow \d+/g, "row")

const tables = [
  ...cases.flatMap((name) =>
    readdirSync(path.join(FOLDER, name))
      .filter((file) => /^orders\.(?:csv|txt)$/.test(file))
      .map((file) => path.join("public", name, file)),
  ),
  ...["shopify.csv", "woocommerce.csv", "woocommerce-database.csv"].map((file) =>
    path.join("rows/files", file),
  ),
]

const inJson = tables.flatMap((table) => {
  const file = path.join(import.meta.dirname, table)
  const text = toNdjson(readFileSync(file, "utf8"))
  return text === undefined ? [] : [[table, file, text] as const]
})

it.each(inJson)("reads %s alike as NDJSON", async (_, file, text) => {
  const chunks = async function* () {
    yield Buffer.from(text)
  }
  const asTable = (await describeOrders(file)).filter((line) => !/is the end of the export/.test(line))
  const asJson = await describeOrders({ name: path.basename(file), chunks })
  const sorted = (lines: string[]) => lines.map(withoutRows).sort()
  expect(sorted(asJson)).toEqual(sorted(asTable))
})
