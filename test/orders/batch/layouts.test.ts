/**
 * Layouts of shops, carriers and people, by public lists of columns, with a row each: which columns freight asks about.
 * A question that is not needed is a nuisance each day, so the file lists them all.
 */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { rowsOf } from "./batches.ts"

it("a batch asks only about columns that can change what others mean", async () => {
  const text = await readFile(path.join(import.meta.dirname, "layouts/orders.txt"), "utf8")
  const said: string[] = []
  for (const layout of text.split(/^== /m).slice(1)) {
    const [name = "", ...lines] = layout.split("\n")
    try {
      const notes: string[] = []
      const rows = await rowsOf(lines.join("\n"), { tell: async (note) => void notes.push(note) })
      expect(rows, name).toHaveLength(1)
      said.push(`${name}: no question`)
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      const errors = (error.errors ?? []).map(({ message }) => `    ${message}`)
      said.push(`${name}: ${error.message.replace(/^.*?: /, "")}`, ...errors)
    }
  }
  await expect(`${said.join("\n")}\n`).toMatchFileSnapshot("layouts/questions.txt")
})
