/** What a carrier takes besides, asked for at a terminal of 60 columns: each field of it, Esc, and a change at the review. */
import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { hasTerminal } from "./pty.ts"
import { enters, type Turn, take, wizardDesk } from "./wizard.ts"

const SIZE = { columns: 60, rows: 40 }

/** A day so many days from now, as people write it. */
const day = (from: number) => {
  const date = new Date(Date.now() + from * 86_400_000)
  return date.toISOString().slice(0, 10)
}

const FOR_B = [
  ...["--connector", "connector-b", "--service", "GEN"],
  ...["--ready", `${day(7)} 10am`, "--close", "17:00"],
]

/** From the review to a field of the carrier. */
const toExtras = (field: string): Turn[] => [
  ["? Anything more for carrier B?", { type: field }],
  [`❯ ${field}`, "enter"],
]

describe.runIf(hasTerminal)("the fields of carrier B at 60 columns", () => {
  it("are judged where they are typed, left with Esc, and sent as they were said", async () => {
    const made = await wizardDesk()
    const seat = await made.sit(FOR_B, SIZE)
    await take(seat, [
      ...enters(0, 5),
      ["? Is either place a home?", "enter"],
      ["? Which service", "enter"],
      ["? Your own reference", "enter"],
      ["? Book it?", { type: "Change" }],
      ["❯ Change something", "enter"],
      ["? Change what?", { type: "Extras" }],
      ["❯ Extras", "enter"],
      ...toExtras("Delivery window"),
      ["? First day", { type: day(1) }, "enter"],
      ["before the collection on", "escape"],
      ["? Anything more for carrier B?", { type: "Delivery window" }],
      ["❯ Delivery window", "enter"],
      ["? First day", { type: day(20) }, "enter"],
      ["? Last day", { type: day(19) }, "enter"],
      [/before the\s+start/, "ctrl-u", { type: day(20) }, "enter"],
      ["? Not before", { type: "5pm" }, "enter"],
      ["? Not after", { type: "9am" }, "enter"],
      [/before the\s+start 17:00/, "ctrl-u", { type: "6pm" }, "enter"],
      ...toExtras("Pallets of pool A"),
      [/\? .*\(optional\)/, "escape"],
      ["? Anything more for carrier B?", "enter"],
      ["? Book it?", { type: "Change" }],
      ["❯ Change something", "enter"],
      ["? Change what?", { type: "Payer" }],
      ["❯ Payer", "enter"],
      ["? Who pays for the freight?", "down", "enter"],
      ["? Account to bill", { type: "800123" }, "enter"],
      ["? Book it?", "up"],
    ])
    seat.press("ctrl-c")
    await seat.exit
    const folder = path.join(made.state, "sandbox", "drafts")
    const [draft = ""] = await readdir(folder)
    const kept = await readFile(path.join(folder, draft), "utf8")
    expect(kept).toMatch(/"startTime": ?"17:00"/)
    expect(kept).toMatch(/"endTime": ?"18:00"/)
    expect(kept).toContain("800123")
    expect(kept).not.toContain("poolA")
  })
})
