import { describe, expect, it } from "vitest"
import { parsed, refused } from "../../../../src/base/parsed.ts"
import { BACK, withoutBack } from "../../../../src/output/terminal/conversation/conversation.ts"
import { inquirerDesk } from "./desks.ts"

const ESC = "\u001b"
const TOWNS = ["Perth", "Sydney", "Hobart"].map((name) => ({ name, value: name.toLowerCase() }))

/** The words of each drawing of the spinner. */
function spins(written: string): string[] {
  return written
    .split(`\r${ESC}[K`)
    .slice(1)
    .map((line) => line.replace(/\p{Cc}\[\?25[hl]/u, ""))
}

describe("a conversation", () => {
  it("gives the answers to its questions one after another", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const name = conversation.text("Name")
    await reply("? Name:", "Kim\r")
    expect(await name).toBe("Kim")
    const town = conversation.choose("Town", TOWNS, "sydney")
    await reply("❯ Sydney", "\r")
    expect(await town).toBe("sydney")
    const picked = conversation.pick("Which", (typed) => TOWNS.filter(({ value }) => value.includes(typed)))
    await reply("❯ Perth", "hob")
    await reply("❯ Hobart", "\r")
    expect(await picked).toBe("hobart")
    const sure = conversation.confirm("Sure?", false)
    await reply("? Sure? (y/N)", "y\r")
    expect(await sure).toBe(true)
    for (const line of ["✔ Name: Kim", "✔ Town: Sydney", "✔ Which: Hobart", "✔ Sure? yes"])
      expect(written()).toContain(line)
  })

  it("says once how to answer", async () => {
    const { conversation, reply, written } = inquirerDesk()
    for (const words of ["Name", "Town"]) {
      const answer = conversation.text(words)
      await reply(`? ${words}`, "Kim\r")
      await answer
    }
    expect(written().match(/Tab edits it/g)).toHaveLength(1)
    expect(written()).toContain("Tab edits it · Esc back · Ctrl-C stops, your answers are kept\n")
  })

  it("names for yes or no no key that does nothing there", async () => {
    const { conversation, reply, written } = inquirerDesk()
    for (const words of ["Right?", "Sure?"]) {
      const answer = conversation.confirm(words, true)
      await reply(`? ${words}`, "\r")
      await answer
    }
    expect(written()).not.toContain("Tab")
    expect(written().match(/y or n · Enter takes the capital · Esc back/g)).toHaveLength(1)
    const town = conversation.text("Town")
    await reply("? Town", "Perth\r")
    await town
    const last = conversation.confirm("Last?", true)
    await reply("? Last?", "\r")
    await last
    expect(written().match(/Tab edits it/g)).toHaveLength(1)
    expect(written().match(/y or n/g)).toHaveLength(1)
  })

  it("takes a lone Esc for a step back, and leaves nothing of the question", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const answer = conversation.text("Name")
    await reply("? Name:", ESC)
    expect(await answer).toBe(BACK)
    expect(written().split("? Name:").at(-1)).toContain(`${ESC}[2K`)
  })

  it("takes an Esc for a step back where letters follow at once, which it would swallow with it", async () => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.choose("Town", TOWNS)
    await reply("❯ Perth", ESC, "p\r")
    expect(await answer).toBe(BACK)
  })

  it("takes an arrow key for an arrow key, though it begins with Esc, and in two pieces", async () => {
    for (const pieces of [[`${ESC}[B`], [ESC, "[B"]]) {
      const { conversation, reply } = inquirerDesk()
      const answer = conversation.choose("Town", TOWNS)
      await reply("❯ Perth", ...pieces)
      await reply("❯ Sydney", "\r")
      expect(await answer).toBe("sydney")
    }
  })

  it("gives a choice whose value is undefined", async () => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.choose("Extra", [
      { name: "Insurance", value: "insurance" },
      { name: "None", value: undefined },
    ])
    await reply("❯ Insurance", `${ESC}[B`)
    await reply("❯ None", "\r")
    expect(await answer).toBeUndefined()
  })
})

