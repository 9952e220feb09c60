/** Shared by the batch commands: flags for rows, limits of a run, and their API client. */
import { counted, listSome } from "../../base/counted.ts"
import { type Allowances, BOOKING_FLAGS, findHomeNote, momentAt } from "../../contract/index.ts"
import { createFreightApi } from "../../api/index.ts"
import { type Batch, type BatchDeps, checkBatch } from "./book.ts"
import { buildRowDefaults } from "./defaults.ts"
import { countStatus, decideRow, describeCounts } from "./shipping.ts"
import { type Checked, checkAgainFor, findStandings } from "./check.ts"
import { lookElsewhere } from "../booking/elsewhere.ts"
import { createCompleteRates } from "../booking/evidence.ts"
import { isPlanFile, type PlanAccount } from "./plan/plan.ts"
import { type BatchRow, isSecond } from "./rows/row.ts"
import type { RowDefaults } from "./rows/defaults.ts"
import { readAllRows } from "./rows/rows.ts"
import {
  ALLOW_FLAGS,
  askAboutColumns,
  chooseBy,
  FIX_PLACES_FLAG,
  inGroup,
  type Flags,
  keepMap,
  limitLongRun,
  MAP_FLAGS,
  mayAsk,
  MISSING_FLAG,
  type OptionsOf,
  pickFieldFlags,
  SHEET_FLAGS,
  wholeNumber,
} from "../../command/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import type { Deps } from "../../session/index.ts"
import { describeBooked, describeWay, type LedgerDeps, serviceAddress } from "../../ledger/index.ts"
import { FreightError } from "../../base/errors.ts"
import { onSameService } from "../../machine/index.ts"
import { type OpenedInput, openInput, openSheet } from "../../input/index.ts"
import { askAboutRepeated } from "./ask-repeated.ts"
import { askForMissing, type MissingAnswers } from "./ask-missing.ts"
import { findReturn, toReturnFile } from "../lookup/earlier.ts"
import { PREFERENCE_FLAGS } from "../booking/service-flags.ts"
import { STATUS_FLAGS } from "./status-flags.ts"
import { askAboutDoubts } from "../booking/doubts.ts"

type OwnOfRow = "reference" | "returnOf"

const ROW_FIELDS = Object.keys(BOOKING_FLAGS).filter(
  (name): name is Exclude<keyof typeof BOOKING_FLAGS, OwnOfRow> =>
    name !== "reference" && name !== "returnOf",
)

const FOR_ROWS = "For rows that do not say it"

/** Headings of the help of `batch book` and `batch plan`. */
const HOW_READ = "How the file is read"
const WHICH_SERVICE = "Which service"
export const SAFETY = "Safety"

/** Flags for rows that do not have their own value. */
export const ROW_FLAGS = {
  ...inGroup(HOW_READ, { ...MAP_FLAGS, ...SHEET_FLAGS, ...STATUS_FLAGS }),
  connector: { takes: "<id>", about: "book with this carrier account only", group: WHICH_SERVICE },
  mapService: {
    takes: "<pair>",
    group: HOW_READ,
    about:
      "book the shop's shipping method so: Express=fastest, Express=CODE, Express=CONNECTOR CODE; METHOD= as rows without one (repeatable)",
    isRepeatable: true,
  },
  ...inGroup(WHICH_SERVICE, { ...PREFERENCE_FLAGS, ...MISSING_FLAG }),
  ...pickFieldFlags(ROW_FIELDS, FOR_ROWS),
  mapPackage: {
    takes: "<pair>",
    group: HOW_READ,
    about:
      "one piece of this SKU in a shop's order is that package: L-40=lamp, L-40=30x20x10@2; SKU= is packed with another item (repeatable)",
    isRepeatable: true,
  },
  ready: {
    takes: "<time>",
    about: "ready for collection: 2026-11-23T10:00, or 10:00 where rows give the day",
    group: FOR_ROWS,
  },
  ...inGroup(SAFETY, { ...ALLOW_FLAGS, ...FIX_PLACES_FLAG }),
  set: {
    takes: "<field=value>",
    about: "any other field (repeatable)",
    group: FOR_ROWS,
    isRepeatable: true,
  },
} as const satisfies Flags

