/** Inputs of `freight invoice validate`: files, folders, patterns, standard input, lists of files. */
import { execFileSync } from "node:child_process"
import { chmodSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { brokenLine, line } from "../invoice/runs.ts"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { getBinary } from "./freight.ts"
import { type InvoiceDesk, invoiceDesk } from "./invoices.ts"

const GOOD = textOf(minimalInvoice())
const WHERE = `1:${brokenLine(1).indexOf('"gift"') + 1}`
const BROKEN = `contract/enum ${WHERE}`

describe("freight invoice validate: files", () => {
  it("is done when all are valid", async () => {
    const { validate } = await invoiceDesk({ "a.json": GOOD })
    const { code, stdout, stderr } = await validate(["a.json"])
    expect([code, stdout, stderr]).toEqual([0, "a.json: valid\n", ""])
  })

  it("says no when one is not, and checks the others", async () => {
    const { verdicts } = await invoiceDesk({ "a.json": GOOD, "b.json": brokenLine(2), "c.json": line(3) })
    expect(await verdicts(["a.json", "b.json", "c.json"])).toEqual([
      1,
      "a.json ok",
      `b.json ${BROKEN}`,
      "c.json ok",
    ])
  })

  it("are reported with errors first; the lines of one file in their order", async () => {
    const repeated = [line(1), line(1), brokenLine(2)]
    const { validate } = await invoiceDesk({
      ...Object.fromEntries(repeated.map((text, at) => [`out/${at}.json`, text])),
      "in.ndjson": `${repeated.join("\n")}\n`,
    })
    const reported = async (file: string) =>
      (await validate([file])).stdout
        .match(/^\S+:\d+:\d+(?= ).* (?:error|warning)(?= )/gm)
        ?.map((place) => place.replace(/:\d+ .* /, " "))
    expect(await reported("out")).toEqual(["out/2.json:1 error", "out/1.json:1 warning"])
    expect(await reported("in.ndjson")).toEqual(["in.ndjson:2 warning", "in.ndjson:3 error"])
  })

  it("names what could not be read, and has checked the rest", async () => {
    const { validate } = await invoiceDesk({ "a.json": GOOD, "b.json": brokenLine(2) })
    const { code, stdout } = await validate(["gone.json", "a.json", "b.json"])
    expect(code).toBe(2)
    expect(stdout).toMatch(/^b\.json:1:\d+ \(INV-\d+\) {2}error {2}contract\/enum$/m)
    expect(stdout).toMatch(/^2 documents .*: 1 valid, 1 not valid$/m)
    expect(stdout).toMatch(/^1 input could not be read:\n {2}gone\.json: there is no such file$/m)
  })

  it("names it on standard error where standard output is for programs", async () => {
    const { validate } = await invoiceDesk({ "a.json": line(1) })
    const { code, stdout, stderr } = await validate(["a.json", "gone.json", "--format", "ndjson"])
    expect(code).toBe(2)
    expect(stdout).toBe('{"file":"a.json","index":null,"valid":true,"draft":false,"findings":[]}\n')
    expect(JSON.parse(stderr)).toEqual({
      error: {
        ...{ kind: "input", code: "INPUT", retry: "never" },
        message: "cannot read gone.json: there is no such file",
      },
    })
  })

  it("may have any name", async () => {
    const names = ["a b.json", "it's.json", 'say "a".json', "[1].json", "$HOME.json", "é🙂.json", "a\nb.json"]
    const { verdicts } = await invoiceDesk(Object.fromEntries(names.map((name, at) => [name, line(at)])))
    expect(await verdicts(names)).toEqual([0, ...names.map((name) => `${name} ok`)])
  })

  it("that may not be read are named", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": GOOD })
    chmodSync(path.join(folder, "a.json"), 0)
    const { code, stdout } = await validate(["a.json"])
    // The superuser may read it all the same.
    expect([
      [2, "1 input could not be read:\n  a.json: you may not read or write it\n"],
      [0, "a.json: valid\n"],
    ]).toContainEqual([code, stdout])
  })
})

