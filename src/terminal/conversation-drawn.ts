/** A conversation that is drawn: lines that are edited, lists that are walked through, a spinner. */
import { createInterface } from "node:readline"
import type { Clock } from "../ports.ts"
import { ask, guardWaits, readTyped, type Streams } from "./asking.ts"
import { BACK, type Back, type Conversation } from "./conversation.ts"
import type { Choice } from "./prompter.ts"
import { chooseQuestion } from "./prompts/choose-question.ts"
import { confirmQuestion } from "./prompts/confirm-question.ts"
import { pickQuestion } from "./prompts/pick-question.ts"
import { spinning } from "./prompts/spinner.ts"
import { textQuestion } from "./prompts/text-question.ts"
import { answered, room, type Window } from "./prompts/window.ts"
import { inLine, said } from "./said.ts"
import type { Terminal } from "./terminal.ts"
import { wrap } from "./width.ts"

/** How long an Esc waits for the rest of an arrow key, which a slow line may bring later. */
const ESCAPE_MS = 50
const CTRL_C = 0x03
const CLEAR_LINE_ABOVE = "\u001b[1A\u001b[2K"

interface Desk extends Streams {
  input: NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown }
  output: NodeJS.WritableStream & { rows?: number }
  terminal: Pick<Terminal, "stderr" | "unicode">
  clock: Clock
  /** Does what a Ctrl-C does: while something runs, the keys come to us and not to the system. */
  interrupt: () => void
}

export function drawnConversation(desk: Desk): Conversation {
  const { input, output, terminal, clock, interrupt } = desk
  /** What was said and answered, as lines for the window's width of the moment. */
  const story: (() => string[])[] = []
  const window: Window = {
    get columns() {
      return terminal.stderr.columns
    },
    get rows() {
      return output.rows || 24
    },
    colour: terminal.stderr.colour,
    unicode: terminal.unicode,
    before: () => story.slice(-window.rows).flatMap((lines) => lines()),
    onResize(listener) {
      output.on("resize", listener)
      return () => output.off("resize", listener)
    },
  }
  // A stream keeps the wait of the first reader that it is given; without one, an Esc takes half a second.
  createInterface({ input, terminal: true, escapeCodeTimeout: ESCAPE_MS }).close()
  // A terminal that went away between two questions is told by the next one.
  input.on("error", () => {})

  const onKeys = (keys: Buffer | string) => {
    if (Buffer.from(keys).includes(CTRL_C)) interrupt()
  }
  const waits = guardWaits(clock, async () => {
    input.setRawMode?.(true)
    await readTyped(input, onKeys)
    input.setRawMode?.(false)
  })

  const asked = async <T>(
    question: string,
    show: (answer: T) => string,
    draw: (streams: Streams) => Promise<T | Back>,
  ): Promise<T | Back> => {
    await waits.beforeQuestion()
    const answer = await ask(desk, draw)
    waits.afterQuestion()
    if (answer === BACK) output.write(CLEAR_LINE_ABOVE)
    else story.push(() => linesOf(answered(window, question, show(answer as T))))
    return answer
  }
  const linesOf = ({ above, line }: { above: string[]; line: string }) => [...above, line]
  const nameOf = ({ name }: Choice<unknown>) => inLine(name)
  /** Inquirer's prompts are made once, for choices of any type. */
  const taken = <T>(answer: Choice<unknown> | Back): T | Back =>
    answer === BACK ? BACK : (answer.value as T)

  return {
    plain: false,
    get columns() {
      return window.columns
    },
    unicode: window.unicode,
    text: (question, options = {}) =>
      asked(
        question,
        (answer: string) => answer,
        (streams) => textQuestion({ window, question, ...options }, streams),
      ),
    confirm: (question, initial) =>
      asked(
        question,
        (answer: boolean) => (answer ? "yes" : "no"),
        (streams) => confirmQuestion({ window, question, initial }, streams),
      ),
    async choose(question, choices, initial) {
      const at = initial === undefined ? -1 : choices.findIndex(({ value }) => value === initial)
      return taken(
        await asked(question, nameOf, (streams) =>
          chooseQuestion({ window, question, choices, initial: at }, streams),
        ),
      )
    },
    pick: async (question, find) =>
      taken(await asked(question, nameOf, (streams) => pickQuestion({ window, question, find }, streams))),
    async during(what, work) {
      // What is typed meanwhile answers nothing: it was not meant for the question that comes.
      waits.waited()
      input.setRawMode?.(true)
      input.on("data", onKeys)
      input.resume()
      try {
        return await spinning({ window, clock, write: (text) => output.write(text) }, what, work)
      } finally {
        input.off("data", onKeys)
        input.pause()
        input.setRawMode?.(false)
      }
    },
    say(text) {
      const lines = said(text, window.colour).split("\n")
      const fitting = () => lines.flatMap((line) => wrap(line, room(window)))
      story.push(fitting)
      return terminal.stderr.write(`${fitting().join("\n")}\n`)
    },
  }
}
