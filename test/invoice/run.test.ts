import { symlinkSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createReporter } from "../../src/invoice/reporters/index.ts"
import { expectCases } from "../cases.ts"
import { NOTHING } from "./reported.ts"
import { brokenLine, chunksOf, folderOf, line, type RunSettings, short, toldOf } from "./runs.ts"
import { minimalInvoice, textOf } from "./samples.ts"

const PURPOSE = `contract/enum 1:${brokenLine(1).indexOf('"gift"') + 1}`
const LATER = PURPOSE.replace("1:", "2:")

/** The report of one file with this text. */
async function told(content: string | Uint8Array, name = "in.ndjson"): Promise<string[]> {
  const folder = folderOf({ [name]: content })
  return short((await toldOf([path.join(folder, name)])).results)
}

/** The same of standard input, in these chunks. */
async function toldOfInput(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  return short((await toldOf(["-"], { stdin: chunksOf(...chunks) })).results)
}

/** For `NAME CONTENT`: each document's verdict, and the text at its error. */
async function outcomeOf(row: string): Promise<string[]> {
  const [, name = "", shown = ""] = /^(\S+) (.*)$/.exec(row) ?? []
  const content = shown
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
    .replaceAll("\u2395", "\ufeff")
    .replaceAll("«pretty»", textOf(minimalInvoice()))
    .replace(/«([^» ]+)( broken)?»/g, (_, number, broken) => (broken ? brokenLine(number) : line(number)))
  const found = name === "-" ? await toldOfInput(content) : await told(content, name)
  const lines = content.split(/\r?\n/).map((each) => Array.from(each.replace(/^\ufeff/, "")))
  return found.map((each) => {
    const [, at, column] = /(\d+):(\d+)$/.exec(each) ?? []
    if (at === undefined) return each
    const rest = (lines[Number(at) - 1] ?? []).slice(Number(column) - 1, Number(column) + 8)
    return `${each} at ${rest.join("").replaceAll("\ufeff", "\u2395") || "the end"}`
  })
}

it("a run has a verdict for each document, and the place of each error", () =>
  expectCases(import.meta.dirname, "run.txt", outcomeOf))

it("a run names a link that leads round in a circle", async () => {
  const folder = folderOf()
  symlinkSync("b.json", path.join(folder, "a.json"))
  symlinkSync("a.json", path.join(folder, "b.json"))
  const { summary } = await toldOf([path.join(folder, "a.json")])
  expect(summary.unreadable).toEqual([
    { file: path.join(folder, "a.json"), reason: "it is a link that leads back to itself" },
  ])
})

describe("a file of lines", () => {
  it("has messages that name no line of the document, since it is another line of the file", async () => {
    const twice = line(2).replace('{"docType"', '{"docType":"INV","docType"')
    const folder = folderOf({ "in.ndjson": `${line(1)}\n${twice}\n${line(3).slice(0, -1)}\n` })
    const { results } = await toldOf([path.join(folder, "in.ndjson")])
    expect(results.flatMap(({ findings }) => findings.map((each) => each.message))).toEqual([
      'invoice: the name "docType" is repeated in this object; the first is in column 2',
      "the text ends here, but the { opened in column 1 is not closed",
    ])
  })

  it("has one error where it is one document over several lines", async () => {
    const pretty = textOf(minimalInvoice())
    const found = await toldOf([path.join(folderOf({ "in.ndjson": pretty }), "in.ndjson")])
    expect(short(found.results)).toEqual(["0 json/syntax 1:1"])
    expect(found.results[0]?.findings[0]?.hint).toBe("use --input json, or name the file .json")
    const asJson = await toldOf([path.join(folderOf({ "in.ndjson": pretty }), "in.ndjson")], {
      input: "json",
    })
    expect(short(asJson.results)).toEqual(["ok"])
  })

  it.each([
    ["one document", 1, "use --input json, or name the file .json"],
    ["several documents", 3, "write each of them on one line, or put them into a list: [ ]"],
    ["more than is read at once", 1500, "write each of them on one line, or put them into a list: [ ]"],
  ])("has one error where it is %s over several lines, also in a stream", async (_, count, hint) => {
    const pretty = `${textOf(minimalInvoice())}\n`.repeat(count)
    const file = path.join(folderOf({ "in.ndjson": pretty }), "in.ndjson")
    for (const run of [
      toldOf([file]),
      toldOf(["-"], { stdin: chunksOf(pretty.slice(0, 1), pretty.slice(1)), input: "ndjson" }),
    ]) {
      const { results } = await run
      expect(short(results)).toEqual(["0 json/syntax 1:1"])
      expect(results[0]?.findings[0]?.hint).toBe(hint)
    }
  })

  it("goes on behind a line that is not JSON, or no UTF-8", async () => {
    const latin1 = Buffer.from(`{"a":"\xe9"}\n`, "latin1")
    const bytes = Buffer.concat([Buffer.from(`${line(1)}\nnonsense\n`), latin1, Buffer.from(`${line(2)}\n`)])
    expect(await told(bytes)).toEqual(["0 ok", "1 json/syntax 2:1", "2 json/syntax 3:7", "3 ok"])
  })

  it("has one document's error where a name is repeated whose first value is nested too deep", async () => {
    const broken = `{"data":${"[".repeat(5000)}${"]".repeat(5000)},${line(2).slice(1)}`
    expect(await told(`${line(1)}\n${broken}\n${line(3)}\n`)).toEqual([
      "0 ok",
      `1 json/syntax 2:${broken.indexOf("[") + 1000}`,
      "2 ok",
    ])
  })
})

