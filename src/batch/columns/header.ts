/** Maps a file's columns to fields, by header or by `--map`. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { suggest } from "../../contract/suggest.ts"
import { type ErrorDetail, FreightError } from "../../errors.ts"
import { MOST_COLUMNS } from "../../limits.ts"
import { type Columns, type Meaning, misspelt } from "./columns.ts"
import type { Field } from "./fields.ts"
import { plainHeader, type Shop, SHOPS } from "./words.ts"
import type { RowDefaults } from "../rows/row.ts"

type Unknown = Exclude<Meaning, { field: unknown }>

export interface Mapping {
  /** @param shop whose export it is: its own meanings come before the usual ones, and after `--map` */
  meaning(header: string, shop?: Shop): Meaning
  isMapped(header: string): boolean
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
    if (!("field" in meaning)) {
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
  const mappedTo = (header: string) => mapped.get(plainHeader(header) || header)
  return {
    meaning(header, shop) {
      const before = mappedTo(header)
      if (before || !shop) return before ?? columns.meaning(header)
      if (isNamed(shop.unused, header)) return { likely: () => undefined }
      const own = Object.entries(shop.meanings).find(([word]) => plainHeader(word) === plainHeader(header))
      return columns.meaning(own?.[1] ?? header)
    },
    isMapped: (header) => mappedTo(header) !== undefined,
    named: map.map((text) => text.slice(0, text.lastIndexOf("=")).trim()),
  }
}

/** What the columns of a header line are. */
export interface Header {
  /** Undefined for columns that are not used. */
  fields: readonly (Field | undefined)[]
  shop: Shop | undefined
  /** Headers that mean nothing here. */
  unused: readonly string[]
}

/**
 * The fields of a header line.
 * @param row as a spreadsheet numbers it
 * @throws FreightError `input` with every error
 */
export function readHeader(
  name: string,
  { line, row }: { line: number; row: number },
  headers: readonly string[],
  mapping: Mapping,
  ignoreUnknown: boolean,
): Header {
  const errors: ErrorDetail[] = []
  const at = (message: string, column: string) => errors.push({ message, field: column, line })
  const unused = new Set<number>()
  const shop = findShop(headers)
  const fields = headers.map((header, index) => {
    if (header.trim() === "") return undefined
    const meaning = mapping.meaning(header, shop)
    if ("field" in meaning) return meaning.field
    const refused = refuseUnknown(header, meaning, ignoreUnknown)
    if (refused) at(`${refused.error}: ${refused.hint}`, header)
    else unused.add(index)
    return undefined
  })
  for (const index of shop ? yieldingColumns(shop, headers, fields, mapping) : []) {
    fields[index] = undefined
    unused.add(index)
  }
  const first = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    const key = fields[index]?.name
    if (key === undefined) continue
    const before = first.get(key)
    if (before === undefined) first.set(key, index)
    else at(doubled(headers, before, index, key), header)
  }
  for (const wanted of mapping.named)
    if (!isNamed(headers, wanted)) {
      const near = suggest(wanted, headers)
      at(
        `--map: there is no column ${quoted(wanted)}${near ? `; did you mean ${quoted(near)}?` : ""}`,
        wanted,
      )
    }
  if (fields.every((field) => field === undefined))
    throw new FreightError("input", `${name}: no column of row ${row} means anything here`, {
      ...(errors.length > 0 && { errors }),
      hint: "The first row holds the names of the columns. freight batch template writes a file to start from.",
      next: "freight batch template --columns",
    })
  if (errors.length > 0)
    throw new FreightError("input", `${name}: the columns are not clear; nothing was sent`, {
      errors,
      next: "freight batch template --columns",
    })
  return { fields, shop, unused: headers.filter((_, index) => unused.has(index)) }
}

/** The error for a column that is not used and probably should be; undefined if it can be left out. */
export function refuseUnknown(
  header: string,
  meaning: Unknown,
  ignoreUnknown: boolean,
): { error: string; hint: string } | undefined {
  if ("error" in meaning) return ignoreUnknown && !meaning.isOpen ? undefined : meaning
  const near = ignoreUnknown ? undefined : meaning.likely()
  return near === undefined ? undefined : misspelt(header.trim(), near)
}

/** More unused columns than this are counted and not named. */
const MOST_LISTED = 10

/** Why a row of a shop's export is not to be sent: the column that says so, unless `--map` leaves it out. */
export function cancelledIn(
  { cancelled }: Shop,
  headers: readonly string[],
  cells: readonly string[],
  mapping: Mapping,
): string | undefined {
  return headers.find((header, index) => {
    const [, says] = Object.entries(cancelled).find(([word]) => isNamed([header], word)) ?? []
    return says?.test((cells[index] ?? "").trim()) && !mapping.isMapped(header)
  })
}

export function unusedNote(name: string, headers: readonly string[]): string {
  const shown = headers.slice(0, MOST_LISTED).map((header) => quoted(header))
  const more = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : ""
  const are = headers.length === 1 ? "is" : "are"
  return `${name}: ${counted(headers.length, "column")} ${are} not used: ${shown.join(", ")}${more}. --map COLUMN=FIELD uses one; --ignore-unknown leaves this note out.`
}

function findShop(headers: readonly string[]): Shop | undefined {
  return SHOPS.find(
    ({ all, oneOf }) =>
      all.every((header) => isNamed(headers, header)) && oneOf.some((header) => isNamed(headers, header)),
  )
}

function isNamed(headers: readonly string[], wanted: string): boolean {
  const plain = plainHeader(wanted) || wanted
  return headers.some((header) => (plainHeader(header) || header) === plain)
}

/** Columns of a shop's export whose field another column holds better. */
function yieldingColumns(
  { yielding }: Shop,
  headers: readonly string[],
  fields: readonly (Field | undefined)[],
  mapping: Mapping,
): number[] {
  const names = fields.map((field) => field?.name)
  return headers.flatMap((header, index) =>
    names[index] !== undefined &&
    isNamed(yielding, header) &&
    !mapping.isMapped(header) &&
    names.some((other, at) => at !== index && other === names[index])
      ? [index]
      : [],
  )
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
