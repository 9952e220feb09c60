/** Columns that only a person can place, because they may change what others mean. */
import { listSome } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import type { Questions } from "../../output/index.ts"
import { BEARINGS, findBearing } from "./bearings.ts"
import type { BearingName, ColumnField, SheetColumns } from "./notation.ts"
import { argument } from "./headings.ts"
import { mapFlags } from "./mapping.ts"

export interface ColumnQuestion {
  /** As `--map` names it. */
  readonly column: string
  /** From 1, if the rows are shown with their columns numbered. */
  readonly number?: number
  readonly values: readonly string[]
  /** The doubt, as a sentence without its subject. */
  readonly why: string
  /** Fields that it may be; none of them is to leave it out. */
  readonly choices: readonly string[]
  readonly leftOut?: string | undefined
  /** The meaning of each choice that is not a field: then the column is used, and cannot be left out. */
  readonly meanings?: Readonly<Record<string, string>>
  /** How to answer it; by default the flags for each choice. */
  readonly hint?: string
  /** Only one of several such columns of a table can be it: the first one that most likely is. */
  readonly isOneOfSeveral?: true
  /** Its tables, if columns of several tables are asked about at once. */
  readonly tables?: readonly string[] | undefined
}

/** Some columns of a file are not clear; nothing was sent. At a terminal the person is asked. */
export class UnclearColumns extends FreightError {
  readonly questions: readonly ColumnQuestion[]
  /** One for each question without a hint of its own. */
  readonly answers: readonly Answer[]
  /** Rows as they were read, for a person who is asked about their columns. */
  shown: readonly string[] = []
  readonly #table: string
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
      errors: questions.map((each) => toDetail(each, line, fields)),
      ...(open.length > 0 && describeAnswers(answers, open.some(mayLeaveOut))),
      next,
    })
    this.questions = questions
    this.answers = answers
    this.#table = name
    this.#fields = fields
  }

  /** All questions about some tables, each column once: an answer applies wherever the column occurs. */
  static join(all: readonly [UnclearColumns, ...UnclearColumns[]]): UnclearColumns {
    const [first, ...others] = all
    if (others.length === 0) return first
    const questions = new Map<string, ColumnQuestion>()
    for (const each of all)
      for (const question of each.questions) {
        const tables = question.tables ?? [each.#table]
        const before = questions.get(question.column)
        questions.set(
          question.column,
          before ? mergeQuestions(before, question, tables) : { ...question, tables },
        )
      }
    const names = new Set(all.map((each) => each.#table))
    const joined = new UnclearColumns(
      listSome([...names]),
      Array.from(questions.values(), ({ tables, ...each }) => (names.size > 1 ? { ...each, tables } : each)),
      undefined,
      first.next ?? "",
      all.flatMap((each) => each.#fields),
    )
    joined.shown = all.flatMap(({ shown }) => shown)
    return joined
  }

  /**
   * Asks a person what each column is.
   * @returns an answer for each question, with an empty field for a column that is left out
   * @throws this if the person stops
   */
  async ask(prompt: Pick<Questions, "choose">): Promise<[column: string, field: string][]> {
    const answers: [column: string, field: string][] = []
    const found: ColumnQuestion[] = []
    for (const question of this.questions) {
      const isOther = found.some((each) => excludes(each, question))
      const field = isOther ? "" : await this.#askOne(prompt, question)
      if (field !== "") found.push(question)
      answers.push([question.column, field])
    }
    return answers
  }

  /** A consistent answer for each question. */
  suggestAnswers(): readonly Answer[] {
    return answerAll(this.questions)
  }

  async #askOne(prompt: Pick<Questions, "choose">, question: ColumnQuestion): Promise<string> {
    const choices = [
      ...question.choices.map((field) => ({
        name: this.describe(question, field)?.replace(/\.$/, "") ?? `It is ${field}`,
        value: field as string | undefined,
        description: `For a script: --map ${argument(`${question.column}=${field}`)}`,
      })),
      ...(mayLeaveOut(question)
        ? [
            {
              name: question.leftOut === undefined ? "Leave it out" : `Leave it out: ${question.leftOut}`,
              value: "",
            },
          ]
        : []),
      { name: "Stop, and send nothing", value: undefined },
    ]
    const text = describeQuestion(question)
    const answer = await prompt.choose(
      `${text.charAt(0).toUpperCase()}${text.slice(1)}. What is it?`,
      choices,
    )
    if (answer === undefined) throw this
    return answer
  }

  /** The meaning of an answer; undefined if there is none for it. */
  describe({ meanings }: ColumnQuestion, field: string): string | undefined {
    if (meanings) return meanings[field]
    const { about, title } = this.#fields.find(({ name }) => name === field) ?? {}
    return about ?? (title && `It is ${title}`)
  }
}

/** One answer is given to both: it is to be one of either. */
function mergeQuestions(
  before: ColumnQuestion,
  { values, choices }: ColumnQuestion,
  tables: readonly string[],
): ColumnQuestion {
  const shared = before.choices.filter((field) => choices.includes(field))
  return {
    ...before,
    values: listValues([...before.values, ...values]),
    choices: shared.length > 0 ? shared : before.choices,
    tables: [...new Set([...(before.tables ?? []), ...tables])],
  }
}

/**
 * Reads tables one after the other, and asks about all of them at once. Messages about a table after the first question
 * are dropped: they would be repeated.
 */
export function createTableQuestions() {
  const asked: UnclearColumns[] = []
  const ask = () => {
    const [first, ...others] = asked
    if (first) throw UnclearColumns.join([first, ...others])
  }
  return {
    /** @throws errors of the work; questions only if another table cannot be read */
    async read<Said extends Record<"tell" | "warn", unknown>>(
      said: Said,
      work: (said: Said) => Promise<void>,
    ): Promise<void> {
      const silent = async () => {}
      try {
        await work(asked.length === 0 ? said : { ...said, tell: silent, warn: silent })
      } catch (error) {
        if (error instanceof UnclearColumns) asked.push(error)
        else {
          // Other errors of this table are reported once the questions are answered.
          if (error instanceof FreightError) ask()
          throw error
        }
      }
    },
    /** @throws UnclearColumns */
    ask,
  }
}

type Answer = readonly [column: string, field: string]

/** The flags to add to a command so that a table is read. */
export function describeAnswers(answers: readonly Answer[], mayBeEmpty = true): { hint: string } {
  const empty = mayBeEmpty ? " Nothing behind the = leaves a column out." : ""
  return { hint: `Say what they are in one line, such as ${mapFlags(answers)}.${empty}` }
}

/** Whether an answer may be that the column is not used. */
export const mayLeaveOut = ({ meanings }: ColumnQuestion) => meanings === undefined

/** A consistent answer for each question. */
export function answerAll(questions: readonly ColumnQuestion[]): Answer[] {
  return questions.map((each) => {
    const first = questions.find((other) => excludes(other, each))
    const isOther = each.isOneOfSeveral && each !== first
    return [each.column, (isOther ? undefined : each.choices[0]) ?? ""]
  })
}

/** Whether only one of two columns can be the requested one. */
export function excludes(one: ColumnQuestion, other: ColumnQuestion): boolean {
  if (!one.isOneOfSeveral || !other.isOneOfSeveral) return false
  return !one.tables || one.tables.some((table) => other.tables?.includes(table))
}

export function describeQuestion({ column, number, values, why, tables }: ColumnQuestion): string {
  const shown = values.length > 0 ? ` (${values.map((value) => quoted(value).slice(1, -1)).join(", ")})` : ""
  const which = number === undefined ? "the column" : `column ${number},`
  // A column without a heading is called by its number.
  const called = column === `Column ${number}` ? `column ${number}` : `${which} ${quoted(column)}`
  const where = tables ? ` of ${listSome(tables)}` : ""
  return `${called}${where}${shown} ${why}`
}

/** The name that people use for a field, if there is one; else its name, as `--map` takes it. */
export function nameField(fields: readonly ColumnField[], name: string): string {
  return fields.find((field) => field.name === name)?.title ?? name
}

function toDetail(
  question: ColumnQuestion,
  line: number | undefined,
  fields: readonly ColumnField[],
): ErrorDetail {
  const { column, choices, hint, leftOut } = question
  const flags = [...choices, ...(mayLeaveOut(question) ? [""] : [])].map((field) => {
    const title = question.meanings?.[field] ?? nameField(fields, field)
    return `--map ${argument(`${column}=${field}`)}${title === field ? "" : ` (${title})`}`
  })
  // Without other choices, its meaning is the only help for deciding.
  if (choices.length === 0 && leftOut) flags.push(`${flags.pop()} leaves it out: ${leftOut}`)
  return {
    message: `${describeQuestion(question)}: ${hint ?? flags.join(" or ")}`,
    field: column,
    code: "column",
    ...(line !== undefined && { line }),
  }
}

const MAX_VALUES = 3

/** Some of the different texts of a column. */
export function listValues(cells: readonly string[]): string[] {
  return [...new Set(cells)].slice(0, MAX_VALUES)
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

/** Bearings whose unknown cells are refused one by one. */
const KNOWN_ONLY: readonly BearingName[] = ["sign", "basis"]

/** Lists the fields that the cells of a column can be read as. */
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

/** The question about an unknown column; undefined if it seems to change nothing. */
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
  // Among the columns of a state, only that of a status has words.
  const worded = bearing.filter((field) => field.bearing?.knows && !field.bearing.saysByEmpty)
  const names = (worded.length > 0 ? worded : bearing).map((field) => field.name)
  const choices = listReadable({ fields }, names, cells)
  const { what, without: leftOut } = BEARINGS[name]
  return { column, values: listValues(cells), why: `may say ${what}`, choices, leftOut }
}
