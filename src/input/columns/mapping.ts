/** Meanings of columns that `--map` gives; they override those of headings. */
import { quoted } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import { FreightError } from "../../base/errors.ts"
import { argument, isNamed, misspelt, plainHeader } from "./headings.ts"
import type { ColumnField, Meaning, SheetColumns, Shop, UnknownMeaning } from "./notation.ts"

export interface Mapping<Field extends ColumnField> {
  readonly columns: SheetColumns<Field>
  /** @param shop whose export it is: its own meanings come before the usual ones, and after `--map` */
  meaning(header: string, shop?: Shop): Meaning<Field>
  isMapped(header: string): boolean
  /** Notations that `--map` gives for a column that can be read in two ways. */
  writingsOf(header: string): readonly Writing[]
  /** Columns that `--map` names, as typed. */
  named: readonly string[]
}

/** Notations that `--map` takes in the place of a field: how a column writes its numbers or its days. */
const WRITINGS = ["decimalPoint", "decimalComma", "dayFirst", "monthFirst"] as const

export type Writing = (typeof WRITINGS)[number]

/** In the export of any shop it is the day of the order. */
const OF_THE_ORDER = ["Date"]

/** @throws FreightError `usage` when `--map` is wrong */
export function createMapping<Field extends ColumnField>(
  columns: SheetColumns<Field>,
  map: readonly string[],
): Mapping<Field> {
  const mapped = new Map<string, Meaning<Field>>()
  const writings = new Map<string, Writing[]>()
  for (const text of map) {
    const equals = text.lastIndexOf("=")
    if (equals < 1) throw new FreightError("usage", `--map takes COLUMN=FIELD, not ${quoted(text)}`)
    const [header, name] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
    const key = plainHeader(header) || header
    const writing = WRITINGS.find((each) => plainHeader(each) === plainHeader(name))
    if (writing !== undefined) {
      // The last one counts.
      writings.set(key, [writing, ...(writings.get(key) ?? [])])
      continue
    }
    const meaning: Meaning<Field> = name === "" ? { field: undefined } : columns.meaning(name)
    if (!("field" in meaning)) {
      const names = columns.fields.map((field) => field.name)
      const near = suggest(name, names)
      throw new FreightError("usage", `--map ${quoted(text)}: there is no field ${quoted(name)}`, {
        hint: near ? `Did you mean ${quoted(near)}?` : "All of them:",
        next: columns.help.next,
      })
    }
    const said = columns.mapTo ? { ...meaning, field: columns.mapTo(meaning.field, header) } : meaning
    mapped.set(key, withHeadingUnit(said as Meaning<Field>, columns.meaning(header)))
  }
  const mappedTo = (header: string) => mapped.get(plainHeader(header) || header)
  return {
    columns,
    meaning(header, shop) {
      const before = mappedTo(header)
      if (before || !shop) return before ?? columns.meaning(header)
      if (isNamed([...(shop.unused ?? []), ...OF_THE_ORDER], header)) return { likely: () => undefined }
      const own = Object.entries(shop.meanings ?? {}).find(
        ([word]) => plainHeader(word) === plainHeader(header),
      )
      return columns.meaning(own?.[1] ?? header)
    },
    isMapped: (header) => mappedTo(header) !== undefined,
    writingsOf: (header) => writings.get(plainHeader(header) || header) ?? [],
    named: map.map((text) => text.slice(0, text.lastIndexOf("=")).trim()),
  }
}

/** Mapping `Weight (g)` to a weight does not make its numbers kg. */
function withHeadingUnit<Field extends ColumnField>(
  mapped: Meaning<Field>,
  byHeading: Meaning<Field>,
): Meaning<Field> {
  if (!("field" in mapped && mapped.field && "field" in byHeading && "unit" in byHeading && byHeading.unit))
    return mapped
  return mapped.field.kind === byHeading.field.kind ? { field: mapped.field, unit: byHeading.unit } : mapped
}

/** The name by which `--map` tells columns with one heading apart: `Charge Amount`, `Charge Amount#2`. */
export function listColumnNames(headers: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return headers.map((header) => {
    const key = plainHeader(header) || header
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 || header === "" ? header : `${header}#${count}`
  })
}

/** Why a column cannot be used as it is, and what to do. */
export interface Refusal {
  readonly error: string
  readonly hint: string
}

/**
 * The error for an unused column that probably should be used; undefined if it can be left out.
 * @param fits whether its cells may belong to the guessed field
 * @param titleOf a field's name for people
 */
export function refuseUnknown(
  header: string,
  meaning: UnknownMeaning,
  ignoreUnknown: boolean,
  fits: (field: string) => boolean,
  titleOf: (field: string) => string,
): Refusal | undefined {
  if ("error" in meaning) return ignoreUnknown && !meaning.choices ? undefined : meaning
  const near = ignoreUnknown ? undefined : meaning.likely()
  return near === undefined || !fits(near) ? undefined : misspelt(header.trim(), near, titleOf(near))
}

/** A hint on how to map columns: one line for all of them. */
export function mapFlags(answers: readonly (readonly [column: string, field: string])[]): string {
  return answers.map(([column, field]) => `--map ${argument(`${column}=${field}`)}`).join(" ")
}
