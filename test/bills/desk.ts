/** A desk that has booked some consignments, and audits and posts bills for them without any command. */
import { Buffer } from "node:buffer"
import { strToU8, zipSync } from "fflate"
import { judgeBills, prepareAudit } from "../../src/bills/audit/audit.ts"
import { keptAs } from "../../src/bills/audit/remember.ts"
import { matchInLedger } from "../../src/bills/matching/evidence.ts"
import { type ReadOptions, openBills } from "../../src/bills/open.ts"
import { understandBills } from "../../src/bills/understand.ts"
import { prepareBill } from "../../src/bills/books/post.ts"
import { hashLines } from "../../src/bills/growth.ts"
import { sumEntries } from "../../src/bills/entries.ts"
import { FreightError } from "../../src/base/errors.ts"
import { systemIds } from "../../src/machine/host.ts"
import type { ReadPages } from "../../src/input/pdf/messages.ts"
import { UnclearColumns } from "../../src/input/columns/questions.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import type { GstBasis } from "../../src/ledger/entry.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { readPagesHere } from "./pages-here.ts"
import { driver, entry, put, SCOPE, storeIn, testClock } from "../ledger/setup.ts"

/** Amounts in cents without GST. */
export interface Booked {
  number: string
  reference: string
  cents: number
  grams: number
}

export const BOOKED: readonly Booked[] = Array.from({ length: 12 }, (_, at) => ({
  number: `SBC${String(at + 1).padStart(8, "0")}`,
  reference: `SO-${10_001 + at}`,
  cents: 2259 + at * 731,
  grams: (3 + at) * 1000,
}))

export const DAY = "2026-11-24"

/** The API's list of the same shipments, all collected. */
function apiOf(booked: readonly Booked[]): NonNullable<Parameters<typeof prepareAudit>[0]["api"]> {
  const shipments = booked.map(({ number }, at) => ({
    ...{ id: `shp-${at}`, carrier: "CARRIER_C_AU", consignmentNumber: number, orderNumber: `ORD-${at}` },
    ...{ status: "CONSIGNED", pickupStatus: "BOOKED", serviceCode: "STD", createdAt: `${DAY}T00:00:00.000Z` },
  }))
  return {
    listShipments: async () => ({ shipments, total: shipments.length }),
    async getShipment(wanted: string) {
      const shipment = shipments.find(({ id }) => id === wanted)
      if (!shipment) throw new FreightError("notFound", "there is none")
      return { shipment }
    },
    track: () => Promise.reject(new FreightError("notFound", "there is none")),
    listConnectors: async () => ({ connectors: booked === BOOKED ? [] : CONNECTORS }),
  } as unknown as NonNullable<Parameters<typeof prepareAudit>[0]["api"]>
}

const CONNECTORS = [
  {
    ...{ id: "connector-c", name: "Carrier C", carrier: "CARRIER_C_AU" },
    services: [
      { serviceCode: "STD", description: "Road" },
      { serviceCode: "EXP", description: "Express" },
    ],
  },
]

/** A ledger in memory, in which they are booked. */
export async function bookedDatabase(booked = BOOKED, gstBasis: GstBasis = "excluded"): Promise<Database> {
  const database = openSqlite(":memory:", { driver, clock: testClock() })
  await migrate(database)
  await put(
    storeIn(database),
    ...booked.map(({ number: consignmentNumber, reference, cents, grams }, at) =>
      entry({
        key: reference,
        state: "done",
        facts: {
          ...{
            connectorId: "connector-c",
            carrier: "CARRIER_C_AU",
            shipmentId: `shp-${at}`,
            serviceCode: "STD",
          },
          ...{ consignmentNumber, reference, weightGrams: grams },
          ...{ priceCents: cents, gstBasis, currency: "AUD" },
        },
      }),
    ),
  )
  return database
}

const quiet = async () => undefined

export interface BillInput {
  /** CSV, or the bytes of a workbook or a document. */
  bill: string | Uint8Array
  map?: readonly string[]
  headerRow?: number
  /** For a workbook. */
  sheets?: readonly string[]
  isOffline?: boolean
  /** Bookings that the API has, if not `BOOKED`. */
  booked?: readonly Booked[]
  /** For a PDF that states no sum, in cents. */
  total?: number
  signal?: AbortSignal
  /** Where this process is not to do it. */
  readPages?: ReadPages
}

