import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { parsed, refused } from "../../src/contract/parsed.ts"
import { createPrompter } from "../../src/terminal/prompter.ts"

const DOWN = "\u001b[B"

function desk() {
  const input = new PassThrough()
  const output = new PassThrough()
  const stop = new AbortController()
  let screen = ""
  output.on("data", (chunk: Buffer) => {
    screen += chunk.toString()
  })
  const prompter = createPrompter({ input, output, signal: stop.signal })
  return { prompter, stop, input, type: (text: string) => input.write(text), screen: () => screen }
}

describe("a question", () => {
  it("takes what is typed, without blanks around it", async () => {
    const { prompter, type } = desk()
    const answer = prompter.text("Suburb?")
    type("  Fremantle \r")
    expect(await answer).toBe("Fremantle")
  })

  it("takes its first answer when nothing is typed", async () => {
    const { prompter, type } = desk()
    const answer = prompter.text("State?", { initial: "WA" })
    type("\r")
    expect(await answer).toBe("WA")
  })

  it("is asked again with the reason until the answer passes its check", async () => {
    const { prompter, type, screen } = desk()
    const check = (text: string) => (text === "WA" ? parsed(text) : refused("not a state"))
    const answer = prompter.text("State?", { check })
    type("X\r")
    await expect.poll(screen).toContain("not a state")
    type("\bWA\r")
    expect(await answer).toBe("WA")
  })

  it("for a secret shows nothing of it", async () => {
    const { prompter, type, screen } = desk()
    const answer = prompter.secret("Key?")
    type("hunter2\r")
    expect(await answer).toBe("hunter2")
    expect(screen()).not.toContain("hunter2")
    expect(screen()).toContain("Key?")
  })

  it("for a secret cannot be made to show it", async () => {
    const { prompter, type, screen } = desk()
    const answer = prompter.secret("Key?")
    type("hunter2")
    type("\u0014")
    type("\r")
    expect(await answer).toContain("hunter2")
    expect(screen()).not.toContain("hunter2")
  })

  it.each([
    ["y\r", false, true],
    ["n\r", true, false],
    ["\r", true, true],
    ["\r", false, false],
  ])("of yes or no: %j where %s stands first", async (typed, initial, expected) => {
    const { prompter, type } = desk()
    const answer = prompter.confirm("Book it?", initial)
    type(typed)
    expect(await answer).toBe(expected)
  })

  it("with choices gives the one that is picked", async () => {
    const { prompter, type } = desk()
    const choices = ["A", "B", "C"].map((value) => ({ name: `Carrier ${value}`, value }))
    const answer = prompter.choose("Which?", choices)
    type(`${DOWN}${DOWN}\r`)
    expect(await answer).toBe("C")
  })

  it("with choices begins where it is told to", async () => {
    const { prompter, type } = desk()
    const choices = ["A", "B", "C"].map((value) => ({ name: `Carrier ${value}`, value }))
    const answer = prompter.choose("Which?", choices, "B")
    type("\r")
    expect(await answer).toBe("B")
  })

  it("with choices says why one cannot be made", async () => {
    const { prompter, type, screen } = desk()
    const choices = [
      { name: "Overnight", value: "o", disabled: "the cut-off was at 14:00" },
      { name: "Road", value: "r" },
    ]
    const answer = prompter.choose("Which?", choices)
    type(`${DOWN}\r`)
    expect(await answer).toBe("r")
    expect(screen()).toContain("the cut-off was at 14:00")
  })

  it("never lets a server's words steer the terminal", async () => {
    const { prompter, type, screen } = desk()
    const answer = prompter.choose("Which \u001b]0;owned\u0007 device?", [
      { name: "\u001b[2JBench", value: 1, description: "\u001b[31mred" },
    ])
    type("\r")
    expect(await answer).toBe(1)
    for (const steering of ["\u001b]0;", "\u001b[2JBench", "\u001b[31mred"])
      expect(screen()).not.toContain(steering)
  })
})

describe("leaving a question", () => {
  it("with Ctrl-C is an interruption", async () => {
    const { prompter, type } = desk()
    const answer = prompter.text("Suburb?")
    type("\u0003")
    await expect(answer).rejects.toMatchObject({ kind: "interrupted", exitCode: 130 })
  })

  it("with Ctrl-D is an interruption, not a wait for ever", async () => {
    const { prompter, type } = desk()
    const answer = prompter.text("Suburb?")
    type("\u0004")
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("when the terminal closes is an interruption", async () => {
    const { prompter, input } = desk()
    const answer = prompter.text("Suburb?")
    input.end()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("by a signal is an interruption", async () => {
    const { prompter, stop } = desk()
    const answer = prompter.confirm("Book it?", true)
    stop.abort()
    await expect(answer).rejects.toMatchObject({ kind: "interrupted" })
  })

  it("leaves the next question to be asked", async () => {
    const { prompter, type } = desk()
    const first = prompter.text("Suburb?")
    type("Perth\r")
    expect(await first).toBe("Perth")
    const second = prompter.text("State?")
    type("WA\r")
    expect(await second).toBe("WA")
  })
})
