import type { TextSource } from "./source.ts"

export const HIDDEN_CHOICES = ["include", "skip"] as const

export type HiddenChoice = (typeof HIDDEN_CHOICES)[number]

/** Which sheets are read, and whether their hidden rows are; the person chooses what the flags leave open. */
export interface SheetChoices {
  sheets?: readonly string[] | undefined
  /** Whether several may be, which are then one table. */
  mayBeSeveral?: boolean
  hidden?: HiddenChoice | undefined
  /** The row of the headings, as a spreadsheet numbers it. */
  headerRow?: number | undefined
  /** Chooses sheets by their content if none is named; undefined if the content does not decide. */
  choose?(shown: readonly TextSource[]): Promise<readonly string[] | undefined>
  /** Receives the visible sheets that were not chosen, if some were. */
  noteOthers?(others: readonly TextSource[]): void
  /** Ends the reading of a workbook. */
  signal?: AbortSignal | undefined
  person?: {
    chooseSheet(question: string, names: readonly string[]): Promise<string>
    /** @param what description of the hidden rows */
    chooseHidden(what: string): Promise<HiddenChoice>
  }
}
