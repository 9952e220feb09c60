import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Outcome } from "../../src/batch/result.ts"
import { formatOf, type Result, resultLines, resultsFileOf, writeLines } from "../../src/batch/results.ts"
import { createFiles } from "../../src/terminal/files.ts"
import { rowOf } from "./bench.ts"

const BOOKED: Outcome = {
  state: "booked",
  entryId: "po-1.1",
  shipmentId: "shp-1",
  consignment: "CON1",
  priceCents: 1250,
  currency: "AUD",
  error: "",
}

function result(cells: [string, string][], outcome: Partial<Outcome> = {}, label?: string): Result {
  return { row: { ...rowOf("PO-1"), cells }, outcome: { ...BOOKED, ...outcome }, label }
}

async function lines(format: "csv" | "ndjson", columns: string[], ...results: Result[]): Promise<string> {
  async function* all() {
    yield* results
  }
  let text = ""
  for await (const line of resultLines(format, columns, all())) text += line
  return text
}

describe("results as CSV", () => {
  it("keep each column of the input, then say what came of the row", async () => {
    expect(
      await lines(
        "csv",
        ["reference", "State"],
        result(
          [
            ["reference", "PO-1"],
            ["State", "WA"],
          ],
          {},
          "l.pdf",
        ),
      ),
    ).toBe(
      "reference,State,freight.state,freight.shipment,freight.consignment,freight.price,freight.label,freight.error,freight.why,freight.warnings\n" +
        "PO-1,WA,booked,shp-1,CON1,12.5,l.pdf,,,\n",
    )
  })

  it("leave empty what is not known", async () => {
    const failed = result([["reference", "PO-1"]], {
      state: "failed",
      shipmentId: "",
      consignment: "",
      priceCents: undefined,
      error: "no, thanks",
    })
    expect((await lines("csv", ["reference"], failed)).split("\n")[1]).toBe('PO-1,failed,,,,,"no, thanks",,')
  })

  it.each([
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
  ])("make a cell that a spreadsheet would run harmless: %j", async (text) => {
    const [, line = ""] = (await lines("csv", ["Note"], result([["Note", text]]))).split("\n")
    expect(line).toMatch(/^'\s*[=+\-@]/)
  })

  it("make a heading harmless as well", async () => {
    expect(await lines("csv", ["=cmd"], result([["=cmd", "x"]]))).toMatch(/^'=cmd,/)
  })

  it("replace those of an earlier run", async () => {
    const again = result([
      ["reference", "PO-1"],
      ["freight.state", "failed"],
    ])
    expect((await lines("csv", ["reference", "freight.state"], again)).split("\n")).toEqual([
      "reference,freight.state,freight.shipment,freight.consignment,freight.price,freight.label,freight.error,freight.why,freight.warnings",
      "PO-1,booked,shp-1,CON1,12.5,,,,",
      "",
    ])
  })

  it("keep a row on one line", async () => {
    expect((await lines("csv", ["Note"], result([["Note", "a\nb"]]))).trim().split("\n")).toHaveLength(2)
  })
})

describe("results as NDJSON", () => {
  it("have what came of the row beside what it said", async () => {
    expect(JSON.parse(await lines("ndjson", [], result([["State", "WA"]])))).toEqual({
      row: 1,
      reference: "PO-1",
      state: "booked",
      shipment: "shp-1",
      consignment: "CON1",
      price: 12.5,
      label: null,
      error: null,
      why: null,
      warnings: [],
      input: { State: "WA" },
    })
  })

  it("keep a column of any name", async () => {
    const text = await lines("ndjson", [], result([["__proto__", "x"]]))
    expect(text).toContain('"input":{"__proto__":"x"}')
  })
})

describe("the results' file", () => {
  it.each([
    ["orders.csv", "orders.results.csv"],
    ["a/b.c/orders.CSV", "a/b.c/orders.results.csv"],
    ["orders.ndjson", "orders.results.ndjson"],
    ["orders.json", "orders.results.ndjson"],
    ["orders.txt", "orders.results.csv"],
    ["orders", "orders.results.csv"],
    [".orders", ".orders.results.csv"],
    ["a.b/orders", "a.b/orders.results.csv"],
  ])("of %s is %s", (input, output) => {
    expect(resultsFileOf(input)).toBe(output)
  })

  it("is NDJSON by its ending, and else CSV", () => {
    expect(["a.ndjson", "a.jsonl", "a.json", "a.csv", "a"].map(formatOf)).toEqual([
      "ndjson",
      "ndjson",
      "ndjson",
      "csv",
      "csv",
    ])
  })

  it("is whole or as it was", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "freight-results-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, "r.csv")
    await writeFile(file, "before")
    async function* broken() {
      yield "x".repeat(100_000)
      throw new Error("in the middle")
    }
    await expect(
      writeLines(
        createFiles(path.join(tmpdir(), "freight-results-unfinished"), new AbortController().signal),
        file,
        broken(),
      ),
    ).rejects.toThrow("in the middle")
    expect(await readFile(file, "utf8")).toBe("before")
    expect(await readdir(folder)).toEqual(["r.csv"])
  })
})
