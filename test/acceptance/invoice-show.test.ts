import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { fullInvoice, minimalDraft, minimalInvoice, textOf } from "../invoice/samples.ts"
import { withChange } from "../invoice/writer.ts"
import { desk } from "./freight.ts"

/** The end of a wrong command line's error. */
const NEXT = "next: freight help invoice show\n"

const made = await desk()

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(path.join(made.folder, name), content)
  return name
}

const show = (...args: string[]) => made.freight(["invoice", "show", ...args])
const numbered = (number: string) => withChange(minimalInvoice(), ["data", "invoiceNumber"], number)

describe("freight invoice show", () => {
  it("shows an invoice as a page on standard output", async () => {
    const { code, stdout, stderr } = await show(await file("full.json", textOf(fullInvoice())))
    expect([code, stderr]).toEqual([0, ""])
    await expect(stdout).toMatchFileSnapshot("../invoice/pages/full.txt")
  })

  it("shows one that is not valid with its findings in place, and has done what was asked", async () => {
    const broken = withChange(fullInvoice(), ["data", "lineItems", 1, "currency"], "AUd")
    const { code, stdout } = await show(await file("broken.json", textOf(broken)))
    expect(code).toBe(0)
    expect(stdout).toContain('    ✗ line item 2, currency: must be "AUD", not "AUd"\n')
    expect(stdout).toMatch(/ {2}Not valid: 1 error\.\n$/)
  })

  it("checks a draft as one, and says so; --complete asks for the other", async () => {
    const name = await file("draft.json", textOf(minimalDraft()))
    const shown = await show(name)
    expect(shown.stdout).toMatch(/ {2}Valid\.\n$/)
    expect(shown.stderr).toMatch(/^The invoice was checked as a draft: .*--complete requires them\.\n$/)
    const asked = await show("--draft", name)
    expect([asked.stdout, asked.stderr]).toEqual([shown.stdout, ""])
    expect((await show("--complete", name)).stdout).toMatch(/ {2}Not valid: 3 errors\.\n$/)
  })

  it("reads standard input", async () => {
    const { stdout } = await made.freight(["invoice", "show", "-"], { input: textOf(fullInvoice()) })
    expect(stdout).toContain("TAX INVOICE  INV-1001")
  })

  it("gives the document itself as JSON", async () => {
    const name = await file("json.json", textOf(fullInvoice()))
    expect((await show(name, "--json")).json()).toEqual(fullInvoice())
  })
})

describe("of several documents", () => {
  const SHAPES: readonly (readonly [string, string])[] = [
    ["several.json", JSON.stringify([numbered("INV-A"), numbered("INV-B"), numbered("INV-C")], null, 2)],
    [
      "several.ndjson",
      ["INV-A", "INV-B", "", "INV-C"].map((each) => each && JSON.stringify(numbered(each))).join("\n"),
    ],
  ]

  it.each(SHAPES)("in %s the first is shown, and the others are told of", async (name, text) => {
    const { stdout, stderr } = await show(await file(name, text))
    expect(stdout).toContain("INV-A")
    expect(stderr).toBe(`${name} holds 3 documents; this is the first: --index N shows another.\n`)
  })

  it.each(SHAPES)("in %s any can be shown", async (name, text) => {
    const { stdout, stderr } = await show(await file(name, text), "--index", "2")
    expect([stdout.includes("INV-C"), stderr]).toEqual([true, ""])
  })

  it.each([
    ["3", "--index 3: the documents are 0 to 2"],
    ["-1", '--index takes a whole number from 0 to 999999999, not "-1"'],
    ["one", '--index takes a whole number from 0 to 999999999, not "one"'],
    ["1.5", '--index takes a whole number from 0 to 999999999, not "1.5"'],
  ])("there is none with --index %s", async (index, message) => {
    const { code, stderr } = await show(await file("several.json", SHAPES[0]?.[1] ?? ""), `--index=${index}`)
    expect([code, stderr]).toEqual([2, `error: ${message}\n${NEXT}`])
  })

  it("the others of a list can be shown although one is broken", async () => {
    const [first, third] = [numbered("INV-A"), numbered("INV-C")].map((each) => JSON.stringify(each))
    const name = await file("torn-list.json", `[${first},\n{"data": {"a]": [1, oops]}},\n${third}]`)
    const shown = await show(name)
    expect([shown.code, shown.stdout.includes("INV-A"), shown.stderr]).toEqual([
      0,
      true,
      `${name} holds 3 documents; this is the first: --index N shows another.\n`,
    ])
    expect((await show(name, "--index", "2")).stdout).toContain("INV-C")
    const broken = await show(name, "--index", "1")
    expect(broken.code).toBe(1)
    expect(broken.stdout).toContain(`${name}:2:21  error  json/syntax\n`)
  })
})

describe("what cannot be shown", () => {
  it.each<[string, string | Uint8Array, string]>([
    ["nothing", "", "empty.json:1:1  error  json/syntax\n  the text is empty: a JSON value is expected\n"],
    ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), "  this is UTF-16, not UTF-8\n"],
    ["a PDF", "%PDF-1.7\n%\u00e2", "  this is a PDF, not JSON\n"],
    [
      "a workbook",
      Buffer.from("PK\u0003\u0004\u0014\u0000\u0006", "latin1"),
      "  this is a workbook (.xlsx) or another office document, not JSON\n",
    ],
  ])("may be %s", async (_, content, says) => {
    const { code, stdout } = await show(await file("empty.json", content))
    expect(code).toBe(1)
    expect(stdout).toContain(says)
  })

  it("is a list without any document", async () => {
    const { code, stderr } = await show(await file("none.json", "[]"))
    expect([code, stderr]).toEqual([2, "error: none.json holds no document\n"])
  })

  it("is a booking, which another command takes", async () => {
    const name = await file("booking.json", JSON.stringify({ receiver: { suburb: "Perth" }, packages: [] }))
    const { code, stdout, stderr } = await show(name)
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      "error: booking.json is a booking, not an invoice\nnext: freight book --file booking.json\n",
    ])
  })

  it.each([
    ["--format", "csv", '--format takes table, json, ndjson with freight invoice show, not "csv"'],
    ["--fields", "data", "an invoice is shown as a page, or as JSON with --json"],
  ])("is rows: %s %s", async (flag, value, message) => {
    const { code, stderr } = await show("full.json", flag, value)
    expect([code, stderr]).toEqual([2, `error: ${message}\n${NEXT}`])
  })
})
