/** Output of `freight invoice validate` for programs, to standard output and to a file. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { REPORT_FORMATS } from "../../src/invoice/reporters/index.ts"
import { brokenLine, line } from "../invoice/runs.ts"
import { invoiceDesk } from "./invoices.ts"
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
  // A workbook is no text: its cells are looked at where it is written.
  it.each(
    REPORT_FORMATS.filter((format) => format !== "xlsx"),
  )("%s keeps from a terminal what it would obey", async (format) => {
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

describe("-o", () => {
  it("replaces what had the name, whole or not at all", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1), "report.ndjson": "before" })
    await validate(["a.json", "--format", "ndjson", "-o", "report.ndjson", "--force"])
    expect(readFileSync(path.join(folder, "report.ndjson"), "utf8")).toMatch(/^\{"file":"a\.json"/)
    expect(readdirSync(folder).sort()).toEqual(["a.json", "report.ndjson", "state"])
  })

  it("leaves what was there when the run fails", async () => {
    const { folder, validate } = await invoiceDesk({ "report.txt": "before" })
    const { code } = await validate(["-", "-", "-o", "report.txt", "--force"])
    expect(code).toBe(2)
    expect(readFileSync(path.join(folder, "report.txt"), "utf8")).toBe("before")
    expect(readdirSync(folder)).toEqual(["report.txt"])
  })

  it("is written although an input could not be read, which is told anyway", async () => {
    const { folder, validate } = await invoiceDesk({ "a.json": line(1) })
    const { code, stderr } = await validate(["a.json", "gone.json", "-o", "report.txt"])
    expect([code, stderr]).toEqual([
      2,
      "documents: 1, valid: 1, not valid: 0\nwarning: cannot read gone.json: there is no such file\n",
    ])
    expect(readFileSync(path.join(folder, "report.txt"), "utf8")).toContain("gone.json")
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
      expect(stderr).toMatch(
        /^error: -o \.\/a\.json would overwrite (a|link)\.json, which is read; nothing was sent or written\n/,
      )
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
})
