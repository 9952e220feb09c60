/** The worst workbooks and CSV files of about 1 MB. */
import { strToU8, zipSync } from "fflate"

const MAIN =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const relations = (...list: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`).join("")}</Relationships>`

/** A workbook whose cells are numbers of texts that it holds once each. */
export function sharedWorkbook(texts: readonly string[], rows: readonly (readonly number[])[]): Uint8Array {
  const cells = rows.map((row) => `<row>${row.map((at) => `<c t="s"><v>${at}</v></c>`).join("")}</row>`)
  const parts = {
    "_rels/.rels": relations(["r", "officeDocument", "xl/workbook.xml"]),
    "xl/_rels/workbook.xml.rels": relations(["r1", "worksheet", "s.xml"], ["r2", "sharedStrings", "t.xml"]),
    "xl/workbook.xml": `<workbook ${MAIN}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/s.xml": `<worksheet ${MAIN}><sheetData>${cells.join("")}</sheetData></worksheet>`,
    "xl/t.xml": `<sst ${MAIN}>${texts.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

/** A bill of so many rows below its headings. */
export function manyRows(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `SBC${String(at).padStart(8, "0")},1.00`)
  return `Consignment,Amount\n${rows.join("\n")}\n`
}
