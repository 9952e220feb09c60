/** The wizard at terminals that show little, and where there is none. */
import { describe, expect, it } from "vitest"
import { hasTerminal } from "./pty.ts"
import { AFTER, enters, QUESTIONS, type Turn, take, wizardDesk } from "./wizard.ts"

/** The text after the start of each escape sequence. */
const sequencesIn = (raw: string) => raw.split("\u001b[").slice(1)

describe.runIf(hasTerminal)("freight book at a terminal that shows little", () => {
  it("works in a window of 40 by 10", async () => {
    const made = await wizardDesk()
    const seat = await made.sit([], { columns: 40, rows: 10 })
    // A question goes on in the next line.
    const turns = [...enters(0), ...AFTER].map(
      ([words, ...keys]): Turn => [String(words).slice(0, 20), ...keys],
    )
    await take(seat, turns)
    expect(await seat.exit).toBe(0)
  })

  it("works in plain lines, without a redraw", async () => {
    const made = await wizardDesk()
    const seat = await made.sit(["--plain"])
    const picks = QUESTIONS.slice(0, 2).map(
      (question): Turn => [`${question.slice(2)} (number, or part of a name)`, { type: "1" }, "enter"],
    )
    const others = [...QUESTIONS.slice(2), ...AFTER.map(([question]) => String(question))]
    await take(seat, [
      ...picks,
      ...others.map(
        (question): Turn =>
          question === "? Packed in"
            ? ["Packed in (number", { type: "1" }, "enter"]
            : question === "? Book it?"
              ? ["Book it?", { type: "book" }, "enter"]
              : [question.replace("? ", ""), "enter"],
      ),
    ])
    expect(await seat.exit).toBe(0)
    expect(sequencesIn(seat.raw()).filter((each) => /^\d*[ABCDGHJK]/.test(each))).toEqual([])
  })
})

describe("freight book without anyone to ask", () => {
  it("lists what is missing with its flags, also with --no-input at a terminal", async () => {
    const made = await wizardDesk()
    const piped = await made.freight("book --sandbox --reference PO-1 --set foodFreight=true".split(" "))
    expect(piped.code).toBe(2)
    for (const flag of [
      "--sender",
      "--receiver",
      "--package",
      "--packaging",
      "--ready",
      "--close",
      "--service",
    ])
      expect(piped.stderr).toContain(flag)
    if (!hasTerminal) return
    const seat = await made.sit(["--no-input", "--set", "foodFreight=true"])
    expect(await seat.exit).toBe(2)
    expect(await seat.scrollback()).toContain('--ready "tomorrow 10am"')
  })

  it("does not resume", async () => {
    const made = await wizardDesk()
    const { code, stderr } = await made.freight(["book", "--sandbox", "--resume"])
    expect(code).toBe(2)
    expect(stderr).toContain("asks for what is missing, and there is no terminal")
  })

  it("says that there is nothing to resume", async () => {
    if (!hasTerminal) return
    const made = await wizardDesk()
    const seat = await made.sit(["--resume"])
    expect(await seat.exit).toBe(2)
    expect(await seat.screen()).toContain("no unfinished booking")
  })
})
