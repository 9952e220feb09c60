import { FreightError } from "../../errors.ts"
import type { Terminal } from "../../terminal/terminal.ts"

/** @throws FreightError `usage` when a PDF would go to the terminal: `-` is for pipes. */
export function checkPdfTarget({ stdout }: Terminal, file: string | undefined): void {
  if (file === "-" && stdout.isTTY)
    throw new FreightError("usage", "a PDF cannot be shown on a terminal: redirect it, or name a file")
}
