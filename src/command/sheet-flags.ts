/** Chooses a workbook's sheet and its rows: by flags, or by asking. */
import type { Flags, OptionsOf } from "./command.ts"
import type { Asking, Session } from "../session/index.ts"
import { HIDDEN_CHOICES, type SheetChoices } from "../input/index.ts"
import { cents, wholeNumber } from "./flags.ts"
import { mayAsk } from "./may-ask.ts"

const MAX_HEADER_ROW = 1000

export const SHEET_FLAGS = {
  sheet: { takes: "<name>", about: "the sheet of an .xlsx file that has several", isRepeatable: true },
  hidden: {
    takes: "<what>",
    about: "hidden, filtered and struck-through rows of an .xlsx file: include or skip them",
    choices: HIDDEN_CHOICES,
  },
  headerRow: {
    takes: "<n>",
    about: "the row of the headings, as a spreadsheet numbers it, where freight does not find them",
    read: wholeNumber(1, MAX_HEADER_ROW),
  },
} as const satisfies Flags

/** The sheet flags for bills, which may have several sheets. */
export const BILL_SHEET_FLAGS = {
  ...SHEET_FLAGS,
  sheet: {
    ...SHEET_FLAGS.sheet,
    about: "the sheet of an .xlsx file that has several (repeatable: the sheets of one bill)",
  },
  total: {
    takes: "<amount>",
    about: "what the charges come to, where a PDF states no sum of them, or a bill states another: 1234.56",
    read: cents,
  },
} as const satisfies Flags

/** Choices that no flag makes are asked for at a terminal. */
export function chooseBy(
  deps: Asking & Session,
  { sheet: sheets, hidden, headerRow }: OptionsOf<typeof SHEET_FLAGS>,
): SheetChoices {
  const { signal } = deps
  if (!mayAsk(deps)) return { sheets, hidden, headerRow, signal }
  return {
    ...{ sheets, hidden, headerRow, signal },
    person: {
      chooseSheet: async (question, names) =>
        (await deps.prompt()).choose(
          question,
          names.map((name) => ({ name, value: name })),
        ),
      chooseHidden: async (what) =>
        (await deps.prompt()).choose(`${what}. Do they count?`, [
          { name: "No, leave them out", value: "skip" },
          { name: "Yes, take them like the others", value: "include" },
        ]),
    },
  }
}