describe("freight invoice validate: folders and patterns", () => {
  const files = {
    "in/a.json": line(1),
    "in/b.ndjson": `${line(2)}\n`,
    "in/deep/er/c.json": line(3),
    "in/notes.txt": "Dear Sir",
    "in/.git/d.json": "hidden",
    "in/.e.json": "hidden",
    "in/node_modules/f/package.json": "{}",
    "out/[1].json": line(4),
  }

  it("looks into folders, and leaves out what is hidden and node_modules", async () => {
    const { verdicts } = await invoiceDesk(files)
    expect(await verdicts(["in"])).toEqual([0, "in/a.json ok", "in/b.ndjson 0 ok", "in/deep/er/c.json ok"])
  })

  it("says which folder and which pattern give nothing", async () => {
    const { verdicts } = await invoiceDesk({ "a.json": line(1), "empty/notes.txt": "" })
    expect(await verdicts(["empty", "*.jsonl", "a.json"])).toEqual([
      2,
      "a.json ok",
      "empty: there is no invoice in it",
      "*.jsonl: no file matches this pattern",
    ])
  })
})

describe("freight invoice validate: standard input", () => {
  it("has to hold an invoice, unless it need not", async () => {
    const { verdicts } = await invoiceDesk()
    expect(await verdicts(["-"], { input: "" })).toEqual([2, "- json/syntax 1:1"])
    expect(await verdicts(["-"], { input: "[]" })).toEqual([2, "-: there is no invoice in it"])
    expect(await verdicts(["-", "--allow-empty"], { input: "[]" })).toEqual([0])
  })

  it("can be named /dev/stdin", async () => {
    const { verdicts } = await invoiceDesk()
    expect(await verdicts(["/dev/stdin"], { input: GOOD })).toEqual([0, "/dev/stdin ok"])
  })

  it("can be given once only", async () => {
    const { validate } = await invoiceDesk()
    const { code, stderr } = await validate(["-", "-"], { input: GOOD })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("error: standard input can be read once only: give one -\n"),
    ])
  })
})

describe("freight invoice validate: pipes", () => {
  it("reads what a shell puts in place of a file", async () => {
    const { folder, env } = await invoiceDesk({ "a.ndjson": `${line(1)}\n${line(2)}\n` })
    const command = `"${process.execPath}" "${getBinary()}" invoice validate <(cat a.ndjson) --quiet`
    const said = execFileSync("bash", ["-c", command], { cwd: folder, env }).toString()
    expect(said).toMatch(/^2 documents in .*: 2 valid, 0 not valid\n$/)
  })
})

describe("freight invoice validate: --files-from", () => {
  const files = { "a b.json": line(1), "c.json": line(2), "line\nfeed.json": line(3) }
  const list = (made: InvoiceDesk, input: string | Uint8Array, more: readonly string[] = []) =>
    made.verdicts(["--files-from", "-", ...more], { input })

  it("takes one file a line from standard input", async () => {
    const made = await invoiceDesk(files)
    expect(await list(made, "c.json\r\n\na b.json\n")).toEqual([0, "c.json ok", "a b.json ok"])
  })

  it("takes the list from a file, after those that are named", async () => {
    const made = await invoiceDesk({ ...files, "list.txt": "c.json\ngone.json\n" })
    expect(await made.verdicts(["--files-from", "list.txt", "a b.json"])).toEqual([
      2,
      "a b.json ok",
      "c.json ok",
      "gone.json: there is no such file",
    ])
  })

  it("may name standard input, when the list is not there", async () => {
    const made = await invoiceDesk({ ...files, "list.txt": "c.json\n-\n" })
    expect(await made.verdicts(["--files-from", "list.txt"], { input: GOOD })).toEqual([
      0,
      "c.json ok",
      "- ok",
    ])
    const { code, stderr } = await made.validate(["--files-from", "-"], { input: "c.json\n-\n" })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("error: standard input can be read once only: give one -\n"),
    ])
  })

  it("may name nothing: there is nothing to check then", async () => {
    const { validate } = await invoiceDesk()
    const { code, stdout } = await validate(["--files-from", "-"], { input: "" })
    expect([code, stdout]).toEqual([2, "There is no invoice in the input.\n"])
  })

  it("is an error when the list cannot be read", async () => {
    const { validate } = await invoiceDesk()
    const { code, stderr } = await validate(["--files-from", "gone.txt"])
    expect([code, stderr]).toEqual([2, "error: cannot read gone.txt: there is no such file\n"])
  })
})
