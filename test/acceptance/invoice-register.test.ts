/** `freight invoice validate --register`: the same invoice in a later run. */
import { renameSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { brokenLine, line } from "../invoice/runs.ts"
import { minimalDraft, textOf } from "../invoice/samples.ts"
import { desk } from "./freight.ts"
import { invoiceDesk, type Report } from "./invoices.ts"

const DRAFT = textOf(minimalDraft())
const REPEAT =
  /^invoice number: "INV-1" of supplier "S-204" was registered before, on \d{4}-\d\d-\d\d from out.ndjson, /

async function deskOf(files: Readonly<Record<string, string>>) {
  const made = await invoiceDesk(files)
  const messages = async (args: readonly string[]) => {
    const { code, json } = await made.validate(["--json", ...args])
    const { results } = json<Report>()
    return [code, ...results.map(({ findings }) => findings.map(({ message }) => message).join("; "))]
  }
  return { ...made, messages }
}

describe("--register", () => {
  it("warns of a number that was registered in an earlier run, with its amount", async () => {
    const { messages, folder, validate } = await deskOf({ "out.ndjson": `${line(1)}\n${line(2)}\n` })
    const { stderr } = await validate(["out.ndjson", "--register"])
    expect(stderr).toContain("2 invoices registered: freight warns when a number comes again.\n")
    writeFileSync(
      path.join(folder, "new.ndjson"),
      `${line(3)}\n${line(1)}\n${line(1).replace('"dueAmount":11', '"dueAmount":11.00,"x":0')}`,
    )
    const [code, third, same, other] = await messages(["new.ndjson", "--register"])
    expect([code, third]).toEqual([1, ""])
    expect(same).toMatch(REPEAT)
    expect(same).toMatch(/with the same amount$/)
    expect(other).toContain("is also in new.ndjson, index 1")
  })

  it("compares without registering only when asked, and registers nothing that is not valid", async () => {
    const { messages } = await deskOf({ "out.ndjson": `${line(1)}\n`, "bad.ndjson": `${brokenLine(5)}\n` })
    await messages(["out.ndjson", "--register"])
    expect(await messages(["out.ndjson"])).toEqual([0, ""])
    await messages(["bad.ndjson", "--register"])
    const [, said] = await messages(["bad.ndjson", "--register"])
    expect(said).not.toContain("registered before")
  })

  it("misses no reference of an update whose invoice was registered", async () => {
    const { messages } = await deskOf({
      "out.ndjson": `${line(1)}\n`,
      "update.ndjson": `${line(1, { operation: "update" })}\n`,
    })
    const missing = "invoice: this document does not say which invoice it updates"
    expect(await messages(["update.ndjson"])).toEqual([0, missing])
    await messages(["out.ndjson", "--register"])
    expect(await messages(["update.ndjson", "--register"])).toEqual([0, ""])
    expect(await messages(["out.ndjson", "--register"])).toEqual([0, expect.stringMatching(REPEAT)])
  })

  it("knows a number with a sign that nobody sees", async () => {
    const { messages } = await deskOf({
      "out.ndjson": `${line(1)}\n`,
      "copied.ndjson": `${line(1).replace("INV-1", "INV-1\u200b")}\n`,
    })
    await messages(["out.ndjson", "--register"])
    const [code, said] = await messages(["copied.ndjson", "--register"])
    expect(code).toBe(0)
    expect(said).toContain("was registered before")
    expect(said).toContain('invoice number: "INV-1" has a sign in it that nobody sees')
  })

  it("registers drafts too: they are what a sender sends", async () => {
    const { messages } = await deskOf({ "draft.json": DRAFT })
    expect(await messages(["draft.json", "--register"])).toEqual([0, ""])
    expect((await messages(["draft.json", "--register"]))[1]).toContain("was registered before")
  })

  it("makes it an error under --strict, and says nothing where the rule is off", async () => {
    const { messages } = await deskOf({ "out.ndjson": `${line(1)}\n` })
    await messages(["out.ndjson", "--register"])
    expect((await messages(["out.ndjson", "--register", "--strict"]))[0]).toBe(1)
    const off = ["--rule", "accounting/duplicate-invoice=off"]
    expect(await messages(["out.ndjson", "--register", ...off])).toEqual([0, ""])
  })

  it("is on where the profile says so, and off again with --no-register", async () => {
    const { freight, folder } = await desk()
    writeFileSync(path.join(folder, "a.json"), DRAFT)
    expect((await freight(["config", "set", "register", "maybe"])).stderr).toContain(
      "register takes yes or no, not 'maybe'",
    )
    await freight(["config", "set", "register", "yes"])
    expect((await freight(["invoice", "validate", "a.json", "--no-register"])).stderr).not.toContain(
      "registered",
    )
    expect((await freight(["invoice", "validate", "a.json"])).stderr).toContain("1 invoice registered")
    renameSync(path.join(folder, "a.json"), path.join(folder, "b.json"))
    expect((await freight(["invoice", "validate", "b.json"])).stdout).toContain("from a.json")
  })
})
