import { describe, expect, it } from "vitest"
import { BACK } from "../../../src/terminal/conversation/conversation.ts"
import type { Choice } from "../../../src/terminal/conversation/conversation.ts"
import { pickQuestion } from "../../../src/terminal/conversation/pick.ts"
import { draw, screenOf, windowOf } from "./windows.ts"

const NAMES = [
  "Harbour Cafe, Fremantle",
  "Hardware Depot, Perth",
  "Ćevapi (Bar) & Grill, Perth",
  "İzmir Rugs",
]
const KEYS = "  type part of a name · Esc back · Ctrl-C stops, your answers are kept"

function finder(names: readonly string[]) {
  return (typed: string): Choice<unknown>[] =>
    names
      .filter((name) => typed.split(" ").every((word) => name.toLowerCase().includes(word.toLowerCase())))
      .map((name) => ({ name, value: name }))
}

function asked(names: readonly string[] = NAMES, window = windowOf()) {
  return draw(pickQuestion, { window, question: "Receiver", find: finder(names) })
}

async function value(answer: Promise<unknown>) {
  const choice = await answer
  return (choice as Choice<unknown>).value
}

describe("picking one of many", () => {
  it("shows all before anything is typed", async () => {
    const { getScreen } = await asked(NAMES.slice(0, 2))
    expect(getScreen()).toBe(
      screenOf("? Receiver:", "❯ Harbour Cafe, Fremantle", "  Hardware Depot, Perth", KEYS),
    )
  })

  it("keeps what matches what is typed", async () => {
    const { events, getScreen } = await asked()
    events.type("perth")
    expect(getScreen()).toBe(
      screenOf("? Receiver: perth", "❯ Hardware Depot, Perth", "  Ćevapi (Bar) & Grill, Perth", KEYS),
    )
  })

  it("gives the highlighted one", async () => {
    const { answer, events, getScreen } = await asked()
    events.type("har")
    events.keypress("down")
    events.keypress("enter")
    expect(await value(answer)).toBe("Hardware Depot, Perth")
    expect(getScreen()).toBe("✔ Receiver: Hardware Depot, Perth")
  })

  it("lets one type on after moving", async () => {
    const { answer, events, getScreen } = await asked()
    events.type("har")
    events.keypress("down")
    events.type("b")
    expect(getScreen()).toContain(screenOf("? Receiver: harb", "❯ Harbour Cafe, Fremantle"))
    events.keypress("enter")
    expect(await value(answer)).toBe("Harbour Cafe, Fremantle")
  })

  it("shows all again when what was typed is taken away", async () => {
    const { events, getScreen } = await asked()
    events.type("x")
    events.keypress("backspace")
    expect(getScreen().split("\n")).toHaveLength(NAMES.length + 2)
  })

  it("says that nothing matches, and keeps what was typed at Enter", async () => {
    const { events, getScreen } = await asked()
    events.type("zz")
    events.keypress("enter")
    expect(getScreen()).toBe(screenOf("? Receiver: zz", '  nothing matches "zz"', KEYS))
  })

  it("says that there is nothing to choose from", async () => {
    const { getScreen } = await asked([])
    expect(getScreen()).toBe(screenOf("? Receiver:", "  nothing to choose from", KEYS))
  })

  it.each(["(", "[", "*", "\\", "a|b", ".*", "$", "(bar"])("takes %s as it is typed", async (typed) => {
    const { events, getScreen } = await asked(NAMES, windowOf({ colour: true }))
    events.type(typed)
    expect(getScreen()).toContain(`? Receiver: ${typed}`)
    expect(getScreen()).toContain(typed.startsWith("(") ? "Ćevapi (Bar) & Grill" : "nothing matches")
  })

  it("marks in each name what was typed", async () => {
    const { events, getScreen } = await asked(NAMES, windowOf({ colour: true }))
    events.type("dep har")
    const marked = (text: string) => `\u001b[1m\u001b[4m${text}\u001b[24m\u001b[22m`
    expect(getScreen({ raw: true })).toContain(`${marked("Har")}dware ${marked("Dep")}ot, Perth`)
  })

  it("marks nothing in a name whose letters change their number when lowered", async () => {
    const { events, getScreen } = await asked(NAMES, windowOf({ colour: true }))
    events.type("rugs")
    expect(getScreen({ raw: true })).toContain("İzmir Rugs")
  })

  it("takes a tab for nothing", async () => {
    const { events, getScreen } = await asked()
    events.type("har")
    events.type("\t")
    expect(getScreen()).toContain("? Receiver: har\n")
  })

  it("is stepped back from with Esc", async () => {
    const { answer, events } = await asked()
    events.type("har")
    events.keypress("escape")
    expect(await answer).toBe(BACK)
  })

  it("is stepped back from with < alone, and says so", async () => {
    const { answer, events, getScreen } = await asked()
    events.type("<")
    expect(getScreen()).toContain("Enter steps back")
    events.keypress("enter")
    expect(await answer).toBe(BACK)
  })

  it("skips what cannot be chosen", async () => {
    const find = () => [
      { name: "Old Depot", value: 1, disabled: "no postcode" },
      { name: "New Depot", value: 2 },
    ]
    const { answer, events, getScreen } = await draw(pickQuestion, {
      window: windowOf(),
      question: "Who?",
      find,
    })
    expect(getScreen()).toContain(screenOf("  Old Depot (no postcode)", "❯ New Depot"))
    events.keypress("enter")
    expect(await value(answer)).toBe(2)
  })
})

describe("picking one of very many", () => {
  const many = Array.from({ length: 5000 }, (_, at) => `Customer ${at + 1}`)

  it("shows a few, and how many there are", async () => {
    const { events, getScreen } = await asked(many)
    events.type("99")
    expect(getScreen().split("\n")).toHaveLength(15)
    expect(getScreen()).toContain("1 of 95 ·")
  })

  it("fits a low window", async () => {
    const { getScreen } = await asked(many, windowOf({ columns: 40, rows: 10 }))
    expect(getScreen()).toBe(
      screenOf(
        "? Receiver:",
        "❯ Customer 1",
        "  Customer 2",
        "  Customer 3",
        "  Customer 4",
        "  Customer 5",
        "  Customer 6",
        "↓ Customer 7",
        "  1 of 5000 · Esc back · Ctrl-C stops",
      ),
    )
  })
})
