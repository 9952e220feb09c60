/** What `freight invoice validate` writes for programs, to standard output and to a file. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { describe, expect, it } from "vitest"
import type { DocumentResult } from "../../src/invoice/finding.ts"
import { REPORT_FORMATS } from "../../src/invoice/reporters/index.ts"
import { brokenLine, line } from "../invoice/runs.ts"
import { invoiceDesk, type Report } from "./invoices.ts"
import { faultOf, wellFormed } from "./xml.ts"

/** A name and values that would end a row, an element, a command or a line. */
const HOSTILE = `a,b:c%"'<&>;--😀.ndjson`
const VALUE = `]]>"</x>,\n%0A::error::\u0007\u009b31m\u202e`
const FILES = {
  "a.json": line(1),
  [HOSTILE]: `${line(2)}\n${brokenLine(3)}\n${line(4, { purpose: VALUE })}\nno JSON\n`,
}
const NAMES = Object.keys(FILES)

const { validate, folder } = await invoiceDesk(FILES)

async function said(format: string, names: readonly string[] = [...NAMES, "gone.json"]): Promise<string> {
  return (await validate([...names, "--format", format])).stdout
}

describe("every format", () => {
  it.each(REPORT_FORMATS)("%s keeps from a terminal what it would obey", async (format) => {
    expect(await said(format)).not.toMatch(/[^\P{Cc}\n]|\p{Cs}|\u202e/u)
  })

  it.each(REPORT_FORMATS)("%s is the same in a file, and standard output stays free", async (format) => {
    const { code, stdout, stderr } = await validate([...NAMES, "--format", format, "-o", `out/${format}.txt`])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toBe("documents: 5, valid: 2, not valid: 3\n")
    const timeless = (text: string) => text.replace(/ in \d+\.\d s/, "")
    const file = readFileSync(path.join(folder, "out", `${format}.txt`), "utf8")
    if (format !== "table") expect(file).toBe(await said(format, NAMES))
    else expect(unwrapped(timeless(file))).toBe(unwrapped(timeless(await said(format, NAMES))))
  })
})

/** A file has longer lines than a terminal of 80 columns. */
function unwrapped(text: string): string {
  return text.replace(/\s+/g, " ")
}

describe("json", () => {
  it("counts, and holds a result for each document", async () => {
    const report = JSON.parse(await said("json")) as Report
    expect(report).toMatchObject({ documents: 5, valid: 2, invalid: 3 })
    expect(report.unreadable).toEqual([{ file: "gone.json", reason: "there is no such file" }])
    expect(report.results.map(({ file, index, valid }) => [file, index, valid])).toEqual([
      ["a.json", undefined, true],
      [HOSTILE, 0, true],
      [HOSTILE, 1, false],
      [HOSTILE, 2, false],
      [HOSTILE, 3, false],
    ])
  })

  it("holds findings with rule, place and words", async () => {
    const report = JSON.parse(await said("json")) as Report
    expect(report.results[2]?.findings).toEqual([
      {
        rule: "contract/enum",
        severity: "error",
        pointer: "/data/purpose",
        line: 2,
        column: brokenLine(3).indexOf('"gift"') + 1,
        message: expect.stringContaining("purpose"),
      },
    ])
  })
})

describe("ndjson", () => {
  it("is the results of json, one a line", async () => {
    const report = JSON.parse(await said("json")) as Report
    const lines = (await said("ndjson")).trimEnd().split("\n")
    expect(lines.map((each) => JSON.parse(each) as DocumentResult)).toEqual(report.results)
  })
})

describe("csv", () => {
  it("has a row for each finding, each on one line", async () => {
    const text = await said("csv")
    const rows = parse<Record<string, string>>(text, { columns: true })
    expect(rows.map(({ file, index, rule }) => [file, index, rule])).toEqual([
      [HOSTILE, "1", "contract/enum"],
      [HOSTILE, "2", "contract/enum"],
      [HOSTILE, "3", "json/syntax"],
    ])
    expect(text.trimEnd().split("\n")).toHaveLength(4)
  })
})

describe("sarif", () => {
  it("has a result for each finding, at a URI that leads to the file", async () => {
    const log = JSON.parse(await said("sarif"))
    const [run] = log.runs
    expect(log.version).toBe("2.1.0")
    expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      "contract/enum",
      "contract/enum",
      "json/syntax",
    ])
    const { uri } = run.results[0].locations[0].physicalLocation.artifactLocation
    expect(decodeURIComponent(uri)).toBe(HOSTILE)
    expect(run.invocations[0].executionSuccessful).toBe(false)
  })
})

