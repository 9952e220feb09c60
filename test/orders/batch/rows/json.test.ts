/** How JSON is cut into rows; what they hold is in ../texts/json.txt. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jsonRecords } from "../../../../src/orders/batch/rows/json.ts"
import { failure } from "../../../failure.ts"

async function read(text: string, size = 1 << 16) {
  const found: { line: number; row?: Record<string, unknown>; error?: string }[] = []
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }
  for await (const record of jsonRecords("orders.json", pieces()))
    found.push(
      "error" in record
        ? { line: record.line, error: record.error }
        : {
            line: record.line,
            row: Object.fromEntries(record.members.map(({ name, value }) => [name, value])),
          },
    )
  return found
}

describe("rows as JSON", () => {
  it("come as soon as their line is whole", async () => {
    let asked = 0
    const pieces = async function* () {
      for (const piece of ['{"a":1}\n', '{"a":2}\n', '{"a":3}\n']) {
        asked++
        yield piece
      }
    }
    const records = jsonRecords("orders.json", pieces())
    await records.next()
    expect(asked).toBe(1)
  })

  it("go on behind an entry with a bracket too many", async () => {
    for (const broken of ['{"a":1}}', '{"a":1,2,{"b":3}]}'])
      for (const size of [1, 1000])
        expect(await read(`[${broken},\n{"a":2}]`, size)).toEqual([
          { line: 1, error: expect.any(String) },
          { line: 2, row: { a: 2 } },
        ])
  })

  it("are refused when one is endless", async () => {
    expect((await failure(read(`{"a":"${"x".repeat(1_100_000)}`))).message).toContain("1,000,000 characters")
  })

  it("are what was written, in each of the three shapes", async () => {
    const row = fc.record({ a: fc.string(), b: fc.array(fc.integer()), c: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const shapes = [
            rows.map((each) => JSON.stringify(each)).join("\n"),
            JSON.stringify(rows, null, 1),
            rows.map((each) => JSON.stringify(each, null, 2)).join("\n"),
          ]
          for (const text of shapes) expect((await read(text, size)).map((each) => each.row)).toEqual(rows)
        },
      ),
    )
  })
})