describe("a file of one document", () => {
  it.each([
    ["UTF-16", Buffer.from(`\ufeff${line(1)}\n${line(2)}\n`, "utf16le")],
    ["UTF-16 without a mark", Buffer.from(`${line(1)}\n${line(2)}\n`, "utf16le")],
  ])("is broken when it is %s, whatever its name", async (_what, bytes) => {
    expect(await told(bytes)).toEqual(["json/syntax 1:1"])
  })
})

describe("a list", () => {
  it("may be on several lines, with any line endings and a byte order mark", async () => {
    const pretty = JSON.stringify([minimalInvoice(), { docType: 1 }], null, 2).replaceAll("\n", "\r\n")
    const lines = JSON.stringify([minimalInvoice()], null, 2).split("\n").length
    const found = await told(`\ufeff${pretty}\r\n`, "in.json")
    expect(found).toHaveLength(2)
    expect(found[0]).toBe("0 ok")
    expect(found[1]).toContain(`contract/type ${lines + 1}:16`)
  })
})

describe("standard input", () => {
  it("is what a person says that it is, where its first lines do not tell", async () => {
    const lines = `null\n${line(1)}\n`
    const verdicts = async (settings: RunSettings) =>
      short((await toldOf(["-"], { stdin: chunksOf(lines), ...settings })).results)
    expect(await verdicts({})).toEqual(["json/syntax 2:1"])
    expect(await verdicts({ input: "ndjson" })).toEqual(["0 contract/type 1:1", "1 ok"])
    const broken = `{"a": nonsense}\n{"b": nonsense}\n${line(1)}`
    const found = await toldOf(["-"], { stdin: chunksOf(broken), input: "ndjson" })
    expect(short(found.results)).toEqual(["0 json/syntax 1:7", "1 json/syntax 2:7", "2 ok"])
  })

  it("is one document where a person says so, though its first line is one", async () => {
    const found = await toldOf(["-"], { stdin: chunksOf(`${line(1)}\n${line(2)}`), input: "json" })
    expect(short(found.results)).toEqual(["json/syntax 2:1"])
  })

  it("has the same verdicts wherever it is cut, in a character or a line ending too", async () => {
    const lines = [line("é🙂"), "", brokenLine(2), "broken é🙂 line", line(3)].join("\r\n")
    const whole = Buffer.from(`\ufeff${lines}`)
    const expected = await told(whole)
    expect(expected).toEqual(["0 ok", `1 ${PURPOSE.replace("1:", "3:")}`, "2 json/syntax 4:1", "3 ok"])
    for (let at = 1; at < whole.length; at += 29)
      expect(await toldOfInput(whole.subarray(0, at), whole.subarray(at))).toEqual(expected)
  })

  it("is read among files, in its place", async () => {
    const folder = folderOf({ "a.json": line(1), "b.json": brokenLine(2) })
    const words = [path.join(folder, "b.json"), "-", path.join(folder, "a.json")]
    const { results } = await toldOf(words, { stdin: chunksOf(`${line(3)}\n`) })
    expect(results.map(({ file, valid }) => [path.basename(file), valid])).toEqual([
      ["b.json", false],
      ["-", true],
      ["a.json", true],
    ])
  })

  it("that breaks off is checked as far as it came, and reported at the end", async () => {
    const folder = folderOf({ "a.json": line(1) })
    const stdin = chunksOf(`${line(1)}\n${brokenLine(2)}\n{"half`, new Error("the line went dead"))
    const { results, summary } = await toldOf(["-", path.join(folder, "a.json")], { stdin })
    expect(short(results)).toEqual(["0 ok", `1 ${LATER}`, "ok"])
    expect(summary.unreadable).toEqual([{ file: "-", reason: "the line went dead" }])
  })
})

