import { describe, expect, it } from "vitest"
import { chooseQuestion } from "../../../src/terminal/conversation/choose.ts"
import { BACK, type Choice } from "../../../src/terminal/conversation/conversation.ts"
import { draw, screenOf, windowOf } from "./windows.ts"

const CARRIERS: Choice<string>[] = [
  { name: "Carrier A  $84.20", value: "a", description: "Cheapest." },
  { name: "Carrier B  $91.00", value: "b" },
  { name: "Depot", value: "d" },
]
const TOWNS = Array.from({ length: 30 }, (_, at) => ({ name: `Town ${at + 1}`, value: at + 1 }))

function asked(choices: readonly Choice<unknown>[] = CARRIERS, window = windowOf(), initial = -1) {
  return draw(chooseQuestion, { window, question: "Which service?", choices, initial })
}

async function value(answer: Promise<unknown>) {
  const choice = await answer
  return (choice as Choice<unknown>).value
}

describe("a question with choices", () => {
  it("shows them with the first highlighted, and what there is to say of it", async () => {
    const { getScreen } = await asked()
    expect(getScreen()).toBe(
      screenOf(
        "? Which service?",
        "❯ Carrier A  $84.20",
        "  Carrier B  $91.00",
        "  Depot",
        "",
        "    Cheapest.",
        "  ↑↓ moves · Enter takes · Esc back · Ctrl-C stops, your answers are kept",
      ),
    )
  })

  it("leaves the chosen one in one line", async () => {
    const { answer, events, getScreen } = await asked()
    events.keypress("enter")
    expect(await value(answer)).toBe("a")
    expect(getScreen()).toBe("✔ Which service? Carrier A, $84.20")
  })

  it("begins where it is told to", async () => {
    const { answer, events } = await asked(CARRIERS, windowOf(), 1)
    events.keypress("enter")
    expect(await value(answer)).toBe("b")
  })

  it.each([
    [["down"], "b"],
    [["down", "down"], "d"],
    [["down", "down", "down"], "a"],
    [["up"], "d"],
    [["end"], "d"],
    [["end", "home"], "a"],
    [["pagedown"], "d"],
    [["end", "pageup"], "a"],
  ])("with %j gives %s", async (keys, expected) => {
    const { answer, events } = await asked()
    for (const key of keys) events.keypress(key)
    events.keypress("enter")
    expect(await value(answer)).toBe(expected)
  })

  it("goes to the next name that begins with a letter", async () => {
    const { answer, events } = await asked()
    events.type("d")
    events.keypress("enter")
    expect(await value(answer)).toBe("d")
  })

  it("goes round the names that begin with the same letter", async () => {
    const { answer, events } = await asked()
    events.type("c")
    events.type("c")
    events.keypress("enter")
    expect(await value(answer)).toBe("a")
  })

  it("stays where no name begins with a letter", async () => {
    const { answer, events } = await asked()
    events.type("(")
    events.keypress("enter")
    expect(await value(answer)).toBe("a")
  })

  it("is stepped back from with Esc", async () => {
    const { answer, events } = await asked()
    events.keypress("escape")
    expect(await answer).toBe(BACK)
  })

  it("is stepped back from with <", async () => {
    const { answer, events } = await asked()
    events.type("<")
    expect(await answer).toBe(BACK)
  })
})

describe("a choice that cannot be made", () => {
  const SOME: Choice<string>[] = [
    { name: "Overnight", value: "o", disabled: "the cut-off was at 14:00" },
    { name: "Express", value: "e" },
    { name: "Pallet  $9.00", value: "p", disabled: "not from Alexandria" },
    { name: "Road", value: "r" },
  ]

  it("says why", async () => {
    const { getScreen } = await asked(SOME)
    expect(getScreen()).toContain(
      screenOf(
        "  Overnight (the cut-off was at 14:00)",
        "❯ Express",
        "  Pallet, $9.00 (not from Alexandria)",
        "  Road",
      ),
    )
  })

  it.each([
    ["down", "r"],
    ["up", "r"],
    ["home", "e"],
  ])("is skipped by %s", async (key, expected) => {
    const { answer, events } = await asked(SOME)
    events.keypress(key)
    events.keypress("enter")
    expect(await value(answer)).toBe(expected)
  })

  it("is not where a question begins", async () => {
    const { answer, events } = await asked(SOME, windowOf(), 2)
    events.keypress("enter")
    expect(await value(answer)).toBe("e")
  })

  it("keeps its reason when the name has to be cut", async () => {
    const long = [{ name: "A service with a long name", value: 1, disabled: "closed on Sundays" }]
    const { getScreen } = await asked(long, windowOf({ columns: 40 }))
    expect(getScreen()).toContain("  A service with a… (closed on Sundays)")
  })

  it("is not chosen by Enter when there is no other", async () => {
    const { answer, events, getScreen } = await asked(SOME.slice(0, 1))
    events.keypress("enter")
    events.keypress("down")
    expect(getScreen()).toContain("? Which service?")
    events.keypress("escape")
    expect(await answer).toBe(BACK)
  })
})

