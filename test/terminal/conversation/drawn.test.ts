import { describe, expect, it } from "vitest"
import { parsed, refused } from "../../../src/contract/parsed.ts"
import { BACK, withoutBack } from "../../../src/terminal/conversation/conversation.ts"
import { drawnDesk } from "./desks.ts"

const ESC = "\u001b"
const TOWNS = ["Perth", "Sydney", "Hobart"].map((name) => ({ name, value: name.toLowerCase() }))

/** The words of each drawing of the spinner. */
function spins(written: string): string[] {
  return written
    .split(`\r${ESC}[2K`)
    .slice(1)
    .map((line) => line.replace(`${ESC}[?25h`, ""))
}

describe("a drawn conversation", () => {
  it("gives the answers to its questions one after another", async () => {
    const { conversation, type, written } = drawnDesk()
    const name = conversation.text("Name")
    type("Kim\r")
    expect(await name).toBe("Kim")
    const town = conversation.choose("Town", TOWNS, "sydney")
    type("\r")
    expect(await town).toBe("sydney")
    const picked = conversation.pick("Town", (typed) => TOWNS.filter(({ value }) => value.includes(typed)))
    type("hob\r")
    expect(await picked).toBe("hobart")
    const sure = conversation.confirm("Sure?", false)
    type("y\r")
    expect(await sure).toBe(true)
    for (const line of ["✔ Name: Kim", "✔ Town: Sydney", "✔ Town: Hobart", "✔ Sure? yes"])
      expect(written()).toContain(line)
  })

  it("takes a lone Esc for a step back", async () => {
    const { conversation, type } = drawnDesk()
    const answer = conversation.text("Name")
    type(ESC)
    expect(await answer).toBe(BACK)
  })

  it("takes an arrow key for an arrow key, though it begins with Esc", async () => {
    const { conversation, type } = drawnDesk()
    const answer = conversation.choose("Town", TOWNS)
    type(`${ESC}[B`)
    type("\r")
    expect(await answer).toBe("sydney")
  })

  it("takes an arrow key that comes in two pieces for an arrow key", async () => {
    const { conversation, type } = drawnDesk()
    const answer = conversation.choose("Town", TOWNS)
    type(ESC)
    type("[B\r")
    expect(await answer).toBe("sydney")
  })

  it("gives a choice whose value is undefined", async () => {
    const { conversation, type } = drawnDesk()
    const answer = conversation.choose("Extra", [
      { name: "Insurance", value: "insurance" },
      { name: "None", value: undefined },
    ])
    type(`${ESC}[B\r`)
    expect(await answer).toBeUndefined()
  })
})

