/** `freight invoice validate --format rdjson`, the Reviewdog Diagnostic Format, as review bots read it. */
import Ajv from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import type { Edit } from "../../src/invoice/finding.ts"
import type { JsonResult } from "../../src/invoice/reporters/data.ts"
import { applyToBytes } from "../../src/invoice/fixes/splice.ts"
import { brokenLine, line } from "../invoice/runs.ts"
import { fullDraft } from "../invoice/samples.ts"
import { raw, withChange, written } from "../invoice/writer.ts"
import { invoiceDesk, type Report } from "./invoices.ts"

interface Place {
  line: number
  column: number
}

interface Range {
  start: Place
  end: Place
}

interface Diagnostic {
  message: string
  location: { path: string; range?: { start: Place } }
  severity: string
  code?: { value: string }
  suggestions?: { range: Range; text: string }[]
}

/** The parts of the format that freight writes. The format allows other fields; freight writes none. */
const RESULT = object(["diagnostics"], {
  source: object(["name"], { name: text() }),
  diagnostics: {
    type: "array",
    items: object(["message", "location"], {
      message: text(),
      location: object(["path"], { path: text(), range: range(["start"]) }),
      severity: { enum: ["ERROR", "WARNING", "INFO"] },
      code: object(["value"], { value: text() }),
      suggestions: {
        type: "array",
        minItems: 1,
        items: object(["range", "text"], { range: range(["start", "end"]), text: { type: "string" } }),
      },
    }),
  },
})

function object(required: readonly string[], properties: object) {
  return { type: "object", additionalProperties: false, required, properties }
}

function text() {
  return { type: "string", minLength: 1 }
}

function range(required: readonly string[]) {
  const count = { type: "integer", minimum: 1 }
  const place = object(["line", "column"], { line: count, column: count })
  return object(required, { start: place, end: place })
}

const keeps = new Ajv.default().compile(RESULT)

/** Has a character of each length in UTF-8 in front of faults on the same line: é 2 bytes, € 3, 😀 4. */
const NAME = "Café € 😀 Hardware"
const DRAFT = withChange(
  withChange(withChange(fullDraft(), ["data", "supplier", "name"], NAME), ["data", "purpose"], "Standard"),
  ["data", "poReferences"],
  { poNumber: "PO-😀" },
)
const CRLF = { indent: "\t", newline: "\r\n", mark: true } as const
const ON_ONE_LINE = JSON.stringify(DRAFT)

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "windows.json": written(DRAFT, CRLF).text,
  "mark.json": `\ufeff${ON_ONE_LINE}`,
  "list.json": `\ufeff[${ON_ONE_LINE}, ${ON_ONE_LINE},\r\n ${written(DRAFT, { ...CRLF, mark: false }).text}]`,
  "lines.ndjson": `\ufeff${ON_ONE_LINE}\r\n${line(1)}\n\ufeff${ON_ONE_LINE}\n\n${brokenLine(2)}\n${line(1)}\n`,
  "raw.json": written(withChange(fullDraft(), ["data", "invoiceSummary", "dueAmount"], raw("$10")), CRLF)
    .text,
  "latin.json": Buffer.concat([Buffer.from('{\n "a": "é€'), Buffer.from([0xe9]), Buffer.from('"}')]),
}
const NAMES = Object.keys(FILES)
const desk = await invoiceDesk(FILES)
const diagnostics = await diagnose(NAMES)

async function diagnose(words: readonly string[]): Promise<Diagnostic[]> {
  const result = JSON.parse((await desk.validate([...words, "--format", "rdjson"])).stdout)
  keeps(result)
  expect(keeps.errors ?? []).toEqual([])
  return result.diagnostics
}

function bytesOf(file: string): Buffer {
  return Buffer.from(FILES[file] ?? "")
}

/** From a line and a column in bytes to a byte of the file. */
function toOffset(bytes: Buffer, { line, column }: Place): number {
  let start = 0
  for (let count = 1; count < line; count++) start = bytes.indexOf(10, start) + 1
  return start + column - 1
}

/** From a line and a column in characters, in which a byte order mark is none, to a byte of the file. */
function toOffsetOfCharacter(bytes: Buffer, { line, column }: Place): number {
  const lines = bytes.toString("utf8").split("\n")
  const marked = lines[line - 1]?.startsWith("\ufeff") ? 1 : 0
  const characters = [...(lines[line - 1] ?? "")].slice(0, column - 1 + marked).join("")
  return (
    Buffer.byteLength(lines.slice(0, line - 1).join("\n")) + Number(line > 1) + Buffer.byteLength(characters)
  )
}

async function reported(): Promise<{ file: string; finding: JsonResult["findings"][number] }[]> {
  const { items: results } = (await desk.validate([...NAMES, "--json"])).json<Report>()
  return results.flatMap(({ file, findings }) => findings.map((finding) => ({ file, finding })))
}

describe("rdjson", () => {
  it("has a diagnostic for each finding of the other formats, with its words", async () => {
    const all = await reported()
    expect(diagnostics.map(({ location, severity, code }) => [location.path, severity, code?.value])).toEqual(
      all.map(({ file, finding }) => [file, finding.severity.toUpperCase(), finding.rule]),
    )
    for (const [at, { finding }] of all.entries()) expect(diagnostics[at]?.message).toContain(finding.message)
    expect(diagnostics[0]?.message).toMatch(/^purpose: .* \(did you mean "standard"\?\)$/)
    const { message } = diagnostics.find(({ location }) => location.path === "list.json") ?? {}
    expect(message).toMatch(/^index 0: /)
  })

  it("counts columns in bytes of UTF-8, and a byte order mark too", async () => {
    const all = await reported()
    expect(all.length).toBeGreaterThan(12)
    for (const [at, { file, finding }] of all.entries()) {
      if (file === "latin.json") continue
      const start = diagnostics[at]?.location.range?.start ?? { line: 0, column: 0 }
      expect(start.line).toBe(finding.line)
      expect(toOffset(bytesOf(file), start)).toBe(toOffsetOfCharacter(bytesOf(file), finding))
    }
  })

  it("finds the byte that is not UTF-8", () => {
    const place = diagnostics.find(({ location }) => location.path === "latin.json")?.location.range?.start
    expect(place?.line).toBe(2)
    expect(bytesOf("latin.json")[toOffset(bytesOf("latin.json"), place ?? { line: 1, column: 1 })]).toBe(0xe9)
  })

  it("suggests in one replacement what the edits of a fix do", async () => {
    const all = await reported()
    let joined = 0
    for (const [at, { file, finding }] of all.entries()) {
      const suggestions = diagnostics[at]?.suggestions ?? []
      const edits = finding.fix?.edits ?? []
      expect(suggestions).toHaveLength(edits.length > 0 ? 1 : 0)
      const bytes = bytesOf(file)
      const [edit] = suggestions.map(({ range: { start, end }, text }): Edit => {
        const [offset, until] = [toOffset(bytes, start), toOffset(bytes, end)]
        return { offset, length: until - offset, text }
      })
      if (!edit) continue
      if (edits.length > 1) joined++
      expect(applyToBytes(bytes, [edit]).equals(applyToBytes(bytes, edits))).toBe(true)
    }
    expect(joined).toBeGreaterThan(3)
  })

  it("names an input that cannot be read, without a place in it", async () => {
    expect(await diagnose(["gone.json"])).toEqual([
      {
        message: "cannot be read: there is no such file",
        location: { path: "gone.json" },
        severity: "ERROR",
      },
    ])
  })
})
