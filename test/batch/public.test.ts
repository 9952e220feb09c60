/**
 * Files of orders as people met them: a folder for each, and beside the file what freight reads from it. To add a case,
 * make its folder with a file called orders, and run this test with -u.
 */
import { readdirSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { readRows } from "../../src/batch/rows/rows.ts"
import { decideRows, describeHeld } from "../../src/batch/shipping.ts"
import { FreightError } from "../../src/errors.ts"
import { openSheet } from "../../src/input/sheets/open.ts"
import { fileSource } from "../../src/input/sheets/source.ts"
import { defaults } from "./batches.ts"

const FOLDER = path.join(import.meta.dirname, "public")
const PACKAGES = [{ count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }]

/** What is read of a file whose rows may lack packages. */
async function describeOrders(file: string): Promise<string[]> {
  const said: string[] = []
  const common = defaults()
  const given = {
    ...common,
    booking: { ...common.booking, packages: PACKAGES },
    tell: async (note: string) => void said.push(note),
  }
  const source = { ...(await openSheet(fileSource(file), {})), name: path.basename(file) }
  try {
    for await (const row of decideRows(readRows(source, given), {})) {
      const { reference, booking, held, findings } = row
      const { receiver, packages, specialInstructions = "" } = booking ?? {}
      const what = held ? describeHeld(held) : booking ? "to book" : "not to book"
      said.push(`${reference}: ${what}`)
      if (receiver) said.push(JSON.stringify({ receiver, packages, specialInstructions }))
      for (const { severity, column, message, hint } of findings)
        said.push(`${severity}, ${column}: ${message}${hint ? `: ${hint}` : ""}`)
      for (const { message } of booking === undefined ? [] : row.late) said.push(`unless booked: ${message}`)
    }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    said.push(
      `${error.kind}: ${error.message}`,
      ...(error.errors ?? []).map(({ message }) => message),
      error.hint ?? "",
    )
  }
  return said
}

const cases = readdirSync(FOLDER)

it.each(cases)("reads %s", async (name) => {
  const folder = path.join(FOLDER, name)
  const file = readdirSync(folder).find((each) => each.startsWith("orders")) ?? "none"
  const text = `${(await describeOrders(path.join(folder, file))).join("\n")}\n`
  await expect(text).toMatchFileSnapshot(path.join(folder, "read.txt"))
})
