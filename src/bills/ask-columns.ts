/** How bills are read: by flags, by the saved map of a supplier, and by what a person answers. */
import {
  applySavedMap,
  askAboutColumns,
  chooseBy,
  keepMap,
  mayAsk,
  type OptionsOf,
  type SHEET_FLAGS,
} from "../command/index.ts"
import type { SupplierSigns } from "./supplier.ts"
import type { Asking, Session } from "../session/index.ts"
import { type Parsed, valueOrThrow } from "../base/parsed.ts"
import { chooseStage, type DRAFT_FLAGS, type InputKind } from "../invoice/index.ts"
import type { ReadOptions } from "./open.ts"
import { type Band, type FactPlaces, findMapLayout } from "../machine/index.ts"
import { createProgress } from "../output/index.ts"
import { findSupplierMap, listOwnAbns } from "./saved-map.ts"

export interface BillOptions extends OptionsOf<typeof DRAFT_FLAGS>, OptionsOf<typeof SHEET_FLAGS> {
  map?: string[]
  saveMap?: string
  useMap?: string
  ignoreUnknown?: boolean
  input?: InputKind
  /** In cents. */
  total?: number
  number?: string
  date?: string
}

/**
 * Runs work that reads bills, with the saved map of each supplier. If columns are not clear and a person explains them,
 * runs it once more. Saves the answers for `--save-map`.
 * @param words of the command with its files, without flags
 */
export async function withBillColumns<Options extends BillOptions, Result>(
  deps: Asking & Session,
  given: Options,
  words: readonly string[],
  work: (reading: ReadOptions) => Promise<Result>,
): Promise<Result> {
  let signs: SupplierSigns[] = []
  let bands: readonly Band[] | undefined
  let places: FactPlaces | undefined
  const applied = applySavedMap(deps, given, mayAsk(deps))
  const saved = (applied.map ?? []).length - (given.map ?? []).length
  const done = await askAboutColumns(deps, applied, words, async (options) => {
    signs = []
    bands = undefined
    places = undefined
    const progress = createPageProgress(deps)
    const result = await work({
      ...readBillOptions(deps, options, saved, (each) => signs.push(each)),
      ...(progress && { showPage: progress.show }),
      ...(options.saveMap !== undefined && {
        noteBands: (each) => {
          bands ??= each ?? []
        },
        notePlaces: (each) => {
          places = { ...each, ...places }
        },
      }),
    }).finally(() => progress?.clear())
    return { result, options }
  })
  const own = listOwnAbns(deps.config)
  const suppliers = signs.flatMap(({ names, abns }) => [
    ...names,
    ...abns.filter((abn) => !own.includes(abn)),
  ])
  await keepMap(deps, done.options, { suppliers: [...new Set(suppliers)], bands, places })
  return done.result
}

/** PDFs with fewer pages show no progress. */
const MIN_SHOWN = 5

function createPageProgress({ terminal, clock, globals }: Asking & Session) {
  if (!terminal.stderr.isTTY || globals.quiet) return undefined
  let shown: ReturnType<typeof createProgress<{ rows: number }>> | undefined
  const clear = async () => {
    await shown?.clear()
    shown = undefined
  }
  return {
    async show(name: string, { page, pages }: { page: number; pages: number }) {
      if (pages < MIN_SHOWN) return
      shown ??= createProgress(terminal, clock, pages, ({ rows }) => `${name}: page ${rows} of ${pages}`)
      await shown.show({ rows: page })
      // Clears the line, so that later messages stand on a line of their own.
      if (page === pages) await clear()
    },
    clear,
  }
}

/** How bills are read. @param saved how many of `--map` are those of `--use-map` */
function readBillOptions(
  deps: Asking & Session,
  options: BillOptions,
  saved: number,
  note: (signs: SupplierSigns) => void,
): ReadOptions {
  const { map = [], useMap } = options
  return {
    map,
    today: map.slice(saved),
    async findMap(signs, file) {
      note(signs)
      if (useMap !== undefined) return { map: map.slice(0, saved), ...findMapLayout(deps.config, useMap) }
      return findSupplierMap(deps, signs, file)
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
    readPages: deps.readPages,
    total: options.total,
    given: { number: options.number, date: options.date },
    ...(mayAsk(deps) && { askTotal: (question: string) => askTotal(deps, question) }),
  }
}

/** @returns cents */
async function askTotal(deps: Asking & Session, question: string): Promise<number> {
  const { readCents } = await import("./reading/row.ts")
  const check = (answer: string): Parsed<number> => {
    const read = readCents(answer)
    return typeof read === "number" ? { ok: true, value: read } : { ok: false, reason: read }
  }
  return valueOrThrow(check(await (await deps.prompt()).text(question, { check })), "--total")
}
