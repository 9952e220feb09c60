/** What every part of a manifest's page keeps to; lengths in millimetres. */
import type { Face } from "../paper/text.ts"

/** Edges of what is printed on A4. */
export const LEFT = 14
export const WIDTH = 182
export const RIGHT = LEFT + WIDTH
/** Rows and signatures stand above this; below are the page's number and when it was made. */
export const BOTTOM = 278
/** The table begins here: on the first page below the place of collection, on others below a line. */
export const FIRST_TOP = 76
export const NEXT_TOP = 28

/** Shades. */
export const GREY = 0.4
export const HAIRLINE = 0.75
export const TINT = 0.93

export interface Faces {
  regular: Face
  bold: Face
}

/** The small name above or below a value. */
export function caption({ regular }: Faces) {
  return { face: regular, size: 6.5, width: 80, shade: GREY }
}