function readingOf(
  { bill, map = [], headerRow, sheets, total, signal, readPages = readPagesHere }: BillInput,
  notes: string[],
): ReadOptions {
  const keep = async (text: string) => void notes.push(text)
  return {
    ...{ map, ignoreUnknown: false, nowMs: Date.parse(DAY), tell: keep, warn: keep, stage: "draft" },
    ...{ input: undefined, choices: { sheets, mayBeSeveral: true, headerRow } },
    ...{ total, signal: signal ?? new AbortController().signal, readPages },
    async *stdin() {
      yield typeof bill === "string" ? Buffer.from(bill) : bill
    },
  }
}

/** @throws FreightError as `freight audit --no-remember` does */
export async function auditBill(database: Database, input: BillInput) {
  const notes: string[] = []
  const api = input.isOffline ? undefined : apiOf(input.booked ?? BOOKED)
  const prepared = await prepareAudit(
    { store: storeIn(database), scopes: [SCOPE], api, note: quiet, rememberSeen: quiet, ids: systemIds },
    [{ file: "-" }],
    { tolerance: { percent: 1, cents: 50 }, reading: readingOf(input, notes) },
  )
  const { rows, bills, totals } = await judgeBills(prepared, database)
  return { rows, bills, totals, notes, evidence: prepared.evidence }
}

/**
 * The amounts that go to the books for each consignment, in cents: without GST, and GST.
 * @param gst of the whole bill in cents, as a person gives it
 */
export async function postBill(
  database: Database,
  input: BillInput,
  gst?: number,
): Promise<Map<string, [number, number]>> {
  const { bills, named } = await openBills([{ file: "-" }], readingOf(input, []))
  understandBills(bills, [])
  const consignments = await matchInLedger(named, database, [SCOPE])
  const heading = { supplier: "Carrier C", number: "B-1", date: DAY, due: DAY }
  const posted = new Map<string, [number, number]>()
  const hashes = hashLines(named)
  for (const bill of bills)
    for (const { name, entries } of prepareBill(
      keptAs(bill, undefined, false),
      consignments,
      heading,
      hashes,
      gst,
    ).parts) {
      const { exGst, gst } = sumEntries(entries)
      const [before = 0, taxBefore = 0] = posted.get(name) ?? []
      posted.set(name, [before + exGst, taxBefore + gst])
    }
  return posted
}

/** Audits a bill; the questions that it asks are answered by their first choice, or by those that are given. */
export async function tryBill(database: Database, input: BillInput) {
  try {
    return { ...(await auditBill(database, input)), asked: undefined, refused: undefined }
  } catch (error) {
    if (error instanceof UnclearColumns) return { asked: error.questions, refused: undefined, rows: [] }
    if (error instanceof FreightError) return { asked: undefined, refused: error, rows: [] }
    throw error
  }
}

export const money = (cents: number) => (cents / 100).toFixed(2)
export const taxOf = (cents: number) => Math.round(cents / 10)

/** Rows below their headings, with quotes around what needs them. */
export function csv(...rows: readonly (readonly (string | number)[])[]): string {
  const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return `${rows.map((row) => row.map((cell) => quote(String(cell))).join(",")).join("\n")}\n`
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relationships = (...some: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${some
    .map(([type, target], at) => `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`

/** A cell of a workbook, and the part of its text in front that is struck through. */
type SheetCell = string | number | { struck: string | number; rest?: string }

/** A workbook with several sheets, whose cells are text. */
export function workbookOf(
  sheets: readonly (readonly [name: string, rows: readonly (readonly SheetCell[])[]])[],
): Uint8Array {
  const cell = (text: SheetCell) => {
    if (typeof text !== "object") return `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const { struck, rest } = text
    const plain = rest === undefined ? "" : `<r><t>${rest}</t></r>`
    return `<c t="inlineStr"><is><r><rPr><strike/></rPr><t>${struck}</t></r>${plain}</is></c>`
  }
  const files = sheets.map(([, rows], at) => {
    const body = rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("")
    return [
      `xl/worksheets/sheet${at}.xml`,
      `<worksheet ${MAIN}><sheetData>${body}</sheetData></worksheet>`,
    ] as const
  })
  const names = sheets
    .map(([name], at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`)
    .join("")
  const parts = {
    "_rels/.rels": relationships(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${names}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(...files.map(([file]) => ["worksheet", `/${file}`] as const)),
    ...Object.fromEntries(files),
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}
