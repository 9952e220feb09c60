/** A line for each holiday and its states: `2026-01-26 Australia Day|ACT NSW`. */
export const holidays: string
