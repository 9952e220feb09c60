/**
 * A file that the release before units and counts were read has booked in part. `upgrade/` has what that release (0b7431fe)
 * left behind: its ledger and sandbox, its results, and the file.
 */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { desk, ROOT } from "./freight.ts"

const LEFT_BEHIND = path.join(ROOT, "test/acceptance/upgrade")
const NOW = Date.parse("2026-11-25T23:30:00Z")
const SENDER = {
  companyName: "Harbour Lighting",
  ...{ address1: "14 Bourke Road", suburb: "Alexandria", state: "NSW", postcode: "2015" },
}
const FLAGS = [
  ...["--sender", "sender.json", "--packaging", "CT", "--service", "STD", "--connector", "connector-c"],
  ...["--ready", "2026-12-07 10:00", "--close", "17:00", "--yes", "--json"],
]
/** The last release took it for the weight of each package. */
const WEIGHT = ["--map", "Weight=package.weightKg"]

async function upgradedDesk() {
  const made = await desk()
  const sandbox = path.join(made.state, "sandbox")
  await mkdir(sandbox, { recursive: true })
  const read = (name: string) => readFile(path.join(LEFT_BEHIND, name))
  await writeFile(path.join(sandbox, "ledger.db"), gunzipSync(await read("ledger.db.gz")))
  await writeFile(path.join(sandbox, "journal.ndjson"), await read("journal.ndjson"))
  for (const name of ["orders.csv", "part.results.csv"])
    await copyFile(path.join(LEFT_BEHIND, name), path.join(made.folder, name))
  await writeFile(path.join(made.folder, "sender.json"), JSON.stringify(SENDER))
  const book = (file: string) =>
    made.freight(
      ["batch", "book", file, "--sandbox", ...FLAGS, ...WEIGHT, "--results", "after.csv", "--force"],
      {
        now: NOW,
      },
    )
  const states = async () =>
    Object.fromEntries(
      (await made.freight(["batch", "status", "after.csv", "--sandbox", "--json"], { now: NOW }))
        .items<{ reference: string; state: string; error: string }>()
        .map(({ reference, state, error }) => [reference, [state, error]]),
    )
  return { ...made, book, states }
}

describe("a file that the last release booked in part", () => {
  it("is booked to its end, and nothing of it twice", async () => {
    const { book, states, freight } = await upgradedDesk()
    const { code, stderr, json } = await book("orders.csv")
    expect(json(), stderr).toMatchObject({ rows: 6, booked: 3, recorded: 2, changed: 2, leftOut: 1 })
    expect(code).toBe(1)
    expect(stderr).not.toMatch(/--again(?!-for)/)
    const found = await states()
    expect(found).toMatchObject({
      "U-KG": ["booked", null],
      "U-HTML": ["booked", null],
      "U-LATER": ["booked", null],
      "U-G": ["changed", expect.stringContaining("weight (booked as 600 kg, read today as 0.6 kg)")],
      "U-3": ["changed", expect.stringContaining("number of packages (booked as 1, read today as 3)")],
      "U-CANCELLED": ["left-out", expect.stringContaining("cancelled")],
    })
    const again = await book("orders.csv")
    expect(again.json()).toMatchObject({ booked: 3, recorded: 3, changed: 2, leftOut: 1 })
    const history = (await freight(["history", "--sandbox", "--json"], { now: NOW })).stdout
    expect(history.match(/"reference"/g)).toHaveLength(5)
  })

  it("is read from that release's results as well", async () => {
    const { book } = await upgradedDesk()
    const { stderr, json } = await book("part.results.csv")
    expect(json(), stderr).toMatchObject({ rows: 4, booked: 2, recorded: 2, changed: 2 })
  })
})
