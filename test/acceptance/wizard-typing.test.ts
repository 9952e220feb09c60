/** Typing in the wizard: over a default, into another address, and while one waits. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { hasTerminal } from "./pty.ts"
import { enters, readyDesk, TO_BOOK, take, wizardDesk } from "./wizard.ts"

describe.runIf(hasTerminal)("typing at the wizard", () => {
  it("replaces a default: 3 over 1 is three pieces, not thirteen", async () => {
    const { sit } = await wizardDesk()
    const seat = await sit()
    await take(seat, [
      ...enters(0, 2),
      ["? Packages", { type: "?" }, "enter"],
      ["? How many of these", { type: "3" }, "enter"],
      ["? Length of one in cm", { type: "40" }, "enter"],
      ["? Width in cm", { type: "30" }, "enter"],
      ["? Height in cm", { type: "20" }, "enter"],
      ["? Weight of one in kg", { type: "5" }, "enter"],
      ["? Packages: (3x40x30x20@5)", "tab"],
      ["In all: 3 pieces, 15 kg", "ctrl-c"],
    ])
    expect(await seat.exit).toBe(130)
  })

  it("begins another address empty, and checks its phone number and email where they are typed", async () => {
    const { sit } = await wizardDesk()
    const seat = await sit()
    await take(seat, [
      ...enters(0, 2),
      ["? Packages", "escape"],
      ["? Who receives it?", { type: "another" }],
      [/❯ Enter another address/, "enter"],
      [/^\? Company:$/m, { type: "Top End Lamps" }, "enter"],
      [/^\? Street and number:$/m, { type: "1 Smith Street" }, "enter"],
      [/^\? Unit, level or dock \(optional\):$/m, "enter"],
      [/^\? Suburb, state and postcode:$/m, { type: "Darwin NT 0800" }, "enter"],
      [/^\? Contact person \(optional\):$/m, "enter"],
      [/^\? Phone \(optional\):$/m, { type: "5550 1234" }, "enter"],
      ["has no area code", "ctrl-u", { type: "(08) 5550 1234" }, "enter"],
      [/^\? Email \(optional\):$/m, { type: "lamps" }, "enter"],
      ["does not look like an email address", "ctrl-u", "enter"],
      ["? Save this address", "enter"],
      ["? Packages", "escape"],
      ["? Save this address", "escape"],
      ["? Email (optional)", "escape"],
      ["? Phone (optional)", "escape"],
      ["? Contact person (optional)", "escape"],
      ["? Suburb, state and postcode: (Darwin NT 0800)", "escape"],
      ["? Unit, level or dock (optional)", "escape"],
      ["? Street and number: (1 Smith Street)", "escape"],
      ["? Company: (Top End Lamps)", "ctrl-c"],
    ])
    expect(await seat.exit).toBe(130)
  })

  it("takes an address of several lines that is pasted, in a list and in a field", async () => {
    const { sit } = await wizardDesk()
    const seat = await sit()
    const pasted = { type: "\u001b[200~Top End Lamps\r\n1 Smith Street,\nDarwin NT 0800\n\u001b[201~" }
    await take(seat, [
      ...enters(0, 1),
      ["? Who receives it?", pasted],
      [/❯ Enter Top End Lamps, 1 Smith Street, Darwin NT 0800/, "ctrl-u", { type: "enter" }],
      [/❯ Enter an address/, "enter"],
      [/^\? Company:$/m, pasted, "enter"],
      ["? Top End Lamps, 1 Smith Street, Darwin NT 0800: right?", "ctrl-c"],
    ])
    expect(await seat.exit).toBe(130)
  })

  it("answers nothing while one waits: an Enter prints no label", async () => {
    const { sit, file, books, freight, sandbox } = await readyDesk()
    expect((await freight(["devices", "use", "device-bench"])).code).toBe(0)
    const seat = await sit(["--file", file, "--connector", "connector-c"])
    await take(seat, [...TO_BOOK, ["Waiting for the carrier", "enter", "enter"]])
    // The label comes only now, so what was pressed was pressed before the question.
    await sandbox.control("clock", { advanceMs: 60_000 })
    await take(seat, [
      ["? Print the label on", { type: "n" }, "enter"],
      ["? Have the carrier collect it", "enter"],
      ["? Save it as a booking file", "enter"],
    ])
    expect(await seat.exit).toBe(0)
    expect((await books()).printJobs).toEqual([])
  })

  it.each([["--plain"], []])("books nothing for pasted line ends, in plain lines: %j", async (...flags) => {
    const { sit, folder, freight, total } = await wizardDesk()
    const { serviceCode: _, ...booking } = (await freight(["book", "--example"])).json()
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(booking))
    const before = await total()
    const seat = await sit(["--file", "booking.json", ...flags], undefined, flags[0] ? {} : { TERM: "dumb" })
    await take(seat, [
      ["Is either place a home?", { type: "\n" }],
      ["Which service on", { type: "1\n\n1\n\n\n" }],
      [/Type book: Book it: AUD [\s\S]+Book it\? \(number, or part of a name\)/, { type: "\n1\n" }],
      ["Please type book for that.", "ctrl-c"],
    ])
    expect(await seat.exit).toBe(130)
    expect(await total()).toBe(before)
    const again = await sit(["--resume", "--plain"])
    await take(again, [
      [/Book it\? \(number, or part of a name\)/, { type: "book\n" }],
      ["Booked: shipment", "ctrl-c"],
    ])
    await again.exit
    expect(await total()).toBe(before + 1)
  })
})
