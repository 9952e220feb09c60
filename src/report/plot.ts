/** Plots of a report, drawn as SVG in its page: nothing is loaded and nothing runs. */
import { type Html, html } from "../terminal/html.ts"
import { cut } from "../terminal/width.ts"

export interface Bar {
  label: string
  /** From 0. */
  value: number
  /** The value, for people. */
  text: string
}

const ROW = 24
/** Characters. */
const LONGEST_LABEL = 34
const LABEL = 260
const LONGEST = 420
const TEXT = 180

/** Horizontal bars from a common zero. @param most the value of the longest bar; by default that of the largest */
export function drawBars(
  title: string,
  bars: readonly Bar[],
  most = Math.max(...bars.map(({ value }) => value), 0),
): Html {
  const height = bars.length * ROW
  const rows = bars.map(({ label, value, text }, at) => {
    const middle = at * ROW + ROW / 2
    const length = most > 0 ? Math.round((Math.min(value, most) / most) * LONGEST) : 0
    return html`<text x="${LABEL - 8}" y="${middle}" text-anchor="end" dominant-baseline="middle">${cut(label, LONGEST_LABEL, "…")}</text>
<rect x="${LABEL}" y="${at * ROW + 4}" width="${length}" height="${ROW - 8}" fill="#35618f"/>
<text x="${LABEL + length + 6}" y="${middle}" dominant-baseline="middle">${text}</text>
`
  })
  return html`<h2>${title}</h2>
<svg role="img" aria-label="${title}" viewBox="0 0 ${LABEL + LONGEST + TEXT} ${height}" width="100%" font-size="13" font-family="system-ui, sans-serif">
${rows}</svg>
`
}