describe("a list that is longer than its window", () => {
  const low = () => windowOf({ columns: 40, rows: 10 })

  it("shows its beginning, and that there is more", async () => {
    const { getScreen } = await asked(TOWNS, low())
    expect(getScreen()).toBe(
      screenOf(
        "? Which service?",
        "❯ Town 1",
        "  Town 2",
        "  Town 3",
        "  Town 4",
        "  Town 5",
        "  Town 6",
        "↓ Town 7",
        "  1 of 30 · Esc back · Ctrl-C stops",
      ),
    )
  })

  it("moves while the highlight stays in the middle", async () => {
    const { events, getScreen } = await asked(TOWNS, low())
    for (let times = 0; times < 9; times++) events.keypress("down")
    expect(getScreen()).toContain(
      screenOf("↑ Town 7", "  Town 8", "  Town 9", "❯ Town 10", "  Town 11", "  Town 12", "↓ Town 13"),
    )
  })

  it("shows its end", async () => {
    const { events, getScreen } = await asked(TOWNS, low())
    events.keypress("end")
    expect(getScreen()).toContain(
      screenOf("↑ Town 24", "  Town 25", "  Town 26", "  Town 27", "  Town 28", "  Town 29", "❯ Town 30"),
    )
  })

  it("is turned by a window at a time", async () => {
    const { answer, events } = await asked(TOWNS, low())
    events.keypress("pagedown")
    events.keypress("pagedown")
    events.keypress("pageup")
    events.keypress("enter")
    expect(await value(answer)).toBe(8)
  })

  it.each([2, 5, 10, 24])("never takes more than a window of %i rows", async (rows) => {
    const { getScreen } = await asked(
      TOWNS.map((town) => ({ ...town, description: "a word ".repeat(40) })),
      windowOf({ columns: 40, rows }),
    )
    expect(getScreen().split("\n").length).toBeLessThanOrEqual(rows)
  })

  it("shows more when the window grows", async () => {
    const window = low()
    const { getScreen } = await asked(TOWNS, window)
    window.resize(80, 24)
    expect(getScreen().split("\n")).toHaveLength(23)
  })
})

describe("names that are wider than the window", () => {
  const wide = [
    { name: "connector-a  Express  $84.20  Monday 23 November", value: 1 },
    { name: "東京都港区芝公園四丁目二番八号東京タワー", value: 2 },
  ]

  it("are cut by the width of their letters, the highlighted one being told whole below", async () => {
    const { getScreen } = await asked(wide, windowOf({ columns: 40, rows: 10 }))
    expect(getScreen()).toBe(
      screenOf(
        "? Which service?",
        "❯ connector-a  Express  $84.20  Monday…",
        "  東京都港区芝公園四丁目二番八号東京タ…",
        "    connector-a, Express, $84.20,",
        "    Monday 23 November",
        "  ↑↓ moves · Esc back · Ctrl-C stops",
      ),
    )
  })
})

describe("an answer that is wider than the window", () => {
  it("stands below its question", async () => {
    const wide = [{ name: "connector-a  Express  $84.20", value: 1 }]
    const { answer, events, getScreen } = await asked(wide, windowOf({ columns: 40, rows: 10 }))
    events.keypress("enter")
    await answer
    expect(getScreen()).toBe(screenOf("✔ Which service?", "  connector-a, Express, $84.20"))
  })
})

describe("a question that is wider than the window", () => {
  it("is broken between words, above its list", async () => {
    const window = windowOf({ columns: 40, rows: 10 })
    const question = "Is either place a home? Carriers charge more for those."
    const { getScreen } = await draw(chooseQuestion, { window, question, choices: CARRIERS, initial: 1 })
    expect(getScreen()).toBe(
      screenOf(
        "? Is either place a home? Carriers",
        "  charge more for those.",
        "  Carrier A  $84.20",
        "❯ Carrier B  $91.00",
        "  Depot",
        "",
        "  ↑↓ moves · Esc back · Ctrl-C stops",
      ),
    )
  })
})

describe("names from elsewhere", () => {
  it("never steer the terminal", async () => {
    const hostile = [{ name: "\u001b[2JBench\u009b1m", value: 1, description: "\u001b]0;owned\u0007x" }]
    const { getFullOutput } = await asked([...hostile, { name: "x", value: 2, disabled: "\u001b[7mno" }])
    const raw = await getFullOutput({ raw: true })
    for (const steering of ["\u001b[2JBench", "\u001b]0;", "\u001b[7m", "\u009b"])
      expect(raw).not.toContain(steering)
  })
})

describe("a list without Unicode", () => {
  it("is drawn in ASCII", async () => {
    const { events, getScreen } = await asked(TOWNS, windowOf({ rows: 10, unicode: false }))
    for (let times = 0; times < 9; times++) events.keypress("down")
    expect(getScreen()).toBe(
      screenOf(
        "? Which service?",
        "^ Town 7",
        "  Town 8",
        "  Town 9",
        "> Town 10",
        "  Town 11",
        "  Town 12",
        "v Town 13",
        "  10 of 30 | arrows move | Enter takes | Esc back | Ctrl-C stops",
      ),
    )
  })
})