describe("a question for text", () => {
  it.each([
    ["Enter takes", ["\r"], "Fremantle"],
    ["the first key replaces", ["Perth\r"], "Perth"],
    ["Tab edits", ["\t", " WA\r"], "Fremantle WA"],
    ["Backspace empties", ["\u007f", "\r"], ""],
  ])("has a default that %s", async (_, keys, expected) => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.text("Suburb", { initial: "Fremantle" })
    await reply("? Suburb: (Fremantle)", ...keys)
    expect(await answer).toBe(expected)
  })

  it("has its hint below it, and in its place what is told while one types", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const live = (typed: string) => (typed === "6160" ? "Fremantle WA" : undefined)
    const answer = conversation.text("Postcode", { hint: "four digits", live })
    await reply("? Postcode:\n  four digits\n❯", " 6160 ")
    await reply("? Postcode:\n  four digits\n❯  616")
    expect(written()).not.toContain("Fremantle WA")
    await reply("", "\u0015", "6160")
    await reply("? Postcode:\n  Fremantle WA\n❯ 6160", "\r")
    expect(await answer).toBe("6160")
  })

  it("says why an answer does not pass its check, keeps it, and gives it without blanks around it", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const check = (text: string) => (/^\d{4}$/.test(text) ? parsed(text) : refused("it has four digits"))
    const answer = conversation.text("Postcode", { check })
    await reply("? Postcode:", "616\r")
    await reply("✖ it has four digits", "0 \r")
    expect(await answer).toBe("6160")
    expect(written()).toContain("✔ Postcode: 6160")
  })

  it("says none for an empty answer", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const answer = conversation.text("Reference")
    await reply("? Reference:", "\r")
    expect(await answer).toBe("")
    expect(written()).toContain("✔ Reference: none")
  })
})

describe("a question of yes or no", () => {
  it.each(["Alexandria NSW 20155", "yy", "1"])("takes no %j, and asks again", async (pasted) => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.confirm("Sure?", true)
    await reply("? Sure? (Y/n)", `${pasted}\r`)
    await reply("✖ Please answer yes or no.", "\u0015", "n\r")
    expect(await answer).toBe(false)
  })
})

describe("a list", () => {
  it("says why a choice cannot be made, and does not take it", async () => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.choose("Which?", [
      { name: "Express", value: 1, disabled: "the cut-off was at 14:00" },
      { name: "Road", value: 2 },
    ])
    await reply("- Express (the cut-off was at 14:00)\n❯ Road", `${ESC}[A`, "\r")
    expect(await answer).toBe(2)
  })

  it("shows what is typed, narrows by it, and takes nothing where nothing matches", async () => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.choose("Town", TOWNS)
    await reply("❯ Perth", "zzz", "\r")
    await reply("? Town: zzz\n✖ Nothing in the list fits", "\r", "\u0015", "yd")
    await reply("? Town: yd\n❯ Sydney", "\r")
    expect(await answer).toBe("sydney")
  })

  it.each([
    ["its name", "book", true],
    ["its name, completed by Tab,", "\t", true],
    // The other choice is highlighted then, and taken.
    ["a blank", " ", false],
  ])("does not take what spends money while %s stands in the line", async (_, typed, isBooked) => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.choose("Book it?", [
      { name: "Book it", value: true, spends: true },
      { name: "Leave it", value: false },
    ])
    await reply("❯ Book it", typed, "\r")
    await reply("- Book it (clear what you typed to choose this)", "\u0015")
    await reply("❯ Book it", "\r")
    expect(await answer).toBe(isBooked)
  })

  it("cuts a name that is wider than the window, and has it whole below, with its description", async () => {
    const { conversation, reply, written } = inquirerDesk({ columns: 24 })
    const answer = conversation.choose("Which?", [
      { name: "Express   AUD 84.20  Mon 23 Nov", value: 1, description: "cheapest" },
    ])
    await reply("❯ Express   AUD 84.20…", "\r")
    expect(await answer).toBe(1)
    expect(written()).toContain("  Express, AUD 84.20,\n  Mon 23 Nov\n  cheapest")
    expect(written()).toContain("✔ Which?\n  Express, AUD 84.20,\n  Mon 23 Nov")
  })

  it("leaves room in its window for its question and its keys", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const many = Array.from({ length: 60 }, (_, at) => ({ name: `Suburb ${at + 1}`, value: at }))
    const answer = conversation.choose("Which?", many)
    await reply("❯ Suburb 1\n", `${ESC}[A`, "\r")
    expect(await answer).toBe(0)
    expect(written()).toContain("  Suburb 20\n")
    expect(written()).not.toContain("  Suburb 21\n")
  })

  it("is searched by what is typed, which Tab completes", async () => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.pick("Town", (typed) =>
      TOWNS.filter(({ value }) => value.startsWith(typed.toLowerCase())),
    )
    await reply("❯ Perth", "zz")
    await reply("Nothing in the list fits", "\u0015", "h")
    await reply("❯ Hobart", "\t")
    await reply("? Town: Hobart", "\r")
    expect(await answer).toBe("hobart")
  })
})

