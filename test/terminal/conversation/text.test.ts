import { describe, expect, it } from "vitest"
import { parsed, refused } from "../../../src/contract/parsed.ts"
import { BACK, type Question } from "../../../src/terminal/conversation/conversation.ts"
import { confirmQuestion, textQuestion } from "../../../src/terminal/conversation/text.ts"
import { draw, screenOf, windowOf } from "./windows.ts"

const KEYS = "  Esc back · Ctrl-C stops, your answers are kept"

function asked(options: Question & { question?: string } = {}, window = windowOf()) {
  return draw(textQuestion, { window, question: "Suburb", ...options })
}

describe("a question for text", () => {
  it("shows the question, the way to answer, and the keys", async () => {
    const { getScreen } = await asked({ hint: "as in Fremantle" })
    expect(getScreen()).toBe(screenOf("? Suburb:", "  as in Fremantle", KEYS))
  })

  it("gives what is typed, without blanks around it", async () => {
    const { answer, events, getScreen } = await asked()
    events.type("  Fremantle ")
    events.keypress("enter")
    expect(await answer).toBe("Fremantle")
    expect(getScreen()).toBe("✔ Suburb: Fremantle")
  })

  it("gives an empty answer where nothing forbids it", async () => {
    const { answer, events } = await asked()
    events.keypress("enter")
    expect(await answer).toBe("")
  })

  it("leaves an empty answer as none", async () => {
    const { answer, events, getScreen } = await asked()
    events.keypress("enter")
    await answer
    expect(getScreen()).toBe("✔ Suburb: none")
  })

  it("shows its default in the line, which Enter takes", async () => {
    const { answer, events, getScreen } = await asked({ initial: "Fremantle" })
    expect(getScreen()).toBe(
      screenOf("? Suburb: [Fremantle]", "  Enter takes it · Tab edits it · Esc back · Ctrl-C stops"),
    )
    events.keypress("enter")
    expect(await answer).toBe("Fremantle")
  })

  it("shows its default dim where there is colour", async () => {
    const { getFullOutput } = await asked({ initial: "Fremantle" }, windowOf({ colour: true }))
    expect(await getFullOutput({ raw: true })).toContain("\u001b[2mFremantle\u001b[22m")
  })

  it("has its default replaced by the first key", async () => {
    const { answer, events, getScreen } = await asked({ question: "How many", initial: "1" })
    events.type("3")
    expect(getScreen()).toBe(screenOf("? How many: 3", KEYS))
    events.keypress("enter")
    expect(await answer).toBe("3")
  })

  it.each(["tab", "right", "left", "end"])("lets its default be edited after %s", async (key) => {
    const { answer, events, getScreen } = await asked({ initial: "Fremantel" })
    if (key === "tab") events.type("\t")
    else events.keypress(key)
    expect(getScreen()).toBe(screenOf("? Suburb: Fremantel", KEYS))
    events.keypress("backspace")
    events.keypress("backspace")
    events.type("le")
    events.keypress("enter")
    expect(await answer).toBe("Fremantle")
  })

  it.each(["backspace", "delete"])("lets its default be emptied with %s", async (key) => {
    const { answer, events } = await asked({ initial: "Fremantle" })
    events.keypress(key)
    events.keypress("enter")
    expect(await answer).toBe("")
  })

  it("keeps its default for a key that types nothing", async () => {
    const { answer, events } = await asked({ initial: "Fremantle" })
    events.keypress("up")
    events.keypress("enter")
    expect(await answer).toBe("Fremantle")
  })

  it("lets a default be edited that does not pass its check", async () => {
    const { answer, events, getScreen } = await asked({
      initial: "616",
      check: (typed) => (typed.length === 4 ? parsed(typed) : refused("four digits")),
    })
    events.keypress("enter")
    expect(getScreen()).toContain("? Suburb: 616\n  ✖ four digits")
    events.type("0")
    events.keypress("enter")
    expect(await answer).toBe("6160")
  })

  it("takes a tab for nothing", async () => {
    const { answer, events } = await asked()
    events.type("Per")
    events.type("\t")
    events.type("th")
    events.keypress("enter")
    expect(await answer).toBe("Perth")
  })
})

