import type { Asking, Session } from "./deps.ts"

/** Whether a person is at the terminal, and has not said `--yes`. */
export function mayAsk({ interactive, output, globals }: Asking & Session): boolean {
  return interactive && output.format === "table" && !globals.yes
}
