import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jsonRecords, type Member } from "../../../src/batch/rows/json.ts"
import { failure } from "../../failure.ts"

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
  it("are one on each line", async () => {
    expect(await read('{"a":1}\n\n{"a":"x\\ny"}')).toEqual([
      { line: 1, row: { a: 1 } },
      { line: 3, row: { a: "x\ny" } },
    ])
  })

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

  it("are the entries of a list", async () => {
    expect(await read('[\n {"a":[1,2]},\n\n {"a":"],["}\n]\n', 3)).toEqual([
      { line: 2, row: { a: [1, 2] } },
      { line: 4, row: { a: "],[" } },
    ])
  })

  it("may follow each other over several lines, as jq writes them", async () => {
    expect(await read('{\n  "a": 1\n}\n{\n  "a": {\n "b": 2}\n}\n', 2)).toEqual([
      { line: 1, row: { a: 1 } },
      { line: 4, row: { "a.b": 2 } },
    ])
  })

  it("name what they hold with dots, lists whole", async () => {
    expect(await read('{"receiver":{"suburb":"Perth","x":{}},"packages":[{"count":1}],"a.b":null}')).toEqual([
      { line: 1, row: { "receiver.suburb": "Perth", packages: [{ count: 1 }], "a.b": null } },
    ])
  })

  it("keep every digit of a number", async () => {
    const pieces = async function* () {
      yield '{"a~/b":12345678901234567890,"c":{"d":1.50}}'
    }
    const { value: record } = await jsonRecords("orders.json", pieces()).next()
    const sources = record && "members" in record ? record.members.map(({ source }: Member) => source()) : []
    expect(sources).toEqual(["12345678901234567890", "1.50"])
  })

  it("tell what is wrong with one, and go on", async () => {
    const records = await read('{"a":1}\n{"a":}\n[1]\n{"a":1,"a":2}\n{"a":3}\n')
    expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5])
    expect(records.map(({ error }) => error !== undefined)).toEqual([false, true, true, true, false])
    expect(records[2]?.error).toContain("each is an object")
  })

  it("go on behind an entry of a list that is broken", async () => {
    const records = await read('[{"a":1},\n{"a":nothing},\n{"a":2}]')
    expect(records.map(({ line, error }) => [line, error !== undefined])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ])
  })

  it("go on behind an entry with a bracket too many", async () => {
    for (const broken of ['{"a":1}}', '{"a":1,2,{"b":3}]}'])
      for (const size of [1, 1000])
        expect(await read(`[${broken},\n{"a":2}]`, size)).toEqual([
          { line: 1, error: expect.any(String) },
          { line: 2, row: { a: 2 } },
        ])
  })

  it("tell what keeps a list from ending", async () => {
    const error = await failure(read('[{"a":1},\n{"a":"cut off},\n{"a":2}]'))
    expect(error.message).toContain("row on line 2: ")
    expect(error.message).toContain("not closed")
  })

  it.each(["[]", "[ \n ]"])("are none in %j", async (text) => {
    expect(await read(text)).toEqual([])
  })

  it.each([
    ["is not closed", '[{"a":1},', "not closed"],
    ["has a comma too many", '[{"a":1},]', "extra comma"],
    ["has a comma at its start", '[,{"a":1}]', "extra comma"],
    ["is followed by another", '[{"a":1}]\n[{"a":2}]', "line 2: there is text after the end"],
    ["is followed by text", '[{"a":1}] x', "after the end"],
  ])("are refused when their list %s", async (_, text, words) => {
    expect((await failure(read(text))).message).toContain(words)
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
