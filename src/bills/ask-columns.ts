/** How bills are read: by flags, by the saved map of a supplier, and by what a person answers. */
import type { OptionsOf } from "../command/command.ts"
import type { SupplierSigns } from "./supplier.ts"
import type { Asking, Session } from "../command/deps.ts"
import { type Parsed, valueOrThrow } from "../base/parsed.ts"
import type { InputKind } from "../invoice/documents.ts"
import type { ReadOptions } from "./open.ts"
import { chooseStage, type DRAFT_FLAGS } from "../invoice/draft-flags.ts"
import { chooseBy, type SHEET_FLAGS } from "../command/sheet-flags.ts"
import { askAboutColumns } from "../command/ask-columns.ts"
import { mayAsk } from "../command/may-ask.ts"
import { applySavedMap, keepMap } from "../command/maps.ts"
import { findSupplierMap, listOwnAbns } from "./saved-map.ts"

export interface BillOptions extends OptionsOf<typeof DRAFT_FLAGS>, OptionsOf<typeof SHEET_FLAGS> {
  map?: string[]
  saveMap?: string
  useMap?: string
  ignoreUnknown?: boolean
  input?: InputKind
  /** In cents. */
  total?: number
}

type ReadDeps = Asking & Session

/**
 * Does some work that reads bills, with the saved map of each supplier; where columns are not clear and a person says
 * what they are, once more. Saves the answers where `--save-map` asks for it.
 * @param words of the command with its files, without flags
 */
export async function withBillColumns<Options extends BillOptions, Result>(
  deps: ReadDeps,
  given: Options,
  words: readonly string[],
  work: (reading: ReadOptions) => Promise<Result>,
): Promise<Result> {
  let signs: SupplierSigns[] = []
  const done = await askAboutColumns(
    deps,
    applySavedMap(deps, given, mayAsk(deps)),
    words,
    async (options) => {
      signs = []
      const result = await work(readBillOptions(deps, options, (each) => signs.push(each)))
      return { result, options }
    },
  )
  const own = listOwnAbns(deps)
  const suppliers = signs.flatMap(({ names, abns }) => [
    ...names,
    ...abns.filter((abn) => !own.includes(abn)),
  ])
  await keepMap(deps, done.options, [...new Set(suppliers)])
  return done.result
}

/** How bills are read. */
function readBillOptions(
  deps: ReadDeps,
  options: BillOptions,
  note: (signs: SupplierSigns) => void,
): ReadOptions {
  return {
    map: options.map ?? [],
    async findMap(signs, file) {
      note(signs)
      if (options.useMap !== undefined) return undefined
      const saved = await findSupplierMap(deps, signs, file)
      return saved && { map: saved.map ?? [], headerRow: saved.headerRow }
    },
    ignoreUnknown: options.ignoreUnknown === true,
    nowMs: deps.clock.now(),
    tell: deps.note,
    warn: deps.warn,
    stage: chooseStage(options),
    input: options.input,
    choices: { ...chooseBy(deps, options), mayBeSeveral: true },
    stdin: (signal) => deps.terminal.stdin.chunks(signal),
    signal: deps.signal,
    total: options.total,
    ...(mayAsk(deps) && { askTotal: (question: string) => askTotal(deps, question) }),
  }
}

/** @returns cents */
async function askTotal(deps: ReadDeps, question: string): Promise<number> {
  const { readCents } = await import("./reading/row.ts")
  const check = (answer: string): Parsed<number> => {
    const read = readCents(answer)
    return typeof read === "number" ? { ok: true, value: read } : { ok: false, reason: read }
  }
  return valueOrThrow(check(await (await deps.prompt()).text(question, { check })), "--total")
}
