import { describe, expect, it } from "vitest"
import { parsed, refused } from "../../../../src/base/parsed.ts"
import { BACK, type Choice } from "../../../../src/output/terminal/conversation/conversation.ts"
import { HOW, plainDesk, shown } from "./desks.ts"

describe("a plain question", () => {
  it("is one line, after one that explains how to answer", async () => {
    const { conversation, type, written } = plainDesk()
    type("Fremantle")
    expect(await conversation.text("Suburb")).toBe("Fremantle")
    expect(written()).toBe(`${HOW}Suburb: `)
  })

  it("is broken between words where the terminal is narrow, and so is all that is said", async () => {
    const { conversation, type, written } = plainDesk({ columns: 40 })
    await conversation.say("Kept. Later, freight book --resume goes on with what was answered.")
    type("2")
    const choices = ["cheapest of all the carriers that come", "fastest"].map((name) => ({
      name,
      value: name,
    }))
    await conversation.choose("Which service is it to be, of all of these", choices)
    expect(written()).toBe(
      [
        "Kept. Later, freight book --resume goes",
        "on with what was answered.",
        "Type an answer and press Enter. Enter",
        "alone takes the answer in brackets, a",
        "space clears it, < goes back, and Ctrl-C",
        "stops and keeps your answers.",
        "1. cheapest of all the carriers that",
        "come",
        "2. fastest",
        "Which service is it to be, of all of",
        "these (number, or part of a name): ",
      ].join("\n"),
    )
  })

  it("is explained once", async () => {
    const { conversation, type, written } = plainDesk()
    type("Fremantle", "6160")
    await conversation.text("Suburb")
    await conversation.text("Postcode")
    expect(shown(written())).toBe("Suburb: Postcode: ")
  })

  it("has its hint and its first answer in the same line", async () => {
    const { conversation, type, written } = plainDesk()
    type("")
    expect(await conversation.text("Suburb:", { hint: "as in Perth", initial: "Fremantle" })).toBe(
      "Fremantle",
    )
    expect(shown(written())).toBe("Suburb (as in Perth) [Fremantle]: ")
  })

  it("gives an empty answer for a space where there is a first answer", async () => {
    const { conversation, type } = plainDesk()
    type(" ")
    expect(await conversation.text("Reference", { initial: "PO 1" })).toBe("")
  })

  it("is asked again with the reason until the answer passes its check", async () => {
    const { conversation, type, written } = plainDesk()
    const check = (text: string) => (text === "WA" ? parsed(text) : refused("not a state"))
    type("X", "WA")
    expect(await conversation.text("State", { check })).toBe("WA")
    expect(shown(written())).toBe("State: not a state\nState: ")
  })

  it("tells once, after the answer, what a screen would show below it", async () => {
    const { conversation, type, written } = plainDesk()
    type("6160")
    await conversation.text("Postcode", { live: (text) => `${text} is Fremantle` })
    expect(shown(written())).toBe("Postcode: 6160 is Fremantle\n")
  })

  it.each(["<", " < ", "\u001b"])("is stepped back from with %j", async (typed) => {
    const { conversation, type } = plainDesk()
    type(typed)
    expect(await conversation.text("Suburb")).toBe(BACK)
  })

  it("takes arrow keys, which such a terminal does not edit with, for nothing", async () => {
    const { conversation, type } = plainDesk()
    type("Per\u001b[Dth")
    expect(await conversation.text("Suburb")).toBe("Perth")
  })

  it("takes lines that end as on Windows, and letters that come in pieces", async () => {
    const { conversation, input } = plainDesk()
    const answer = conversation.text("Suburb")
    for (const byte of Buffer.from("Zürich\r\n")) input.write(Buffer.from([byte]))
    expect(await answer).toBe("Zürich")
  })
})

