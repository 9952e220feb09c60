/** Shipments that people linked to a bill's unknown numbers: the newest link of a number counts. */
import {
  describeColumns,
  insertRecords,
  placeholders,
  queryInParts,
  SENDER_COLUMNS,
  type Sender,
  type Statements,
  type Transaction,
} from "../../ledger/index.ts"
import type { OfBill } from "./disputes.ts"

/** A person's link from a number on bills to a shipment. */
export interface Link extends OfBill, Sender {
  id: string
  /** Plain, as `plainName` has it. */
  number: string
  /** Any name of the shipment; empty if the link was removed. */
  shipment: string
  /** ISO 8601 in UTC. */
  at: string
}

export const LINKS = describeColumns<Link>({
  id: "text",
  number: "text",
  shipment: "text",
  supplier: "text",
  billNumber: "text",
  billDate: "text",
  file: "text",
  at: ["written_at", "text"],
  ...SENDER_COLUMNS,
})

export async function hasLinks(statements: Statements): Promise<boolean> {
  return (await statements.all("select id from links limit 1")).length > 0
}

/** The links of these plain numbers, the newest first: those of one bill, and, without a file, those of all bills. */
export async function findLinks(statements: Statements, numbers: readonly string[]): Promise<Link[]> {
  const rows = await queryInParts([...new Set(numbers)], (part) =>
    statements.all(
      `select * from links where number in (${placeholders(part)}) order by written_at desc, id`,
      part,
    ),
  )
  return rows.map((row) => LINKS.read(row))
}

export async function addLinks(transaction: Transaction, links: readonly Link[]): Promise<void> {
  await insertRecords(transaction, "links", LINKS, links, " on conflict do nothing")
}
