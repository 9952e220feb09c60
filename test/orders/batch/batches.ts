/** Reading batches in tests: text or bytes in, rows and their findings out. */

import { countOutcome, createTally } from "../../../src/orders/batch/result.ts"
import type { Outcome } from "../../../src/orders/batch/outcome.ts"
import type { BatchRow } from "../../../src/orders/batch/rows/row.ts"
import type { RowDefaults } from "../../../src/orders/batch/rows/defaults.ts"
import type { RowFinding } from "../../../src/input/sheets/findings.ts"
import { readRows } from "../../../src/orders/batch/rows/rows.ts"
import type { BookingAddress, ConnectorSummary } from "../../../src/contract/generated/types.ts"
import { FreightError } from "../../../src/base/errors.ts"

/** Friday, in the morning in Sydney. */
export const NOW = Date.parse("2026-11-20T00:00:00Z")

export const WAREHOUSE: BookingAddress = {
  companyName: "Harbour Lighting Pty Ltd",
  address1: "14 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
}

export const CONNECTORS: readonly ConnectorSummary[] = [
  {
    id: "connector-a",
    carrier: "CARRIER_A_AU",
    name: "Road",
    services: [
      { serviceCode: "STD", description: "Standard" },
      { serviceCode: "EXP", description: "Express" },
    ],
  },
  {
    id: "connector-b",
    carrier: "CARRIER_B_AU",
    name: "Prime",
    services: [{ serviceCode: "PRM", description: "Prime" }],
  },
  {
    id: "connector-c",
    carrier: "CARRIER_C_AU",
    name: "Air",
    services: [{ serviceCode: "STD", description: "Standard" }],
  },
]

/** Everything that a row need not say. */
export function defaults(changes: Partial<RowDefaults> = {}): RowDefaults {
  return {
    map: [],
    ignoreUnknown: false,
    signal: new AbortController().signal,
    tell: async () => {},
    booking: {
      sender: { ...WAREHOUSE },
      packagingCode: "CT",
      collectionDateTime: "2026-11-23T10:00:00",
      collectionCloseTime: "1700",
    },
    readyTime: "10:00:00",
    own: {},
    allowed: undefined,
    service: "cheapest",
    limits: {},
    address: (name) => {
      if (name === "Warehouse") return WAREHOUSE
      throw new FreightError("input", `there is no saved address "${name}"`, {
        hint: 'Did you mean "Warehouse"?',
      })
    },
    connectors: undefined,
    sandbox: false,
    nowMs: NOW,
    ...changes,
  }
}

export async function rowsOf(
  content: string | Uint8Array,
  changes: Partial<RowDefaults> = {},
  pieceSize = 1 << 16,
): Promise<BatchRow[]> {
  const bytes = Buffer.from(content)
  const source = {
    name: "orders.csv",
    async *chunks() {
      for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize)
    },
  }
  const rows: BatchRow[] = []
  for await (const row of readRows(source, defaults(changes))) rows.push(row)
  return rows
}

const GOOD: Readonly<Record<string, string>> = {
  reference: "SO-1",
  "receiver.companyName": "Port Street Fittings",
  "receiver.address1": "8 Market Street",
  "receiver.suburb": "Fremantle",
  "receiver.state": "WA",
  "receiver.postcode": "6160",
  packages: "2x40x30x20@5.5",
}

/** One good row as CSV, with cells changed or put beside. */
export function csvOf(changes: Readonly<Record<string, string>> = {}): string {
  const cells = { ...GOOD, ...changes }
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  return `${Object.keys(cells).map(quote).join(",")}\n${Object.values(cells).map(quote).join(",")}\n`
}

/** The one row of a CSV with these cells. */
export async function rowWith(
  changes: Readonly<Record<string, string>>,
  more: Partial<RowDefaults> = {},
): Promise<BatchRow> {
  const [row] = await rowsOf(csvOf(changes), more)
  if (!row) throw new Error("no row")
  return row
}

/** The findings of one severity, in few words: `Postcode lost-zero`. */
export function said(row: BatchRow | undefined, severity: RowFinding["severity"] = "error"): string[] {
  return (row?.findings ?? [])
    .filter((note) => note.severity === severity)
    .map(({ column, rule }) => [column, rule].filter(Boolean).join(" "))
}

/** The outcome of rows, counted. */
export function tallyOf(states: readonly Outcome["state"][]) {
  const tally = createTally()
  const rest = {
    entryId: "",
    shipmentId: "",
    consignment: "",
    priceCents: undefined,
    currency: "AUD",
    error: "",
  }
  for (const state of states) countOutcome(tally, { state, ...rest })
  return tally
}
