/**
 * A conversation in plain lines, for a screen reader or a terminal that cannot move its cursor: every question is one
 * line, broken between words on a narrow terminal. Lists are numbered, answers are typed, and printed text never
 * changes.
 */
import { quoted } from "../../../base/parsed.ts"
import { createInterface } from "node:readline"
import { StringDecoder } from "node:string_decoder"
import { stripVTControlCharacters } from "node:util"
import { safeText } from "../../../base/safe-text.ts"
import { FreightError } from "../../../base/errors.ts"
import type { Clock } from "../../../base/ports.ts"
import { inAscii, inLine, sanitizeText } from "../sanitize.ts"
import type { Terminal } from "../terminal.ts"
import { wrap } from "../width.ts"
import {
  BACK,
  type Back,
  type Choice,
  type Conversation,
  findByName,
  type TextOptions,
} from "./conversation.ts"
import { dropTyped, hasEnded, type Keyboard } from "./keyboard.ts"

/** The answer that spends money: a pasted line end is not one. */
const SPEND_WORD = "book"
const HOW =
  "Type an answer and press Enter. Enter alone takes the answer in brackets, a space clears it, < goes back, " +
  "and Ctrl-C stops"
/** If more match, the person types more of the name. */
const MAX_READ_OUT = 20
/** Up to this many are read out before anything is typed. */
const READ_OUT_AT_ONCE = 9

/** After a pause this long (ms) between questions, text typed meanwhile is not an answer to the next one. */
const WAIT_MS = 300

interface PlainDesk {
  input: Keyboard
  signal: AbortSignal
  terminal: Pick<Terminal, "stderr" | "unicode">
  clock: Pick<Clock, "now">
  /** Answers are kept when the person leaves. */
  keepsAnswers: boolean
  /** Same as Ctrl-C. */
  interrupt: () => void
}

