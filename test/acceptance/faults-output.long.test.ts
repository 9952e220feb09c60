/** Terminal output when every string from a server has control characters, or the key itself. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Bench, faultyDesk, openBench } from "../faulty/bench.ts"
import { ROWS } from "../faulty/commands.ts"
import { hostile, refusalWithEscapes, withEscapes } from "../faulty/faults.ts"

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

// That nothing but line breaks is shown, and no key, is checked of every run: see `bench.ts`.
describe("escape sequences in every string", () => {
  for (const row of ROWS) {
    const formats = row.name === row.command ? ["table", "json", "ndjson", "csv"] : ["table"]
    for (const format of formats)
      it(`${row.name}, ${format}: are not shown`, async () => {
        const desk = await faultyDesk(bench)
        const args = [...(await row.args(bench, desk)), "--format", format]
        desk.line.arm({ at: row.at, misbehave: withEscapes })
        const { code, stdout } = await desk.freight(args, row.options?.(bench))
        expect(desk.line.requests.length).toBeGreaterThan(0)
        if (code === 0 && format === "json") expect(() => JSON.parse(stdout)).not.toThrow()
      })
  }
})

describe("a table of hostile text", () => {
  for (const command of [
    ["connectors"],
    ["shipments", "list", "--limit", "1"],
    ["shipments", "show", "demo-shipment"],
    ["track", "DEMO-A-DELIVERED"],
    ["devices", "list"],
  ])
    it(`${command.join(" ")}: one row a line`, async () => {
      const good = await (await faultyDesk(bench)).freight(command)
      const desk = await faultyDesk(bench)
      desk.line.arm({ at: "GET /.*", misbehave: withEscapes })
      const { code, stdout } = await desk.freight(command)
      expect(code).toBe(0)
      expect(good.stdout).toContain("\n")
      expect(stdout.split("\n").length).toBe(good.stdout.split("\n").length)
    })

  it("JSON holds the very text that the server sent", async () => {
    const good = (await (await faultyDesk(bench)).freight(["connectors", "--json"])).items<Connector>()
    const desk = await faultyDesk(bench)
    desk.line.arm({ at: "GET /connectors", misbehave: withEscapes })
    const connectors = (await desk.freight(["connectors", "--json"])).items<Connector>()
    expect(connectors.map(({ name }) => name)).toEqual(good.map(({ name }) => hostile(name)))
  })
})

interface Connector {
  name: string
}

describe("an id from a server", () => {
  it("is in no command to run next, when a shell would not read it as one word", async () => {
    const desk = await faultyDesk(bench)
    desk.line.arm({ at: "POST /{}/shipments", misbehave: withEscapes })
    const book = ["book", "--file", "booking.json", "--label", "label.pdf", "--json"]
    const { code, error } = await desk.freight(book)
    expect(code).toBe(8)
    expect(error).toMatchObject({ kind: "stepFailed", retry: "never" })
    expect(error?.next).toBeUndefined()
  })
})

describe("a refusal that holds escape sequences and the key", () => {
  for (const row of ROWS)
    it(`${row.name}: shows neither, also with --verbose`, async () => {
      const desk = await faultyDesk(bench)
      const args = [...(await row.args(bench, desk)), "--verbose"]
      desk.line.arm({ at: row.at, misbehave: refusalWithEscapes })
      const { code, stdout, stderr } = await desk.freight(args, row.options?.(bench))
      expect(code).toBe(row.reports ?? 1)
      expect(stdout + stderr).toContain("refused, key …")
      expect(stderr).toContain("> authorization: Bearer …")
    })
})
