/** A conversation that is drawn: lines that are edited, lists that are walked through, a spinner. */
import { createInterface } from "node:readline"
import { safeText } from "../../contract/safe-text.ts"
import type { Clock } from "../../ports.ts"
import { inLine, sanitizeText } from "../sanitize.ts"
import { paint } from "../style.ts"
import type { Terminal } from "../terminal.ts"
import { wrap } from "../width.ts"
import { ask, dropTyped, guardWaits, interruptOnCtrlC, type Keyboard, type Streams } from "./asking.ts"
import { chooseQuestion } from "./choose.ts"
import { BACK, type Back, type Choice, type Conversation } from "./conversation.ts"
import { pickQuestion } from "./pick.ts"
import { confirmQuestion, shownAnswer, textQuestion } from "./text.ts"
import { answered, fitted, marks, room, type Window } from "./window.ts"

/** How long an Esc waits for the rest of an arrow key, which a slow line may bring later. */
const ESCAPE_MS = 50
const CLEAR_LINE_ABOVE = "\u001b[1A\u001b[2K"

interface Desk extends Streams {
  input: Keyboard
  output: NodeJS.WritableStream & { rows?: number }
  terminal: Pick<Terminal, "stderr" | "unicode">
  clock: Clock
  /** What was answered is kept when the person leaves. */
  keepsAnswers: boolean
  /** Does what a Ctrl-C does: while something runs, the keys come to us and not to the system. */
  interrupt: () => void
}

/** What was said, or answered to a question. */
interface Told {
  question?: string
  /** For the window's width of the moment. */
  lines: () => string[]
}

export function drawnConversation(desk: Desk): Conversation {
  const { input, output, terminal, clock, interrupt } = desk
  /** The newest last. */
  const story: Told[] = []
  let isSteppingBack = false
  const window: Window = {
    get columns() {
      return terminal.stderr.columns
    },
    get rows() {
      return output.rows || 24
    },
    colour: terminal.stderr.colour,
    unicode: terminal.unicode,
    keepsAnswers: desk.keepsAnswers,
    before: () => story.slice(-window.rows).flatMap(({ lines }) => lines()),
    onResize(listener) {
      output.on("resize", listener)
      return () => output.off("resize", listener)
    },
  }
  // A stream keeps the wait of the first reader that it is given; without one, an Esc takes half a second.
  createInterface({ input, terminal: true, escapeCodeTimeout: ESCAPE_MS }).close()
  // If the terminal closes between two questions, the next one reports it.
  input.on("error", () => {})

  const onKeys = interruptOnCtrlC(interrupt)
  const waits = guardWaits(clock, () => dropTyped(input, interrupt))

  const asked = async <T>(
    question: string,
    show: (answer: T) => string,
    draw: (streams: Streams) => Promise<T | Back>,
  ): Promise<T | Back> => {
    await waits.beforeQuestion()
    if (isSteppingBack) output.write(takeBack(question))
    const answer = await ask(desk, draw)
    waits.afterQuestion()
    isSteppingBack = answer === BACK
    if (answer === BACK) output.write(CLEAR_LINE_ABOVE)
    else story.push({ question, lines: () => linesOf(answered(window, question, show(answer as T))) })
    return answer
  }
  /** Clears what stands from the question's earlier answer on: it is asked again in that place. */
  const takeBack = (question: string) => {
    const at = story.findLastIndex((told) => told.question === question)
    const rows = at < 0 ? 0 : story.splice(at).flatMap(({ lines }) => lines()).length
    return rows === 0 ? "" : `\u001b[${rows}A\u001b[J`
  }
  const linesOf = ({ above, line }: { above: string[]; line: string }) => [...above, line]
  const nameOf = ({ name }: Choice<unknown>) => inLine(name)
  /** Inquirer's prompts are made once, for choices of any type. */
  const taken = <T>(answer: Choice<unknown> | Back): T | Back =>
    answer === BACK ? BACK : (answer.value as T)

  const say = (text: string) => {
    const lines = sanitizeText(text, window.colour).split("\n")
    const fitting = () => lines.flatMap((line) => wrap(line, room(window)))
    story.push({ lines: fitting })
    return terminal.stderr.write(`${fitting().join("\n")}\n`)
  }

  return {
    plain: false,
    get columns() {
      return window.columns
    },
    unicode: window.unicode,
    text: (question, options = {}) =>
      asked(
        question,
        (answer: string) => shownAnswer(answer, options),
        (streams) => textQuestion({ window, question, ...options }, streams),
      ),
    confirm(question, initial, { spends } = {}) {
      if (spends) waits.waited()
      return asked(
        question,
        (answer: boolean) => (answer ? "yes" : "no"),
        (streams) => confirmQuestion({ window, question, initial }, streams),
      )
    },
    async choose(question, choices, initial) {
      if (choices.some(({ spends }) => spends)) waits.waited()
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
    say,
    warn: (text) => say(paint(window, "yellow", text)),
  }
}

/** What is done sooner than that is not worth a flicker. */
const SOON_MS = 150
const FRAME_MS = 100
const HIDE = "\u001b[?25l"
const SHOW = "\u001b[?25h"
const CLEAR = "\r\u001b[2K"

/** What is done while one waits, in one line that moves and then goes away. */
async function spinning<T>(
  { window, clock, write }: { window: Window; clock: Clock; write: (text: string) => void },
  what: string,
  work: (tell: (words: string) => void) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  let words = what
  let drawn = false
  const spin = async () => {
    await clock.sleep(SOON_MS, over.signal)
    drawn = true
    write(HIDE)
    for (let turn = 0; ; turn++) {
      const { spinner } = marks(window)
      const mark = paint(window, "cyan", spinner[turn % spinner.length] ?? "")
      write(`${CLEAR}${mark} ${fitted(window, safeText(words), room(window) - 2)}`)
      await clock.sleep(FRAME_MS, over.signal)
    }
  }
  const spun = spin().catch(() => {})
  try {
    return await work((told) => {
      words = told
    })
  } finally {
    over.abort()
    await spun
    if (drawn) write(`${CLEAR}${SHOW}`)
  }
}
