import { asksForProgramFormat } from "../session/index.ts"
import type { Asking, Session } from "../session/index.ts"

/** Whether a person is at the terminal, and has not said `--yes`. */
export function mayAsk({ interactive, globals }: Asking & Session): boolean {
  return interactive && !asksForProgramFormat(globals) && !globals.yes
}
