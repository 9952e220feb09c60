/** Not of the tool: the page of `freight --help` as the build puts it beside the program. */
import { commandPage } from "./help/command-page.ts"
import type { Block } from "./help/page.ts"
import { type Asked, createProgram } from "./program.ts"

export async function rootBlocks(): Promise<Block[]> {
  const asked: Asked = { before: "", after: "" }
  const words = ["--help"]
  // Commander ends a page by an error.
  await createProgram(() => async () => {}, asked, words)
    .parseAsync(words, { from: "user" })
    .catch(() => {})
  if (!asked.page) throw new Error("--help shows no page")
  return commandPage(asked.page, asked)
}
