/** Runs one audit: reads bills, asks about doubts, and records the result in the ledger. */
import { EXIT, FreightError } from "../base/errors.ts"
import { valueOrThrow } from "../base/parsed.ts"
import { wallClockNow } from "../base/wall-clock.ts"
import type { Clock } from "../base/ports.ts"
import { parseDay } from "../base/when.ts"
import type { Deps, LedgerReader } from "../session/index.ts"
import { findInputs } from "../invoice/index.ts"
import { BILL_FILES } from "./source.ts"
import type { TrackingUpdate } from "../ledger/index.ts"
import { rememberSeen } from "../orders/index.ts"
import { type BillOptions, withBillColumns } from "./ask-columns.ts"
import { type Audit, checkAnything, judgeBills, type PreparedAudit, prepareAudit } from "./audit/audit.ts"
import { adviseOffline, connectToAudit } from "./audit/connect.ts"
import type { Tolerance } from "./audit/price.ts"
import { findReused } from "./audit/remember.ts"
import { readAuthor } from "./disputes/author.ts"
import { type RecordedAudit, recordAudit } from "./disputes/raise.ts"
import type { GivenLink } from "./matching/links.ts"

export interface AuditRequest {
  files: readonly string[]
  /** The file that the audit is written to: it is not read as a bill. */
  output: string | undefined
  /** How to read the bills; `number` and `date` are those of the bill. */
  reading: BillOptions
  tolerance: Tolerance
  links: readonly GivenLink[]
  /** A person says that bills with an earlier one's number are its correction. */
  isCorrected: boolean
  /** Use the ledger only. */
  isOffline: boolean
  isToRemember: boolean
  isToRaise: boolean
}

export interface AuditResult {
  audit: Audit
  /** Raised disputes and payments, if the bills were remembered. */
  kept?: RecordedAudit
  /** Why nothing was written: the bills are audited anyway. */
  writeError?: FreightError
}

/**
 * Audits bills. At a terminal it asks about columns, about unknown numbers (if disputes are raised), and whether a bill
 * with an earlier one's number is its correction.
 */
export async function auditBills(deps: Deps, request: AuditRequest): Promise<AuditResult> {
  const { files, output, reading: options, isToRemember, isToRaise } = request
  const ledger = await (isToRemember ? deps.writeLedger() : deps.readLedger())
  const { database } = ledger.store
  const auditDeps = {
    store: ledger.store,
    scopes: ledger.scopes,
    api: request.isOffline ? undefined : await connectToAudit(deps),
    ids: deps.ids,
    note: deps.note,
    rememberSeen: async (updates: readonly TrackingUpdate[]) => {
      if (isToRemember) await rememberSeen(deps, updates, await deps.serviceNow())
    },
  }
  const { tolerance, links, isCorrected } = request
  const given = readHead(options, deps.clock)
  const inputs = [...(await findInputs(files, output, BILL_FILES))]
  const prepared = await withBillColumns(deps, options, ["audit", ...files], async (reading) => {
    const prepare = (known: readonly GivenLink[]) =>
      prepareAudit(auditDeps, inputs, { tolerance, reading, links: known, given, isCorrected }).catch(
        adviseOffline,
      )
    const first = await prepare(links)
    if (!isToRaise || !deps.interactive) return first
    const { askForLinks } = await import("./audit/ask-links.ts")
    const more = await askForLinks(deps, database, first)
    return more.length === 0 ? first : prepare([...links, ...more])
  })
  checkAnything(prepared)
  const confirmed = deps.interactive ? await askCorrected(deps, ledger, prepared) : prepared
  if (!isToRemember) return { audit: await judgeBills(confirmed, database) }
  try {
    const author = { ...readAuthor(deps), scope: ledger.scope ?? "" }
    return await recordAudit(database, confirmed, author, isToRaise)
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    return { audit: await judgeBills(confirmed, database), writeError: error }
  }
}

/** As a person gives them. */
function readHead({ number, date }: BillOptions, clock: Clock) {
  return {
    ...(number !== undefined && { number }),
    ...(date !== undefined && {
      date: valueOrThrow(
        parseDay(date, () => wallClockNow(clock.now()), "past"),
        "--date",
      ),
    }),
  }
}

/**
 * Asks whether a bill with an earlier one's number and other consignments is its correction; if not, it is refused as
 * in a script.
 */
async function askCorrected(
  { note, prompt }: Pick<Deps, "note" | "prompt">,
  { store }: LedgerReader,
  prepared: PreparedAudit,
): Promise<PreparedAudit> {
  if (prepared.isCorrected) return prepared
  const reused = await findReused(prepared, store.database)
  if (reused.length === 0) return prepared
  for (const each of reused) await note(`${each}.`)
  const isCorrected = await (await prompt()).confirm("Is it the earlier bill, corrected?", false)
  return { ...prepared, isCorrected }
}

/** 1 if something is to be disputed, or GST is wrong. */
export function toExitCode({ totals }: Audit): number {
  const { toDispute, withWrongGst, billsWithWrongGst } = totals
  return toDispute + withWrongGst + billsWithWrongGst > 0 ? EXIT.no : EXIT.done
}
