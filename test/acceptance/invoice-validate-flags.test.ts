import { describe, expect, it } from "vitest"
import { brokenLine, line } from "../invoice/runs.ts"
import { draftOf, minimalInvoice, textOf } from "../invoice/samples.ts"
import { invoiceDesk } from "./invoices.ts"

/** One warning: the ABN's check digits. */
const DOUBTFUL = line(1).replace("51 824 753 556", "51 824 753 557")
const ABN = `accounting/abn 1:${DOUBTFUL.indexOf('"51 824') + 1}`
const TWICE = `${line(7)}\n${line(7)}\n`
const REPEATED = `accounting/duplicate-invoice 2:${line(7).indexOf('"INV-7"') + 1}`

const { validate, verdicts } = await invoiceDesk({
  "doubtful.json": DOUBTFUL,
  "good.json": line(2),
  "broken.json": brokenLine(3),
  "draft.json": textOf(draftOf(minimalInvoice())),
  "twice.ndjson": TWICE,
  "booking.json": JSON.stringify({ receiver: { suburb: "Perth" }, packages: [] }),
  "rates.json": JSON.stringify({ from: { suburb: "Sydney" }, to: { suburb: "Perth" }, packages: [] }),
})

describe("a warning", () => {
  const rules = (...words: string[]) => words.flatMap((word) => ["--rule-level", `accounting/${word}`])
  it.each<[words: string[], code: number, found?: string]>([
    [[], 0, ABN],
    [["--strict"], 1, ABN],
    [["--no-accounting"], 0],
    [rules("abn=off"), 0],
    [rules("abn=error"), 1, ABN],
    [["--strict", ...rules("abn=warning")], 0, ABN],
    [rules("abn=error", "bsb=off", "abn=off"), 0],
  ])("with %j ends with %i", async (words, code, found = "ok") => {
    expect(await verdicts(["doubtful.json", ...words])).toEqual([code, `doubtful.json ${found}`])
  })

  it.each<[words: string[], code: number, found?: string]>([
    [[], 0, REPEATED],
    [["--strict"], 1, REPEATED],
    [["--no-accounting"], 0],
    [rules("duplicate-invoice=off"), 0],
    [rules("duplicate-invoice=error"), 1, REPEATED],
  ])("of a run with %j ends with %i", async (words, code, found = "ok") => {
    expect(await verdicts(["twice.ndjson", ...words])).toEqual([
      ...[code, "twice.ndjson 0 ok"],
      `twice.ndjson 1 ${found}`,
    ])
  })
})

describe("--rule-level", () => {
  it.each([
    ["accounting/abm=off", 'there is no rule "accounting/abm"', 'Did you mean "accounting/abn"?'],
    ["abn=off", 'there is no rule "abn"', 'Did you mean "accounting/abn"?'],
    ["nonsense=off", 'there is no rule "nonsense"', "freight invoice rules lists those that can be set."],
    ["accounting/abn", "the level is off, warning, error", "Write it as in --rule-level accounting/abn=off."],
    [
      "accounting/abn=on",
      "the level is off, warning, error",
      "Write it as in --rule-level accounting/abn=off.",
    ],
    [
      "contract/required=off",
      "what breaks the contract is always an error",
      "freight invoice rules lists the accounting rules, which can be set.",
    ],
  ])("%s is refused", async (rule, message, hint) => {
    const { code, stdout, stderr } = await validate(["good.json", "--rule-level", rule])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toBe(
      `error: --rule-level ${rule}: ${message}\n${hint}\nnext: freight help invoice validate\n`,
    )
  })
})

describe("a draft", () => {
  const NOTE =
    "The invoice was checked as a draft: docType, correlationId, timestamp are not filled in yet. --complete requires them.\n"

  it("is a document without anything that the service fills in, and the report says so", async () => {
    const table = await validate(["draft.json"])
    expect([table.code, table.stdout, table.stderr]).toEqual([0, "draft.json: valid\n", NOTE])
    const { code, json, stderr } = await validate(["draft.json", "--json"])
    expect([code, stderr]).toEqual([0, NOTE])
    expect(json()).toEqual({
      items: [{ file: "draft.json", index: null, valid: true, draft: true, findings: [] }],
      ...{ total: 1, nextOffset: null, valid: 1, invalid: 0, drafts: 1, unreadable: [], warnings: [] },
    })
  })

  it("is counted among many, in one line", async () => {
    const { code, stderr } = await validate(["draft.json", "good.json", "twice.ndjson"])
    const note =
      "1 of 4 documents was checked as a draft: docType, correlationId, timestamp are not filled in yet. --complete requires them.\n"
    expect([code, stderr]).toEqual([0, note])
  })
})

describe("--complete", () => {
  it("requires what the service fills in", async () => {
    const [code, found] = await verdicts(["draft.json", "--complete"])
    expect(code).toBe(1)
    expect(String(found).match(/contract\/required/g)).toHaveLength(3)
  })

  it("does not go with --draft", async () => {
    const { code, stderr } = await validate(["draft.json", "--complete", "--draft"])
    expect([code, stderr]).toEqual([
      2,
      "error: --draft and --complete contradict each other: choose one\nnext: freight help invoice validate\n",
    ])
  })
})

describe("a file for another command", () => {
  it.each([
    ["booking.json", "it is a booking: freight book --file booking.json"],
    ["rates.json", "it is a rate request: freight rate-shop --file rates.json"],
  ])("%s is not checked as an invoice", async (name, reason) => {
    expect(await verdicts([name])).toEqual([2, `${name}: ${reason}`])
    const { code, stdout } = await validate([name])
    expect([code, stdout]).toEqual([2, `1 input could not be read:\n  ${name}: ${reason}\n`])
  })
})

describe("--jobs", () => {
  it("does not change what is reported", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, number) => [
        `in/${String(number).padStart(3, "0")}.json`,
        number % 9 === 0 ? brokenLine(number) : line(number),
      ]),
    )
    const { verdicts } = await invoiceDesk(files)
    const alone = await verdicts(["in", "--jobs", "1"])
    expect(alone).toHaveLength(251)
    expect(await verdicts(["in", "--jobs", "4"])).toEqual(alone)
    expect(await verdicts(["in"])).toEqual(alone)
  })

  it.each(["0", "65", "-1", "two", "1.5", ""])("%j is refused", async (jobs) => {
    const { code, stderr } = await validate(["good.json", `--jobs=${jobs}`])
    expect([code, stderr]).toEqual([2, expect.stringContaining("number of threads from 1 to 64")])
  })
})

describe("what makes no sense is refused before anything is checked", () => {
  it.each([
    [["good.json", "--fields", "file"], "--fields does not apply to what is found in invoices"],
    [
      ["good.json", "--format", "yaml"],
      '--format takes table, json, ndjson, csv, xlsx, sarif, junit, github, rdjson, html with freight invoice validate, not "yaml"',
    ],
    [[], "there is nothing to check: name files or folders"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await validate(args)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(`error: ${message}`)
  })
})
