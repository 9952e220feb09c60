import { describe, expect, it } from "vitest"
import { BACK } from "../../src/terminal/conversation/conversation.ts"
import type { Choice } from "../../src/terminal/conversation/conversation.ts"
import { plainDesk, shown } from "./desks.ts"

describe("a plain list", () => {
  const RATES: Choice<string>[] = [
    { name: "Express   $84.20", value: "e", description: "cheapest" },
    { name: "Road      $91.00", value: "r" },
    { name: "Overnight", value: "o", disabled: "the cut-off was at 14:00" },
    { name: "Road Saver", value: "s" },
  ]

  it("is numbered lines and then one line to answer", async () => {
    const { conversation, type, written } = plainDesk()
    type("2")
    expect(await conversation.choose("Which service?", RATES)).toBe("r")
    expect(shown(written())).toBe(
      [
        "1. Express, $84.20 - cheapest",
        "2. Road, $91.00",
        "Not available: Overnight (the cut-off was at 14:00)",
        "4. Road Saver",
        `Which service? (number, or part of a name): `,
      ].join("\n"),
    )
  })

  it.each([
    ["4", "s"],
    ["91", "r"],
    ["exp", "e"],
    ["SAVER", "s"],
    ["road, $91.00", "r"],
    ["", "r"],
  ])("takes %j", async (typed, expected) => {
    const { conversation, type } = plainDesk()
    type(typed)
    expect(await conversation.choose("Which service?", RATES, "r")).toBe(expected)
  })

  it("reads out what matches when that is more than one, and asks again", async () => {
    const { conversation, type, written } = plainDesk()
    type("road", "4")
    expect(await conversation.choose("Which service?", RATES)).toBe("s")
    expect(written()).toContain("Several match:\n2. Road, $91.00\n4. Road Saver\nWhich service?")
  })

  it.each([
    ["zz", 'Nothing matches "zz".'],
    ["6160", 'Nothing matches "6160".'],
    ["9", "Please type a number from 1 to 4, or part of a name."],
    ["0", "Please type a number from 1 to 4, or part of a name."],
    ["(", 'Nothing matches "(".'],
    ["3", "That cannot be chosen: the cut-off was at 14:00"],
    ["", "Please type a number from 1 to 4, or part of a name."],
    [" ", "Please type a number from 1 to 4, or part of a name."],
  ])("answers %j with a reason, and asks again", async (typed, reason) => {
    const { conversation, type, written } = plainDesk()
    type(typed, "1")
    expect(await conversation.choose("Which service?", RATES)).toBe("e")
    expect(written()).toContain(`${reason}\nWhich service?`)
  })

  it("is stepped back from with <", async () => {
    const { conversation, type } = plainDesk()
    type("<")
    expect(await conversation.choose("Which service?", RATES)).toBe(BACK)
  })
})

describe("picking one of many in plain lines", () => {
  const names = ["Harbour Cafe", "Hardware Depot", ...Array.from({ length: 30 }, (_, at) => `Shop ${at + 1}`)]
  const find = (typed: string): Choice<string>[] =>
    names
      .filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
      .map((name) => ({ name, value: name }))

  it("takes the only one that matches, and says its name", async () => {
    const { conversation, type, written } = plainDesk()
    type("cafe")
    expect(await conversation.pick("Receiver", find)).toBe("Harbour Cafe")
    expect(shown(written())).toBe("Receiver (part of a name): Harbour Cafe.\n")
  })

  it("reads out several, of which a number chooses", async () => {
    const { conversation, type, written } = plainDesk()
    type("har", "2")
    expect(await conversation.pick("Receiver", find)).toBe("Hardware Depot")
    expect(shown(written())).toBe(
      [
        "Receiver (part of a name): 1. Harbour Cafe",
        "2. Hardware Depot",
        "Receiver (number, or part of a name): Hardware Depot.\n",
      ].join("\n"),
    )
  })

  it("reads out a few before anything is typed", async () => {
    const { conversation, type, written } = plainDesk()
    const few = (typed: string) => find(typed).slice(0, 2)
    type("2")
    expect(await conversation.pick("Receiver", few)).toBe("Hardware Depot")
    expect(written()).toContain("your answers.\n1. Harbour Cafe\n2. Hardware Depot\nReceiver (")
  })

  it("does not take what is offered besides whatever is typed", async () => {
    const { conversation, type, written } = plainDesk()
    const other = (typed: string) => [...find(typed), { name: "Enter an address", value: "other" }]
    type("zz", "1")
    expect(await conversation.pick("Receiver", other)).toBe("other")
    expect(written()).toContain("Receiver (part of a name): 1. Enter an address\n")
  })

  it("takes more of the name instead of a number", async () => {
    const { conversation, type } = plainDesk()
    type("har", "hardw")
    expect(await conversation.pick("Receiver", find)).toBe("Hardware Depot")
  })

  it("reads out twenty, and how many more there are", async () => {
    const { conversation, type, written } = plainDesk()
    type("shop", "20")
    expect(await conversation.pick("Receiver", find)).toBe("Shop 20")
    expect(written()).toContain("20. Shop 20\nAnd 10 more: type more of the name.\n")
    expect(written()).not.toContain("21. ")
  })

  it("says that nothing matches", async () => {
    const { conversation, type, written } = plainDesk()
    type("zz", "cafe")
    await conversation.pick("Receiver", find)
    expect(written()).toContain('Nothing matches "zz".\n')
  })

  it("says why one cannot be chosen", async () => {
    const { conversation, type, written } = plainDesk()
    const two = () => [
      { name: "Old Depot", value: "old", disabled: "no postcode" },
      { name: "New Depot", value: "new" },
    ]
    type("depot", "1", "2")
    expect(await conversation.pick("Receiver", two)).toBe("new")
    expect(written()).toContain("Not available: Old Depot (no postcode)\n2. New Depot\n")
    expect(written()).toContain("That cannot be chosen: no postcode\n")
  })

  it("is stepped back from with <", async () => {
    const { conversation, type } = plainDesk()
    type("<")
    expect(await conversation.pick("Receiver", find)).toBe(BACK)
  })
})
