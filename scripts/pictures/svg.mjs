// Draws what stands on a terminal as an SVG that needs nothing but itself.

const SIZE = 14
const CELL = 8.4
const LINE = 20
const PAD = 18
const BAR = 38
const GROUND = "#0d1117"
const INK = "#d1d7e0"
/** The sixteen colours of a terminal, on a dark ground. */
const COLOURS = [
  ..."#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4".split(" "),
  ..."#6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #ffffff".split(" "),
]
const FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

/** @param screen a terminal of @xterm/headless */
export function drawing(screen, { title }) {
  const rows = rowsOf(screen)
  const width = Math.round(screen.cols * CELL + 2 * PAD)
  const height = BAR + rows.length * LINE + PAD
  const dots = ["#ff5f57", "#febc2e", "#28c840"]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FONTS}" font-size="${SIZE}" fill="${INK}" role="img" aria-labelledby="t">`,
    `<title id="t">${escaped(title)}</title>`,
    `<style>.b{font-weight:700}.d{opacity:.62}.i{font-style:italic}.u{text-decoration:underline}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" fill="${GROUND}" stroke="#30363d"/>`,
    `<path d="M.5 ${BAR - 8}V9.5a9 9 0 0 1 9-9H${width - 9.5}a9 9 0 0 1 9 9V${BAR - 8}z" fill="#161b22"/>`,
    ...dots.map((fill, at) => `<circle cx="${PAD + 2 + at * 20}" cy="15" r="6" fill="${fill}"/>`),
    `<text x="${width / 2}" y="20" text-anchor="middle" class="d">${escaped(title)}</text>`,
    ...rows.flatMap(drawnRow),
    "</svg>\n",
  ].join("\n")
}

/** The runs of each row: text without a gap in one style, with the cell where it begins and how many it takes. */
function rowsOf({ buffer, cols }) {
  const { active } = buffer
  const rows = Array.from({ length: active.length }, (_, at) => runsOf(active.getLine(at), cols))
  return rows.slice(0, rows.findLastIndex((runs) => runs.length > 0) + 1)
}

function runsOf(line, cols) {
  const runs = []
  let run
  for (let at = 0; at < cols; at++) {
    const cell = line.getCell(at)
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue
    const text = cell.getChars() || " "
    const style = styleOf(cell)
    if (!run || run.style.key !== style.key) {
      run = { at, text: "", cells: 0, style }
      runs.push(run)
    }
    run.text += text
    run.cells += cell.getWidth()
  }
  return runs.flatMap(pieces)
}

/** A run without the blanks around it and its wide gaps, which nobody sees. */
function pieces({ at, text, cells, style }) {
  if (style.ground || cells !== text.length) return [{ at, text, cells, style }]
  return Array.from(text.matchAll(/\S+(?: \S+)*/g), ({ 0: piece, index }) => ({
    at: at + index,
    text: piece,
    cells: piece.length,
    style,
  }))
}

function styleOf(cell) {
  const [fore, back] = [colourOf(cell, "Fg"), colourOf(cell, "Bg")]
  const [ink, ground] = cell.isInverse() ? [back ?? GROUND, fore ?? INK] : [fore, back]
  const names = [
    cell.isBold() && "b",
    cell.isDim() && "d",
    cell.isItalic() && "i",
    cell.isUnderline() && "u",
  ].filter(Boolean)
  return { ink, ground, names, key: [ink, ground, ...names].join() }
}

/** @returns undefined for the terminal's own */
function colourOf(cell, which) {
  if (cell[`is${which}Default`]()) return undefined
  const value = cell[`get${which}Color`]()
  if (cell[`is${which}RGB`]()) return `#${value.toString(16).padStart(6, "0")}`
  if (value >= COLOURS.length) throw new Error(`a picture has 16 colours, not number ${value}`)
  return COLOURS[value]
}

function drawnRow(runs, row) {
  const top = BAR + row * LINE
  const grounds = runs.flatMap(({ at, cells, style: { ground } }) =>
    ground
      ? [`<rect x="${x(at)}" y="${top}" width="${number(cells * CELL)}" height="${LINE}" fill="${ground}"/>`]
      : [],
  )
  // The length is told, so that columns stand below each other in whatever font is there.
  const texts = runs.map(({ at, text, cells, style: { ink, names } }) => {
    const look = `${names.length > 0 ? ` class="${names.join(" ")}"` : ""}${ink ? ` style="fill:${ink}"` : ""}`
    const place = `x="${x(at)}" y="${top + 15}" textLength="${number(cells * CELL)}"`
    return `<text ${place}${look} xml:space="preserve">${escaped(text)}</text>`
  })
  return [...grounds, ...texts]
}

function x(at) {
  return number(PAD + at * CELL)
}

function number(value) {
  return Number(value.toFixed(1))
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