const MAX_AT_ONCE = 64

/** The flags of what books rows, or plans to. */
export const RUN_FLAGS = {
  concurrency: {
    takes: "<n>",
    about: "maximum number of requests at once",
    default: "8",
    read: wholeNumber(1, MAX_AT_ONCE),
  },
  againFor: {
    group: SAFETY,
    takes: "<reference>",
    about: "book a second consignment of this order, which was booked before (repeatable)",
    isRepeatable: true,
  },
  replaces: {
    group: SAFETY,
    about:
      "the order of --again-for takes the place of its booking before, which the carrier has cancelled: see freight cancel --confirmed",
    needs: "againFor",
  },
  newOrders: {
    group: SAFETY,
    about:
      "rows are separate orders although they repeat goods, receiver and collection day of a booking whose reference is not in the file",
  },
} as const satisfies Flags

export interface RunFlags extends Allowances, OptionsOf<typeof RUN_FLAGS> {
  stopAfter?: number
  /** Cents. */
  maxTotal?: number
  skipInvalid?: boolean
  again?: boolean
  /** False for `--no-rate`. */
  rate?: boolean
  withoutLooking?: boolean
}

export type OrderFlags = OptionsOf<typeof ROW_FLAGS> & RunFlags

export function toRun({ concurrency, stopAfter, maxTotal, skipInvalid = false }: RunFlags) {
  return { concurrency, stopAfter, maxTotalCents: maxTotal, skipInvalid }
}

interface OpenOrders {
  input: OpenedInput
  defaults: RowDefaults
  batchDeps: BatchDeps
}

/**
 * Opens a file of orders for as long as it is used.
 * @param streams whether standard input is read row by row, as it comes
 */
export async function withOrders<Result>(
  deps: Deps,
  file: string,
  flags: OrderFlags,
  streams: boolean,
  use: (orders: OpenOrders) => Promise<Result>,
): Promise<Result> {
  const opened = await openInput(deps.terminal.stdin, file, streams, `${deps.stateDir}/batch`, deps.signal)
  try {
    const input = { ...opened, source: await openSheet(opened.source, chooseBy(deps, flags)) }
    const batchDeps = await createBatchDeps(deps, flags)
    const { connectors, moment } = batchDeps
    const sandbox = deps.globals.sandbox === true
    const built = await buildRowDefaults(deps, flags, { connectors, sandbox, knowledge: moment })
    const defaults = { ...built, findReturn: createFindReturn(deps) }
    return await use({ input, defaults, batchDeps })
  } finally {
    await opened.close()
  }
}

/** Finds the return of an order, once for each order: rows are read more than once. */
function createFindReturn(deps: Deps): NonNullable<RowDefaults["findReturn"]> {
  const known = new Map<string, ReturnType<NonNullable<RowDefaults["findReturn"]>>>()
  const find = async (order: string) => ({
    file: toReturnFile(await findReturn(await deps.readLedger(), order)),
  })
  return (order) => {
    const found = known.get(order) ?? find(order)
    known.set(order, found)
    return found
  }
}

/** Dependencies of a batch with its own API client, whose requests end before the process does. */
export async function createBatchDeps(
  deps: Deps,
  { concurrency, again, newOrders, rate, withoutLooking, ...allowed }: RunFlags,
): Promise<BatchDeps> {
  const limits = limitLongRun(deps, concurrency)
  const [endpoint, ledger] = await Promise.all([deps.endpoint("freight"), deps.ledger("freight")])
  const api = createFreightApi(await deps.connect("freight", endpoint, { ...limits, finishes: true }))
  const [{ connectors }] = await Promise.all([
    api.listConnectors(),
    lookElsewhere(deps, ledger, api, { withoutLooking, again, atOnce: concurrency }),
  ])
  await deps.seen.keepConnectors(connectors)
  const moment = momentAt(deps.clock.now(), allowed, await deps.knowledge())
  const asks = { again: again === true, newOrders: newOrders === true, asksPrice: rate !== false }
  const person = { mayAsk: mayAsk(deps) }
  const told = { shows: deps.globals.quiet !== true, verbose: deps.globals.verbose === true }
  const completeRates = createCompleteRates(deps)
  const { limiter } = limits
  return { ...deps, ...asks, ...person, ...told, completeRates, moment, api, ledger, connectors, limiter }
}