describe("an answer that does not pass its check", () => {
  const check = (answer: string) =>
    /^\d{4}$/.test(answer) ? parsed(answer) : refused("four digits, such as 6160")

  it("is told why, and what was typed stays", async () => {
    const { events, getScreen } = await asked({ question: "Postcode", check })
    events.type("616")
    events.keypress("enter")
    expect(getScreen()).toBe(screenOf("? Postcode: 616", "  ✖ four digits, such as 6160", KEYS))
  })

  it("is fixed by typing on", async () => {
    const { answer, events } = await asked({ question: "Postcode", check })
    events.type("616")
    events.keypress("enter")
    events.type("0")
    events.keypress("enter")
    expect(await answer).toBe("6160")
  })

  it("is no longer blamed while it is fixed", async () => {
    const { events, getScreen } = await asked({ question: "Postcode", check })
    events.type("616")
    events.keypress("enter")
    events.type("0")
    expect(getScreen()).toBe(screenOf("? Postcode: 6160", KEYS))
  })
})

describe("the line below what is typed", () => {
  const live = (typed: string) => (typed === "6160" ? "Fremantle WA" : undefined)

  it("is refreshed at every key", async () => {
    const { events, getScreen } = await asked({ question: "Postcode", live })
    events.type("616")
    expect(getScreen()).toBe(screenOf("? Postcode: 616", KEYS))
    events.type("0")
    expect(getScreen()).toBe(screenOf("? Postcode: 6160", "  Fremantle WA", KEYS))
    events.keypress("backspace")
    expect(getScreen()).toBe(screenOf("? Postcode: 616", KEYS))
  })

  it("is there for a first answer", async () => {
    const { getScreen } = await asked({ question: "Postcode", live, initial: "6160" })
    expect(getScreen()).toContain("Fremantle WA")
  })
})

describe("stepping back from a question for text", () => {
  it("is Esc", async () => {
    const { answer, events } = await asked({ initial: "Perth" })
    events.keypress("escape")
    expect(await answer).toBe(BACK)
  })

  it("is < alone, and says so", async () => {
    const { answer, events, getScreen } = await asked()
    events.type("<")
    expect(getScreen()).toBe(screenOf("? Suburb: <", "  Enter steps back", KEYS))
    events.keypress("enter")
    expect(await answer).toBe(BACK)
  })

  it("is not < with more", async () => {
    const { answer, events } = await asked()
    events.type("< 5 kg")
    events.keypress("enter")
    expect(await answer).toBe("< 5 kg")
  })

  it("passes no check", async () => {
    const { answer, events } = await asked({ check: () => refused("never good") })
    events.type("<")
    events.keypress("enter")
    expect(await answer).toBe(BACK)
  })
})

describe("a narrow window", () => {
  const narrow = () => windowOf({ columns: 40, rows: 10 })

  it("has the line to type in below a long question", async () => {
    const { events, getScreen } = await asked({ question: "Receiver's street address" }, narrow())
    events.type("1 High St")
    expect(getScreen()).toBe(
      screenOf("? Receiver's street address:", "  1 High St", "  Esc back · Ctrl-C stops"),
    )
  })

  it("breaks a very long question between words", async () => {
    const question = "What should the driver know about the place where this is delivered?"
    const { getScreen } = await asked({ question }, narrow())
    expect(getScreen()).toBe(
      screenOf(
        "? What should the driver know about the",
        "  place where this is delivered?",
        "",
        "  Esc back · Ctrl-C stops",
      ),
    )
  })

  it("scrolls sideways while a long answer is typed", async () => {
    const { events, getScreen } = await asked({}, narrow())
    events.type("abcdefghijklmnopqrstuvwxyz0123456789")
    expect(getScreen().split("\n")[0]).toBe("? Suburb: ijklmnopqrstuvwxyz0123456789")
  })

  it("keeps the whole of a long answer", async () => {
    const { answer, events } = await asked({}, narrow())
    events.type("abcdefghijklmnopqrstuvwxyz0123456789")
    events.keypress("enter")
    expect(await answer).toBe("abcdefghijklmnopqrstuvwxyz0123456789")
  })

  it("scrolls wide letters by their width", async () => {
    const { events, getScreen } = await asked({}, narrow())
    events.type("東".repeat(20))
    expect(getScreen().split("\n")[0]).toBe(`? Suburb: ${"東".repeat(14)}`)
  })

  it("leaves out the keys, then the hint, where it is too low for all", async () => {
    const { events, getScreen } = await asked(
      { hint: "as in Fremantle", check: () => refused("no such suburb") },
      windowOf({ rows: 2 }),
    )
    events.keypress("enter")
    expect(getScreen()).toBe(screenOf("? Suburb:", "  ✖ no such suburb"))
  })
})

describe("a window that changes its size", () => {
  it("has the question drawn for its new size", async () => {
    const window = windowOf()
    const { events, getScreen } = await asked({ question: "Receiver's street address" }, window)
    events.type("1 High St")
    window.resize(40, 10)
    expect(getScreen()).toBe(
      screenOf("? Receiver's street address:", "  1 High St", "  Esc back · Ctrl-C stops"),
    )
  })
})

