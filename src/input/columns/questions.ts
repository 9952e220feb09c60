/** Columns that only a person can place, because they may change what others mean. */
import { quoted } from "../../base/parsed.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import { BEARINGS, findBearing } from "./bearings.ts"
import type { BearingName, ColumnField, SheetColumns } from "./notation.ts"
import { argument } from "./headings.ts"
import { mapFlags } from "./mapping.ts"

export interface ColumnQuestion {
  /** As `--map` names it. */
  readonly column: string
  /** From 1, where the rows are shown with their columns numbered. */
  readonly number?: number
  /** Some of its cells. */
  readonly values: readonly string[]
  /** What is not clear, as a sentence without its subject. */
  readonly why: string
  /** Fields that it may be; none of them is to leave it out. */
  readonly choices: readonly string[]
  /** How to answer it; the flags for each choice where this is left out. */
  readonly hint?: string
  /** Only one of several such columns can be it: the first one that most likely is. */
  readonly isOneOfSeveral?: true
}

/** Some columns of a file are not clear; nothing was sent. At a terminal the person is asked. */
export class UnclearColumns extends FreightError {
  readonly questions: readonly ColumnQuestion[]
  /** One for each question that says no more of its own. */
  readonly answers: readonly Answer[]
  /** Rows as they were read, for a person who is asked about their columns. */
  shown: readonly string[] = []
  readonly #fields: readonly ColumnField[]

  constructor(
    name: string,
    questions: readonly ColumnQuestion[],
    line: number | undefined,
    next: string,
    fields: readonly ColumnField[] = [],
  ) {
    const open = questions.filter(({ hint }) => hint === undefined)
    const answers = answerAll(open)
    super("input", `${name}: the columns are ambiguous; nothing was done`, {
      errors: questions.map((each) => toDetail(each, line)),
      ...(open.length > 0 && describeAnswers(answers)),
      next,
    })
    this.questions = questions
    this.answers = answers
    this.#fields = fields
  }

  /** What a field is; undefined where nothing is said of it. */
  describe(field: string): string | undefined {
    return this.#fields.find(({ name }) => name === field)?.about
  }
}

type Answer = readonly [column: string, field: string]

/** What to add to a command so that a table is read. */
export function describeAnswers(answers: readonly Answer[]): { hint: string } {
  return {
    hint: `Say what they are in one line, such as ${mapFlags(answers)}. Nothing behind the = leaves a column out.`,
  }
}

/** An answer for each question, of which none makes another wrong. */
export function answerAll(questions: readonly ColumnQuestion[]): Answer[] {
  const first = questions.find(({ isOneOfSeveral }) => isOneOfSeveral)
  return questions.map((each) => {
    const isOther = each.isOneOfSeveral && each !== first
    return [each.column, (isOther ? undefined : each.choices[0]) ?? ""]
  })
}

export function describeQuestion({ column, number, values, why }: ColumnQuestion): string {
  const shown = values.length > 0 ? ` (${values.map((value) => quoted(value).slice(1, -1)).join(", ")})` : ""
  const which = number === undefined ? "the column" : `column ${number},`
  // A column without a heading is called by its number.
  const called = column === `Column ${number}` ? `column ${number}` : `${which} ${quoted(column)}`
  return `${called}${shown} ${why}`
}

function toDetail(question: ColumnQuestion, line: number | undefined): ErrorDetail {
  const { column, choices, hint } = question
  const flags = [...choices, ""].map((field) => `--map ${argument(`${column}=${field}`)}`)
  return {
    message: `${describeQuestion(question)}: ${hint ?? flags.join(" or ")}`,
    field: column,
    code: "column",
    ...(line !== undefined && { line }),
  }
}

const MOST_VALUES = 3

/** Some of the different texts of a column. */
export function listValues(cells: readonly string[]): string[] {
  return [...new Set(cells)].slice(0, MOST_VALUES)
}

/** The bearings that an unknown column could have beside the columns that are used. */
export function listOpenBearings<Field extends ColumnField>(
  { bearings }: SheetColumns<Field>,
  used: readonly (Field | undefined)[],
  isOfShop: boolean,
): BearingName[] {
  const kinds = new Set(used.map((field) => field?.kind))
  const isCounted = used.some((field) => field?.bearing?.as === "count" || field?.kind === "packages")
  return bearings.filter((name) => {
    const { on } = BEARINGS[name]
    // A shop's entry says which of its columns count.
    if (on === "row") return !isOfShop && !(name === "count" && isCounted)
    return on.some((kind) => kinds.has(kind))
  })
}

/** Bearings whose cells are refused one by one where freight does not know them. */
const KNOWN_ONLY: readonly BearingName[] = ["sign", "basis"]

/** Of the fields that a column may be, those as which its cells can be read. */
export function listReadable<Field extends ColumnField>(
  { fields }: Pick<SheetColumns<Field>, "fields">,
  names: readonly string[],
  cells: readonly string[],
): string[] {
  return names.filter((name) => {
    const bearing = fields.find((field) => field.name === name)?.bearing
    return !bearing?.knows || !KNOWN_ONLY.includes(bearing.as) || cells.every((text) => bearing.knows?.(text))
  })
}

/** What is to be asked about a column that freight does not know; undefined where it seems to change nothing. */
export function questionUnknown<Field extends ColumnField>(
  { fields }: SheetColumns<Field>,
  column: string,
  header: string,
  cells: readonly string[],
  open: readonly BearingName[],
): ColumnQuestion | undefined {
  const name = findBearing(header, cells, open)
  if (name === undefined) return undefined
  const bearing = fields.filter((field) => field.bearing?.as === name)
  // Of the columns of a state, only that of a status has words.
  const worded = bearing.filter((field) => field.bearing?.knows && !field.bearing.saysByEmpty)
  const names = (worded.length > 0 ? worded : bearing).map((field) => field.name)
  const choices = listReadable({ fields }, names, cells)
  return { column, values: listValues(cells), why: `may say ${BEARINGS[name].what}`, choices }
}
