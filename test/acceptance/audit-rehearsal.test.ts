/** A rehearsal as a person makes it: book, let the sandbox bill, audit; and with every kind of mistake in the bill. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type BillKey, MISTAKES } from "../../src/bills/verdicts.ts"
import { proveAudit } from "./audit-proof.ts"
import { desk } from "./freight.ts"
import { type Rehearsal, rehearse } from "./rehearsals.ts"

describe("with every kind of mistake", () => {
  let rehearsal: Rehearsal
  beforeAll(async () => {
    rehearsal = await rehearse(150)
  })
  afterAll(() => rehearsal.stop())

  it.each(["wrong.csv", "wrong.json"])("an audit of %s finds each, and nothing else", async (file) => {
    const { code, key, consignments, kinds, errors } = await proveAudit(rehearsal, file, 25)
    expect(errors).toEqual([])
    for (const kind of MISTAKES) expect(kinds[kind]).toMatchObject({ found: kinds[kind]?.made, wrong: 0 })
    expect(Math.min(...Object.values(kinds).map(({ made }) => made))).toBeGreaterThan(1)
    expect([code, consignments]).toEqual([1, key.consignments])
  })

  it("and of a right bill nothing", async () => {
    const ran = await rehearsal.home.freight(["audit", "right.csv", "--json", "--no-remember"])
    expect(ran.json()).toMatchObject({
      totals: { toDispute: 0, over: 0, under: 0, byVerdict: { agrees: 138 } },
    })
    expect(ran.code).toBe(0)
  })
})

describe("on the built-in sandbox, in a minute", () => {
  it("what was just booked, billed and audited agrees", async () => {
    const home = await desk()
    const { stdout } = await home.freight(["book", "--example"])
    const book = (...words: string[]) =>
      home.freight(["book", "--sandbox", "--file", "-", ...words], { input: stdout })
    for (const [connector, service] of [
      ["connector-a", "76"],
      ["connector-b", "GEN"],
      ["connector-c", "STD"],
    ]) {
      const which = [
        "--connector",
        connector ?? "",
        "--service",
        service ?? "",
        "--reference",
        `${connector}`,
      ]
      expect((await book(...which)).code).toBe(0)
    }
    const billed = await home.freight(["sandbox", "bill", "--delivered", "-o", "bill.csv"])
    expect(billed.stderr).toContain("The sandbox's clock is set to")
    const audited = await home.freight(["audit", "--sandbox", "bill.csv", "--json"])
    expect(audited.json()).toMatchObject({ totals: { byVerdict: { agrees: 3 } } })
    expect(audited.code).toBe(0)
    const reported = await home.freight(["report", "carriers", "--sandbox", "--json"])
    expect(reported.json<{ known: { tracked: number } }>().known.tracked).toBeGreaterThanOrEqual(2)
  })

  it("and again, when the sandbox's clock is days ahead: what nobody collected is found", async () => {
    const home = await desk()
    const { stdout } = await home.freight(["book", "--example"])
    const book = (reference: string, ...words: string[]) =>
      home.freight(
        ["book", "--sandbox", "--file", "-", "--connector", "connector-a", "--service", "76"].concat(
          ["--reference", reference],
          words,
        ),
        { input: stdout },
      )
    await book("first")
    await home.freight(["sandbox", "bill", "--delivered", "-o", "first.csv"])
    await book("second")
    await book("never", "--set", "specialInstructions=sandbox:not-collected")
    await home.freight("sandbox bill --delivered --errors 100% --seed 3 -o second.csv".split(" "))
    const key: BillKey = JSON.parse(await readFile(path.join(home.folder, "second.csv.key"), "utf8"))
    const audited = await home.freight(["audit", "--sandbox", "second.csv", "--json"])
    const told = audited.json<{ consignments: { consignment: string; verdict: string }[] }>().consignments
    expect(
      key.mistakes.map(({ consignment }) => told.find((one) => one.consignment === consignment)?.verdict),
    ).toEqual(key.mistakes.map(({ mistake }) => mistake))
    expect(key.mistakes).toContainEqual({ consignment: "SBA00000003", mistake: "not-collected" })
  })
})
