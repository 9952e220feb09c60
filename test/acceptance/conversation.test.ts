import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { conversingProgram } from "../terminal/conversing.ts"
import { screenOf } from "../terminal/windows.ts"
import { hasTerminal, type Key, type Seat, type Size, sitAt } from "./pty.ts"

const LARGE: Size = { columns: 80, rows: 24 }
const SMALL: Size = { columns: 40, rows: 10 }
const KEYS = "Ctrl-C stops"

describe.runIf(hasTerminal)("a conversation at a real terminal", () => {
  let program = ""
  beforeAll(async () => {
    program = await conversingProgram()
  })

  const env = { PATH: process.env.PATH ?? "", LANG: "C.UTF-8" }
  const sit = (
    words: string,
    { size = LARGE, more = {} }: { size?: Size; more?: Record<string, string> } = {},
  ) => sitAt([process.execPath, program, ...words.split(" ")], { ...env, ...more }, size)
  /** The conversation, and after it what the shell finds of the terminal. */
  const sitInShell = (words: string) =>
    sitAt(["/bin/sh", "-c", `${process.execPath} ${program} ${words}; stty -a`], env, LARGE)
  const answer = async (seat: Seat) => {
    await seat.exit
    return JSON.parse(/^answer: (.*)$/m.exec(await seat.scrollback())?.[1] ?? "null")
  }

  it("asks for text with a first answer to edit, and checks it as it is typed", async () => {
    const seat = await sit("text")
    await seat.see("616\n")
    seat.press("enter")
    await seat.see("not a postcode")
    expect(await seat.screen()).toBe(
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
    expect(await seat.screen()).toBe(screenOf("✔ Receiver's postcode: 6160", 'answer: "6160"'))
  })

  it("has the cursor where the next letter goes", async () => {
    const seat = await sit("text")
    await seat.see("616\n")
    expect(await seat.cursor()).toEqual({ row: 0, column: "? Receiver's postcode: 616".length })
    seat.press("home", "right")
    seat.type("0")
    await seat.see("6016")
    expect(await seat.cursor()).toEqual({ row: 0, column: "? Receiver's postcode: 60".length })
    seat.press("enter")
    expect(await answer(seat)).toBe("6016")
  })

  it("has the cursor after wide letters by their width", async () => {
    const seat = await sit("long", { size: SMALL })
    await seat.see(KEYS)
    seat.type("東京 芝公園")
    await seat.see("東京 芝公園")
    expect(await seat.cursor()).toEqual({ row: 1, column: 2 + 11 })
  })

  it("scrolls a long answer sideways, in one line", async () => {
    const seat = await sit("long", { size: SMALL })
    await seat.see(KEYS)
    const words = "Leave it with the neighbour at number twelve if nobody is there"
    seat.type(words)
    await seat.see("is there")
    expect(await seat.screen()).toBe(
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
    await seat.see("❯ Suburb 60")
    expect(await seat.screen()).toBe(
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
    expect(await seat.screen()).toBe(
      screenOf("✔ Which suburb? Suburb 60, WA 6060", 'answer: "Suburb 60, WA 6060"'),
    )
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

  it("steps back with Esc and with <, and leaves no trace of the question", async () => {
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
    seat.type("berly")
    seat.press("enter")
    await seat.see("? Which service?")
    seat.press("enter")
    await seat.see("? Book it?")
    seat.press("enter")
    expect(await answer(seat)).toEqual(["Kimberly", "express", true])
    expect(await seat.screen()).toBe(
      screenOf(
        "A booking, in three questions",
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
    await seat.see("Asking two more")
    seat.press("enter")
    await seat.see("? And now?")
    expect(await seat.screen()).toBe(
      screenOf("? And now?", "  Esc back · Ctrl-C stops, your answers are kept"),
    )
    seat.type("done")
    seat.press("enter")
    expect(await answer(seat)).toEqual(["rates", "done"])
  })

  describe("whose window changes its size", () => {
    it("draws a question again in less room", async () => {
      const seat = await sit("text")
      await seat.see("616\n")
      await seat.resize({ columns: 36, rows: 10 })
      await seat.see("  616")
      expect(await seat.screen()).toBe(
        screenOf("? Receiver's postcode:", "  616", "  four digits", "  Esc back · Ctrl-C stops"),
      )
      seat.type("0")
      await seat.see("  6160")
      seat.press("enter")
      expect(await answer(seat)).toBe("6160")
    })

    it("draws a list again in less room, keeping what stood above it", async () => {
      const seat = await sit("steps")
      await seat.see("? Receiver's name")
      seat.type("Kim")
      seat.press("enter")
      await seat.see("connector-c, Overnight")
      await seat.resize({ columns: 40, rows: 14 })
      await seat.see("Mon 2…")
      expect(await seat.screen()).toBe(
        screenOf(
          "A booking, in three questions",
          "✔ Receiver's name: Kim",
          "? Which service?",
          "❯ connector-a  Express   $84.20  Mon 2…",
          "  connector-b  Road      $61.05  Wed 2…",
          "  connector-c… (the carrier could not…",
          "",
          "    connector-a, Express, $84.20, Mon",
          "    23 Nov",
          "    Cheapest. GST included.",
          "  ↑↓ moves · Esc back · Ctrl-C stops",
        ),
      )
    })

    it("draws a list again in more room", async () => {
      const seat = await sit("suburbs", { size: SMALL })
      await seat.see("❯ Suburb 01")
      await seat.resize(LARGE)
      await seat.see("Suburb 20")
      expect((await seat.screen()).split("\n")).toHaveLength(23)
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
      await seat.see(KEYS)
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
      const ended = `${program}.${words.replaceAll(" ", "")}`
      const seat = await sitAt(
        ["/bin/sh", "-c", `exec ${process.execPath} ${program} ${words} > ${ended}`],
        env,
        LARGE,
      )
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

    it("is what a dumb terminal gets", async () => {
      const seat = await sit("choose", { more: { TERM: "dumb" } })
      await seat.see("Which service? (number")
      seat.type("2\n")
      expect(await answer(seat)).toBe("road")
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
    await seat.see("Enter takes")
    expect(await seat.screen()).toMatch(/^[ -~\n]*$/)
    expect(await seat.screen()).toContain("> connector-a")
  })
})
