import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { screenOf } from "../output/terminal/conversation/windows.ts"
import { answer, conversations, KEYS } from "./conversations.ts"
import { hasTerminal, type Key } from "./pty.ts"

describe.runIf(hasTerminal)("a conversation and its terminal", () => {
  const { sit, sitInShell, sitToFile } = conversations()

  describe("whose window changes its size", () => {
    it("draws a question again in less room, with what was typed", async () => {
      const seat = await sit("text")
      await seat.see("? Receiver's postcode: (616)")
      seat.press("tab")
      await seat.see("❯ 616")
      await seat.resize({ columns: 36, rows: 10 })
      await seat.shows(
        screenOf(
          "",
          "Enter takes (…) · Tab edits it ·",
          "Esc back · Ctrl-C stops, your",
          "answers are kept",
          "? Receiver's postcode:",
          "  four digits",
          "❯ 616",
        ),
      )
      seat.type("0")
      await seat.see("❯ 6160")
      seat.press("enter")
      expect(await answer(seat)).toBe("6160")
    })

    it("draws a list again in less room, keeping what stood above it and what is highlighted", async () => {
      const seat = await sit("steps")
      await seat.see("? Receiver's name")
      seat.type("Kim")
      seat.press("enter")
      await seat.see("❯ connector-a")
      seat.press("down")
      await seat.see("❯ connector-b")
      await seat.resize({ columns: 40, rows: 18 })
      const drawn = seat.shows(
        screenOf(
          "",
          "A booking, in three questions",
          "Enter takes (…) · Tab edits it · Esc",
          "back · Ctrl-C stops, your answers are",
          "kept",
          "✔ Receiver's name: Kim",
          "? Which service?",
          "  connector-a  Express   $84.20  Mon 2…",
          "❯ connector-b  Road      $61.05  Wed 2…",
          "- connector-c  Overnight (the carrier…",
          "",
          "  connector-b, Road, $61.05, Wed 25 Nov",
          "  Ready by 14:00; 2 h 10 min left.",
          "↑↓ moves · Enter takes · Esc back ·",
          "Ctrl-C stops, your answers are kept",
        ),
      )
      await expect(drawn).resolves.toBeUndefined()
    })
  })

  describe("that is left", () => {
    it.each<[string, Key]>([
      ["text", "ctrl-c"],
      ["long", "ctrl-d"],
      ["confirm", "ctrl-c"],
      ["choose", "ctrl-c"],
      ["choose", "ctrl-d"],
      ["pick", "ctrl-c"],
    ])("at %s by %s gives the terminal back as it was", async (words, key) => {
      const seat = await sitInShell(words)
      await seat.see(/^\? /m)
      seat.press(key)
      await seat.exit
      expect(await seat.scrollback()).toContain("ended: interrupted")
      expect(await seat.scrollback()).toMatch(/ icanon\b/)
      expect(await seat.scrollback()).toMatch(/ echo\b/)
      expect(seat.raw().lastIndexOf("\u001b[?25l")).toBeLessThan(seat.raw().lastIndexOf("\u001b[?25h"))
    })

    it("by Ctrl-C while something runs stops that", async () => {
      const seat = await sitInShell("waiting")
      await seat.see("Booking")
      seat.press("ctrl-c")
      await seat.exit
      expect(await seat.screen()).not.toContain("Booking")
      expect(await seat.scrollback()).toContain("ended:")
      expect(await seat.scrollback()).toMatch(/ icanon\b/)
    })

    it.each([
      "text",
      "choose",
      "waiting",
      "text --plain",
    ])("at %s by closing the window ends the program", async (words) => {
      const { seat, ended } = await sitToFile(words)
      await seat.see(/Receiver|Which|Booking/)
      await seat.hangUp()
      expect(readFileSync(ended, "utf8")).toMatch(/^ended: (interrupted|AbortError)/)
    })
  })

  describe("in plain lines", () => {
    it("asks and lists without moving the cursor", async () => {
      const seat = await sit("steps --plain")
      await seat.see("Receiver's name:")
      seat.type("Kim\n")
      await seat.see("Which service?")
      seat.type("road\n")
      await seat.see("Book it?")
      seat.type("<\n")
      await seat.see(/Which service\?[\s\S]*Which service\?/)
      seat.type("1\n")
      await seat.see(/Book it\?[\s\S]*Book it\?/)
      seat.type("\n")
      expect(await answer(seat)).toEqual(["Kim", "express", true])
      expect(seat.raw()).not.toContain("\u001b")
    })

    it.each<Key>(["ctrl-c", "ctrl-d"])("is left by %s", async (key) => {
      const seat = await sit("text --plain")
      await seat.see("Receiver's postcode")
      seat.press(key)
      expect(await seat.exit).toBe(130)
      expect(await seat.screen()).toContain("ended: interrupted")
    })
  })

  describe("without colour", () => {
    it.each<[string, Record<string, string>]>([
      ["choose", { NO_COLOR: "1" }],
      ["choose --no-color", {}],
    ])("at %j, with %j, has no colour codes", async (words, more) => {
      const seat = await sit(words, { more })
      await seat.see(KEYS)
      seat.press("enter")
      await seat.exit
      expect(seat.raw()).not.toMatch(/\p{Cc}\[[\d;]*m/u)
    })
  })

  it("without Unicode is drawn in ASCII", async () => {
    const seat = await sit("choose", { more: { LANG: "C" } })
    await seat.see("> connector-a")
    await seat.see(KEYS)
    expect(await seat.screen()).toMatch(/^[ -~\n]*$/)
  })
})
