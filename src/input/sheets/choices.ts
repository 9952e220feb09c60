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
  /** Chooses of several by what they hold, where nobody has named one; undefined where that does not tell. */
  choose?(shown: readonly TextSource[]): Promise<readonly string[] | undefined>
  /** Is given the sheets that are shown and not chosen, where some are chosen. */
  noteOthers?(others: readonly TextSource[]): void
  /** Ends the reading of a workbook. */
  signal?: AbortSignal | undefined
  person?: {
    chooseSheet(question: string, names: readonly string[]): Promise<string>
    /** @param what which rows are hidden */
    chooseHidden(what: string): Promise<HiddenChoice>
  }
}