describe("leaving a drawn conversation", () => {
  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D on an empty line", "\u0004"],
  ])("with %s is an interruption, and shows the cursor again", async (_, key) => {
    const { conversation, type, written, raw } = drawnDesk()
    const answer = conversation.choose("Town", TOWNS)
    await expect.poll(written).toContain("Perth")
    type(key)
    await expect(answer).rejects.toMatchObject({ kind: "interrupted", exitCode: 130 })
    expect(written().lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(written().lastIndexOf(`${ESC}[?25l`))
    expect(raw()).toBe(false)
  })

  it("is not Ctrl-D on a line with something in it", async () => {
    const { conversation, type } = drawnDesk()
    const answer = conversation.text("Name")
    type("Kim\u0004\r")
    expect(await answer).toBe("Kim")
  })

  it("is an interruption when the terminal closes", async () => {
    const { conversation, input } = drawnDesk()
    const answer = conversation.text("Name")
    input.end()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("is an interruption when the terminal fails", async () => {
    const { conversation, input } = drawnDesk()
    const answer = conversation.text("Name")
    input.destroy(new Error("EIO"))
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("is an interruption when the terminal closed between two questions", async () => {
    const { conversation, input } = drawnDesk()
    input.end()
    input.resume()
    await expect.poll(() => input.readableEnded).toBe(true)
    await expect(conversation.text("Name")).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("is an interruption by a signal", async () => {
    const { conversation, stop } = drawnDesk()
    const answer = conversation.confirm("Sure?", true)
    stop.abort()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })
})

describe("waiting", () => {
  it("draws nothing for what is soon done", async () => {
    const { conversation, clock, written } = drawnDesk()
    const done = conversation.during("Asking", async () => {
      await clock.pass(149)
      return 7
    })
    expect(await done).toBe(7)
    expect(written()).toBe("")
  })

  it("draws a spinner that turns, and clears it", async () => {
    const { conversation, clock, written } = drawnDesk()
    await conversation.during("Asking", () => clock.pass(350))
    expect(spins(written())).toEqual(["⠋ Asking", "⠙ Asking", "⠹ Asking", ""])
  })

  it("shows the words that it is told", async () => {
    const { conversation, clock, written } = drawnDesk()
    await conversation.during("Asking three", async (tell) => {
      await clock.pass(150)
      tell("Asking two")
      await clock.pass(100)
    })
    expect(spins(written())).toEqual(["⠋ Asking three", "⠙ Asking two", ""])
  })

  it("cuts words that are wider than the window", async () => {
    const { conversation, clock, written } = drawnDesk({ columns: 16 })
    await conversation.during("Asking three carriers", () => clock.pass(150))
    expect(spins(written())[0]).toBe("⠋ Asking three…")
  })

  it("clears the spinner when the work fails", async () => {
    const { conversation, clock, written, raw } = drawnDesk()
    const failed = conversation.during("Asking", async () => {
      await clock.pass(150)
      throw new Error("no answer")
    })
    await expect(failed).rejects.toThrow("no answer")
    expect(spins(written()).at(-1)).toBe("")
    expect(written().endsWith(`${ESC}[?25h`)).toBe(true)
    expect(raw()).toBe(false)
  })

  it("interrupts as Ctrl-C does, though the terminal is raw", async () => {
    const { conversation, type, interrupted, raw } = drawnDesk()
    await conversation.during("Asking", async () => {
      expect(raw()).toBe(true)
      type("\u0003")
      await expect.poll(interrupted).toBe(1)
    })
    expect(raw()).toBe(false)
  })

  it("keeps what is typed meanwhile from answering the next question", async () => {
    const { conversation, type, input, written } = drawnDesk()
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
    const { conversation, type, written } = drawnDesk()
    await conversation.during("Booking", async () => {})
    type("\r")
    const answer = conversation.text("Name")
    await expect.poll(written).toContain("? Name")
    type("Kim\r")
    expect(await answer).toBe("Kim")
  })

  it("keeps what is typed while nothing is asked for long from answering", async () => {
    const { conversation, clock, type, written } = drawnDesk()
    await clock.pass(301)
    type("\r")
    const answer = conversation.confirm("Print the label", true)
    await expect.poll(written).toContain("? Print the label")
    type("n\r")
    expect(await answer).toBe(false)
  })

  it("keeps what was typed ahead from answering a question that spends money, however soon it comes", async () => {
    const { conversation, type, written } = drawnDesk()
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
    const { conversation, clock, type, interrupted, stop } = drawnDesk()
    await clock.pass(301)
    type("\u0003")
    const answer = conversation.confirm("Print the label", true)
    await expect.poll(interrupted).toBe(1)
    stop.abort()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })
})

describe("saying something", () => {
  it("breaks lines between words to fit the window, each with its indentation", async () => {
    const { conversation, written } = drawnDesk({ columns: 21 })
    await conversation.say("Review\n  Harbour Cafe, Fremantle WA 6160")
    expect(written()).toBe("Review\n  Harbour Cafe,\n  Fremantle WA 6160\n")
  })

  it("keeps colours where there are any", async () => {
    const { conversation, written } = drawnDesk({ colour: true })
    await conversation.say(`${ESC}[31mlate${ESC}[39m`)
    expect(written()).toBe(`${ESC}[31mlate${ESC}[39m${ESC}[0m\n`)
  })

  it("keeps none with --no-color", async () => {
    const { conversation, written } = drawnDesk()
    await conversation.say(`${ESC}[31mlate${ESC}[39m`)
    expect(written()).toBe("late\n")
  })
})

describe("a hidden answer", () => {
  it.each([
    ["is never shown", "hunter2\r", "hunter2"],
    ["is not shown by Ctrl-T", "hunter2\u0014\r", "hunter2"],
    ["is not shown when it is edited", "hunter9\u007f2\r", "hunter2"],
    ["is not shown when it is completed", "hunter2\t\r", "hunter2"],
  ])("%s", async (_, typed, expected) => {
    const { conversation, type, written } = drawnDesk()
    const answer = conversation.text("Key?", { isHidden: true })
    for (const key of typed) type(key)
    expect(await answer).toBe(expected)
    expect(written()).toContain("✔ Key? (hidden)")
    expect(written()).not.toContain("hunt")
  })

  it("is not shown when it is refused, and none is told of an empty one", async () => {
    const { conversation, type, written } = drawnDesk()
    const check = (key: string) => (key === "oops" ? refused("not a key") : parsed(key))
    const answer = conversation.text("Key?", { isHidden: true, check })
    type("oops\r")
    await expect.poll(written).toContain("not a key")
    type("\u0015\r")
    expect(await answer).toBe("")
    expect(written()).not.toContain("oops")
    expect(written()).toContain("✔ Key? none")
  })
})

describe("questions that stand alone", () => {
  it("are asked again when the person steps back, and say why", async () => {
    const { conversation, type, written } = drawnDesk()
    const ask = withoutBack(conversation)
    const answer = ask.confirm("Sure?", true)
    type(ESC)
    await expect.poll(written).toContain("There is no question before this one. Ctrl-C stops.")
    type("\r")
    expect(await answer).toBe(true)
  })

  it("promise to keep no answers", async () => {
    const { conversation, type, written } = drawnDesk({ keepsAnswers: false })
    const answer = withoutBack(conversation).text("Name")
    type("Kim\r")
    expect(await answer).toBe("Kim")
    expect(written()).toContain("Ctrl-C stops")
    expect(written()).not.toContain("kept")
  })
})
