import { describe, expect, it } from "vitest"
import { screenOf } from "../terminal/conversation/windows.ts"
import { answer, conversations, KEYS, SMALL } from "./conversations.ts"
import { hasTerminal } from "./pty.ts"

describe.runIf(hasTerminal)("a conversation at a real terminal", () => {
  const { sit } = conversations()

  it("asks for text with a first answer to edit, and checks it as it is typed", async () => {
    const seat = await sit("text")
    await seat.see("616\n")
    seat.press("enter")
    await seat.shows(
      screenOf(
        "? Receiver's postcode: 616",
        "  ✖ that is not a postcode: it has four digits, such as 6160",
        "  four digits",
        "  Esc back · Ctrl-C stops, your answers are kept",
      ),
    )
    seat.type("0")
    await seat.see("Fremantle WA")
    seat.press("enter")
    expect(await answer(seat)).toBe("6160")
    await seat.shows(screenOf("✔ Receiver's postcode: 6160", 'answer: "6160"'))
  })

  it("has the cursor where the next letter goes", async () => {
    const seat = await sit("text")
    await seat.see("616\n")
    await seat.cursorAt({ row: 0, column: "? Receiver's postcode: ".length })
    seat.press("tab")
    await seat.cursorAt({ row: 0, column: "? Receiver's postcode: 616".length })
    seat.press("home", "right")
    seat.type("0")
    await seat.see("6016")
    await seat.cursorAt({ row: 0, column: "? Receiver's postcode: 60".length })
    seat.press("enter")
    expect(await answer(seat)).toBe("6016")
  })

  it("has the cursor after wide letters by their width", async () => {
    const seat = await sit("long", { size: SMALL })
    await seat.see(KEYS)
    seat.type("東京 芝公園")
    await seat.see("東京 芝公園")
    await seat.cursorAt({ row: 1, column: 2 + 11 })
  })

  it("scrolls a long answer sideways, in one line", async () => {
    const seat = await sit("long", { size: SMALL })
    await seat.see(KEYS)
    const words = "Leave it with the neighbour at number twelve if nobody is there"
    seat.type(words)
    await seat.shows(
      screenOf(
        "? Instructions for the driver:",
        "   at number twelve if nobody is there",
        "  Esc back · Ctrl-C stops",
      ),
    )
    seat.press("home")
    await seat.see("  Leave it with the neighbour")
    seat.press("enter")
    expect(await answer(seat)).toBe(words)
  })

  it("walks through a list with arrow keys, which are not taken for Esc", async () => {
    const seat = await sit("suburbs")
    await seat.see("❯ Suburb 01")
    seat.press("down", "down", "pageDown", "up")
    await seat.see("❯ Suburb 23")
    seat.press("enter")
    expect(await answer(seat)).toBe("Suburb 23, WA 6023")
  })

  it("scrolls a list in a small window without losing a line of it", async () => {
    const seat = await sit("suburbs", { size: SMALL })
    await seat.see("❯ Suburb 01")
    seat.press("end")
    await seat.shows(
      screenOf(
        "? Which suburb?",
        "↑ Suburb 54, WA 6054",
        "  Suburb 55, WA 6055",
        "  Suburb 56, WA 6056",
        "  Suburb 57, WA 6057",
        "  Suburb 58, WA 6058",
        "  Suburb 59, WA 6059",
        "❯ Suburb 60, WA 6060",
        "  60 of 60 · Esc back · Ctrl-C stops",
      ),
    )
    seat.press("enter")
    expect(await answer(seat)).toBe("Suburb 60, WA 6060")
    await seat.shows(screenOf("✔ Which suburb? Suburb 60, WA 6060", 'answer: "Suburb 60, WA 6060"'))
  })

  it("picks by part of a name", async () => {
    const seat = await sit("pick")
    await seat.see("❯ Suburb 01")
    seat.type("60(")
    await seat.see('nothing matches "60("')
    seat.press("backspace")
    seat.type("42")
    await seat.see("❯ Suburb 42, WA 6042")
    seat.press("enter")
    expect(await answer(seat)).toBe("Suburb 42, WA 6042")
  })

  it("steps back with Esc and with <, and takes back the lines of both questions", async () => {
    const seat = await sit("steps")
    await seat.see("? Receiver's name")
    seat.type("Kim")
    seat.press("enter")
    await seat.see("Which service?")
    seat.press("down", "enter")
    await seat.see("Book it?")
    seat.press("escape")
    await seat.unseen("Book it?")
    await seat.see("? Which service?")
    seat.type("<")
    await seat.see("? Receiver's name: Kim")
    seat.press("tab")
    seat.type("berly")
    seat.press("enter")
    await seat.see("? Which service?")
    seat.press("enter")
    await seat.see("? Book it?")
    seat.press("enter")
    expect(await answer(seat)).toEqual(["Kimberly", "express", true])
    await seat.shows(
      screenOf(
        "A booking, in three questions",
        "✔ Receiver's name: Kimberly",
        "✔ Which service? connector-a, Express, $84.20, Mon 23 Nov",
        "✔ Book it? yes",
        'answer: ["Kimberly","express",true]',
      ),
    )
  })

  it("shows a spinner while something runs, and clears it", async () => {
    const seat = await sit("during")
    await seat.see("Asking three carriers")
    await seat.see("Asking two more")
    seat.press("enter")
    await seat.shows(screenOf("? And now?", "  Esc back · Ctrl-C stops, your answers are kept"))
    seat.type("done")
    seat.press("enter")
    expect(await answer(seat)).toEqual(["rates", "done"])
  })
})
