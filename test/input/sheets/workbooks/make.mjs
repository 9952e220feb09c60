// Makes the workbooks that tests read, from the CSV files beside it: node test/input/sheets/workbooks/make.mjs
// It needs LibreOffice (soffice); what it makes is committed. The other producer is write-excel-file.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { parse } from "csv-parse/sync"
import writeExcelFile from "write-excel-file/node"

const here = import.meta.dirname
const scratch = mkdtempSync(path.join(tmpdir(), "freight-workbooks-"))
const at = (name) => path.join(here, name)

/** A comma, quotes, UTF-8, from the first line, as people in Australia write days; numbers and days are recognized. */
const AS_CSV = "--infilter=CSV:44,34,76,1,,3081,false,true,false"

/** Converts a file with LibreOffice. */
function convert(source, format, target, ...more) {
  const profile = `-env:UserInstallation=file://${scratch}/profile`
  const args = [profile, "--headless", ...more, "--convert-to", format, "--outdir", scratch, source]
  execFileSync("soffice", args, { stdio: "ignore" })
  renameSync(path.join(scratch, `${path.parse(source).name}.${format}`), at(target))
}

/**
 * A workbook as people keep one: a title, a hidden row and a filtered one, merged cells, formulas with a result and with
 * an error, a total, a sheet before and a hidden one after. Flat OpenDocument, which LibreOffice reads.
 */
function oddWorkbook() {
  const text = (value) =>
    value === ""
      ? "<table:table-cell/>"
      : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
  const number = (value) => `<table:table-cell office:value-type="float" office:value="${value}"/>`
  const row = (cells, visibility = "visible") =>
    `<table:table-row table:visibility="${visibility}">${cells.join("")}</table:table-row>`
  const order = (name, company, weight, state = "WA", postcode = 6160) => [
    text(name),
    company,
    text("8 Market Street"),
    text("Fremantle"),
    text(state),
    number(postcode),
    weight,
    number(40),
    number(30),
    number(20),
  ]
  const merged = `<table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>Both</text:p></table:table-cell>`
  const sheet = (name, rows, style = "shown") =>
    `<table:table table:name="${name}" table:style-name="${style}">${rows.join("")}</table:table>`
  const weight = number(5.5)
  const sum = (of, value) =>
    `<table:table-cell table:formula="of:=${of}" office:value-type="float" office:value="${value}"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>
<style:style style:name="shown" style:family="table"><style:table-properties table:display="true"/></style:style>
<style:style style:name="gone" style:family="table"><style:table-properties table:display="false"/></style:style>
</office:automatic-styles>
<office:body><office:spreadsheet>
${sheet("Read me", [row([text("Orders are on the next sheet")])])}
${sheet("Orders", [
  row([
    `<table:table-cell table:number-columns-spanned="7" office:value-type="string"><text:p>Orders of November</text:p></table:table-cell>`,
  ]),
  row([]),
  row("Order,Company,Street,Suburb,State,Postcode,Weight,Length,Width,Height".split(",").map(text)),
  row(order("SO-1", text("One"), weight)),
  row(order("SO-2", text("Two"), weight), "collapse"),
  row(order("SO-3", text("Three"), weight, "NT", 800), "filter"),
  row(order("SO-4", merged, weight)),
  row(order("SO-5", "<table:covered-table-cell/>", weight)),
  row(order("SO-6", text("Six"), sum("5+0.5", 5.5))),
  row(order("SO-7", text("Seven"), sum("1/0", 0))),
  row([]),
  row([text("Total"), text(""), text(""), text(""), text(""), text(""), sum("SUM([.G4:.G9])", 33)]),
])}
${sheet("Old", [row([text("Order")])], "gone")}
<table:database-ranges><table:database-range table:name="filter" table:target-range-address="Orders.A3:Orders.J10" table:display-filter-buttons="true"><table:filter><table:filter-condition table:field-number="4" table:value="NT" table:operator="!="/></table:filter></table:database-range></table:database-ranges>
</office:spreadsheet></office:body></office:document>`
}

// As other programs save the same orders.
const orders = readFileSync(at("orders.csv"), "utf8")
writeFileSync(at("orders.utf16.csv"), `\ufeff${orders.replaceAll("\n", "\r\n")}`, "utf16le")
writeFileSync(at("orders.windows-1252.csv"), Buffer.from(orders, "latin1"))
const semicolons = parse(orders).map((row) =>
  row.map((cell) => (/[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(";"),
)
writeFileSync(at("orders.semicolons.csv"), `\ufeff${semicolons.join("\r\n")}\r\n`)

for (const name of ["orders", "bill", "lines"])
  convert(at(`${name}.csv`), "xlsx", `${name}.libreoffice.xlsx`, AS_CSV)
convert(at("orders.csv"), "ods", "orders.ods", AS_CSV)
convert(at("orders.csv"), "xls", "orders.xls", AS_CSV)
const odd = path.join(scratch, "odd.fods")
writeFileSync(odd, oddWorkbook())
convert(odd, "xlsx", "odd.libreoffice.xlsx")

/** A cell as programs with cell types write it: numbers with noise, days and times as such. */
function typed(text, heading) {
  const day = /^(\d\d)\/(\d\d)\/(\d{4})(?: (\d\d):(\d\d))?$/.exec(text)
  if (day) {
    const [, date, month, year, hour, minute] = day
    const value = new Date(Date.UTC(year, month - 1, date, hour ?? 0, minute ?? 0))
    return { value, type: Date, format: hour ? "d/mm/yyyy h:mm" : "d/mm/yyyy" }
  }
  const time = /^(\d\d):(\d\d)$/.exec(text)
  if (time) return { value: (time[1] * 60 + Number(time[2])) / 1440, type: Number, format: "h:mm AM/PM" }
  if (/^\d+%$/.test(text)) return { value: Number.parseInt(text, 10) / 100, type: Number, format: "0%" }
  if (text === "0.3" || text === "0.30") return { value: 0.1 + 0.2, type: Number }
  if (/^-?\d+(\.\d+)?$/.test(text) && heading !== "Order" && !text.startsWith("08"))
    return { value: Number(text), type: Number, ...(text.includes(".") && { format: "#,##0.00" }) }
  return text === "" ? null : { value: text, type: String }
}

for (const name of ["orders", "bill", "lines"]) {
  const rows = parse(readFileSync(at(`${name}.csv`), "utf8"))
  const headings = rows.find((row) => row.every((cell) => cell !== "")) ?? []
  const data = rows.map((row) => row.map((cell, column) => typed(cell, headings[column])))
  await writeExcelFile(data, { sheet: "Sheet1" }).toFile(at(`${name}.written.xlsx`))
}

// A formula without its result, as programs write it that do not calculate.
const [heads, first, ...others] = parse(orders)
const text = (row) => row.map((value) => ({ value, type: String }))
const formula = text(first)
formula[9] = { value: "=5+0.5", type: "Formula" }
await writeExcelFile([text(heads), formula, ...others.map(text)], { sheet: "Orders" }).toFile(
  at("formula.written.xlsx"),
)

rmSync(scratch, { recursive: true })