describe("a plain question of yes or no", () => {
  it.each([
    ["y", true],
    ["YES", true],
    ["n", false],
    ["No", false],
    ["", true],
  ])("takes %j", async (typed, expected) => {
    const { conversation, type } = plainDesk()
    type(typed)
    expect(await conversation.confirm("Book it?", true)).toBe(expected)
  })

  it("shows what Enter gives", async () => {
    const { conversation, type, written } = plainDesk()
    type("")
    await conversation.confirm("Book it?", false)
    expect(shown(written())).toBe("Book it? (yes or no) [no]: ")
  })

  it("is asked again for anything else", async () => {
    const { conversation, type, written } = plainDesk()
    type("maybe", "y")
    expect(await conversation.confirm("Book it?", false)).toBe(true)
    expect(written()).toContain("Please answer yes or no.\n")
  })

  it("is stepped back from with <", async () => {
    const { conversation, type } = plainDesk()
    type("<")
    expect(await conversation.confirm("Book it?", false)).toBe(BACK)
  })
})

describe("a plain question whose answer is hidden", () => {
  it("takes the keys one by one and shows none of them", async () => {
    const { conversation, keys, written } = plainDesk()
    const answer = conversation.text("Its key", { isHidden: true })
    await expect.poll(written).toContain("Its key: ")
    keys("hunter9\u007f2\r")
    expect(await answer).toBe("hunter2")
    expect(shown(written())).toBe("Its key: \n")
  })

  it("is asked again when it is refused, and the next question is not hidden", async () => {
    const { conversation, keys, type, written } = plainDesk()
    const check = (key: string) => (key === "oops" ? refused("not a key") : parsed(key))
    const answer = conversation.text("Its key", { isHidden: true, check })
    keys("oops\r")
    await expect.poll(written).toContain("not a key\nIts key: ")
    keys("hunter2\r")
    expect(await answer).toBe("hunter2")
    type("Kim")
    expect(await conversation.text("Name")).toBe("Kim")
    expect(written()).not.toMatch(/oops|hunter2/)
  })

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("is left with %s", async (_, key) => {
    const { conversation, keys } = plainDesk()
    const answer = conversation.text("Its key", { isHidden: true })
    keys(key)
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it.each([
    ["the terminal closes", (desk: ReturnType<typeof plainDesk>) => desk.input.end()],
    ["it is interrupted", (desk: ReturnType<typeof plainDesk>) => desk.stop.abort()],
  ])("is left when %s", async (_, leave) => {
    const desk = plainDesk()
    const answer = desk.conversation.text("Its key", { isHidden: true })
    leave(desk)
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("is stepped back from with <", async () => {
    const { conversation, keys } = plainDesk()
    const answer = conversation.text("Its key", { isHidden: true })
    keys("<\r")
    expect(await answer).toBe(BACK)
  })
})

describe("a plain conversation that keeps no answers", () => {
  it("does not promise it", async () => {
    const { conversation, type, written } = plainDesk({ keepsAnswers: false })
    type("Kim")
    await conversation.text("Name")
    expect(written()).toContain("and Ctrl-C stops.\n")
  })
})

describe("waiting in plain lines", () => {
  it("prints one line, which stays", async () => {
    const { conversation, written } = plainDesk()
    const done = await conversation.during("Asking three carriers", async () => 7)
    expect(done).toBe(7)
    expect(written()).toBe("Asking three carriers\n")
  })

  it("is followed by what has come meanwhile", async () => {
    const { conversation, written } = plainDesk()
    await conversation.during("Asking three carriers", async (say) => say("Carrier A:\u001b[5m 4 rates"))
    expect(written()).toBe("Asking three carriers\nCarrier A: 4 rates\n")
  })
})

describe("plain lines", () => {
  it("hold no escape codes at all", async () => {
    const { conversation, type, written } = plainDesk()
    await conversation.say("\u001b[1mA booking\u001b[22m\nin three questions")
    type("x", "1")
    await conversation.text("\u001b[2JSuburb", { hint: "\u001b[31mhint", live: () => "\u009b2Jlive" })
    await conversation.choose("Which?", [
      { name: "\u001b]0;t\u0007One", value: 1, description: "\u001b[7md" },
    ])
    await conversation.during("\u001b[5mwait", async () => {})
    expect(written().replaceAll("\n", "")).not.toMatch(/\p{Cc}/u)
  })
})

describe("leaving a plain conversation", () => {
  it("is an interruption by a signal, and ends the line", async () => {
    const { conversation, stop, written } = plainDesk()
    const answer = conversation.text("Suburb")
    await expect.poll(written).toContain("Suburb: ")
    stop.abort()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
    expect(written()).toMatch(/Suburb: \n$/)
  })

  it("is an interruption of every later question", async () => {
    const { conversation, stop, type } = plainDesk()
    stop.abort()
    type("Perth")
    await expect(conversation.text("Suburb")).rejects.toMatchObject({ kind: "interrupted" })
  })
})

describe("waiting in plain lines", () => {
  it("keeps what is typed meanwhile from answering the next question", async () => {
    const { conversation, type, written } = plainDesk()
    await conversation.during("Booking", async () => type(""))
    const answer = conversation.confirm("Print the label?", true)
    await expect.poll(written).toContain("Print the label?")
    type("n")
    expect(await answer).toBe(false)
  })

  it("keeps what is typed while nothing is asked for long from answering", async () => {
    const { conversation, clock, type, written } = plainDesk()
    await clock.pass(301)
    type("")
    const answer = conversation.confirm("Print the label?", true)
    await expect.poll(written).toContain("Print the label?")
    type("n")
    expect(await answer).toBe(false)
  })
})

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
    type("road", "2")
    expect(await conversation.choose("Which service?", RATES)).toBe("s")
    expect(written()).toContain("a name): 1. Road, $91.00\n2. Road Saver\nWhich service?")
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

describe("a plain question that spends money", () => {
  const CHOICES: Choice<string>[] = [
    { name: "Book it: AUD 33.68", value: "book", spends: true },
    { name: "Change something", value: "change" },
    { name: "Leave it for later", value: "later" },
  ]

  it("takes the word book, however it is written, and reads how", async () => {
    const { conversation, type, written } = plainDesk()
    const answer = conversation.confirm("Book it: AUD 33.68?", false, { spends: true })
    await expect.poll(written).toContain("AUD 33.68? (type book, or no) [no]: ")
    type("Book")
    expect(await answer).toBe(true)
  })

  it.each(["", "n", "no"])("takes %j for no", async (typed) => {
    const { conversation, type, written } = plainDesk()
    const answer = conversation.confirm("Book it?", false, { spends: true })
    await expect.poll(written).toContain("Book it?")
    type(typed)
    expect(await answer).toBe(false)
  })

  it("takes no y for it", async () => {
    const { conversation, type, written } = plainDesk()
    const answer = conversation.confirm("Book it?", false, { spends: true })
    await expect.poll(written).toContain("Book it?")
    type("y", "Alexandria NSW 2015", "no")
    expect(await answer).toBe(false)
    expect(written().match(/Please type book, or no/g)).toHaveLength(2)
  })

  it("throws away what was typed before it, at once", async () => {
    const { conversation, type, written } = plainDesk()
    type("Kim", "book", "book")
    expect(await conversation.text("Name")).toBe("Kim")
    const answer = conversation.confirm("Book it?", false, { spends: true })
    await expect.poll(written).toContain("Book it?")
    type("no")
    expect(await answer).toBe(false)
  })

  it("is a choice of a list, which no Enter, number or part of its name takes", async () => {
    const { conversation, type, written } = plainDesk()
    type("Kim", "", "1")
    await conversation.text("Name")
    const answer = conversation.choose("Book it?", CHOICES, "book")
    await expect.poll(written).toContain("Type book: Book it: AUD 33.68\n2. Change something\n")
    await expect.poll(written).toContain("Book it? (number, or part of a name): ")
    type("", "1", "33.68", "book")
    expect(await answer).toBe("book")
    expect(written().match(/Please type book for that/g)).toHaveLength(2)
  })

  it("leaves its list's other choices as they are", async () => {
    const { conversation, type, written } = plainDesk()
    const answer = conversation.choose("Book it?", CHOICES)
    await expect.poll(written).toContain("Book it? (")
    type("3")
    expect(await answer).toBe("later")
  })
})

it.each([50, 120])("a terminal of %i columns is as wide for whoever asks", (columns) => {
  expect(plainDesk({ columns }).conversation.columns).toBe(columns)
})
