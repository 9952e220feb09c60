/** Layouts of labels on a sheet of A4, by their names. */
export const LAYOUTS = {
  a4x2: { columns: 1, rows: 2 },
  a4x4: { columns: 2, rows: 2 },
} as const
export type Layout = keyof typeof LAYOUTS

/** How many labels a sheet has. */
export function countPlaces(layout: Layout): number {
  const { columns, rows } = LAYOUTS[layout]
  return columns * rows
}

export const LAYOUT_NAMES = Object.keys(LAYOUTS) as Layout[]

/** The places of the sheet that has most. */
export const MAX_PLACES = Math.max(...LAYOUT_NAMES.map(countPlaces))
