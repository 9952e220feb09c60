/** The person at the terminal. */
import {
  type Conversation,
  createSpendGuard,
  type Questions,
  type SpendGuard,
  withoutBack,
} from "../output/index.ts"
import { asksForProgramFormat } from "./formats.ts"
import { once, type OpenSession } from "./session.ts"

export interface Asking {
  /** There is a person to ask: standard input and standard error are a terminal, and no `--no-input`. */
  readonly interactive: boolean
  /** Asks a question without steps back; only if `interactive` is true. */
  prompt(): Promise<Questions>
  /** Asks once before money is spent. */
  readonly spending: SpendGuard
  /** A conversation with steps back; only if `interactive` is true. */
  converse(options: { keepsAnswers: boolean }): Promise<Conversation>
}

export function createAsking({ host, globals, settings }: OpenSession): Asking {
  const { stdin, stderr } = host.terminal
  const isInteractive = () => globals.input !== false && stdin.isTTY && stderr.isTTY
  const converse: Asking["converse"] = (options) =>
    host.converse({ plain: globals.plain === true, ...options })
  const isToAsk = () =>
    !globals.yes && !asksForProgramFormat(globals) && isInteractive() && settings.value("confirm") !== "never"
  return {
    get interactive() {
      return isInteractive()
    },
    converse,
    prompt: once(async () => withoutBack(await converse({ keepsAnswers: false }))),
    spending: createSpendGuard(isToAsk, () => converse({ keepsAnswers: false })),
  }
}
