/** A row's cells as values by field, and what was said of them on the way. */
import type { Json } from "../booking/schema-fields.ts"
import type { Field } from "./columns-fields.ts"
import type { RowDefaults, RowNote } from "./row.ts"
import { readCell } from "./rows-cell.ts"

/** A note before it is known which row it is of. */
export type Note = Omit<RowNote, "row" | "line">

export interface Cell {
  column: string
  field: Field
  value: Json
  /** The text of a JSON number, digit by digit. */
  source(): string
}

export interface Draft {
  /** By the field's name; of a row's empty cells there is none. */
  values: ReadonlyMap<string, { value: Json; field: Field }>
  /** The header of each field that has a column, whether its cell is empty or not. */
  columns: ReadonlyMap<string, string>
  /** Fields whose cells hold something that cannot be read. */
  failed: ReadonlyMap<string, Field>
  notes: readonly Note[]
}

/** Reads a row's cells, each by the kind of its field; a postcode with the state of its address. */
export function draftOf(cells: readonly Cell[], { address, nowMs }: RowDefaults): Draft {
  const values = new Map<string, { value: Json; field: Field }>()
  const failed = new Map<string, Field>()
  const notes: Note[] = []
  const states = new Map(
    cells
      .filter(({ field }) => field.kind === "state")
      .map(({ field, value }) => [field.name, String(value ?? "")]),
  )
  for (const { column, field, value: written, source } of cells) {
    const state = states.get(field.name.replace(/\.postcode$/, ".state"))
    const { value, notes: said } = readCell(field, written, source, { state, nowMs, address })
    notes.push(...said.map((note) => ({ ...note, column })))
    if (value !== undefined) values.set(field.name, { value, field })
    else if (said.some(({ severity }) => severity === "error")) failed.set(field.name, field)
  }
  return { values, failed, notes, columns: new Map(cells.map(({ column, field }) => [field.name, column])) }
}

/** An error of a draft's field, with its column. */
export function problemOf(draft: Draft, field: string, rule: string, message: string, hint?: string): Note {
  const column = draft.columns.get(field)
  return {
    ...(column !== undefined && { column }),
    rule,
    message,
    ...(hint !== undefined && { hint }),
    severity: "error",
  }
}