export function plainConversation(desk: PlainDesk): Conversation {
  const { input, signal, terminal, clock, keepsAnswers, interrupt } = desk
  const { stderr } = terminal
  const lines = lineReader(input, signal, interrupt)
  /** Broken between words, as the terminal would cut them; an address or a command can be copied. */
  const toShown = (text: string) =>
    (terminal.unicode ? text : inAscii(text))
      .split("\n")
      .flatMap((line) => wrap(line, stderr.columns, { whole: true }))
      .join("\n")
  const print = (line: string) => stderr.write(`${toShown(line)}\n`)
  let isExplained = false
  const explain = async () => {
    if (!isExplained) await print(`${HOW}${keepsAnswers ? " and keeps your answers" : ""}.`)
    isExplained = true
  }
  let answeredAt = clock.now()
  /** The next question ignores text typed before it was asked. */
  let startsAfresh = false

  /** The typed answer, or undefined for Enter alone. */
  const ask = async (
    question: string,
    { hint, initial, isHidden = false }: TextOptions = {},
  ): Promise<string | undefined | Back> => {
    await explain()
    const parts = [
      safeText(question, 200).replace(/(?<![:\s])[:\s]+$/, ""),
      hint && `(${safeText(hint)})`,
      initial && `[${safeText(initial, 200)}]`,
    ]
    if (startsAfresh || clock.now() - answeredAt > WAIT_MS) await lines.drop()
    // A hidden line is read before its question is seen: the terminal would show the keys that come sooner.
    const hidden = isHidden ? lines.nextHidden() : undefined
    hidden?.catch(() => {})
    await stderr.write(`${toShown(`${parts.filter(Boolean).join(" ")}:`)} `)
    const line = await (hidden ?? lines.next()).catch(async (error: unknown) => {
      await print("").catch(() => {})
      throw error
    })
    if (isHidden) await print("")
    answeredAt = clock.now()
    startsAfresh = false
    if (["<", "\u001b"].includes(line.trim())) return BACK
    if (isHidden) return line.trim()
    return line === "" ? undefined : safeText(stripVTControlCharacters(line), Number.POSITIVE_INFINITY).trim()
  }

  const readOut = async (choices: readonly Choice<unknown>[], most = choices.length) => {
    await explain()
    for (const [at, choice] of choices.slice(0, most).entries()) await print(describeChoice(choice, at))
    const more = choices.length - most
    if (more > 0) await print(`And ${more} more: type more of the name.`)
  }

  /** A listed choice by number, or any by part of its name; Enter accepts `initial`. */
  const askFrom = async <T>(
    question: string,
    find: (typed: string) => readonly Choice<T>[],
    offered: readonly Choice<T>[],
    initial?: Choice<T>,
  ): Promise<Choice<T> | Back> => {
    let listed = offered
    if (listed.length > 0) await readOut(listed)
    for (;;) {
      const typed = await ask(question, {
        hint: `${listed.length > 0 ? "number, or " : ""}part of a name`,
        initial: initial && listed.includes(initial) ? String(listed.indexOf(initial) + 1) : "",
      })
      if (typed === BACK) return BACK
      const isNumbered = isNumber(typed, listed)
      const exact = isNumbered ? listed[Number(typed) - 1] : typed === undefined ? initial : undefined
      const found = exact ? [exact] : isNumbered ? [] : find(typed ?? "")
      const [one, ...others] = found
      if (!one)
        await print(
          typed && !isNumbered
            ? `Nothing matches ${quoted(typed)}.`
            : `Please type a number from 1 to ${listed.length}, or part of a name.`,
        )
      // An offer that is shown for any text is not a match.
      else if (others.length > 0 || !(exact || (typed && findMatches(found, typed).length > 0))) {
        listed = found
        await readOut(listed, MAX_READ_OUT)
        if (typed === undefined)
          await print(
            `Please type a number from 1 to ${Math.min(listed.length, MAX_READ_OUT)}, or part of a name.`,
          )
      } else if (one.disabled !== undefined) await print(`That cannot be chosen: ${safeText(one.disabled)}`)
      else if (one.spends && !isSpendWord(typed)) await print(`Please type ${SPEND_WORD} for that.`)
      else return one
    }
  }

  const say = (text: string) => print(sanitizeText(text, false))

  return {
    plain: true,
    get columns() {
      return stderr.columns
    },
    unicode: terminal.unicode,

    async text(question, options = {}) {
      const { initial, check, live } = options
      for (;;) {
        const typed = await ask(question, options)
        if (typed === BACK) return BACK
        const answer = typed ?? initial?.trim() ?? ""
        const result = check?.(answer)
        if (result?.ok !== false) {
          const remark = live?.(answer)
          if (remark) await print(safeText(remark))
          return answer
        }
        await print(safeText(result.reason))
      }
    },

    async confirm(question, initial, { spends = false } = {}) {
      startsAfresh ||= spends
      const hint = spends ? `type ${SPEND_WORD}, or no` : "yes or no"
      const shown = !spends && initial ? "yes" : "no"
      for (;;) {
        const typed = await ask(question, { hint, initial: shown })
        if (typed === BACK) return BACK
        if (spends && isSpendWord(typed)) return true
        const answer = parseYesNo(typed ?? shown)
        if (answer !== undefined && !(spends && answer)) return answer
        await print(spends ? `Please type ${SPEND_WORD}, or no.` : "Please answer yes or no.")
      }
    },

    async choose(question, choices, initial) {
      startsAfresh ||= choices.some(({ spends }) => spends)
      const first = choices.find(
        ({ value, disabled, spends }) =>
          initial !== undefined && value === initial && disabled === undefined && !spends,
      )
      const chosen = await askFrom(question, (typed) => findMatches(choices, typed), choices, first)
      return chosen === BACK ? BACK : chosen.value
    },

    async pick(question, find) {
      const all = find("")
      const chosen = await askFrom(question, find, all.length <= READ_OUT_AT_ONCE ? all : [])
      if (chosen === BACK) return BACK
      await print(`${inLine(chosen.name)}.`)
      return chosen.value
    },

    async during(what, work) {
      startsAfresh = true
      await print(safeText(what))
      // If nobody reads the output any more, the next question reports it.
      return work((line) => void print(safeText(line)).catch(() => {}))
    },
    say,
    warn: say,
  }
}

