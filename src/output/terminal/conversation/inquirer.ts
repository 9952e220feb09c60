/** A conversation drawn by Inquirer's prompts. What was said and answered stays on the screen. */
import { createInterface } from "node:readline"
import { Transform } from "node:stream"
import { confirm, input as textLine, password, search } from "@inquirer/prompts"
import { safeText, UNSAFE } from "../../../base/safe-text.ts"
import { FreightError } from "../../../base/errors.ts"
import type { Clock } from "../../../base/ports.ts"
import { asking, inAscii, inLine, sanitizeText } from "../sanitize.ts"
import { CLEAR_LINE, paint, type Style } from "../style.ts"
import type { Terminal } from "../terminal.ts"
import { cut, widthOf, wrap } from "../width.ts"
import { BACK, type Back, type Choice, type Conversation, findByName } from "./conversation.ts"
import { dropTyped, hasEnded, type Keyboard, swallowKeys } from "./keyboard.ts"

interface Desk {
  input: Keyboard
  output: NodeJS.WritableStream & { rows?: number }
  signal: AbortSignal
  terminal: Pick<Terminal, "stderr" | "unicode">
  clock: Pick<Clock, "sleep">
  /** Answers are kept when the person leaves. */
  keepsAnswers: boolean
  /** Same as Ctrl-C. */
  interrupt: () => void
}

type Context = NonNullable<Parameters<typeof search>[1]>

/** How long an Esc waits for the rest of an arrow key, which a slow line may bring later. */
const ESCAPE_MS = 50
const SPIN_MS = 100
const CLEAR_WINDOW = "\u001b[H\u001b[2J"
const HIDE_CURSOR = "\u001b[?25l"
const SHOW_CURSOR = "\u001b[?25h"
/** While this is on, the terminal marks pasted text. */
const MARK_PASTES = { on: "\u001b[?2004h", off: "\u001b[?2004l", begin: "\u001b[200~", end: "\u001b[201~" }
const ESCAPE = "\u001b"
const PASTE_MARK = new RegExp(`(${ESCAPE}\\[20[01]~)`)
/** Maximum number of matches shown while one types. */
const MAX_MATCHES = 10
const MAX_DESCRIPTION_LINES = 3

/** Columns for the mark of a question, and for ` (y/N) ` and an answer beside it. */
const ROOM_FOR_YES = 12

/** Beside a choice that spends money, while anything is typed: Enter takes it from an empty line only. */
const EMPTY_LINE_ONLY = "(clear what you typed to choose this)"

/** Inquirer's text for a list without matches, and the advice for it. */
const NOTHING_FOUND = "No results found"
const NOTHING_FITS = "Nothing in the list fits what you typed: Backspace removes it"

