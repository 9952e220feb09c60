import { asksForProgramFormat } from "./formats.ts"
import type { Asking, Session } from "./deps.ts"

/** Whether a person is at the terminal, and has not said `--yes`. */
export function mayAsk({ interactive, globals }: Asking & Session): boolean {
  return interactive && !asksForProgramFormat(globals) && !globals.yes
}
