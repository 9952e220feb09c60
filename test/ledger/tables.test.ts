/** The columns that rooms describe of their tables are those that the ledger's schema makes. */
import { expect, it } from "vitest"
import { BILLED, BILLS } from "../../src/bills/records/bills.ts"
import { CREDITS, DISPUTES, STEPS } from "../../src/bills/records/disputes.ts"
import { LINKS } from "../../src/bills/records/links.ts"
import { PAYMENTS } from "../../src/bills/records/payments.ts"
import { MOVES, POSTINGS } from "../../src/bills/records/postings.ts"
import { INVOICE_STEPS, INVOICES } from "../../src/invoice/registered.ts"
import { DISPATCHES } from "../../src/orders/dispatched/records.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import type { CREATE } from "../../src/ledger/tables.ts"
import { driver, ledgerFileIn, temporaryDir, testClock } from "./setup.ts"

const TABLES: Readonly<Record<keyof typeof CREATE, { sql: string }>> = {
  bills: BILLS,
  billed: BILLED,
  disputes: DISPUTES,
  dispute_steps: STEPS,
  credits: CREDITS,
  postings: POSTINGS,
  clearing_moves: MOVES,
  payments: PAYMENTS,
  links: LINKS,
  dispatches: DISPATCHES,
  invoices: INVOICES,
  invoice_steps: INVOICE_STEPS,
}

it.each(Object.entries(TABLES))("%s has the columns that its room describes", async (table, { sql }) => {
  const database = openSqlite(ledgerFileIn(temporaryDir()), { driver, clock: testClock() })
  try {
    const columns = await database.all(`select name, type from pragma_table_info('${table}')`)
    const described = sql.replaceAll(" not null", "").split(/,\s*/).sort()
    expect(columns.map(({ name, type }) => `${name} ${String(type).toLowerCase()}`).sort()).toEqual(described)
  } finally {
    await database.close()
  }
})
