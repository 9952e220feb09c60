/** Puts bills beside what was booked: reads them, finds their consignments, judges each, and remembers. */
import type { FreightApi } from "../api/freight.ts"
import { BILL_CURRENCY, type Charge, type Verdict } from "../contract/bills.ts"
import type { ConnectorSummary } from "../contract/generated/types.ts"
import { counted } from "../contract/counted.ts"
import { amountOf } from "../contract/money.ts"
import { FreightError } from "../errors.ts"
import { checkStatedGst } from "./gst.ts"
import type { Input } from "../invoice/sources/files.ts"
import { type BilledBefore, type BilledConsignment, findBilled } from "../ledger/records/bills.ts"
import type { Clock, Ids } from "../ports.ts"
import { type AskDeps, type Asked, askApi } from "./ask.ts"
import {
  type Booked,
  type ChargeOf,
  isDisputed,
  judge,
  type Judgement,
  rankOf,
  sumCharges,
  type Tolerance,
} from "./judge.ts"
import type { Amounts, Bill } from "./lines.ts"
import { type Known, matchLedger } from "./match.ts"
import { getBillAmount, findEarlier, rememberAudit } from "./remember.ts"
import { type ReadOptions, readBill } from "./read.ts"
import { type ChargesOf, createScratch, type Scratch, type ScratchBill } from "./scratch.ts"

export interface AuditDeps extends AskDeps {
  /** Undefined where nothing is asked. */
  api: Pick<FreightApi, "listShipments" | "getShipment" | "track" | "listConnectors"> | undefined
  clock: Clock
  ids: Ids
  signal: AbortSignal
  warn(text: string): Promise<void>
}

/** A consignment as the audit reports it: what JSON, NDJSON and CSV hold. Amounts are in whole units. */
export type AuditRow = ReturnType<typeof toRow>
export type AuditedBill = ReturnType<typeof toAuditedBill>
/** `billsWithWrongGst`: those that state more than 10 % GST for all their charges together. */
export type Totals = ReturnType<ReturnType<typeof createTotals>["sum"]> & { billsWithWrongGst: number }

export interface Audit {
  bills(): AsyncGenerator<AuditedBill[]>
  /** Worst first. @param all also those that agree */
  rows(all?: boolean): AsyncGenerator<AuditRow[]>
  totals: Totals
  asked: Asked | undefined
  /** Keeps the bills in the ledger. @throws FreightError when the ledger cannot be written */
  remember(sender: { workstation: string; person: string; scope: string }): Promise<void>
}

export interface AuditOptions {
  tolerance: Tolerance
  reading: ReadOptions
}

/** @throws FreightError `input` for a bill that cannot be read; what the ledger and the API throw */
export async function auditBills(
  deps: AuditDeps,
  inputs: Iterable<Input>,
  options: AuditOptions,
): Promise<Audit> {
  const { store, scopes, api } = deps
  const scratch = createScratch()
  await readAll(scratch, deps, inputs, options.reading)
  dropRepeated(scratch)
  const before = await findEarlier(scratch, deps)
  await matchLedger(scratch, store.database, scopes)
  const asked = api && (await askApi(scratch, api, deps))
  const services = createServices(api ? (await api.listConnectors()).connectors : [])
  for (const page of scratch.subjects<Known>())
    for (const { known } of page)
      if (known.booked) services.add(known.booked.carrier, known.booked.service, known.serviceName)
  const sums = await judgeAll(scratch, deps, options.tolerance, services, before.same)
  const totals = { ...sums, billsWithWrongGst: countWrongGst(scratch) }
  return {
    bills: async function* () {
      for (const page of scratch.bills())
        yield page.map((each) => toAuditedBill(each, before.is.get(each.id)))
    },
    rows: async function* (all = true) {
      yield* scratch.results<AuditRow>(all ? undefined : rankOf("no-price"))
    },
    totals,
    asked,
    remember: (sender) => rememberAudit(scratch, deps, before, sender),
  }
}

