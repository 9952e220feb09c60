/** Asks at a terminal, once, for values that no row of a batch has. */
import { findStandings } from "./check.ts"
import type { BatchRow } from "./rows/row.ts"
import type { LedgerReader } from "../booking/standings.ts"
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { parsed, refused } from "../../base/parsed.ts"
import { argument } from "../../input/index.ts"
import type { Asking, Session } from "../../session/index.ts"
import { mayAsk } from "../../command/index.ts"

/** In the order in which they are asked for. */
const NEEDS = [
  {
    field: "sender",
    flag: "sender",
    question: "Who sends them?",
    hint: "a saved name, or Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015",
    example: "NAME",
  },
  {
    field: "packages",
    flag: "package",
    question: "Package of each order",
    hint: "40x30x20@5.5, or a saved name",
    example: "SIZE",
  },
  {
    field: "packagingCode",
    flag: "packaging",
    question: "Packaging",
    hint: "carton, pallet, satchel, or a code such as CT",
    example: "CODE",
  },
  {
    field: "collectionDateTime",
    flag: "ready",
    question: "When is it ready for collection?",
    hint: "tomorrow 10am",
    example: "tomorrow 10am",
  },
  {
    field: "collectionCloseTime",
    flag: "close",
    question: "When do the premises close?",
    hint: "17:00",
    example: "17:00",
  },
  {
    field: "service",
    flag: "service",
    question: "Service",
    hint: "cheapest, fastest, or a code",
    example: "cheapest",
  },
] as const

type NeededFlag = Need["flag"]

export type MissingAnswers = Partial<Record<Exclude<NeededFlag, "package">, string>> & { package?: string[] }

/**
 * Asks for fields that every unsent row lacks, if the rows have no other errors.
 * @param accept reads an answer as its flag is read; throws FreightError for one that is wrong
 * @returns the answers; none if there is nothing to ask, or no person at a terminal
 */
export async function askForMissing(
  deps: Asking & Session,
  ledger: LedgerReader,
  rows: readonly BatchRow[],
  accept: (answers: MissingAnswers) => Promise<unknown>,
): Promise<MissingAnswers> {
  const wanted = mayAsk(deps) ? NEEDS.filter(({ field }) => rows.some((row) => lacks(row, field))) : []
  if (wanted.length === 0) return {}
  const open: BatchRow[] = []
  for await (const { row, standing } of findStandings(ledger, rows))
    if (standing.kind === "free") open.push(row)
  const isAnswerable = ({ severity, missing }: BatchRow["findings"][number]) =>
    severity !== "error" || wanted.some(({ field }) => field === missing)
  const isAll = open.length > 0 && open.every(({ findings }) => findings.every(isAnswerable))
  const missing = isAll ? wanted.filter(({ field }) => open.every((row) => lacks(row, field))) : []
  if (missing.length === 0) return {}
  await deps.note(
    `No row says ${counted(missing.length, "thing")} that a booking needs. Your answers hold for all rows.`,
  )
  const prompt = await deps.prompt()
  let answers: MissingAnswers = {}
  for (const { flag, question, hint } of missing)
    for (;;) {
      const check = (text: string) => (text.trim() === "" ? refused("type an answer") : parsed(text))
      const answer = (await prompt.text(question, { hint, check })).trim()
      const next = { ...answers, [flag]: flag === "package" ? [answer] : answer }
      try {
        await accept(next)
      } catch (error) {
        if (!(error instanceof FreightError && (error.kind === "usage" || error.kind === "input")))
          throw error
        await deps.warn(error.message)
        continue
      }
      answers = next
      break
    }
  const line = writeFlags(missing, ({ flag }) => [answers[flag] ?? ""].flat().join())
  await deps.note(`Next time add to the command: ${line}`)
  return answers
}

const lacks = ({ findings }: BatchRow, field: string) => findings.some(({ missing }) => missing === field)

/**
 * Example flags for fields that no row has; empty if rows have them. Values that only the person knows are placeholders
 * that no flag accepts.
 */
export function exampleFlags(fields: ReadonlySet<string | undefined>): string {
  return writeFlags(
    NEEDS.filter(({ field }) => fields.has(field)),
    ({ example }) => example,
  )
}

type Need = (typeof NEEDS)[number]

function writeFlags(needs: readonly Need[], answer: (need: Need) => string): string {
  return needs.map((need) => `--${need.flag} ${argument(answer(need))}`).join(" ")
}
