/** Prints an audit, writes its files and reports the result. */
import type { AuditResult } from "./run-audit.ts"
import type { Audit } from "./audit/audit.ts"
import {
  AUDIT_COLUMNS,
  auditHtml,
  auditJson,
  billLines,
  chooseRows,
  describeWhole,
  disputesSheet,
  summaryLines,
  withLines,
} from "./audit/report.ts"
import type { RecordedAudit } from "./disputes/raise.ts"
import { noteToMove } from "./books/note-moves.ts"
import type { Tolerance } from "./audit/price.ts"
import { type OutputTarget, writeOutput } from "../command/index.ts"
import { counted } from "../base/counted.ts"
import type { Deps, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { print, wrap } from "../output/index.ts"

/**
 * Prints an audit, writes the disputes, and reports what was kept.
 * @throws FreightError `stepFailed` if it could not be remembered
 */
export async function writeAudit(
  deps: Deps,
  { audit, kept, writeError }: AuditResult,
  { output, tolerance, all, disputes, isToRaise }: Writing,
): Promise<void> {
  await noteFindings(deps, audit)
  await writeOutput(deps, output, (target) => printAudit(deps, target, audit, tolerance, all === true))
  if (disputes !== undefined) await writeDisputes(deps, disputes, audit)
  if (writeError) throw notRemembered(writeError)
  if (kept) await noteKept(deps, kept, isToRaise)
}

interface Writing {
  output?: string | undefined
  tolerance: Tolerance
  /** Also consignments that agree. */
  all?: boolean | undefined
  disputes?: string | undefined
  isToRaise: boolean
}

/** Notes the decisions for each bill, and warns of what could not be judged. */
async function noteFindings({ note, warn }: Session, audit: Audit): Promise<void> {
  for (const text of audit.notes) await note(text)
  for (const warning of audit.warnings) await warn(warning)
  for (const line of audit.bills.flatMap(billLines)) await warn(line)
  const { failed = 0, failure = "" } = audit.asked ?? {}
  if (failed > 0)
    await warn(
      `${counted(failed, "consignment")} could not be looked up (${failure}): audit again to include them.`,
    )
}

function notRemembered(cause: FreightError): FreightError {
  return new FreightError(
    "stepFailed",
    `the audit is done, but the bills could not be remembered: ${cause.message}`,
    {
      hint: "Nothing was remembered, and nothing raised. Run it again when the ledger can be written.",
      cause,
    },
  )
}

async function noteKept(deps: Deps, kept: RecordedAudit, isToRaise: boolean): Promise<void> {
  const { describeRaised } = await import("./disputes/messages.ts")
  const { notes, warnings } = describeRaised(kept, isToRaise)
  for (const note of notes) await deps.note(note)
  for (const warning of warnings) await deps.warn(warning)
  const changed = [
    ...kept.raised.map(({ id }) => id),
    ...kept.payments.map(({ dispute }) => dispute.id),
    ...kept.mistaken.map(({ dispute }) => dispute.id),
  ]
  await noteToMove(deps, [...new Set(changed)])
}

async function printAudit(
  deps: Deps,
  { stdout, output }: OutputTarget,
  audit: Audit,
  tolerance: Tolerance,
  all: boolean,
): Promise<void> {
  const format: string = output.format
  if (format === "json" && !output.fields) {
    for (const piece of auditJson(audit, tolerance, deps.warnings)) await stdout.write(piece)
    return
  }
  if (format === "html") {
    for (const piece of auditHtml(audit, tolerance, all, "Audit of bills")) await stdout.write(piece)
    return
  }
  const isTable = format === "table"
  const chosen = chooseRows(audit, !isTable || all)
  // A long bill has half a million lines: build them as objects only if their fields may be selected.
  const rows = output.fields ? chosen.map(withLines) : chosen
  await print(
    { terminal: { ...deps.terminal, stdout }, output, warnings: deps.warnings },
    {
      summary: describeWhole(audit, tolerance),
      rows,
      columns: AUDIT_COLUMNS,
    },
  )
  if (!isTable) return
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
  const lines = summaryLines(audit, tolerance).flatMap((line) => wrap(line, width))
  await stdout.write(`${lines.join("\n")}\n`)
}

async function writeDisputes(deps: Deps, file: string, audit: Audit): Promise<void> {
  await writeOutput(deps, file, async ({ stdout }) => {
    const format = /\.xlsx$/i.test(file) ? "xlsx" : "csv"
    for await (const piece of disputesSheet(audit, format)) await stdout.write(piece)
  })
  await deps.note(`${counted(audit.totals.toDispute, "dispute")} in ${file}.`)
}
