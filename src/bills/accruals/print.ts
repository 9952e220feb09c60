import path from "node:path"
import {
  ACCRUAL_COLUMNS,
  type AccrualRow,
  type AccrualsRead,
  type AccrualTotals,
  accrualPages,
  createAccrualTotals,
  describeAccruals,
  formatAccrualsRead,
} from "./accruals.ts"
import { adviseOffline, connectToAudit } from "../audit/connect.ts"
import { PAST, parsePast } from "../../base/past.ts"
import type { Flags, OptionsOf } from "../../command/command.ts"
import type { Ledgers, Memory, Services, Session } from "../../command/deps.ts"
import { FORCE_FLAG, OUTPUT } from "../../command/flags.ts"
import { writeOutput } from "../../command/output-file.ts"
import { UNFINISHED } from "../../output/terminal/files.ts"
import { createProgress } from "../../output/terminal/progress.ts"
import { createSpool, type Spool } from "../../output/terminal/spool.ts"
import { printPages } from "../../output/terminal/view.ts"

type Needs = Ledgers & Memory & Services & Session

export const ACCRUAL_FLAGS = {
  since: { takes: "<when>", about: `booked since then: ${PAST}`, read: parsePast },
  offline: {
    about: "do not ask the API: what was cancelled, booked elsewhere or never collected is not checked",
  },
  output: {
    ...OUTPUT,
    writes: "report",
    about: "write the report to a file; its ending chooses the format",
  },
  ...FORCE_FLAG,
} as const satisfies Flags

/** Prints, or writes to a file, what was booked and is on no audited bill, in constant memory. */
export async function printAccruals(
  deps: Needs,
  { since, offline, output: file }: OptionsOf<typeof ACCRUAL_FLAGS>,
): Promise<void> {
  const spool = createSpool<AccrualRow>(path.join(deps.stateDir, UNFINISHED), deps.signal)
  try {
    const totals = await readAccruals(deps, spool, since, offline === true).catch(adviseOffline)
    const lines = describeAccruals(totals, offline === true)
    const empty = "Everything that was booked is on an audited bill."
    await writeOutput(deps, file, async ({ stdout, output }) => {
      if ((output.format as string) === "html") {
        const { drawReport } = await import("../report/page.ts")
        const title = "Booked and not yet billed"
        const notes = totals.consignments > 0 ? lines : [empty]
        const report = { title, columns: ACCRUAL_COLUMNS, notes }
        for await (const piece of drawReport(report, spool.pages())) await stdout.write(piece)
        return
      }
      const json = () => ({ totals, consignments: spool.pages() })
      await printPages(
        { terminal: { ...deps.terminal, stdout }, output, signal: deps.signal },
        { json, pages: spool.pages, columns: ACCRUAL_COLUMNS, empty },
      )
      if (output.format === "table" && totals.consignments > 0) await stdout.write(`${lines.join("\n")}\n`)
    })
  } finally {
    await spool.close()
  }
}

/** Reads once what is printed: what is booked or audited meanwhile cannot come between the rows and their totals. */
async function readAccruals(
  deps: Needs,
  spool: Spool<AccrualRow>,
  since: number | undefined,
  isOffline: boolean,
): Promise<AccrualTotals> {
  const { store, scopes } = await deps.readLedger()
  const api = isOffline ? undefined : await connectToAudit(deps)
  const totals = createAccrualTotals()
  const progress = createProgress(deps.terminal, deps.clock, undefined, formatAccrualsRead)
  const isShown = deps.terminal.stderr.isTTY && !deps.globals.quiet
  const onRead = async (read: AccrualsRead) => {
    if (isShown) await progress.show(read)
  }
  try {
    for await (const rows of accrualPages({ store, scopes, api, onRead }, since)) {
      totals.add(rows)
      await spool.add(rows)
    }
  } finally {
    await progress.clear()
  }
  return totals.get()
}
