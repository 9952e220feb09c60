import path from "node:path"
import { describe, expect, it } from "vitest"
import { brokenLine, folderOf, line, type RunSettings, toldOf } from "./runs.ts"
import { minimalInvoice } from "./samples.ts"

/** The numbers that were there before: `file index line:column`. */
async function repeatsIn(
  files: Readonly<Record<string, string>>,
  { words, ...settings }: RunSettings & { words?: readonly string[] } = {},
): Promise<string[]> {
  const folder = folderOf(files)
  const names = (words ?? Object.keys(files)).map((name) => path.join(folder, name))
  const { results } = await toldOf(names, { repeated: "warning", ...settings })
  return results.flatMap(({ file, index = "", findings }) =>
    findings
      .filter(({ rule }) => rule === "accounting/duplicate-invoice")
      .map((found) => `${path.basename(file)} ${index} ${found.line}:${found.column}`.replace("  ", " ")),
  )
}

const COLUMN = line(1).indexOf('"INV-1"') + 1
const REPLACED = { operation: "update" }

describe("an invoice that was there before", () => {
  it("is found in another file, where its number stands", async () => {
    const pretty = JSON.stringify({ ...minimalInvoice() }, null, 2)
    const at = pretty.split("\n").findIndex((each) => each.includes("invoiceNumber"))
    expect(await repeatsIn({ "a.json": pretty, "b.json": pretty })).toEqual([`b.json ${at + 1}:22`])
  })

  it.each([
    ["\r\n", "CRLF"],
    ["\r", "CR"],
  ])("is found at its line where lines end with %j", async (newline) => {
    const pretty = JSON.stringify(minimalInvoice(), null, 2)
    const at = pretty.split("\n").findIndex((each) => each.includes("invoiceNumber"))
    const text = pretty.replaceAll("\n", newline)
    expect(await repeatsIn({ "a.json": text, "b.json": text })).toEqual([`b.json ${at + 1}:22`])
  })

  it("is found in a list and among lines, at its index", async () => {
    const lines = `${line(1)}\n\n${line(2)}\n${line(1)}\n`
    const list = `[${line(3)},\n  ${line(2)}]`
    expect(await repeatsIn({ "a.ndjson": lines, "b.json": list })).toEqual([
      `a.ndjson 2 4:${COLUMN}`,
      `b.json 1 2:${COLUMN + 2}`,
    ])
  })

  it("is found among hundreds of files, some of them broken, and the first of them is named", async () => {
    const nth = Array.from({ length: 600 }, (_, index) => `${index}`.padStart(3, "0"))
    const files = nth.map((name, index) => {
      const number = index < 590 ? index : index - 590
      return [`${name}.json`, index % 97 === 0 ? brokenLine(number) : line(number)]
    })
    const { results, summary } = await toldOf([folderOf(Object.fromEntries(files))], { repeated: "warning" })
    expect(results.map(({ file }) => path.basename(file, ".json"))).toEqual(nth)
    expect(summary).toMatchObject({ documents: 600, valid: 593, invalid: 7, warnings: 10 })
    const told = results.flatMap(({ file, findings }) =>
      findings
        .filter(({ rule }) => rule === "accounting/duplicate-invoice")
        .map(({ message }) => [path.basename(file), path.basename(message)]),
    )
    expect(told).toEqual(nth.slice(0, 10).map((name, index) => [`${590 + index}.json`, `${name}.json`]))
  })

  it("is counted in characters behind what takes more bytes", async () => {
    const wide = line(1).replace('"Ledgerline 4.2"', '"🙂é🙂"')
    const column = COLUMN - "Ledgerline 4.2".length + 3
    expect(await repeatsIn({ "a.ndjson": `${wide}\n${wide}` })).toEqual([`a.ndjson 1 2:${column}`])
  })

  it("is found when one of the two has other findings", async () => {
    const broken = line(1, { purpose: "gift" })
    expect(await repeatsIn({ "a.ndjson": `${broken}\n${line(1)}\n${broken}` })).toEqual([
      `a.ndjson 1 2:${COLUMN}`,
      `a.ndjson 2 3:${COLUMN}`,
    ])
  })

  it("is found when one of the two is written with escapes", async () => {
    const escaped = line(1).replace('"INV-1"', '"INV\\u002d1"')
    expect(await repeatsIn({ "a.ndjson": `${escaped}\n${line(1)}` })).toEqual([`a.ndjson 1 2:${COLUMN}`])
  })

  it("stands among the document's findings, in their order", async () => {
    const folder = folderOf({ "a.ndjson": `${line(1)}\n${line(1, { purpose: "gift", comments: 1 })}` })
    const { results } = await toldOf([folder], { repeated: "error" })
    const rules = results[1]?.findings.map(({ rule }) => rule)
    expect(rules?.indexOf("accounting/duplicate-invoice")).toBe(0)
    expect(rules).toHaveLength(3)
  })

  it("makes its document invalid where that is an error, and not where it is a warning", async () => {
    for (const [severity, invalid] of [
      ["error", 1],
      ["warning", 0],
    ] as const) {
      const { summary } = await toldOf([folderOf({ "a.ndjson": `${line(1)}\n${line(1)}` })], {
        repeated: severity,
      })
      expect(summary.invalid).toBe(invalid)
    }
  })
})

describe("no repetition", () => {
  it.each([
    ["is an update", line(1, { operation: "update" })],
    ["is a deletion", line(1, { operation: "delete" })],
    ["is an update of which more is wrong", line(1, { ...REPLACED, purpose: "gift" })],
    ["is a number that is no text", line(1, { invoiceNumber: 1 })],
  ])("%s", async (_what, second) => {
    expect(await repeatsIn({ "a.ndjson": `${line(1)}\n${second}` })).toEqual([])
  })

  it("is made by an update before the invoice", async () => {
    expect(await repeatsIn({ "a.ndjson": `${line(1, REPLACED)}\n${line(1)}` })).toEqual([])
  })

  it("is made by what says that it is new, and is there once", async () => {
    expect(await repeatsIn({ "a.ndjson": `${line(1, { operation: "new" })}\n${line(2)}` })).toEqual([])
  })

  it("is made by one file that is named twice", async () => {
    const words = ["a.json", "./a.json", "*.json"]
    expect(await repeatsIn({ "a.json": line(1) }, { words })).toEqual([])
  })

  it("is reported unless duplicates are asked for", async () => {
    const { summary } = await toldOf([folderOf({ "a.ndjson": `${line(1)}\n${line(1)}` })])
    expect(summary.warnings).toBe(0)
  })
})

describe("an update that names no invoice", () => {
  const rulesIn = async (files: Readonly<Record<string, string>>) => {
    const { results } = await toldOf([folderOf(files)], { repeated: "warning" })
    return results.map(({ findings }) => findings.map(({ rule }) => rule))
  }
  const told = ["accounting/update-reference"]

  it("is reported, except where its invoice was checked before it", async () => {
    expect(await rulesIn({ "a.ndjson": `${line(1)}\n${line(1, REPLACED)}\n${line(2, REPLACED)}` })).toEqual([
      [],
      [],
      told,
    ])
    expect(await rulesIn({ "a.ndjson": `${line(1, REPLACED)}\n${line(1)}` })).toEqual([told, []])
  })

  it("is not told where it names one", async () => {
    const reference = { documentReference: { invoiceId: "INV-1" } }
    expect(await rulesIn({ "a.ndjson": line(1, { ...REPLACED, ...reference }) })).toEqual([[]])
  })
})
