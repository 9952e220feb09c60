/** Where the edits of fixes are in files: in bytes, and in lines and columns. */
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { DocumentResult } from "../../src/invoice/finding.ts"
import { chunksOf, folderOf, line, toldOf } from "./runs.ts"
import { minimalInvoice, textOf } from "./samples.ts"

const WRONG = '"Standard"'
/** A line with characters of two and four bytes before the error. */
const broken = (number: number) => line(number, { comments: "é😀", purpose: JSON.parse(WRONG) })

/** Each edit, as what it replaces in the bytes and as what its region holds. */
function replacedBy(bytes: Buffer, results: readonly DocumentResult[]): string[] {
  const lines = bytes.toString().replaceAll("\ufeff", "").split(/\r?\n/)
  return results.flatMap(({ findings }) =>
    findings.flatMap(({ fix }) =>
      (fix?.edits ?? []).map(({ offset, length, text, region }) => {
        const inBytes = bytes.toString("utf8", offset, offset + length)
        const row = Array.from(lines[(region?.startLine ?? 0) - 1] ?? "")
        const inRegion = row.slice((region?.startColumn ?? 0) - 1, (region?.endColumn ?? 0) - 1).join("")
        return `${inBytes} ${inRegion} ${region?.endLine === region?.startLine} ${text}`
      }),
    ),
  )
}

const EACH = `${WRONG} ${WRONG} true "standard"`

describe("the edits of a fix", () => {
  it.each<[string, string, string, number]>([
    [
      "one document",
      "one.json",
      textOf({
        ...minimalInvoice(),
        data: { ...minimalInvoice().data, comments: "é😀", purpose: "Standard" },
      }),
      1,
    ],
    [
      "one with a mark and CRLF",
      "crlf.json",
      `\ufeff${textOf({ ...minimalInvoice(), data: { ...minimalInvoice().data, comments: "é", purpose: "Standard" } }).replaceAll("\n", "\r\n")}`,
      1,
    ],
    ["a list", "list.json", `\ufeff[${broken(1)},\n${line(2)}, ${broken(3)}]`, 2],
    [
      "lines, with a mark in the middle",
      "lines.ndjson",
      `\ufeff${broken(1)}\r\n  \n\ufeff${broken(2)}\n${line(3)}\n${broken(4)}`,
      3,
    ],
  ])("are where they belong in %s", async (_, name, text, count) => {
    const folder = folderOf({ [name]: text })
    const { results } = await toldOf([path.join(folder, name)], { fixes: "regions" })
    expect(replacedBy(Buffer.from(text), results)).toEqual(Array(count).fill(EACH))
  })

  it("are where they belong in lines that several threads check, and in a stream of them", async () => {
    const text = Array.from({ length: 4000 }, (_, at) => (at % 50 === 7 ? broken(at) : line(at))).join("\n")
    const bytes = Buffer.from(text)
    const folder = folderOf({ "many.ndjson": text })
    const file = await toldOf([path.join(folder, "many.ndjson")], {
      fixes: "regions",
      jobs: 2,
    })
    expect(replacedBy(bytes, file.results)).toEqual(Array(80).fill(EACH))
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_521) }, (_, at) =>
      bytes.subarray(at * 65_521, (at + 1) * 65_521),
    )
    const stream = await toldOf(["-"], { fixes: "regions", stdin: chunksOf(...chunks) })
    expect(replacedBy(bytes, stream.results)).toEqual(Array(80).fill(EACH))
  })

  it("count bytes also behind a line that is not UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${line(1)}\n`),
      Buffer.from([0xe9, 10, 32, 32, 10]),
      Buffer.from(broken(2)),
    ])
    const folder = folderOf({ "mixed.ndjson": bytes })
    const { results } = await toldOf([path.join(folder, "mixed.ndjson")], { fixes: "edits" })
    const [edit] = results.at(-1)?.findings[0]?.fix?.edits ?? []
    expect(bytes.toString("utf8", edit?.offset, (edit?.offset ?? 0) + (edit?.length ?? 0))).toBe(WRONG)
  })
})
