/**
 * A conversation in plain lines, for a screen reader or a terminal that cannot move its cursor: every question is one
 * line, lists are numbered, answers are typed, and nothing that was written is changed.
 */
import { stripVTControlCharacters } from "node:util"
import { safeText } from "../contract/safe-text.ts"
import type { Clock } from "../ports.ts"
import { guardWaits, type Streams } from "./asking.ts"
import { BACK, type Back, type Conversation } from "./conversation.ts"
import { lineReader } from "./lines.ts"
import type { Choice } from "./prompter.ts"
import { inLine, said } from "./said.ts"
import type { Terminal } from "./terminal.ts"

const HOW =
  "Type an answer and press Enter. Enter alone takes the answer in brackets, a space clears it, < goes back, " +
  "and Ctrl-C stops and keeps your answers."
/** More are not read out: one types more of the name instead. */
const READ_OUT = 20
/** As few are read out before anything is typed. */
const FEW = 9

interface PlainDesk extends Omit<Streams, "output"> {
  terminal: Pick<Terminal, "stderr" | "unicode">
  clock: Pick<Clock, "now">
}

export function plainConversation({ input, signal, terminal, clock }: PlainDesk): Conversation {
  const { stderr } = terminal
  const lines = lineReader(input, signal)
  const waits = guardWaits(clock, lines.drop)
  const tell = (line: string) => stderr.write(`${line}\n`)
  let told = false
  const explain = async () => {
    if (!told) await tell(HOW)
    told = true
  }

  /** What was typed, or undefined for Enter alone. */
  const ask = async (
    question: string,
    hint?: string,
    initial?: string,
  ): Promise<string | undefined | Back> => {
    await explain()
    const parts = [
      safeText(question, 200).replace(/[:\s]+$/, ""),
      hint && `(${safeText(hint)})`,
      initial && `[${safeText(initial, 200)}]`,
    ]
    await waits.beforeQuestion()
    await stderr.write(`${parts.filter(Boolean).join(" ")}: `)
    const line = await lines.next().catch(async (error: unknown) => {
      await tell("").catch(() => {})
      throw error
    })
    waits.afterQuestion()
    if (["<", "\u001b"].includes(line.trim())) return BACK
    return line === "" ? undefined : safeText(stripVTControlCharacters(line), Number.POSITIVE_INFINITY).trim()
  }

  const read = async (choices: readonly Choice<unknown>[], most = choices.length) => {
    await explain()
    for (const [at, choice] of choices.slice(0, most).entries()) await tell(inWords(choice, at))
    const more = choices.length - most
    if (more > 0) await tell(`And ${more} more: type more of the name.`)
  }

  return {
    plain: true,
    get columns() {
      return stderr.columns
    },
    unicode: terminal.unicode,

    async text(question, { initial, check, hint, live } = {}) {
      for (;;) {
        const typed = await ask(question, hint, initial)
        if (typed === BACK) return BACK
        const answer = typed ?? initial?.trim() ?? ""
        const result = check?.(answer)
        if (result?.ok !== false) {
          const remark = live?.(answer)
          if (remark) await tell(safeText(remark))
          return answer
        }
        await tell(safeText(result.reason))
      }
    },

    async confirm(question, initial) {
      for (;;) {
        const typed = await ask(question, "yes or no", initial ? "yes" : "no")
        if (typed === BACK) return BACK
        if (typed === undefined) return initial
        if (/^(y|yes)$/i.test(typed)) return true
        if (/^(n|no)$/i.test(typed)) return false
        await tell("Please answer yes or no.")
      }
    },

    async choose(question, choices, initial) {
      const at = choices.findIndex(
        ({ value, disabled }) => initial !== undefined && value === initial && disabled === undefined,
      )
      await read(choices)
      for (;;) {
        const typed = await ask(question, "number, or part of a name", at < 0 ? undefined : String(at + 1))
        if (typed === BACK) return BACK
        const found = typed === undefined ? choices.slice(at, at + 1) : matching(choices, typed)
        const [one] = found
        if (found.length === 1 && one?.disabled === undefined && one) return one.value
        if (one && found.length > 1) {
          await tell("Several match:")
          for (const [index, choice] of choices.entries())
            if (found.includes(choice)) await tell(inWords(choice, index))
        } else if (one) await tell(`That cannot be chosen: ${safeText(one.disabled ?? "")}`)
        else if (typed && !isNumber(typed, choices)) await tell(`Nothing matches "${safeText(typed, 60)}".`)
        else await tell(`Please type a number from 1 to ${choices.length}, or part of a name.`)
      }
    },

    async pick<T>(question: string, find: (typed: string) => readonly Choice<T>[]) {
      const all = find("")
      let listed: readonly Choice<T>[] = all.length <= FEW ? all : []
      if (listed.length > 0) await read(listed)
      for (;;) {
        const typed = await ask(question, `${listed.length > 0 ? "number, or " : ""}part of a name`)
        if (typed === BACK) return BACK
        const numbered = /^\d+$/.test(typed ?? "") ? listed[Number(typed) - 1] : undefined
        if (numbered?.disabled !== undefined) {
          await tell(`That cannot be chosen: ${safeText(numbered.disabled)}`)
          continue
        }
        const found = numbered ? [numbered] : find(typed ?? "")
        const [one] = found
        // What is offered besides whatever is typed is not meant by it.
        const meant = numbered ?? (found.length === 1 && typed ? matching(found, typed)[0] : undefined)
        if (meant && meant.disabled === undefined) {
          await tell(`${inLine(meant.name)}.`)
          return meant.value
        }
        listed = found
        if (one) await read(found, READ_OUT)
        else await tell(`Nothing matches${typed ? ` "${safeText(typed, 60)}"` : ""}.`)
      }
    },

    async during(what, work) {
      waits.waited()
      await tell(safeText(what))
      return work(() => {})
    },
    say: (text) => tell(said(text, false)),
  }
}

function inWords({ name, description, disabled }: Choice<unknown>, at: number): string {
  if (disabled !== undefined) return `Not available: ${inLine(name)} (${safeText(disabled)})`
  return `${at + 1}. ${inLine(name)}${description ? ` - ${safeText(description)}` : ""}`
}

/** By number, else by the whole name, else by a part of it. */
function matching<T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] {
  if (isNumber(typed, choices)) return choices.slice(Number(typed) - 1, Number(typed))
  const part = typed.toLocaleLowerCase()
  const names = choices.map(({ name }) => inLine(name).toLocaleLowerCase())
  const whole = choices.filter((_, at) => names[at] === part)
  return whole.length > 0 ? whole : choices.filter((_, at) => part !== "" && names[at]?.includes(part))
}

/** The number of a line, or one near it: 9 in a list of four is a slip, and no part of a price; 6160 is a postcode. */
function isNumber(typed: string, choices: readonly unknown[]): boolean {
  return /^\d+$/.test(typed) && typed.length <= String(choices.length).length
}