describe("junit", () => {
  it("is well-formed whatever the documents hold, and counts tests, failures and errors", async () => {
    const text = await said("junit")
    expect(faultOf(text)).toBeUndefined()
    const [root] = wellFormed(text)
    const suites = root?.children ?? []
    expect(suites.map(({ attributes }) => attributes)).toEqual([
      { name: "a.json", tests: "1", failures: "0", errors: "0" },
      { name: HOSTILE, tests: "4", failures: "3", errors: "0" },
      { name: "gone.json", tests: "1", failures: "0", errors: "1" },
    ])
    expect(suites.map(({ children }) => children.length)).toEqual([1, 4, 1])
  })
})

describe("github", () => {
  it("has a command for each finding, in which nothing begins another", async () => {
    const lines = (await said("github")).trimEnd().split("\n")
    const commands = lines.filter((each) => each.startsWith("::"))
    expect(commands).toHaveLength(4)
    for (const command of commands.slice(0, 3))
      expect(command).toMatch(/^::error file=a%2Cb%3Ac%25"'<&>;--😀\.ndjson,line=\d,col=\d+,title=[\w/]+::/)
    expect(lines.at(-1)).toBe("5 documents: 2 valid, 3 not valid")
  })
})

describe("-o", () => {
  it("replaces what had the name, whole or not at all", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1), "report.ndjson": "before" })
    await validate(["a.json", "--format", "ndjson", "-o", "report.ndjson"])
    expect(readFileSync(path.join(folder, "report.ndjson"), "utf8")).toMatch(/^\{"file":"a\.json"/)
    expect(readdirSync(folder).sort()).toEqual(["a.json", "report.ndjson", "state"])
  })

  it("leaves what was there when the run fails", async () => {
    const { folder, validate } = await invoiceDesk({ "report.txt": "before" })
    const { code } = await validate(["-", "-", "-o", "report.txt"])
    expect(code).toBe(2)
    expect(readFileSync(path.join(folder, "report.txt"), "utf8")).toBe("before")
    expect(readdirSync(folder)).toEqual(["report.txt"])
  })

  it("is written although an input could not be read, which is told all the same", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1) })
    const { code, stderr } = await validate(["a.json", "gone.json", "-o", "report.txt"])
    expect([code, stderr]).toEqual([
      2,
      "documents: 1, valid: 1, not valid: 0\nwarning: cannot read gone.json: there is no such file\n",
    ])
    expect(readFileSync(path.join(folder, "report.txt"), "utf8")).toContain("gone.json")
  })

  it("makes the folders to it, and takes the place of a link", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1), "real.txt": "before" })
    symlinkSync("real.txt", path.join(folder, "link.txt"))
    await validate(["a.json", "-o", "link.txt"])
    await validate(["a.json", "-o", "deep/er/report.txt"])
    expect(readFileSync(path.join(folder, "link.txt"), "utf8")).toBe("a.json: valid\n")
    expect(readFileSync(path.join(folder, "real.txt"), "utf8")).toBe("before")
    expect(statSync(path.join(folder, "deep/er/report.txt")).isFile()).toBe(true)
  })

  it("is not checked itself when it lies in the folder that is", async () => {
    const { verdicts, validate } = await invoiceDesk({ "in/a.json": line(1) })
    for (let turn = 0; turn < 2; turn++)
      expect((await validate(["in", "--json", "-o", "in/report.json"])).code).toBe(0)
    expect((await verdicts(["in/a.json", "in"]))[0]).toBe(1)
  })

  it("never takes the place of an invoice that is to be checked", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1) })
    symlinkSync("a.json", path.join(folder, "link.json"))
    for (const words of [["a.json"], ["link.json"]]) {
      const { code, stderr } = await validate([...words, "-o", "./a.json"])
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: -o \.\/a\.json would overwrite an invoice that is to be checked\n/)
    }
    expect(readFileSync(path.join(folder, "a.json"), "utf8")).toBe(line(1))
  })

  it("is standard output when it is -", async () => {
    const { validate } = await invoiceDesk({ "a.json": line(1) })
    expect((await validate(["a.json", "-o", "-"])).stdout).toBe("a.json: valid\n")
  })

  it("says why it cannot be written", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1) })
    mkdirSync(path.join(folder, "out"))
    writeFileSync(path.join(folder, "file"), "")
    expect((await validate(["a.json", "-o", "out"])).stderr).toBe(
      "error: cannot write out: that is a folder\n",
    )
    const { code, stderr } = await validate(["a.json", "-o", "file/report"])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: cannot write .*file/)])
  })

  it("is silent under --quiet", async () => {
    const { validate } = await invoiceDesk({ "a.json": line(1) })
    expect((await validate(["a.json", "-o", "report.txt", "--quiet"])).stderr).toBe("")
  })
})
