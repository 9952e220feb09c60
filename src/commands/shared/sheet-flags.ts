/** Which sheet of a workbook is read, and which of its rows: by flags, or by asking. */
import type { Flags, OptionsOf } from "../../command.ts"
import type { Asking, Session } from "../../deps.ts"
import { HIDDEN_CHOICES, type SheetChoices } from "../../input/sheets/open.ts"
import { mayAsk } from "./density.ts"
import { wholeNumber } from "./flags.ts"

const MOST_HEADER_ROW = 1000

export const SHEET_FLAGS = {
  sheet: { takes: "<name>", about: "the sheet of an .xlsx file that has several" },
  hidden: {
    takes: "<what>",
    about: "hidden and filtered rows of an .xlsx file: include or skip them",
    choices: HIDDEN_CHOICES,
  },
  headerRow: {
    takes: "<n>",
    about: "the row of the headings, as a spreadsheet numbers it, where freight does not find them",
    read: wholeNumber(1, MOST_HEADER_ROW),
  },
} as const satisfies Flags

/** What the flags leave open is asked for at a terminal. */
export function chooseBy(
  deps: Asking & Session,
  { sheet, hidden, headerRow }: OptionsOf<typeof SHEET_FLAGS>,
): SheetChoices {
  if (!mayAsk(deps)) return { sheet, hidden, headerRow }
  return {
    ...{ sheet, hidden, headerRow },
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