describe("what cannot be read", () => {
  it("is reported by its name, and all the rest is checked", async () => {
    const folder = folderOf({ "a.json": line(1), "b.ndjson": brokenLine(2) })
    const words = ["gone.json", "a.json", "a.json/c.json", "b.ndjson"].map((name) => path.join(folder, name))
    const { results, summary } = await toldOf(words)
    expect(short(results)).toEqual(["ok", `0 ${PURPOSE}`])
    expect(summary.unreadable.map(({ file, reason }) => [path.relative(folder, file), reason])).toEqual([
      ["gone.json", "there is no such file"],
      ["a.json/c.json", "a part of that path is a file, not a folder"],
    ])
  })
})

describe("a run", () => {
  it("counts documents, findings and rules", async () => {
    const folder = folderOf({
      "in.ndjson": `${line(1)}\n${brokenLine(2)}\nx\n${line(3, { invoiceNumber: 3 })}\n`,
    })
    const { summary } = await toldOf([folder])
    expect(summary).toMatchObject({
      documents: 4,
      valid: 1,
      invalid: 3,
      errors: 3,
      warnings: 0,
      byRule: { "contract/enum": 1, "json/syntax": 1, "contract/type": 1 },
      unreadable: [],
    })
  })

  it("of nothing has no documents", async () => {
    expect((await toldOf([])).summary.documents).toBe(0)
  })
})

describe("an input without an invoice", () => {
  const cases = {
    "an empty list": { "in.json": " [ ]\n" },
    "a folder without documents": { "in.json/notes.txt": "" },
  }

  it.each(Object.entries(cases))("counts as unreadable: %s", async (_, files) => {
    const [name = ""] = Object.keys(files)
    const words = [path.join(folderOf(files), name.replace("/notes.txt", ""))]
    const { results, summary } = await toldOf(words)
    expect(results).toEqual([])
    expect(summary.unreadable).toEqual([{ file: words[0], reason: "there is no invoice in it" }])
    expect((await toldOf(words, { allowEmpty: true })).summary.unreadable).toEqual([])
  })

  it.each<[string, string, string]>([
    ["an empty file", "in.json", ""],
    ["a file of blanks", "in.json", " \n\t"],
    ["nothing but a byte order mark", "in.json", "\ufeff"],
    ["an empty file of lines", "in.ndjson", ""],
    ["blank lines", "in.ndjson", "\n \r\n\n"],
  ])("is not JSON where it is empty: %s", async (_, name, content) => {
    const words = [path.join(folderOf({ [name]: content }), name)]
    const { results, summary } = await toldOf(words)
    expect(results.map(({ valid }) => valid)).toEqual([false])
    expect(short(results)).toEqual(["json/syntax 1:1"])
    expect(summary).toMatchObject({ documents: 1, empty: 1, invalid: 1, errors: 1, unreadable: [] })
    expect((await toldOf(words, { allowEmpty: true })).results).toEqual([])
  })

  it("is not JSON where standard input is empty", async () => {
    const { results } = await toldOf(["-"], { stdin: chunksOf("\n") })
    expect(short(results)).toEqual(["json/syntax 1:1"])
  })

  it("is named where it is, among others", async () => {
    const folder = folderOf({ "a.json": line(1), "b.ndjson": "", "c.json": line(2), "d.json": "[]" })
    const { results, summary } = await toldOf([folder])
    expect(results.map(({ file }) => path.basename(file))).toEqual(["a.json", "b.ndjson", "c.json"])
    expect(short(results)).toEqual(["ok", "json/syntax 1:1", "ok"])
    expect(summary.unreadable.map(({ file }) => path.basename(file))).toEqual(["d.json"])
  })
})

describe("where a rule is broken", () => {
  it("is counted by files and documents, and the first are named", async () => {
    const broken = [1, 2, 3, 4].map(brokenLine)
    const folder = folderOf({
      "a.json": `${broken[0]}`,
      "b.ndjson": `${broken[1]}\n${line(9)}\n${broken[2]}\n`,
      "c.json": line(10),
      "d.json": `${broken[3]}`,
      "e.json": brokenLine(5),
    })
    const { summary } = await toldOf([folder])
    expect(summary.places?.["contract/enum"]).toMatchObject({
      files: 4,
      documents: 5,
      firstFiles: ["a.json", "b.ndjson", "d.json"].map((name) => path.join(folder, name)),
      firstIndexes: [0, 2],
    })
  })

  it("is written behind the counts of a run", async () => {
    const places = {
      "contract/enum": { files: 1, documents: 4, firstFiles: ["a.ndjson"], firstIndexes: [0, 2, 7] },
    }
    const reporter = await createReporter("table", { colour: false, unicode: true, columns: 100 })
    const summary = {
      ...NOTHING,
      documents: 9,
      valid: 5,
      invalid: 4,
      errors: 4,
      byRule: { "contract/enum": 4 },
      places,
    }
    expect(reporter.end(summary)).toContain(
      "  4  contract/enum  in 4 documents: index 0, index 2, index 7, … of a.ndjson\n",
    )
  })
})
