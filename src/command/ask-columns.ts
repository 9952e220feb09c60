/**
 * Asks about columns that may change the meaning of others: at a terminal it asks the person, in a script it prints the
 * flag to add.
 */
import { quoted } from "../base/parsed.ts"
import { quoteBlanks } from "../base/command-line.ts"
import type { Asking, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { mapFlags, UnclearColumns } from "../input/index.ts"
import { mayAsk } from "./may-ask.ts"

interface MapFlags {
  map?: string[]
  useMap?: string
  saveMap?: string
}

/**
 * Runs work that reads a table by `--map`; if columns are unclear and the person answers, once more.
 * @param words of the command, without its flags
 * @returns also the flags with the answers
 * @throws FreightError `input` where nobody can be asked, or stops: `UnclearColumns`, or an error with the command that
 * extends the saved map, where one is used
 */
export async function askAboutColumns<Given extends MapFlags, T>(
  deps: Asking & Session,
  flags: Given,
  words: readonly string[],
  work: (flags: Given) => Promise<T>,
): Promise<T> {
  try {
    return await work(flags)
  } catch (error) {
    if (!(error instanceof UnclearColumns)) throw error
    if (!mayAsk(deps)) throw withMapCommand(error, flags, words)
    for (const line of error.shown) await deps.note(line)
    const answers = await error.ask(await deps.prompt())
    if (flags.saveMap === undefined) await deps.note(`Next time add to the command: ${mapFlags(answers)}`)
    const map = [...(flags.map ?? []), ...answers.map((answer) => answer.join("="))]
    return askAboutColumns(deps, { ...flags, map }, words, work)
  }
}

/** The command that adds such columns to a map saved before they were asked about. */
function withMapCommand(error: UnclearColumns, { useMap }: MapFlags, words: readonly string[]): FreightError {
  if (useMap === undefined) return error
  const command = ["freight", ...words, "--use-map", useMap].map(quoteBlanks).join(" ")
  const { message, errors = [] } = error
  return new FreightError("input", message, {
    errors,
    hint: `The map ${quoted(useMap)} does not say what they are. Extend it once, with what each of them is:`,
    next: `${command} ${mapFlags(error.suggestAnswers())} --save-map ${useMap}`,
  })
}
