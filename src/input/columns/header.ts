/** Maps a file's columns to fields, by header or by `--map`. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { suggest } from "../../contract/suggest.ts"
import { type ErrorDetail, FreightError } from "../../errors.ts"
import { MOST_COLUMNS } from "../../limits.ts"

interface Named {
  readonly name: string
  /** Several columns may have it. */
  readonly mayRepeat?: boolean
}

export type Meaning<Field> =
  | { field: Field }
  /** A column that is known and not used. */
  | { field: undefined }
  /** `isOpen`: several fields fit, and only a person can choose. */
  | { error: string; hint: string; isOpen?: true }
  /** The field that was probably meant; slow to find. */
  | { likely(): string | undefined }

export interface SheetColumns<Field extends Named> {
  readonly fields: readonly Field[]
  meaning(header: string): Meaning<Field>
  readonly shops: readonly Shop[]
  /** Headings whose columns are not used where another column means the same field. */
  readonly yielding?: readonly string[]
  /** Where people read which columns there are. */
  readonly help: { hint: string; next: string }
}

/** The export of a shop's orders, in which some headers mean something else than in other files. */
export interface Shop {
  name: string
  /** Headers by which it is recognized: all of these, and one of those. */
  all: readonly string[]
  oneOf: readonly string[]
  /** Headers of statuses that no one else has: they count in a file that was changed, too. */
  own?: readonly string[]
  meanings?: Readonly<Record<string, string>>
  /** Not used where another column means the same field. */
  yielding?: readonly string[]
  /** Not used: they are about something else than the consignment. */
  unused?: readonly string[]
  /** Columns that say how far an order is, and what their statuses mean; another status is not known. */
  statuses: Readonly<Record<string, Readonly<Partial<Record<StatusMeaning, readonly string[]>>>>>
  /** Columns whose text says it by itself. */
  signs?: readonly StatusSign[]
}

/**
 * - `waits`: it is not paid for yet.
 * - `leftOut`: there is nothing to ship.
 * - `partly`: some of its items are not to be shipped any more.
 */
export type StatusMeaning = "ship" | "waits" | "leftOut" | "partly"

interface StatusSign {
  header: string
  says: RegExp
  /** The name of what it says. */
  status: string
  /** `leftOut` by default. */
  means?: StatusMeaning
  /** It counts only where each line of the order says it. */
  onEveryLine?: true
}