async function readAll(
  scratch: Scratch,
  { signal }: AuditDeps,
  inputs: Iterable<Input>,
  reading: ReadOptions,
): Promise<void> {
  for (const input of inputs) {
    signal.throwIfAborted()
    for await (const part of readBill(input, reading)) {
      if ("skipped" in part) scratch.skip(part.bill, part.skipped)
      else if ("stated" in part) scratch.state(part.bill, part.stated)
      else scratch.add(part.line, part.line.line.shipped || part.line.bill.date)
    }
  }
}

/** A bill that is given twice, as a file and in a folder of another format, is one. */
function dropRepeated(scratch: Scratch): void {
  const seen = new Map<string, string>()
  for (const page of scratch.bills())
    for (const each of page) {
      const { bill, lines, skipped } = each
      if (bill.number === "" || skipped !== undefined || lines === 0) continue
      const key = JSON.stringify([bill.number, lines, getBillAmount(each).cents])
      const file = seen.get(key)
      if (file !== undefined) scratch.dropBill(bill, `it is the same bill as in ${file}`)
      else seen.set(key, bill.file)
    }
}

function countWrongGst(scratch: Scratch): number {
  let count = 0
  for (const page of scratch.bills())
    count += page.filter(({ stated }) => stated && checkStatedGst(stated) === "wrong").length
  return count
}

async function judgeAll(
  scratch: Scratch,
  { store, signal }: AuditDeps,
  tolerance: Tolerance,
  services: Services,
  same: ReadonlySet<string>,
): Promise<Omit<Totals, "billsWithWrongGst">> {
  const totals = createTotals()
  for (const page of scratch.subjects<Known>()) {
    signal.throwIfAborted()
    const remembered = await findBilled(
      store.database,
      page.flatMap(({ consignment }) => (consignment === "" ? [] : [consignment])),
      page.flatMap(({ shipmentId }) => shipmentId ?? []),
    )
    const results = page.flatMap(({ subject, consignment, shipmentId, known }) => {
      const of = scratch.chargesOf(subject)
      // Its only bill was given twice.
      if (!of) return []
      const isOf = (each: BilledBefore) =>
        each.consignment === consignment || (shipmentId !== undefined && each.shipmentId === shipmentId)
      const before = remembered.filter((each) => !same.has(each.billId) && isOf(each))
      const row = toRow(consignment, known, of, before, { services, tolerance })
      totals.add(row)
      const billed = consignment === "" ? [] : toBilled(row, shipmentId, of.charges)
      return [
        {
          rank: rankOf(row.verdict),
          weight: Math.round(Math.max(row.disputed, Math.abs(row.difference ?? 0)) * 100),
          subject,
          row,
          billed,
        },
      ]
    })
    scratch.putResults(results)
  }
  return totals.sum()
}