describe("words from elsewhere", () => {
  it("never steer the terminal", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const text = conversation.text(`${ESC}]0;t\u0007Name`, {
      hint: `${ESC}[31mhint`,
      live: () => "\u009b2Jlive",
    })
    await reply("live", "\u009b5mx\r")
    await text
    const choice = conversation.choose(`Which${ESC}[7m`, [
      { name: `${ESC}[5mOne`, value: 1, description: "\u009b7md" },
    ])
    await reply("❯ One", "\r")
    expect(await choice).toBe(1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
    expect(written()).not.toMatch(/\u001b\]|\u0007|\u009b|\u001b\[[\d;]*m/)
  })
})

describe("leaving a conversation", () => {
  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D on an empty line", "\u0004"],
  ])("with %s is an interruption, and shows the cursor again", async (_, key) => {
    const { conversation, type, written, raw } = inquirerDesk()
    const answer = conversation.choose("Town", TOWNS)
    await expect.poll(written).toContain("Perth")
    type(key)
    await expect(answer).rejects.toMatchObject({ kind: "interrupted", exitCode: 130 })
    expect(written().lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(written().lastIndexOf(`${ESC}[?25l`))
    expect(raw()).toBe(false)
  })

  it("is not Ctrl-D on a line with something in it", async () => {
    const { conversation, reply } = inquirerDesk()
    const answer = conversation.text("Name")
    await reply("? Name", "Kim\u0004\r")
    expect(await answer).toBe("Kim")
  })
})