const UNICODE = { tick: "✔", wrong: "✖", pointer: "❯", ellipsis: "…", arrows: "↑↓ moves", dot: " · " }
const ASCII = { tick: "*", wrong: "!", pointer: ">", ellipsis: "...", arrows: "arrows move", dot: " | " }
const SPINNER = { unicode: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", ascii: "|/-\\" }

export function inquirerConversation(desk: Desk): Conversation {
  const { input, output, signal, terminal, clock, interrupt } = desk
  const { stderr, unicode } = terminal
  const signs = unicode ? UNICODE : ASCII
  /** Questions and answers so far, to redraw the window after its size changes. */
  const story: string[] = []
  const width = () => Math.max(stderr.columns, 12) - 1
  /** In lines that fit the window, the further ones indented. */
  const fold = (text: string, indent = "") =>
    text
      .split("\n")
      .flatMap((each) => wrap(each, width() - indent.length))
      .join(`\n${indent}`)
  const toShown = (text: string) => (unicode ? text : inAscii(text))
  const cutToFit = (text: string) => cut(text, width() - 2, signs.ellipsis)
  // If the terminal closes between two questions, the next one reports it.
  input.on("error", () => {})

  const leave = desk.keepsAnswers ? "Ctrl-C stops, your answers are kept" : "Ctrl-C stops"
  const explainKeys = (...own: string[]) =>
    paint(stderr, "dim", fold([...own, "Esc back", leave].join(signs.dot)))
  const explainListKeys = () => explainKeys(signs.arrows, "Enter takes")
  /** The frame of all prompts: the answer, and the highlighted line of a list. */
  const createFrame = (question: string) => {
    const message = toShown(asking(question))
    const shown = { answer: "", line: "" }
    const lines = () => wrap(message, width() - ROOM_FOR_YES)
    // Inquirer breaks lines within words, so a text that does not fit beside its question starts a new line.
    const fitBeside = (text: string) =>
      widthOf(`? ${lines().at(-1)} ${text}`) <= width() ? text : `\n  ${fold(text, "  ")}`
    const style = {
      answer(text: string) {
        shown.answer = text
        return paint(stderr, "cyan", fitBeside(text))
      },
      highlight(text: string) {
        shown.line = text
        return paint(stderr, "cyan", text)
      },
      message: () => paint(stderr, "bold", lines().join("\n  ")),
      error(text: string) {
        const words = text === NOTHING_FOUND ? NOTHING_FITS : text
        return paint(stderr, "red", fold(`${signs.wrong} ${words}`, "  "))
      },
      defaultAnswer: (text: string) => paint(stderr, "dim", fitBeside(`(${text})`)),
      help: (text: string) => paint(stderr, "dim", text),
      maskedText: "",
      disabled: (text: string) => paint(stderr, "dim", `- ${cutToFit(text)}`),
      searchTerm: (text: string) => paint(stderr, "cyan", text.replace(UNSAFE, "\ufffd")),
      description: (text: string) => paint(stderr, "dim", `  ${fold(text, "  ")}`),
      keysHelpTip: explainListKeys,
    }
    const theme = {
      prefix: { idle: paint(stderr, "cyan", "?"), done: paint(stderr, "green", signs.tick) },
      icon: { cursor: signs.pointer },
      keywords: { yes: "yes", no: "no", error: () => "Please answer yes or no." },
      style,
    }
    return { message, theme, shown }
  }

  const say = (text: string, style?: Style) => {
    const shown = toShown(style ? paint(stderr, style, text) : text)
    story.push(shown)
    return stderr.write(`${fold(sanitizeText(shown, stderr.colour))}\n`)
  }

  let explained: "nothing" | "leaving" | "all" = "nothing"
  /**
   * Lists show their keys below them. For text questions they are explained once; for yes/no questions only if they
   * were not explained yet.
   */
  const explainText = async () => {
    if (explained !== "all") await say(explainKeys(`Enter takes (${signs.ellipsis})`, "Tab edits it"))
    explained = "all"
  }
  const explainYesNo = async () => {
    if (explained !== "nothing") return
    await say(explainKeys("y or n", "Enter takes the capital"))
    explained = "leaving"
  }

  /** Asks until there is an answer, and again after the window's size changes. */
  const ask = async <T>(
    question: string,
    draw: (frame: ReturnType<typeof createFrame>, context: Context) => Promise<T>,
  ): Promise<T | Back> => {
    const frame = createFrame(question)
    await dropTyped(input, interrupt)
    for (;;) {
      const end = new AbortController()
      output.write(MARK_PASTES.on)
      const { keys, close } = openKeys(input, (reason) => end.abort(reason))
      const onResize = () => end.abort("resized")
      output.once("resize", onResize)
      if (hasEnded(input)) end.abort("left")
      try {
        const answer = await draw(frame, {
          input: keys,
          output,
          signal: AbortSignal.any([signal, end.signal]),
          get clearPromptOnDone() {
            return end.signal.reason === BACK
          },
        })
        const { message, theme, shown } = frame
        story.push(`${theme.prefix.done} ${message} ${paint(stderr, "cyan", shown.answer)}`)
        return answer
      } catch (error) {
        if (end.signal.reason === BACK) return BACK
        if (end.signal.reason !== "resized") throw toInterruption(error)
        // Terminals rewrap lines in their own ways when they become narrower, so positions are unknown.
        const before = story.flatMap((each) => fold(sanitizeText(each, stderr.colour)).split("\n"))
        output.write([CLEAR_WINDOW, ...before.slice(-(output.rows || 24))].join("\n"))
        output.write("\n")
      } finally {
        output.off("resize", onResize)
        output.write(MARK_PASTES.off)
        close()
      }
    }
  }

  const toChoices = <T>(list: readonly Choice<T>[]) =>
    list.map(({ name, value, description, disabled, spends }) => {
      const whole = toShown(safeText(name, 200))
      const shown = cutToFit(whole)
      const below = [shown === whole ? "" : inLine(whole), toShown(safeText(description ?? ""))]
      const lines = below.filter(Boolean).flatMap((each) => wrap(each, width() - 2))
      return {
        name: shown,
        value,
        short: inLine(whole),
        ...(lines.length > 0 && { description: lines.slice(0, MAX_DESCRIPTION_LINES).join("\n") }),
        ...(disabled !== undefined && { disabled: `(${safeText(disabled)})` }),
        ...(spends && { spends }),
      }
    })
  /** Number of visible choices for which the list fits the window with its question, the text below it, and its keys. */
  const toPageSize = (message: string, choices: readonly { description?: string }[]) => {
    const linesOf = (text: string) => text.split("\n").length
    const below = Math.max(...choices.map(({ description }) => linesOf(description ?? "")))
    return Math.max(2, (output.rows || 24) - linesOf(message) - 1 - below - linesOf(explainListKeys()))
  }

  /**
   * A list that typing filters; if nothing matches, Enter does nothing.
   * @param find the matches; called at each key with the trimmed text
   */
  const askList = <T>(
    question: string,
    find: (typed: string) => readonly Choice<T>[],
    { initial, most = Number.POSITIVE_INFINITY }: { initial?: T | undefined; most?: number },
  ): Promise<T | Back> => {
    let typed = ""
    let found: ReturnType<typeof toChoices<T>> = []
    return ask(question, ({ message, theme, shown }, context) => {
      // Keep the highlighted choice after the window's size changes.
      const highlighted = found.find(({ name }) => shown.line.endsWith(` ${name}`))
      const all = toChoices(find(""))
      const start = highlighted ? highlighted.value : initial
      return search<T>(
        {
          message,
          theme,
          initialValue: typed,
          source(term = "") {
            typed = term
            // Tab has put a whole name into the line.
            const whole = found.filter(({ name }) => name === term)
            found = whole.length > 0 ? whole : toChoices(find(term.trim()))
            return term === "" ? found : found.map(disableSpending)
          },
          ...(start !== undefined && { default: start as NoInfer<T> }),
          pageSize: Math.min(most, toPageSize(theme.style.message(), all)),
        },
        context,
      )
    })
  }

  return {
    plain: false,
    get columns() {
      return stderr.columns
    },
    unicode,

    async text(question, { initial = "", check, hint = "", live, isHidden } = {}) {
      await explainText()
      const validate = (typed: string) => {
        const result = check?.(typed.trim())
        return result?.ok === false ? result.reason : true
      }
      let typed = ""
      const askOnce = () =>
        ask(question, ({ message, theme }, context) =>
          isHidden
            ? password({ message, theme, mask: false, toggleMask: false }, context)
            : textLine(
                {
                  message,
                  theme,
                  validate,
                  default: typed || initial,
                  prefill: typed === "" ? "tab" : "editable",
                  transformer(value, { isFinal }) {
                    const safe = value.replace(UNSAFE, "\ufffd")
                    if (isFinal) return theme.style.answer(safe || "none")
                    typed = value
                    const note = toShown(safeText(live?.(value) ?? hint))
                    const above = `\n  ${paint(stderr, "dim", fold(note, "  "))}\n${signs.pointer} `
                    return note === "" ? safe : above + safe
                  },
                },
                context,
              ),
        )
      for (;;) {
        const answer = await askOnce()
        if (answer === BACK) return BACK
        const wrong = isHidden ? validate(answer) : true
        if (wrong === true) return answer.trim()
        // A prompt keeps an error in its line, and with a hidden answer nobody sees that the next key is appended to
        // it.
        await say(`${signs.wrong} ${wrong}`, "red")
      }
    },

    async confirm(question, initial) {
      await explainYesNo()
      return ask(question, ({ message, theme }, context) =>
        confirm({ message, theme, default: initial }, context),
      )
    },

    choose(question, choices, initial) {
      return askList(question, (typed) => (typed === "" ? choices : findByName(choices, typed)), {
        initial,
      })
    },

    pick: (question, find) => askList(question, find, { most: MAX_MATCHES }),

    async during(what, work) {
      const over = new AbortController()
      const frames = [...(unicode ? SPINNER.unicode : SPINNER.ascii)]
      const spin = async () => {
        for (let turn = 0; ; turn++) {
          const mark = paint(stderr, "cyan", frames[turn % frames.length] ?? "")
          output.write(`${CLEAR_LINE}${HIDE_CURSOR}${mark} ${cutToFit(safeText(what))}`)
          await clock.sleep(SPIN_MS, over.signal)
        }
      }
      const release = swallowKeys(input, interrupt)
      const spun = spin().catch(() => {})
      try {
        return await work((line) => {
          output.write(CLEAR_LINE)
          // If nobody reads the output any more, the next question reports it.
          void say(line).catch(() => {})
        })
      } finally {
        over.abort()
        await spun
        output.write(`${CLEAR_LINE}${SHOW_CURSOR}`)
        release()
      }
    },
    say,
    warn: (text) => say(text, "yellow"),
  }
}

/**
 * The keys of one question. They come through a stream of their own: when the terminal fails, readline would end the
 * process.
 * @param end is called when the person steps back, and when the terminal goes away
 */
function openKeys(input: Keyboard, end: (reason: Back | "left") => void) {
  let endsWithEscape = false
  const joinPaste = createPasteJoiner()
  const pieces = new Transform({
    // A searched list ignores Enter before it shows its matches, so Enter is passed on a turn later.
    async transform(chunk: Buffer | string, _, done) {
      const text = joinPaste(Buffer.from(chunk).toString("latin1"))
      // A letter that follows an Esc at once would be one key with it, and be lost.
      if (endsWithEscape && !/^[[O]/.test(text))
        await new Promise((resolve) => setTimeout(resolve, ESCAPE_MS))
      endsWithEscape = text.endsWith("\u001b")
      for (const piece of text.split(/(?=[\r\n])/)) {
        this.push(Buffer.from(piece, "latin1"))
        await new Promise((resolve) => setImmediate(resolve))
      }
      done()
    },
  })
  const keys = Object.assign(pieces, { setRawMode: (raw: boolean) => input.setRawMode?.(raw) })
  // A stream keeps the wait of the first reader that it is given; without one, an Esc takes half a second.
  createInterface({ input: keys, terminal: true, escapeCodeTimeout: ESCAPE_MS }).close()
  const leave = () => end("left")
  keys.on("keypress", (_, key?: { name?: string }) => {
    if (key?.name === "escape") end(BACK)
  })
  // Ctrl-D ends the line reader, which pauses its keys and reports nothing.
  keys.on("pause", leave)
  for (const event of ["end", "close", "error"]) input.once(event, leave)
  input.pipe(keys, { end: false })
  return {
    keys,
    close() {
      for (const event of ["end", "close", "error"]) input.off(event, leave)
      input.unpipe(keys)
      input.pause()
    },
  }
}

/** Joins pasted lines into one: an address has several, and Enter would answer with the first of them. */
function createPasteJoiner(): (text: string) => string {
  let pasted: string | undefined
  return (text) => {
    let keys = ""
    for (const piece of text.split(PASTE_MARK)) {
      if (pasted === undefined) {
        if (piece === MARK_PASTES.begin) pasted = ""
        else keys += piece
      } else if (piece === MARK_PASTES.end) {
        const lines = pasted.split(/[\r\n]/).map((line) => line.trim().replace(/,$/, ""))
        keys += lines.filter((each) => each !== "").join(", ")
        pasted = undefined
      } else pasted += piece
    }
    return keys
  }
}

function disableSpending<T extends { spends?: boolean; disabled?: string }>(choice: T): T {
  return choice.spends ? { ...choice, disabled: choice.disabled ?? EMPTY_LINE_ONLY } : choice
}

function toInterruption(error: unknown): unknown {
  return error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name)
    ? new FreightError("interrupted", "interrupted", { cause: error })
    : error
}
