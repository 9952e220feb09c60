import Table from "cli-table3"
import { type DrawRows, GAP } from "./table.ts"

/** cli-table3 takes time with the square of a table's rows; columns of a fixed width need not be drawn together. */
const ROWS_DRAWN_TOGETHER = 20

const NO_BORDERS = {
  ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
  ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
  ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "" },
}

/** Draws rows with cli-table3, without borders. */
export const drawGrid: DrawRows = (rows, columns) => {
  const options = {
    chars: { ...NO_BORDERS, middle: GAP },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
  }
  let text = ""
  for (let from = 0; from < rows.length; from += ROWS_DRAWN_TOGETHER) {
    const table = new Table(options)
    for (const row of rows.slice(from, from + ROWS_DRAWN_TOGETHER))
      table.push(row.map(({ lines, paint }) => lines.map(({ text }) => paint(text)).join("\n")))
    text += `${table.toString().replace(/(?<! ) +$/gm, "")}\n`
  }
  return text
}
