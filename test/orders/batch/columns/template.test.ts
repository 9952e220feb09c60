import fc from "fast-check"
import { parse } from "csv-parse/sync"
import { stringify } from "csv-stringify/sync"
import { describe, expect, it } from "vitest"
import { batchColumns } from "../../../../src/orders/batch/columns/columns.ts"
import {
  columnHelp,
  plainTemplate,
  templateColumns,
  templateText,
} from "../../../../src/orders/batch/columns/template.ts"
import { NOW, rowsOf, said, WAREHOUSE } from "../batches.ts"

const ALONE = { booking: {}, service: undefined, readyTime: undefined, sandbox: true }

describe("a template", () => {
  it.each(["csv", "ndjson", "json"] as const)("as %s is read without a mistake", async (format) => {
    const names = templateColumns({ sender: true })
    const [row, ...more] = await rowsOf(await templateText(names, format, NOW), ALONE)
    expect(more).toEqual([])
    expect(row?.findings).toEqual([])
    expect(row?.request).toMatchObject({
      sender: { suburb: "Alexandria" },
      receiver: { suburb: "Fremantle", postcode: "6160" },
      packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
      collectionDateTime: "2026-11-23T10:00:00",
    })
    expect(row?.wish).toEqual({ kind: "cheapest", maxPriceCents: 50_000 })
  })

  it("says the same in every format, and under plain headings", async () => {
    const names = templateColumns({ sender: true })
    const texts = (["csv", "ndjson", "json"] as const).map((format) => templateText(names, format, NOW))
    const rows = await Promise.all(
      [...texts, plainTemplate({ sender: true }, NOW)].map(async (text) => rowsOf(await text, ALONE)),
    )
    expect(rows.map(([row]) => row?.findings)).toEqual([[], [], [], []])
    const [csv, ...others] = rows.map(([row]) => row?.request)
    for (const other of others) expect(other).toEqual(csv)
  })

  it("leaves out the sender when the profile knows it", async () => {
    const names = templateColumns({ sender: false })
    expect(names.filter((name) => name.startsWith("sender"))).toEqual([])
    const [row] = await rowsOf(await templateText(names, "csv", NOW), {
      ...ALONE,
      booking: { sender: { ...WAREHOUSE } },
    })
    expect(said(row)).toEqual([])
  })

  it("is for spreadsheets: a mark at the front, CRLF", async () => {
    const text = await templateText(templateColumns({ sender: true }), "csv", NOW)
    expect(text.startsWith("\ufeffreference,")).toBe(true)
    expect(text.split("\r\n")).toHaveLength(3)
  })

  it("gives back what is filled in, whatever it is and however it is saved", async () => {
    const names = templateColumns({ sender: true })
    const [, example = []] = parse(await templateText(names, "csv", NOW), { bom: true }) as string[][]
    const texts = fc.string({
      unit: fc.constantFrom("a", "B", "é", "木", ",", ";", "|", '"', "1", "&", "/", "-"),
      minLength: 1,
      maxLength: 12,
    })
    const plain = texts.filter((text) => /^[a-zA-Zé木]/.test(text) && !/^"[^"]*"$/.test(text))
    const filled = fc.record({
      reference: plain,
      "receiver.companyName": plain,
      "receiver.address1": plain,
      "receiver.suburb": plain,
      specialInstructions: plain,
    })
    await fc.assert(
      fc.asyncProperty(
        filled,
        fc.constantFrom(",", ";", "\t", "|"),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.boolean(),
        async (cells, delimiter, record_delimiter, bom) => {
          const given: Record<string, string> = cells
          const line = names.map((name, index) => given[name] ?? example[index] ?? "")
          const [row] = await rowsOf(stringify([names, line], { delimiter, record_delimiter, bom }), ALONE, 5)
          expect(said(row)).toEqual([])
          expect(row?.reference).toBe(cells.reference)
          expect(row?.request).toMatchObject({
            receiver: { companyName: cells["receiver.companyName"], suburb: cells["receiver.suburb"] },
            specialInstructions: cells.specialInstructions,
          })
        },
      ),
    )
  })
})

describe("the columns", () => {
  it("are all explained, those of the template first", async () => {
    const help = columnHelp(batchColumns())
    const names = help.map(({ column }) => column)
    expect(names.slice(0, templateColumns({ sender: true }).length)).toEqual(
      templateColumns({ sender: true }),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(help.filter(({ about }) => about === "")).toEqual([])
    expect(help.find(({ column }) => column === "receiver.postcode")).toMatchObject({
      needed: true,
      also: expect.arrayContaining(["Postcode", "Zip"]),
      about: "Four digits, so that a leading 0 survives.",
    })
  })

  it("are meant by each other name that they show", () => {
    const columns = batchColumns()
    for (const field of columns.fields)
      for (const alias of columns.aliases(field)) {
        const meaning = columns.meaning(alias)
        // The cells decide on a name that means other things too.
        const byCells = "refine" in meaning ? meaning.refine?.([field.example]) : undefined
        expect((byCells ?? ("field" in meaning ? meaning.field : undefined))?.name, alias).toBe(field.name)
      }
    const long = columns.meaning("x".repeat(5000))
    expect("likely" in long && long.likely()).toBeUndefined()
  })

  it("have examples that are read without a mistake", async () => {
    for (const { column, example } of columnHelp(batchColumns())) {
      if (example === "" || /^(?:receiver|sender|collection)$/.test(column)) continue
      const [row] = await rowsOf(stringify([[column], [example]]), { sandbox: true })
      const own = row?.findings.filter((note) => note.column === column && note.severity === "error") ?? []
      expect(
        own.filter(({ rule }) => rule !== "required"),
        column,
      ).toEqual([])
    }
  })
})
