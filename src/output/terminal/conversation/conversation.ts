/**
 * A conversation: questions that one may step back from. Drawn on standard error, or in plain lines for a screen reader;
 * the caller does not see the difference.
 */
import type { Parsed } from "../../../base/parsed.ts"
import { inLine } from "../sanitize.ts"
import type { Style } from "../style.ts"

/** The result of a question when the person steps back: with Esc, in plain lines with `<`. */
export const BACK: unique symbol = Symbol("back")
export type Back = typeof BACK

export interface TextOptions {
  /** The default: Enter accepts it, and typing replaces it. */
  initial?: string | undefined
  /** Rejects an answer with a reason; the typed text is kept. Receives the answer trimmed. */
  check?: (answer: string) => Parsed<unknown>
  hint?: string | undefined
  /** In place of the hint while one types: a running total, a suburb that was recognised. */
  live?: (typed: string) => string | undefined
  /** The answer is never shown: a key, a password. */
  isHidden?: boolean
}

export interface Choice<T> {
  name: string
  value: T
  /** Shown below the list while the choice is the highlighted one. */
  description?: string
  /** Why it cannot be chosen; shown beside it. */
  disabled?: string
  /** As for `Conversation.confirm`. */
  spends?: boolean
}

/**
 * Questions; `B` is the result of stepping back. Every question throws FreightError `interrupted` on Ctrl-C or Ctrl-D,
 * or when the terminal goes away.
 */
interface Asking<B> {
  /** The trimmed answer; it may be empty if `check` allows that. */
  text(question: string, options?: TextOptions): Promise<string | B>
  /**
   * Text that was typed before a question that spends money is never its answer.
   * @param options `spends`: yes costs money. Plain lines take only `book` for yes, and Enter for no
   */
  confirm(question: string, initial: boolean, options?: { spends?: boolean }): Promise<boolean | B>
  /**
   * One of several; `initial` is the value that is highlighted first, or the first one that can be chosen. What is typed
   * narrows the list. A choice that spends money is taken only while nothing is typed.
   */
  choose<T>(question: string, choices: readonly Choice<T>[], initial?: T): Promise<T | B>
  /** One of many, by typing part of a name; `find` returns the matches, best first, and is called at each key. */
  pick<T>(question: string, find: (typed: string) => readonly Choice<T>[]): Promise<T | B>
}

export interface Conversation extends Asking<Back> {
  /** No redraw, no spinner: lists are numbered lines, and an answer is typed. */
  readonly plain: boolean
  readonly columns: number
  readonly unicode: boolean
  /** Shows the activity while `work` runs, and its messages for the person. */
  during<T>(what: string, work: (say: (line: string) => void) => Promise<T>): Promise<T>
  /** Lines for the person, made safe for the terminal except for colours and weights. */
  say(text: string, style?: Style): Promise<void>
  /** The same in the colour of warnings. */
  warn(text: string): Promise<void>
}

/** A conversation's questions for callers that have no step to go back to. */
export type Questions = Asking<never>

/** The choices with the typed name; if there are none, those whose names contain it. */
export function findByName<T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] {
  const part = typed.toLocaleLowerCase()
  const toName = ({ name }: Choice<T>) => inLine(name).toLocaleLowerCase()
  const whole = choices.filter((choice) => toName(choice) === part)
  return whole.length > 0 ? whole : choices.filter((choice) => part !== "" && toName(choice).includes(part))
}

/**
 * Asks several questions in order, each of which keeps its own answer; stepping back returns to the previous question
 * that is asked.
 * @returns BACK from the first of them
 */
export async function askEach(
  questions: readonly { when?(): boolean; ask(): Promise<unknown> }[],
): Promise<Back | undefined> {
  for (let at = 0, step = 1; ; at += step) {
    const question = questions[at]
    if (!question) return at < 0 ? BACK : undefined
    if (question.when?.() === false) continue
    step = (await question.ask()) === BACK ? -1 : 1
  }
}

/** Asks until there is an answer; stepping back shows that there is nothing to go back to. */
export async function insist<T>(
  { say }: Pick<Conversation, "say">,
  ask: () => Promise<T | Back>,
): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== BACK) return answer
    await say("There is no question before this one. Ctrl-C stops.")
  }
}

export function withoutBack(conversation: Conversation): Questions {
  return {
    text: (...question) => insist(conversation, () => conversation.text(...question)),
    confirm: (...question) => insist(conversation, () => conversation.confirm(...question)),
    choose: (...question) => insist(conversation, () => conversation.choose(...question)),
    pick: (...question) => insist(conversation, () => conversation.pick(...question)),
  }
}