describe("waiting", () => {
  it("draws a spinner that turns, and clears it", async () => {
    const { conversation, clock, written } = inquirerDesk()
    await conversation.during("Asking", () => clock.pass(250))
    expect(spins(written())).toEqual(["⠋ Asking", "⠙ Asking", "⠹ Asking", ""])
  })

  it("cuts words that are wider than the window", async () => {
    const { conversation, clock, written } = inquirerDesk({ columns: 16 })
    await conversation.during("Asking three carriers", () => clock.pass(50))
    expect(spins(written())[0]).toBe("⠋ Asking three…")
  })

  it("says what has come meanwhile in lines of its own", async () => {
    const { conversation, clock, written } = inquirerDesk()
    await conversation.during("Asking", async (say) => {
      await clock.pass(50)
      say("Carrier A: 4 rates")
      await clock.pass(100)
    })
    expect(spins(written())).toEqual(["⠋ Asking", "Carrier A: 4 rates\n", "⠙ Asking", ""])
  })

  it("clears the spinner when the work fails", async () => {
    const { conversation, written, raw } = inquirerDesk()
    const failed = conversation.during("Asking", async () => {
      throw new Error("no answer")
    })
    await expect(failed).rejects.toThrow("no answer")
    expect(spins(written()).at(-1)).toBe("")
    expect(written().endsWith(`${ESC}[?25h`)).toBe(true)
    expect(raw()).toBe(false)
  })

  it("interrupts as Ctrl-C does, though the terminal is raw", async () => {
    const { conversation, type, interrupted, raw } = inquirerDesk()
    await conversation.during("Asking", async () => {
      expect(raw()).toBe(true)
      type("\u0003")
      await expect.poll(interrupted).toBe(1)
    })
    expect(raw()).toBe(false)
  })

  it("keeps what is typed meanwhile from answering the next question", async () => {
    const { conversation, type, input, written } = inquirerDesk()
    await conversation.during("Asking", async () => {
      type("\r")
      await expect.poll(() => input.readableLength).toBe(0)
    })
    const answer = conversation.text("Name")
    await expect.poll(written).toContain("? Name")
    type("Kim\r")
    expect(await answer).toBe("Kim")
  })

  it("keeps what is typed after it, and before the next question, from answering that", async () => {
    const { conversation, type, written } = inquirerDesk()
    await conversation.during("Booking", async () => {})
    type("\r")
    const answer = conversation.text("Name")
    await expect.poll(written).toContain("? Name")
    type("Kim\r")
    expect(await answer).toBe("Kim")
  })

  it("keeps what was typed before a question from answering it", async () => {
    const { conversation, type, written } = inquirerDesk()
    type("\r")
    const answer = conversation.confirm("Print the label", true)
    await expect.poll(written).toContain("? Print the label")
    type("n\r")
    expect(await answer).toBe(false)
  })

  it("keeps what was typed ahead from answering a question that spends money, however soon it comes", async () => {
    const { conversation, type, written } = inquirerDesk()
    const name = conversation.text("Name")
    await expect.poll(written).toContain("? Name")
    type("Kim\r")
    await name
    type("y\r")
    const answer = conversation.confirm("Book it", false, { spends: true })
    await expect.poll(written).toContain("? Book it")
    type("n\r")
    expect(await answer).toBe(false)
    type("\r")
    const choice = conversation.choose("Book it?", [
      { name: "Book it", value: true, spends: true },
      { name: "Later", value: false },
    ])
    await expect.poll(written).toContain("Later")
    type("\u001b[B\r")
    expect(await choice).toBe(false)
  })

  it("is no reason not to stop by Ctrl-C", async () => {
    const { conversation, type, interrupted, stop } = inquirerDesk()
    type("\u0003")
    const answer = conversation.confirm("Print the label", true)
    await expect.poll(interrupted).toBe(1)
    stop.abort()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })
})

describe("saying something", () => {
  it("breaks lines between words to fit the window, each with its indentation", async () => {
    const { conversation, written } = inquirerDesk({ columns: 21 })
    await conversation.say("Review\n  Harbour Cafe, Fremantle WA 6160")
    expect(written()).toBe("Review\n  Harbour Cafe,\n  Fremantle WA 6160\n")
  })

  it("keeps colours where there are any", async () => {
    const { conversation, written } = inquirerDesk({ colour: true })
    await conversation.say(`${ESC}[31mlate${ESC}[39m`)
    expect(written()).toBe(`${ESC}[31mlate${ESC}[39m${ESC}[0m\n`)
  })

  it("keeps none with --no-color", async () => {
    const { conversation, written } = inquirerDesk()
    await conversation.say(`${ESC}[31mlate${ESC}[39m`)
    expect(written()).toBe("late\n")
  })
})

describe("a hidden answer", () => {
  it.each([
    ["is never shown", ["hunter2", "\r"]],
    ["is not shown by Ctrl-T", ["hunter2", "\u0014", "\r"]],
    ["is not shown when it is edited", ["hunter9", "\u007f", "2", "\r"]],
  ])("%s", async (_, keys) => {
    const { conversation, reply, written } = inquirerDesk()
    const answer = conversation.text("Key?", { isHidden: true })
    await reply("? Key?", ...keys)
    expect(await answer).toBe("hunter2")
    expect(written()).toContain("✔ Key?")
    expect(written()).not.toContain("hunt")
  })

  it("is not shown when it is refused", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const check = (key: string) => (key === "oops" ? refused("not a key") : parsed(key))
    const answer = conversation.text("Key?", { isHidden: true, check })
    await reply("? Key?", "oops\r")
    // It is asked anew: what is typed before is dropped.
    await expect.poll(() => written().split("not a key")[1] ?? "").toContain("? Key?")
    await reply("not a key", "\u0015", "\r")
    expect(await answer).toBe("")
    expect(written()).not.toContain("oops")
  })
})