/** A header as it is compared: case, blanks, punctuation and a unit in brackets do not matter. */
export function plainHeader(header: string): string {
  return header
    .toLowerCase()
    .replace(/^(.*\S)\s*\((shipping|billing)\)\s*$/, "$2 $1")
    .replace(/[([]\s*(?:kgs?|cms?|aud)\s*[)\]]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
}

type Unknown = Exclude<Meaning<Named>, { field: unknown }>

export interface Mapping<Field extends Named> {
  readonly columns: SheetColumns<Field>
  /** @param shop whose export it is: its own meanings come before the usual ones, and after `--map` */
  meaning(header: string, shop?: Shop): Meaning<Field>
  isMapped(header: string): boolean
  named: readonly string[]
}

/** @throws FreightError `usage` when `--map` is wrong */
export function createMapping<Field extends Named>(
  columns: SheetColumns<Field>,
  map: readonly string[],
): Mapping<Field> {
  const mapped = new Map<string, Meaning<Field>>()
  for (const text of map) {
    const equals = text.lastIndexOf("=")
    if (equals < 1) throw new FreightError("usage", `--map takes COLUMN=FIELD, not ${quoted(text)}`)
    const [header, name] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
    const meaning: Meaning<Field> = name === "" ? { field: undefined } : columns.meaning(name)
    if (!("field" in meaning)) {
      const names = columns.fields.map((field) => field.name)
      const near = suggest(name, names)
      throw new FreightError("usage", `--map ${quoted(text)}: there is no field ${quoted(name)}`, {
        hint: near ? `Did you mean '${near}'?` : "All of them:",
        next: columns.help.next,
      })
    }
    mapped.set(plainHeader(header) || header, meaning)
  }
  const mappedTo = (header: string) => mapped.get(plainHeader(header) || header)
  return {
    columns,
    meaning(header, shop) {
      const before = mappedTo(header)
      if (before || !shop) return before ?? columns.meaning(header)
      if (isNamed(shop.unused ?? [], header)) return { likely: () => undefined }
      const own = Object.entries(shop.meanings ?? {}).find(
        ([word]) => plainHeader(word) === plainHeader(header),
      )
      return columns.meaning(own?.[1] ?? header)
    },
    isMapped: (header) => mappedTo(header) !== undefined,
    named: map.map((text) => text.slice(0, text.lastIndexOf("=")).trim()),
  }
}

export interface Header<Field> {
  /** Undefined for columns that are not used. */
  fields: readonly (Field | undefined)[]
  shop: Shop | undefined
  unused: readonly string[]
}

/**
 * The fields of a header line.
 * @param row as a spreadsheet numbers it
 * @throws FreightError `input` with every error
 */
export function readHeader<Field extends Named>(
  name: string,
  { line, row }: { line: number; row: number },
  headers: readonly string[],
  mapping: Mapping<Field>,
  ignoreUnknown: boolean,
): Header<Field> {
  const errors: ErrorDetail[] = []
  const at = (message: string, column: string) => errors.push({ message, field: column, line })
  const unused = new Set<number>()
  const { shops, help } = mapping.columns
  const shop = findShop(shops, headers)
  const statusShop = findStatusShop(shops, headers)
  const fields = headers.map((header, index) => {
    if (header.trim() === "") return undefined
    const meaning = mapping.meaning(header, shop)
    if ("field" in meaning) return meaning.field
    const refused = refuseUnknown(header, meaning, ignoreUnknown)
    if (refused) at(`${refused.error}: ${refused.hint}`, header)
    else if (!statusShop || !hasStatus(statusShop, header)) unused.add(index)
    return undefined
  })
  const yielding = shop?.yielding ?? mapping.columns.yielding ?? []
  for (const index of yieldingColumns(yielding, headers, fields, mapping)) {
    fields[index] = undefined
    unused.add(index)
  }
  const first = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    const key = fields[index]?.name
    if (key === undefined || fields[index]?.mayRepeat) continue
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
    throw new FreightError("input", `${name}: freight recognises no column of row ${row}`, {
      ...(errors.length > 0 && { errors }),
      ...help,
    })
  if (errors.length > 0)
    throw new FreightError("input", `${name}: the columns are ambiguous; nothing was done`, {
      errors,
      next: help.next,
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
const MOST_LISTED = 3

/** Whether a column says if an order is to be shipped. */
export function hasStatus({ statuses, signs = [] }: Shop, header: string): boolean {
  return [...Object.keys(statuses), ...signs.map((sign) => sign.header)].some((word) =>
    isNamed([header], word),
  )
}

export function unusedNote(name: string, headers: readonly string[]): string {
  const shown = headers.slice(0, MOST_LISTED).map((header) => quoted(header))
  const more = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : ""
  const are = headers.length === 1 ? "is" : "are"
  return `${name}: ${counted(headers.length, "column")} ${are} not used: ${shown.join(", ")}${more}. --map COLUMN=FIELD uses one.`
}

/** The shop whose statuses a file with these headers has. */
export function findStatusShop(shops: readonly Shop[], headers: readonly string[]): Shop | undefined {
  return (
    findShop(shops, headers) ?? shops.find(({ own = [] }) => own.some((header) => isNamed(headers, header)))
  )
}

function findShop(shops: readonly Shop[], headers: readonly string[]): Shop | undefined {
  return shops.find(
    ({ all, oneOf }) =>
      all.every((header) => isNamed(headers, header)) && oneOf.some((header) => isNamed(headers, header)),
  )
}

function isNamed(headers: readonly string[], wanted: string): boolean {
  const plain = plainHeader(wanted) || wanted
  return headers.some((header) => (plainHeader(header) || header) === plain)
}

/** Columns whose field another column holds better. */
function yieldingColumns(
  yielding: readonly string[],
  headers: readonly string[],
  fields: readonly (Named | undefined)[],
  mapping: Pick<Mapping<Named>, "isMapped">,
): number[] {
  const names = fields.map((field) => field?.name)
  const yields = (header: string) => isNamed(yielding, header) && !mapping.isMapped(header)
  return headers.flatMap((header, index) =>
    names[index] !== undefined &&
    yields(header) &&
    names.some((other, at) => other === names[index] && !yields(headers[at] ?? ""))
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
    { hint: "Is it the right file, and the right delimiter? Remove the columns that are not needed." },
  )
}

function doubled(headers: readonly string[], before: number, index: number, field: string): string {
  const [one = "", other = ""] = [headers[before], headers[index]]
  const places = `number ${before + 1} and ${index + 1}`
  if (one.trim() === other.trim()) return `the column ${quoted(other)} appears twice: as ${places}`
  return `the columns ${quoted(one)} and ${quoted(other)} both mean ${field} (${places}): leave one out with --map ${quoted(`${other.trim()}=`)}`
}

export function ambiguous(header: string, names: readonly string[]): Meaning<never> {
  return {
    isOpen: true,
    error: `the column ${quoted(header)} can mean ${names.join(" or ")}`,
    hint: `say which: --map ${argument(`${header}=${names[0]}`)}, or --map ${argument(`${header}=`)} to leave it out`,
  }
}

export function misspelt(header: string, field: string): { error: string; hint: string } {
  return {
    error: `the column ${quoted(header)} is unknown`,
    hint: `did you mean ${field}? name its field with --map ${argument(`${header}=${field}`)}, or leave it out with --map ${argument(`${header}=`)}`,
  }
}

/** A shell word, quoted where needed. */
export function argument(text: string): string {
  return /^[\w.=-]+$/.test(text) ? text : quoted(text)
}
