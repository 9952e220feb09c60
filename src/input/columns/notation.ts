/**
 * The notation for the columns of orders, bills and invoice lines. A field is one entry: its name, its kind, its
 * headings, and its bearing on other columns.
 */
import type { Unit } from "../../base/units.ts"

export interface ColumnField {
  /** As `--map` takes it. */
  readonly name: string
  /** How its cells are read. Units bear on kinds, and so do currencies. */
  readonly kind?: string | undefined
  /** A description, for people who choose it. */
  readonly about?: string
  /** The same within a sentence; by default its name. */
  readonly title?: string
  /** Several columns may have it. */
  readonly mayRepeat?: boolean
  /** Two columns of it may be parts of one amount: neither is left out without a word. */
  readonly addsUp?: boolean
  readonly bearing?: Bearing | undefined
}

/** How a column changes the meaning of others. */
export interface Bearing {
  readonly as: BearingName
  /** Whether it can read a cell; if it can read none, the column is asked about. */
  knows?(text: string): boolean
  /** It also counts in a shop's export, whose entry otherwise says which columns count. */
  inShops?: boolean
  /** An empty cell has a meaning, but only beside filled ones. */
  saysByEmpty?: boolean
}

export type Meaning<Field> =
  /** `unit`: of its numbers, by the heading. `refine`: its cells may say more than the heading. */
  | { field: Field; unit?: Unit; refine?: Refine<Field> }
  /** A known column that is not used, unless its cells show its meaning. */
  | { field: undefined; refine?: Refine<Field> }
  /**
   * `choices`: only a person can choose one of these fields, or leave the column out, if its cells do not decide.
   * `leftOut`: the consequence then.
   */
  | { error: string; hint: string; choices?: readonly string[]; byCells?: ByCells<Field>; leftOut?: string }
  /** The field that was probably meant; slow to find. */
  | { likely(): string | undefined; unit?: Unit; refine?: Refine<Field> }

type Refine<Field> = (cells: readonly string[]) => Field | undefined

/** The field of a column with an ambiguous heading, by its first cells; undefined if they do not decide. */
export type ByCells<Field> = (cells: readonly string[]) => Field | "unused" | undefined

export type UnknownMeaning = Exclude<Meaning<ColumnField>, { field: unknown }>

export interface SheetColumns<Field extends ColumnField> {
  readonly fields: readonly Field[]
  meaning(header: string): Meaning<Field>
  /** The field that a column is mapped to, with the facts in its heading. */
  mapTo?(field: Field | undefined, header: string): Field | undefined
  /** Effects that an unknown column may have on others: if it seems to have one, freight asks. */
  readonly bearings: readonly BearingName[]
  readonly shops: readonly Shop[]
  /** Headings of the items of a shop's order, which are read line by line. */
  readonly itemHeadings?: readonly string[]
  /** Headings whose columns are not used if another column means the same field. */
  readonly fallbackHeadings?: readonly string[]
  /** Whether a cell may be one of a field: a guess at a misspelt heading needs it. */
  mayBe?(field: string, text: string): boolean
  /** Whether cells of a field are numbers with decimals; by default its kind decides. */
  holdsNumbers?(field: Field): boolean
  /** The same of days. */
  holdsDays?(field: Field): boolean
  /** Whether the reader of a field refuses a cell with two readings: its column is asked about instead. */
  isStrict?(field: Field): boolean
  /** The meaning of columns together: which are not used, and which need a question. */
  judge?(columns: readonly ColumnInTable<Field>[], rows: readonly (readonly string[])[]): ColumnFindings
  /** Fields that are facts of the whole table, and may stand above its headings with their values beside them. */
  readonly facts?: readonly string[]
  /** Where people find the list of columns. */
  readonly help: { hint: string; next: string }
}

export interface ColumnInTable<Field> {
  readonly header: string
  readonly field: Field | undefined
  /** Its first cells, without the empty ones. */
  readonly cells: readonly string[]
  /** `--map` names it. */
  readonly isMapped: boolean
}

/** Columns by their position. */
export interface ColumnFindings {
  readonly fallbackColumns: readonly number[]
  readonly unclear: readonly Unclear[]
}

export interface Unclear {
  /** The column whose cells say whether it matters. */
  readonly at: number
  /** The column to ask about; by default this one. */
  readonly about?: number
  readonly why: string
  readonly choices: readonly string[]
  /** Cells without an effect: if all cells are such, nobody is asked. */
  isHarmless(text: string): boolean
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
  /** Columns that number an order besides its reference: rows that share such a number are one order. */
  orderNumbers?: readonly string[]
  /** Not used if another column means the same field. */
  fallbackHeadings?: readonly string[]
  /** Not used: they are about something else than the consignment. */
  unused?: readonly string[]
  /** If two columns have one heading, the second is about somebody else. */
  isFirstOfTwins?: true
  /** Columns with an order's progress, and the meanings of their statuses; other statuses are unknown. */
  statuses: Readonly<Record<string, StatusWords>>
  /** Columns whose text is itself a status. */
  signs?: readonly StatusSign[]
}

/** Statuses in the form of `plainStatus`, by meaning. */
export type StatusWords = Readonly<Partial<Record<StatusMeaning, readonly string[]>>>

/**
 * - `waits`: it is not paid for yet.
 * - `leftOut`: there is nothing to ship.
 * - `partly`: some of its items are not to be shipped any more.
 * - `incomplete`: the shop lacks data for a consignment.
 */
export type StatusMeaning = "ship" | "waits" | "leftOut" | "partly" | "incomplete"

export interface StatusSign {
  header: string
  says: RegExp
  status: string
  /** `leftOut` by default; `unknown`: a person decides. */
  means?: StatusMeaning | "unknown"
  /** It counts only if each line of the order says it. */
  onEveryLine?: true
}

export type BearingName = "unit" | "currency" | "sign" | "basis" | "count" | "state"
