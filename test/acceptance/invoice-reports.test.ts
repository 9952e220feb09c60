/** One run over real files in every format, kept as files to be read: `test/invoice/reports/outbox.*`. */
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { REPORT_FORMATS } from "../../src/invoice/reporters/index.ts"
import { sheetIn } from "../invoice/reported.ts"
import { fullInvoice, minimalInvoice, textOf } from "../invoice/samples.ts"
import { raw, withChange, written } from "../invoice/writer.ts"
import { desk } from "./freight.ts"

const ENDINGS: Readonly<Record<string, string>> = {
  table: "txt",
  xlsx: "xlsx.xml",
  junit: "xml",
  github: "github.txt",
}

const { folder, freight } = await desk()

/** An error with a fix, two of a misspelt field, and a warning. */
function broken(): string {
  const [first, { unitPrice, ...second } = {}] = fullInvoice().data.lineItems
  const lines = withChange(fullInvoice(), ["data", "lineItems"], [first, { ...second, unitprice: unitPrice }])
  const summed = withChange(lines, ["data", "invoiceSummary", "subtotal"], 153.78)
  return written(withChange(summed, ["data", "shipping", "amount"], raw("25.005"))).text
}

const numbered = (number: string) => withChange(minimalInvoice(), ["data", "invoiceNumber"], number)
const LIST = [
  numbered("INV-7"),
  numbered("INV-7"),
  withChange(numbered("INV-8"), ["data", "billTo", "city"], null),
]

beforeAll(async () => {
  const outbox = path.join(folder, "outbox")
  await mkdir(outbox)
  await writeFile(path.join(outbox, "INV-1.json"), broken())
  await writeFile(path.join(outbox, "november list.json"), textOf(LIST))
  await writeFile(path.join(outbox, "torn.json"), textOf(minimalInvoice()).replace('"NSW",', '"NSW"'))
  await writeFile(path.join(outbox, "100%, \u00fcber.json"), textOf(fullInvoice()))
})

const VALIDATE = ["invoice", "validate", "outbox", "lost.json"]

describe("a run over a folder and a file that is lost", () => {
  it.each(REPORT_FORMATS)("as %s", async (format) => {
    const { code, stdout, bytes } = await freight([...VALIDATE, "--format", format])
    expect(code).toBe(2)
    const timeless = (format === "xlsx" ? sheetIn(bytes) : stdout).replace(/ in \d+\.\d s:/, " in 0.1 s:")
    await expect(timeless).toMatchFileSnapshot(`../invoice/reports/outbox.${ENDINGS[format] ?? format}`)
  })
})
