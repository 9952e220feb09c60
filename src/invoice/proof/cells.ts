/** One for each property of the schema: what the document holds there, or what the last of several objects does. */
import { CELLS } from "./tables"

const STARTS = memory.data(CELLS * 4)
const ENDS = memory.data(CELLS * 4)
const VALUES = memory.data(CELLS * 8)

/** Where a text begins, without its quotes. */
export function startOf(cell: u32): usize {
  return load<u32>(STARTS + (cell << 2))
}

export function endOf(cell: u32): usize {
  return load<u32>(ENDS + (cell << 2))
}

export function setRange(cell: u32, start: usize, end: usize): void {
  store<u32>(STARTS + (cell << 2), <u32>start)
  store<u32>(ENDS + (cell << 2), <u32>end)
}

/** A number in the smallest unit that its property allows; an instant in milliseconds; the number of a word. */
export function valueAt(cell: u32): f64 {
  return load<f64>(VALUES + (cell << 3))
}

export function setValue(cell: u32, value: f64): void {
  store<f64>(VALUES + (cell << 3), value)
}

/** What a field says, or nought where it is absent. */
export function amountOf(seen: u32, bit: u32, cell: u32): f64 {
  return (seen & bit) === 0 ? 0 : valueAt(cell)
}
