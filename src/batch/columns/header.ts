/** Maps a file's columns to fields, by header or by `--map`. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { suggest } from "../../contract/suggest.ts"
import { type ErrorDetail, FreightError } from "../../errors.ts"
import { MOST_COLUMNS } from "../../limits.ts"
import type { Columns, Meaning } from "./columns.ts"
import type { Field } from "./fields.ts"
import { plainHeader } from "./words.ts"
import type { RowDefaults } from "../rows/row.ts"

export type Unknown = Extract<Meaning, { error: string }>

export interface Mapping {
  meaning(header: string): Meaning
  named: readonly string[]
}

/** @throws FreightError `usage` when `--map` is wrong */
export function createMapping(columns: Columns, { map }: Pick<RowDefaults, "map">): Mapping {
  const mapped = new Map<string, Meaning>()
  for (const text of map) {
    const equals = text.lastIndexOf("=")
    if (equals < 1) throw new FreightError("usage", `--map takes COLUMN=FIELD, not ${quoted(text)}`)
    const [header, name] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
    const meaning: Meaning = name === "" ? { field: undefined } : columns.meaning(name)
    if ("error" in meaning) {
      const near = suggest(
        name,
        columns.fields.map((field) => field.name),
      )
      throw new FreightError("usage", `--map ${quoted(text)}: there is no field ${quoted(name)}`, {
        hint: near ? `Did you mean '${near}'?` : "All of them:",
        next: "freight batch template --columns",
      })
    }
    mapped.set(plainHeader(header) || header, meaning)
  }
  return {
    meaning: (header) => mapped.get(plainHeader(header) || header) ?? columns.meaning(header),
    named: map.map((text) => text.slice(0, text.lastIndexOf("=")).trim()),
  }
}

/**
 * The fields of a header line; undefined for ignored columns.
 * @throws FreightError `input` with every error
 */
export function headerFields(
  name: string,
  line: number,
  headers: readonly string[],
  mapping: Mapping,
  ignoreUnknown: boolean,
): (Field | undefined)[] {
  const errors: ErrorDetail[] = []
  const at = (message: string, column: string) => errors.push({ message, field: column, line })
  const unknown: (Unknown & { header: string })[] = []
  const fields = headers.map((header) => {
    if (header.trim() === "") return undefined
    const meaning = mapping.meaning(header)
    if ("field" in meaning) return meaning.field
    if (!ignoreUnknown || meaning.open) unknown.push({ ...meaning, header })
    return undefined
  })
  const { together, apart } = sortUnknown(unknown)
  if (together.length > 0)
    at(unknownTogether(together.map(({ header }) => header)), together[0]?.header ?? "")
  for (const { error, hint, header } of apart) at(`${error}: ${hint()}`, header)
  const first = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    const key = fields[index]?.name ?? header.trim()
    if (key === "") continue
    const before = first.get(key)
    if (before === undefined) first.set(key, index)
    else if (fields[index]) at(doubled(headers, before, index, key), header)
    else if (headers[before] === header && !ignoreUnknown && together.length === 0)
      at(`the column ${quoted(header)} is there twice: as number ${before + 1} and ${index + 1}`, header)
  }
  for (const wanted of mapping.named)
    if (!headers.some((header) => plainHeader(header) === plainHeader(wanted))) {
      const near = suggest(wanted, headers)
      at(
        `--map: there is no column ${quoted(wanted)}${near ? `; did you mean ${quoted(near)}?` : ""}`,
        wanted,
      )
    }
  if (fields.every((field) => field === undefined))
    throw new FreightError("input", `${name}: no column of the first line means anything here`, {
      ...(errors.length > 0 && { errors }),
      hint: "The first line holds the names of the columns. freight batch template writes a file to start from.",
      next: "freight batch template --columns",
    })
  if (errors.length > 0)
    throw new FreightError("input", `${name}: the columns are not clear; nothing was sent`, {
      errors,
      next: "freight batch template --columns",
    })
  return fields
}

/** More unknown columns than this are reported in one error. */
const MOST_LISTED = 10

/** Splits unknown columns into those reported together, when there are many, and those reported one by one. */
export function sortUnknown<T extends Unknown>(unknown: readonly T[]): { together: T[]; apart: T[] } {
  const [open, other] = [unknown.filter((each) => each.open), unknown.filter((each) => !each.open)]
  return other.length > MOST_LISTED ? { together: other, apart: open } : { together: [], apart: [...unknown] }
}

export function unknownTogether(headers: readonly string[]): string {
  const shown = headers.slice(0, MOST_LISTED).map((header) => quoted(header))
  return `${counted(headers.length, "column")} mean nothing here: ${shown.join(", ")} and ${headers.length - shown.length} more: say what one is with --map COLUMN=FIELD, or leave them all out with --ignore-unknown`
}

/** @throws FreightError `input` where there are more columns than a batch may have */
export function checkWidth(place: string, columns: number): void {
  if (columns <= MOST_COLUMNS) return
  throw new FreightError(
    "input",
    `${place} has ${grouped(columns)} columns, and freight reads at most ${grouped(MOST_COLUMNS)}`,
    {
      hint: "Is it the right file, and the right delimiter? Take out the columns that are not about the booking.",
    },
  )
}

function doubled(headers: readonly string[], before: number, index: number, field: string): string {
  const [one = "", other = ""] = [headers[before], headers[index]]
  const places = `number ${before + 1} and ${index + 1}`
  if (one.trim() === other.trim()) return `the column ${quoted(other)} is there twice: as ${places}`
  return `the columns ${quoted(one)} and ${quoted(other)} both mean ${field} (${places}): leave one out with --map ${quoted(`${other.trim()}=`)}`
}