describe("questions that stand alone", () => {
  it("are asked again when the person steps back, and say why", async () => {
    const { conversation, reply, written } = inquirerDesk()
    const answer = withoutBack(conversation).confirm("Sure?", true)
    await reply("? Sure?", ESC)
    const why = "There is no question before this one. Ctrl-C stops."
    await expect.poll(() => written().split(why)[1] ?? "").toContain("? Sure?")
    await reply("? Sure?", "\r")
    expect(await answer).toBe(true)
  })

  it("promise to keep no answers", async () => {
    const { conversation, reply, written } = inquirerDesk({ keepsAnswers: false })
    const answer = withoutBack(conversation).text("Name")
    await reply("? Name", "Kim\r")
    expect(await answer).toBe("Kim")
    expect(written()).toContain("Ctrl-C stops")
    expect(written()).not.toContain("kept")
  })
})

describe("the terminal", () => {
  const [on, off] = [`${ESC}[?2004h`, `${ESC}[?2004l`]
  it.each([
    ["an answer", "\r", "Kim"],
    ["a step back", ESC, BACK],
    ["Ctrl-C", "\u0003", undefined],
  ])("marks what is pasted while a question is asked, and no more after %s", async (_, keys, expected) => {
    const { conversation, reply, written } = inquirerDesk()
    const answer = conversation.text("Name", { initial: "Kim" }).catch(() => undefined)
    await reply("? Name:", keys)
    expect(await answer).toBe(expected)
    const modes = written()
      .split(ESC)
      .filter((each) => each.startsWith("[?2004"))
    expect(modes.map((each) => `${ESC}${each.slice(0, 7)}`)).toEqual([on, off])
  })

  it("shows in a fainter colour what explains: a default, a hint, a description, what cannot be chosen, and the keys", async () => {
    const { conversation, reply, written } = inquirerDesk({ colour: true })
    const name = conversation.text("Suburb", { initial: "Fremantle", hint: "of the receiver" })
    await reply("Fremantle)", "\r")
    await name
    const town = conversation.choose("Town", [
      { name: "Hobart", value: 1, disabled: "too far" },
      { name: "Perth", value: 2, description: "On the Swan" },
    ])
    await reply("Perth", "\r")
    expect(await town).toBe(2)
    const faint = written()
      .split(`${ESC}[2m`)
      .slice(1)
      .map((each) => each.split(`${ESC}[22m`)[0]?.trim())
    for (const words of [
      "Enter takes (…) · Tab edits it · Esc back · Ctrl-C stops, your answers are kept",
      "(Fremantle)",
      "of the receiver",
      "- Hobart (too far)",
      "On the Swan",
      "↑↓ moves · Enter takes · Esc back · Ctrl-C stops, your answers are kept",
    ])
      expect(faint).toContain(words)
  })

  it("without Unicode gets dots in place of an ellipsis, where a name is cut as well", async () => {
    const { conversation, reply, written } = inquirerDesk({ unicode: false, columns: 30 })
    const name = conversation.text("Name")
    await reply("? Name:", "Kim\r")
    await name
    const town = conversation.choose("Town", [{ name: "A town with a long name by the sea", value: 1 }])
    await reply("> A town with a long name...", "\r")
    expect(await town).toBe(1)
    expect(written()).toContain("Enter takes (...)")
    expect(written()).not.toMatch(/[^\p{ASCII}]/u)
  })

  it.each([
    50, 120,
  ])("of %i columns is as wide for whoever asks, and what is said fits it", async (columns) => {
    const { conversation, written } = inquirerDesk({ columns })
    expect(conversation.columns).toBe(columns)
    await conversation.say("word ".repeat(60))
    const widths = written()
      .split("\n")
      .map((each) => each.length)
    expect(Math.max(...widths)).toBeLessThan(columns)
    expect(Math.max(...widths)).toBeGreaterThan(columns - 10)
  })
})