describe("a terminal without colour and without Unicode", () => {
  it("gets no colour codes", async () => {
    const { events, getFullOutput } = await asked({ hint: "as in Perth", check: () => refused("no") })
    events.type("x")
    events.keypress("enter")
    expect(await getFullOutput({ raw: true })).not.toMatch(/\p{Cc}\[[\d;]*m/u)
  })

  it("gets symbols of ASCII", async () => {
    const { events, getScreen } = await asked(
      { question: "Receiver's street address", check: () => refused("no") },
      windowOf({ columns: 40, unicode: false }),
    )
    events.keypress("enter")
    expect(getScreen()).toMatch(/^[ -~\n]*$/)
  })
})

describe("a terminal with colour", () => {
  it("gets sixteen colours at most", async () => {
    const { events, getFullOutput } = await asked({ hint: "as in Perth" }, windowOf({ colour: true }))
    events.type("x")
    events.keypress("enter")
    const codes = [...(await getFullOutput({ raw: true })).matchAll(/\p{Cc}\[([\d;]*)m/gu)].map(
      ([, code]) => code,
    )
    expect(codes).not.toEqual([])
    for (const code of codes) expect(code).toMatch(/^([0-4]|2[2-4]|3[0-79]|9[0-7])$/)
  })
})

describe("words from elsewhere in a question", () => {
  it("never steer the terminal", async () => {
    const { events, getFullOutput } = await asked({
      question: "Suburb \u001b]0;owned\u0007of \u001b[2JPerth",
      hint: "\u001b[5;5Hhere",
      live: () => "\u009b2Jtotal",
      initial: "a\u009b2Jb",
    })
    events.type("x")
    const raw = await getFullOutput({ raw: true })
    for (const steering of ["\u001b]0;", "\u001b[2J", "\u001b[5;5H", "\u009b"])
      expect(raw).not.toContain(steering)
  })
})

function askYesOrNo(initial: boolean, window = windowOf(), question = "Book this for $84.20?") {
  return draw(confirmQuestion, { window, question, initial })
}

describe("a question of yes or no", () => {
  it("shows which answer Enter gives", async () => {
    const { getScreen } = await askYesOrNo(false)
    expect(getScreen()).toBe(
      screenOf(
        "? Book this for $84.20? (y/N)",
        "  y or n · Enter answers · Esc back · Ctrl-C stops, your answers are kept",
      ),
    )
  })

  it.each([true, false])("gives its first answer, %s, at Enter", async (initial) => {
    const { answer, events } = await askYesOrNo(initial)
    events.keypress("enter")
    expect(await answer).toBe(initial)
  })

  it.each([
    ["y", true],
    ["Yes", true],
    ["n", false],
    ["NO", false],
  ])("takes %s at Enter", async (word, expected) => {
    const { answer, events, getScreen } = await askYesOrNo(!expected)
    events.type(word)
    expect(getScreen()).toContain(`) ${word}`)
    events.keypress("enter")
    expect(await answer).toBe(expected)
  })

  it("is not answered by a letter alone", async () => {
    const { events, getScreen } = await askYesOrNo(false)
    events.type("y")
    expect(getScreen()).toContain("? Book this")
  })

  it.each(["Alexandria NSW 20155", "yy", "ye", "1"])("takes no %j, and asks again", async (pasted) => {
    const { answer, events, getScreen } = await askYesOrNo(true)
    events.type(pasted)
    events.keypress("enter")
    expect(getScreen()).toContain("Please answer yes or no.")
    events.type("n")
    expect(getScreen()).not.toContain("Please")
    events.keypress("enter")
    expect(await answer).toBe(false)
  })

  it("leaves the answer in one line", async () => {
    const { answer, events, getScreen } = await askYesOrNo(true)
    events.keypress("enter")
    await answer
    expect(getScreen()).toBe("✔ Book this for $84.20? yes")
  })

  it("is stepped back from with Esc", async () => {
    const { answer, events } = await askYesOrNo(true)
    events.keypress("escape")
    expect(await answer).toBe(BACK)
  })

  it("is stepped back from with <", async () => {
    const { answer, events } = await askYesOrNo(true)
    events.type("<")
    events.keypress("enter")
    expect(await answer).toBe(BACK)
  })

  it("has its answers below a question that fills a narrow window", async () => {
    const window = windowOf({ columns: 40, rows: 10 })
    const { getScreen } = await askYesOrNo(true, window, "Book this with connector-a for $84.20?")
    expect(getScreen()).toBe(
      screenOf(
        "? Book this with connector-a for",
        "  $84.20?",
        "  (Y/n)",
        "  y or n · Esc back · Ctrl-C stops",
      ),
    )
  })
})