/**
 * Reads and checks the rows of a file of orders. A person is asked about unclear columns, values that all rows lack, rows
 * that share a number, packages whose weight does not fit their size, and orders that are unpaid or have an unknown
 * status. Saves the flags for `--save-map`, even if rows are refused.
 * @param words of the command with its file, without flags
 * @returns also the flags with the answers
 */
export async function checkOrders<Given extends OrderFlags>(
  deps: Deps,
  flags: Given,
  { input: { source }, defaults, batchDeps }: OpenOrders,
  words: readonly string[],
): Promise<{ batch: Batch; checked: Checked; options: Given }> {
  let options = flags
  let numbers: ReadonlyMap<number, string> = new Map()
  let areNotedHomes: boolean | undefined
  let missing: MissingAnswers = {}
  let areColumnsClear = false
  let forRows = defaults
  const { connectors, moment: knowledge } = batchDeps
  // After an answer everything is checked once more.
  const telling = { ...batchDeps, note: sayOnce(batchDeps.note), warn: sayOnce(batchDeps.warn) }
  const check = async (given: Given) => {
    options = { ...given, ...missing }
    areColumnsClear = false
    const read = () =>
      readAllRows(source, {
        ...{ ...forRows, map: given.map ?? [], allowed: flags, numbers, areNotedHomes },
        fixesPlaces: flags.fixPlaces === true,
      })
    let rows = await read()
    areColumnsClear = true
    const answered = await askForMissing(deps, batchDeps.ledger, rows, async (answers) => {
      const sandbox = deps.globals.sandbox === true
      const built = await buildRowDefaults(deps, { ...flags, ...answers }, { connectors, sandbox, knowledge })
      forRows = { ...defaults, ...built }
    })
    if (Object.keys(answered).length > 0) {
      missing = answered
      options = { ...options, ...missing }
      rows = await read()
    }
    const decide = () => rows.map((row) => decideRow(row, options))
    const answers = await askAboutRepeated(deps, batchDeps.ledger, source.name, decide)
    if (answers.size > 0) {
      numbers = answers
      rows = await read()
    }
    areNotedHomes ??= await askAboutHomeNotes(deps, batchDeps.ledger, decide())
    if (areNotedHomes !== undefined) rows = await read()
    options = await askAboutStatuses(deps, batchDeps.ledger, rows, options)
    await askAboutReplaced(deps, batchDeps.ledger, rows, options)
    const batch = { ...toRun(flags), name: source.name, rows: decide() }
    return { batch, checked: await checkBatch(telling, batch) }
  }
  const { batch, checked } = await askAboutDoubts(
    deps,
    flags,
    () => askAboutColumns(deps, options, words, check),
    { fixesPlaces: true },
  ).catch(async (error: unknown) => {
    // Errors in rows do not concern the map, whose answers would be lost.
    if (areColumnsClear && error instanceof FreightError && error.kind === "input")
      await keepMap(deps, options)
    throw error
  })
  checkAgainFor(flags.againFor ?? [], batch.name, checked)
  await keepMap(deps, options)
  return { batch, checked, options }
}

function sayOnce(say: (text: string) => Promise<void>): (text: string) => Promise<void> {
  const said = new Set<string>()
  return async (text) => {
    if (said.has(text)) return
    said.add(text)
    await say(text)
  }
}

/**
 * Refuses a plan where orders are wanted.
 * @param words the command that takes it
 */