function toRow(
  consignment: string,
  known: Known,
  { charges, foundBy, foundIn }: ChargesOf,
  before: readonly BilledBefore[],
  { services, tolerance }: { services: Services; tolerance: Tolerance },
) {
  const { booked, missing, fits, collected, hasPickup, serviceName } = known
  const billedServices = [...new Set(charges.map(({ service }) => service).filter((text) => text !== ""))]
  const otherService =
    booked && billedServices.flatMap((text) => services.otherThan(text, booked, serviceName) ?? [])[0]
  const judgement = judge(
    {
      consignment,
      booked,
      missing: booked ? undefined : missing,
      ...(fits !== undefined && { fits }),
      charges,
      before,
      collected: hasPickup ? "yes" : (collected ?? "unasked"),
      ...(otherService !== undefined && { otherService }),
    },
    tolerance,
  )
  const sum = sumCharges(charges)
  const cents = (value: number | null) => (value === null ? null : amountOf(value))
  const grams = charges.reduce<number | null>(
    (most, each) => (each.grams === null ? most : Math.max(most ?? 0, each.grams)),
    null,
  )
  const { verdicts, why, quoted, billed, difference, disputed, disputedGst, gst, gstCheck } = judgement
  return {
    consignment,
    reference: booked?.reference ?? "",
    shipmentId: booked?.shipmentId ?? "",
    carrier: booked?.carrier ?? "",
    /** As booked. */
    service: booked?.service ?? "",
    /** The worst of `verdicts`. */
    verdict: verdicts[0] ?? ("cannot-tell" as const),
    verdicts,
    why: booked?.isOpen ? `${why}; its booking has no known outcome: freight reconcile` : why,
    /** Null where no quoted price is known. */
    quoted: cents(quoted),
    billed: amountOf(billed),
    /** Billed, in this audit and before, less quoted. */
    difference: cents(difference),
    /** Of the billed amount. */
    disputed: amountOf(disputed),
    /** Whether these amounts hold GST. */
    gst,
    currency: BILL_CURRENCY,
    billedExGst: cents(sum.exGst),
    billedGst: cents(sum.gst),
    billedIncGst: cents(sum.incGst),
    /** Billed in bills that were audited before, on the same basis. */
    billedBefore:
      before.length === 0 ? null : amountOf(before.reduce((all, each) => all + getCents(each, gst), 0)),
    charges: sumByKind(charges, gst),
    lines: charges.map((each) => ({
      bill: each.bill.number,
      file: each.bill.file,
      ...(each.bill.index !== undefined && { index: each.bill.index }),
      /** Of a CSV file; a pointer of an INV document. */
      ...(each.line !== undefined && { line: each.line }),
      ...(each.pointer !== undefined && { pointer: each.pointer }),
      charge: each.charge,
      label: each.label,
      amount: amountOf(getCents(each, gst)),
    })),
    bills: [...new Set(charges.map(({ bill }) => bill.number))],
    /** By which of its names the consignment was found; empty where it was not. */
    foundBy: known.foundBy ?? foundBy,
    /** In which fields or columns of the bill that name stands. */
    foundIn: known.foundIn === undefined ? foundIn : [known.foundIn],
    bookedAt: booked?.bookedAt ?? "",
    billedService: billedServices.join(", "),
    bookedWeightKg: booked?.grams === undefined ? null : booked.grams / 1000,
    billedWeightKg: grams === null ? null : grams / 1000,
    /** Whether its GST is 10 %; `none` where it is 0 %, `unknown` where the bill does not say. */
    gstCheck,
    /** Of `disputed`, what is GST above 10 %. */
    disputedGst: amountOf(disputedGst),
  }
}

function getCents({ exGst, gst: tax, incGst, unsaid }: Amounts, gst: Judgement["gst"]): number {
  return (gst === "included" ? (incGst ?? exGst) : (exGst ?? incGst)) ?? unsaid ?? tax ?? 0
}

function sumByKind(charges: readonly ChargeOf[], gst: Judgement["gst"]): Partial<Record<Charge, number>> {
  const cents = new Map<Charge, number>()
  for (const each of charges) cents.set(each.charge, (cents.get(each.charge) ?? 0) + getCents(each, gst))
  return Object.fromEntries(Array.from(cents, ([charge, sum]) => [charge, amountOf(sum)]))
}

type Services = ReturnType<typeof createServices>

const plain = (text: string) => text.trim().toLowerCase().replace(/\s+/g, " ")

/** Which services a carrier has: only one of these can be billed by mistake for another. */
function createServices(connectors: readonly ConnectorSummary[]) {
  const known = new Map<string, Map<string, string>>()
  const services = {
    add(carrier: string, code: string, name = ""): void {
      const codes = known.get(carrier) ?? new Map<string, string>()
      known.set(carrier, codes)
      for (const text of [code, name]) if (text !== "") codes.set(plain(text), code)
    },
    /** What is billed, if it is another service of the carrier than the booked one; undefined if that is unknown. */
    otherThan(billed: string, { carrier, service }: Booked, bookedName = ""): string | undefined {
      const text = plain(billed)
      if (text === "" || text === plain(service) || text === plain(bookedName)) return undefined
      const code = known.get(carrier)?.get(text)
      return code === undefined || code === service ? undefined : billed.trim()
    },
  }
  for (const { carrier, services: all } of connectors)
    for (const { serviceCode, description } of all) services.add(carrier, serviceCode, description)
  return services
}

function toBilled(
  row: AuditRow,
  shipmentId: string | undefined,
  charges: readonly ChargeOf[],
): { bill: Bill; billed: BilledConsignment }[] {
  const bills = [...new Set(charges.map(({ bill }) => bill))]
  return bills.map((bill) => {
    const own = charges.filter((each) => each.bill === bill)
    return {
      bill,
      billed: {
        consignment: row.consignment,
        shipmentId,
        ...sumCharges(own),
        charges: [...new Set(own.map(({ charge }) => charge))],
        verdict: row.verdict,
        disputedCents: Math.round(row.disputed * 100),
      },
    }
  })
}

