/** Columns that may change what others mean: at a terminal the person says what they are, a script is told how to. */
import { quoteBlanks } from "../base/command-line.ts"
import type { Asking, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import {
  answerAll,
  argument,
  type ColumnQuestion,
  describeQuestion,
  excludes,
  mapFlags,
  mayLeaveOut,
  UnclearColumns,
} from "../input/index.ts"
import { mayAsk } from "./may-ask.ts"

type Needs = Asking & Session

interface MapFlags {
  map?: string[]
  useMap?: string
  saveMap?: string
}

/**
 * Does some work that reads a table by `--map`; where columns are not clear and the person says what they are, once more.
 * @param words of the command, without its flags
 * @returns also the flags with the answers
 * @throws FreightError `UnclearColumns`, with the command that extends a saved map where one is used
 */
export async function askAboutColumns<Given extends MapFlags, T>(
  deps: Needs,
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
    const answers: [column: string, field: string][] = []
    const found: ColumnQuestion[] = []
    for (const question of error.questions) {
      const isOther = found.some((each) => excludes(each, question))
      const field: string = isOther ? "" : await askColumn(deps, question, error)
      if (field !== "") found.push(question)
      answers.push([question.column, field])
    }
    if (flags.saveMap === undefined) await deps.note(`Next time add to the command: ${mapFlags(answers)}`)
    const map = [...(flags.map ?? []), ...answers.map((answer) => answer.join("="))]
    return askAboutColumns(deps, { ...flags, map }, words, work)
  }
}

/** @returns the field that a column is; empty where it is left out */
async function askColumn(deps: Needs, question: ColumnQuestion, error: UnclearColumns): Promise<string> {
  const choices = [
    ...question.choices.map((field) => ({
      name: error.describe(question, field)?.replace(/\.$/, "") ?? `It is ${field}`,
      value: field as string | undefined,
      description: `For a script: --map ${argument(`${question.column}=${field}`)}`,
    })),
    ...(mayLeaveOut(question)
      ? [
          {
            name: question.leftOut === undefined ? "Leave it out" : `Leave it out: ${question.leftOut}`,
            value: "",
          },
        ]
      : []),
    { name: "Stop, and send nothing", value: undefined },
  ]
  const text = describeQuestion(question)
  const answer = await (await deps.prompt()).choose(
    `${text.charAt(0).toUpperCase()}${text.slice(1)}. What is it?`,
    choices,
  )
  if (answer === undefined) throw error
  return answer
}

/** A map that was saved before such columns were asked about is extended by one command. */
function withMapCommand(error: UnclearColumns, { useMap }: MapFlags, words: readonly string[]): FreightError {
  if (useMap === undefined) return error
  const answers = answerAll(error.questions)
  const command = ["freight", ...words, "--use-map", useMap].map(quoteBlanks).join(" ")
  const { message, errors = [] } = error
  return new FreightError("input", message, {
    errors,
    hint: `The map '${useMap}' does not say what they are. Extend it once, with what each of them is:`,
    next: `${command} ${mapFlags(answers)} --save-map ${useMap}`,
  })
}