export async function refusePlan({ signal }: Deps, file: string, words: readonly string[]): Promise<void> {
  if (file === "-" || !(await isPlanFile(file, signal))) return
  const { next = "" } = nextCommand("freight", ...words, file)
  throw new FreightError("usage", `${file} is a plan, not a file of orders`, { next })
}

export async function findPlanAccount(deps: Deps, ledger: LedgerDeps): Promise<PlanAccount> {
  const { scope, fingerprint: account } = ledger.owner
  const service = deps.globals.sandbox ? "sandbox" : serviceAddress((await deps.endpoint("freight")).baseUrl)
  return { service, scope, account }
}

/** Asks a person once whether orders go to homes, if their notes suggest it. @returns undefined if nobody was asked */
async function askAboutHomeNotes(
  deps: Deps,
  ledger: LedgerDeps,
  rows: readonly BatchRow[],
): Promise<boolean | undefined> {
  if (!mayAsk(deps)) return undefined
  const noted = rows.filter(({ request, own }) => findHomeNote(request?.specialInstructions, own))
  const names: string[] = []
  for await (const { row, standing } of findStandings(ledger, noted))
    if (standing.kind === "free") names.push(row.reference)
  if (names.length === 0) return undefined
  const question = `By the instructions of ${counted(names.length, "order")} (${listSome(names)}) it goes to a home. Price and book ${names.length === 1 ? "it" : "them"} as that? Carriers charge more for homes.`
  return (await deps.prompt()).confirm(question, true)
}

/** For each order that is booked again although its booking still exists, asks a person whether both are wanted. */
async function askAboutReplaced(
  deps: Deps,
  ledger: LedgerDeps,
  rows: readonly BatchRow[],
  flags: OrderFlags,
): Promise<void> {
  if (!mayAsk(deps) || flags.replaces || !flags.againFor?.length) return
  const replacing = rows.map((row) => decideRow(row, { ...flags, replaces: true })).filter(isSecond)
  for await (const { row, standing } of findStandings(ledger, replacing)) {
    if (standing.kind !== "not-cancelled" || standing.beside) continue
    const question = `${row.reference} ${describeBooked(standing.entry)}. What is this one?`
    const isBesides = await (await deps.prompt()).choose(question, [
      { name: "A second consignment of the order, besides that one", value: true },
      { name: "In its place: the carrier is to cancel that one first", value: false },
    ])
    if (isBesides) continue
    const again = "the same command with --replaces"
    const complete = (command: string) => onSameService(command, deps.globals)
    throw new FreightError("refused", `${row.reference} is booked, and not cancelled: nothing was sent`, {
      hint: describeWay(standing.entry, again, complete),
    })
  }
}

const STATUS_QUESTIONS = [
  ["waits", (counts: string) => `Not paid for yet, as the shop says: ${counts}. Book them?`],
  ["unknown", (counts: string) => `They may have been sent, or are not to be sent: ${counts}. Book them?`],
] as const

/**
 * Asks a person once whether to book unpaid orders, and once about those with other statuses.
 * @returns the flags with the answers
 */
async function askAboutStatuses<Given extends OrderFlags>(
  deps: Deps,
  ledger: LedgerDeps,
  rows: readonly BatchRow[],
  flags: Given,
): Promise<Given> {
  if (!mayAsk(deps)) return flags
  let answered = flags
  for (const [means, word] of STATUS_QUESTIONS) {
    const counts = new Map<string, number>()
    const open = rows.map((row) => decideRow(row, answered)).filter(({ held }) => held?.means === means)
    const names: string[] = []
    for await (const { row, standing } of findStandings(ledger, open)) {
      if (standing.kind !== "held") continue
      countStatus(counts, standing.held)
      names.push(row.reference)
    }
    if (counts.size === 0) continue
    const question = word(`${describeCounts(counts)} (${listSome(names)})`)
    const isBooked = await (await deps.prompt()).confirm(question, false)
    const answer = isBooked ? "include" : "leaveOut"
    answered = { ...answered, [answer]: [...(answered[answer] ?? []), ...counts.keys()] }
  }
  return answered
}
