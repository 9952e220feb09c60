import { readFileSync } from "node:fs"
import type { Terminal } from "../terminal/terminal.ts"
import { type Block, pageText } from "./page.ts"

/**
 * The page of `freight --help` as the build has made it: whoever asks what there is need not wait for the parser of
 * command lines. Undefined where there is none.
 */
export function rootPage({ stdout }: Pick<Terminal, "stdout">): string | undefined {
  try {
    const blocks: Block[] = JSON.parse(readFileSync(new URL("./root-page.json", import.meta.url), "utf8"))
    return pageText(blocks, stdout)
  } catch {
    return undefined
  }
}
