import { describe, expect, it } from "vitest"
import { screenOf } from "../output/terminal/conversation/windows.ts"
import { answer, conversations, SMALL } from "./conversations.ts"
import { hasTerminal } from "./pty.ts"

const EXPLAINED = "Enter takes (…) · Tab edits it · Esc back · Ctrl-C stops, your answers are kept"

describe.runIf(hasTerminal)("a conversation at a real terminal", () => {
  const { sit } = conversations()

  it("asks for text with a first answer to edit, and checks it", async () => {
    const seat = await sit("text")
    await seat.see("? Receiver's postcode: (616)")
    seat.press("enter")
    await seat.shows(
      screenOf(
        EXPLAINED,
        "? Receiver's postcode: (616)",
        "  four digits",
        "❯",
        "✖ that is not a postcode: it has four digits, such as 6160",
      ),
    )
    seat.press("tab")
    await seat.see("❯ 616")
    seat.type("0")
    await seat.see("Fremantle WA")
    seat.press("enter")
    expect(await answer(seat)).toBe("6160")
    await seat.shows(screenOf(EXPLAINED, "✔ Receiver's postcode: 6160", 'answer: "6160"'))
  })

  it("has the cursor where the next letter goes", async () => {
    const seat = await sit("text")
    await seat.see("? Receiver's postcode: (616)")
    await seat.cursorAt({ row: 3, column: 2 })
    seat.press("tab")
    await seat.cursorAt({ row: 3, column: 2 + 3 })
    seat.press("home", "right")
    seat.type("0")
    await seat.see("6016")
    await seat.cursorAt({ row: 3, column: 2 + 2 })
    seat.press("enter")
    expect(await answer(seat)).toBe("6016")
  })

  it("has the cursor after wide letters by their width", async () => {
    const seat = await sit("long", { size: SMALL })
    await seat.see("driver:")
    seat.type("東京 芝")
    await seat.see("東京 芝")
    await seat.cursorAt({ row: 4, column: "  driver: ".length + 7 })
    expect((await seat.screen()).split("\n")[4]).toBe("  driver: 東京 芝")
  })

  it("scrolls a list in a small window without losing a line of it", async () => {
    const seat = await sit("suburbs", { size: SMALL })
    await seat.see("❯ Suburb 01")
    seat.type("zzz")
    await seat.see("? Which suburb? zzz")
    await seat.see("✖ Nothing in the list fits")
    seat.press("enter", "ctrl-u")
    seat.type("suburb 5")
    await seat.see("❯ Suburb 50")
    seat.press("up", ...Array.from({ length: 12 }, () => "down" as const))
    await seat.shows(
      screenOf(
        "? Which suburb? suburb 5",
        "  Suburb 55, WA 6055",
        "  Suburb 56, WA 6056",
        "  Suburb 57, WA 6057",
        "  Suburb 58, WA 6058",
        "❯ Suburb 59, WA 6059",
        "",
        "↑↓ moves · Enter takes · Esc back ·",
        "Ctrl-C stops, your answers are kept",
      ),
    )
    seat.press("enter")
    expect(await answer(seat)).toBe("Suburb 59, WA 6059")
    await seat.shows(screenOf("✔ Which suburb? Suburb 59, WA 6059", 'answer: "Suburb 59, WA 6059"'))
  })

  it("steps back with Esc, and what was answered stays where it is", async () => {
    const seat = await sit("steps")
    await seat.see("? Receiver's name")
    seat.type("Kim")
    seat.press("enter")
    await seat.see("? Which service?")
    seat.press("down", "enter")
    await seat.see("? Book it?")
    seat.press("escape")
    await seat.unseen("? Book it?")
    await seat.see("? Which service?")
    seat.press("escape")
    await seat.see("? Receiver's name: (Kim)")
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
        EXPLAINED,
        "✔ Receiver's name: Kim",
        "✔ Which service? connector-b, Road, $61.05, Wed 25 Nov",
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
    seat.press("enter")
    await seat.shows(screenOf(EXPLAINED, "? And now?"))
    seat.type("done")
    seat.press("enter")
    expect(await answer(seat)).toEqual(["rates", "done"])
  })
})