function describeChoice({ name, description, disabled, spends }: Choice<unknown>, at: number): string {
  if (disabled !== undefined) return `Not available: ${inLine(name)} (${safeText(disabled)})`
  if (spends) return `Type ${SPEND_WORD}: ${inLine(name)}`
  return `${at + 1}. ${inLine(name)}${description ? ` - ${safeText(description)}` : ""}`
}

function isSpendWord(typed: string | undefined): boolean {
  return typed?.toLowerCase() === SPEND_WORD
}

/** A typed yes or no; undefined for anything else. */
function parseYesNo(typed: string): boolean | undefined {
  if (/^y(es)?$/i.test(typed)) return true
  return /^no?$/i.test(typed) ? false : undefined
}

/** By name; a choice that spends money needs its whole word. */
function findMatches<T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] {
  const spending = isSpendWord(typed) ? choices.filter(({ spends }) => spends) : []
  return spending.length > 0 ? spending : findByName(choices, typed)
}

/** The number of a line, or one near it: 9 in a list of four is a slip, and no part of a price; 6160 is a postcode. */
function isNumber(typed: string | undefined, listed: readonly unknown[]): boolean {
  return (
    /^\d+$/.test(typed ?? "") && (typed ?? "").length <= String(listed.length).length && listed.length > 0
  )
}

const ENDS = ["end", "close", "error"]

/** Lines as a person types them, one at a time; nothing is read, and nothing keeps the process alive, between. */
function lineReader(input: Keyboard, signal: AbortSignal, interrupt: () => void) {
  const decoder = new StringDecoder("utf8")
  let held = ""
  const takeLine = () => {
    const line = /^(.*?)(?:\r\n|[\r\n])/s.exec(held)
    if (line) held = held.slice(line[0].length)
    return line?.[1]
  }
  // If the terminal closes between two questions, the next one reports it.
  input.on("error", () => {})

  /** @param listen reads until it has a line; returns a function that stops it */
  const next = (listen: (resolve: (line: string) => void, leave: () => void) => () => void) =>
    new Promise<string>((resolve, reject) => {
      const line = signal.aborted ? undefined : takeLine()
      if (line !== undefined) return resolve(line)
      const leave = () => {
        stop()
        reject(new FreightError("interrupted", "interrupted"))
      }
      const end = listen((whole) => {
        stop()
        resolve(whole)
      }, leave)
      const stop = () => {
        for (const each of ENDS) input.off(each, leave)
        signal.removeEventListener("abort", leave)
        end()
        input.pause()
      }
      if (signal.aborted || hasEnded(input)) return leave()
      for (const each of ENDS) input.once(each, leave)
      signal.addEventListener("abort", leave)
      input.resume()
    })

  return {
    /** The next line, without its end. */
    next: () =>
      next((resolve) => {
        const onData = (chunk: Buffer | string) => {
          held += decoder.write(Buffer.from(chunk))
          const line = takeLine()
          if (line !== undefined) resolve(line)
        }
        input.on("data", onData)
        return () => input.off("data", onData)
      }),
    /** The next line, without echo. */
    nextHidden: () =>
      next((resolve, leave) => {
        // It takes the keys one by one, so that the terminal echoes none; and without an output it shows none itself.
        const reader = createInterface({ input, terminal: true, historySize: 0 })
        reader.once("line", resolve)
        reader.once("close", leave)
        return () => reader.off("close", leave).close()
      }),
    async drop() {
      await dropTyped(input, interrupt)
      held = ""
    },
  }
}
