import { describe, expect, it } from "vitest"
import { BACK } from "../../src/terminal/conversation/conversation.ts"
import { confirmQuestion } from "../../src/terminal/conversation/choose.ts"
import { draw, screenOf, windowOf } from "./windows.ts"

function asked(initial: boolean, window = windowOf(), question = "Book this for $84.20?") {
  return draw(confirmQuestion, { window, question, initial })
}

describe("a question of yes or no", () => {
  it("shows which answer Enter gives, without colour as well", async () => {
    const { getScreen } = await asked(false)
    expect(getScreen()).toBe(
      screenOf(
        "? Book this for $84.20?  Yes  [No]",
        "  y or n · Enter answers · Esc back · Ctrl-C stops, your answers are kept",
      ),
    )
  })

  it.each([true, false])("gives its first answer, %s, at Enter", async (initial) => {
    const { answer, events } = await asked(initial)
    events.keypress("enter")
    expect(await answer).toBe(initial)
  })

  it.each([
    ["y", true],
    ["Y", true],
    ["n", false],
    ["N", false],
  ])("marks what the letter %s means, and takes it at Enter", async (letter, expected) => {
    const { answer, events, getScreen } = await asked(!expected)
    events.type(letter)
    expect(getScreen()).toContain(expected ? "[Yes]" : "[No]")
    events.keypress("enter")
    expect(await answer).toBe(expected)
  })

  it("is not answered by a letter alone", async () => {
    const { events, getScreen } = await asked(false)
    events.type("y")
    expect(getScreen()).toContain("? Book this")
  })

  it.each(["left", "right", "up", "down", "tab", "space"])("turns with %s", async (key) => {
    const { answer, events } = await asked(false)
    events.keypress(key)
    events.keypress("enter")
    expect(await answer).toBe(true)
  })

  it("leaves the answer in one line", async () => {
    const { answer, events, getScreen } = await asked(true)
    events.keypress("enter")
    await answer
    expect(getScreen()).toBe("✔ Book this for $84.20? yes")
  })

  it("is stepped back from with Esc", async () => {
    const { answer, events } = await asked(true)
    events.keypress("escape")
    expect(await answer).toBe(BACK)
  })

  it("is stepped back from with <", async () => {
    const { answer, events } = await asked(true)
    events.type("<")
    expect(await answer).toBe(BACK)
  })

  it("has its answers below a question that fills a narrow window", async () => {
    const window = windowOf({ columns: 40, rows: 10 })
    const { getScreen } = await asked(true, window, "Book this with connector-a for $84.20?")
    expect(getScreen()).toBe(
      screenOf(
        "? Book this with connector-a for",
        "  $84.20?",
        "  [Yes]  No",
        "  y or n · Esc back · Ctrl-C stops",
      ),
    )
  })
})