const NO_SUMS = { billed: 0, quoted: 0, over: 0, under: 0, disputed: 0 }
type Sums = typeof NO_SUMS

function createTotals() {
  const cents = { ...NO_SUMS }
  const byGst: Partial<Record<Judgement["gst"], Sums>> = {}
  const byVerdict: Partial<Record<Verdict, number>> = {}
  let consignments = 0
  let toDispute = 0
  let withoutGst = 0
  let disputedGst = 0
  return {
    add(row: AuditRow): void {
      const { verdict, verdicts, billed, quoted, difference, disputed, gst, gstCheck } = row
      consignments++
      byVerdict[verdict] = (byVerdict[verdict] ?? 0) + 1
      byGst[gst] ??= { ...NO_SUMS }
      if (isDisputed(verdict)) toDispute++
      if (gstCheck === "none") withoutGst++
      disputedGst += Math.round(row.disputedGst * 100)
      const amounts: Sums = {
        billed,
        quoted: quoted ?? 0,
        disputed,
        over: verdicts.includes("over") ? (difference ?? 0) : 0,
        under: verdicts.includes("under") ? -(difference ?? 0) : 0,
      }
      for (const name of Object.keys(NO_SUMS) as (keyof Sums)[])
        for (const sums of [cents, byGst[gst]]) sums[name] += Math.round(amounts[name] * 100)
    },
    sum: () => ({
      consignments,
      byVerdict,
      billed: amountOf(cents.billed),
      quoted: amountOf(cents.quoted),
      /** Of verdict `over`, less quoted; and what others ask for below the quote. */
      over: amountOf(cents.over),
      under: amountOf(cents.under),
      toDispute,
      disputed: amountOf(cents.disputed),
      /** Whether these sums hold GST: `mixed` where they are not all on one basis. */
      gst:
        Object.keys(byGst).length > 1
          ? ("mixed" as const)
          : ((Object.keys(byGst) as Judgement["gst"][])[0] ?? "unknown"),
      /** The same sums, of what was compared on each basis. */
      byGst: Object.fromEntries(
        Object.entries(byGst).map(([gst, sums]) => [
          gst,
          Object.fromEntries(Object.entries(sums).map(([name, each]) => [name, amountOf(each)])),
        ]),
      ) as Partial<Record<Judgement["gst"], Sums>>,
      /** Consignments that are billed at 0 % GST. */
      withoutGst,
      /** Of `disputed`, what is GST above 10 %. */
      disputedGst: amountOf(disputedGst),
    }),
  }
}

function toAuditedBill(each: ScratchBill, earlier: { before?: "again" | "changed" } | undefined) {
  const { bill, lines, skipped, stated } = each
  const { file, index, number, supplier, date, findings } = bill
  const { cents, gst } = getBillAmount(each)
  return {
    file,
    ...(index !== undefined && { index }),
    number,
    supplier,
    date,
    lines,
    amount: lines === 0 ? null : amountOf(cents),
    gst,
    // GST that the bill states for all its charges together, and none of them alone.
    ...(stated && {
      statedGst: amountOf(stated.gst),
      statedGstOf: amountOf(stated.exGst),
      gstCheck: checkStatedGst(stated),
    }),
    // Of the contract; absent for CSV.
    ...(findings && { errors: findings.errors, warnings: findings.warnings }),
    ...(findings?.first !== undefined && { firstError: findings.first }),
    /** Why nothing in it was audited. */
    ...(skipped !== undefined && { skipped }),
    // `again`: this very bill was audited before; `changed`: another amount was billed under its number.
    ...(earlier?.before && { before: earlier.before }),
  }
}

/** @throws FreightError `input` where there is nothing to audit */
export function checkAnything({ consignments }: Totals): void {
  if (consignments === 0)
    throw new FreightError("input", `there is nothing to audit: ${counted(0, "charge")} in these bills`)
}
