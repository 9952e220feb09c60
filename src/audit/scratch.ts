/** What an audit knows while it runs, in memory: the charges of all bills by consignment, and what was found of each. */
import { grouped } from "../contract/counted.ts"
import { FreightError } from "../errors.ts"
import { MOST_CHARGES } from "../limits.ts"
import { isGstOf } from "./gst.ts"
import type { ChargeOf } from "./judge.ts"
import type { Amounts, Bill, BilledLine, BillLine, BillName, StatedGst } from "./lines.ts"

/** All that names a charge: charges with the same names are of the same consignment. */
export interface Names {
  key: string
  names: readonly BillName[]
  damaged: string | undefined
  /** A day that the bills tell of it; empty where they tell none. */
  day: string
}

export interface Match {
  key: string
  subject: string
  foundBy: string
  foundIn: string
}

export interface KnownSubject<Known> {
  subject: string
  consignment: string
  shipmentId: string | undefined
  known: Known
}

export interface Result {
  /** The worst first, those of one rank by weight. */
  rank: number
  weight: number
  subject: string
  row: unknown
  /** What is remembered of it, for each bill. */
  billed: readonly { bill: Bill; billed: unknown }[]
}

/** A bill with the sums of its charges, as far as all of them say it. */
export interface ScratchBill extends Amounts {
  id: number
  bill: Bill
  skipped: string | undefined
  lines: number
  stated: StatedGst | undefined
}

export interface ChargesOf {
  charges: ChargeOf[]
  foundBy: string
  foundIn: string[]
}

export type Scratch = ReturnType<typeof createScratch>

/** A bill with its charges, of which there are none once it is dropped. */
interface StoredBill {
  id: number
  bill: Bill
  charges: BillLine[]
  skipped?: string
  stated?: StatedGst
}

/** Charges with the same names, in the order in which they were read. */
interface Group extends Names {
  charges: { at: number; of: StoredBill; line: BillLine }[]
  match?: Match
}

/** How many are looked up in the ledger at a time. */
const PAGE = 500
const NO_NAMES: readonly BillName[] = []

export function createScratch() {
  const bills = new Map<Bill, StoredBill>()
  const groups = new Map<string, Group>()
  const groupsOfSubject = new Map<string, Group[]>()
  const subjects = new Map<string, KnownSubject<unknown>>()
  const subjectsOfShipment = new Map<string, Set<string>>()
  const subjectsOfName = new Map<string, Set<string>>()
  /** Bills with what all their charges say of their GST. */
  const heads = new Map<StoredBill, Bill>()
  const results: Result[] = []
  let charges = 0

  const getBill = (bill: Bill): StoredBill => {
    const known = bills.get(bill)
    if (known) return known
    const stored = { id: bills.size + 1, bill, charges: [] }
    bills.set(bill, stored)
    return stored
  }
  const getHead = (of: StoredBill): Bill => {
    const head = heads.get(of) ?? judgeBill(of)
    heads.set(of, head)
    return head
  }

  return {
    /** Takes a charge. @param day a day that the bill tells of it @throws FreightError `input` for too many */
    add({ bill, line }: BilledLine, day: string): void {
      if (++charges > MOST_CHARGES)
        throw new FreightError(
          "input",
          `these bills have more than ${grouped(MOST_CHARGES)} charges, the most that one audit takes`,
          { hint: "Audit them in parts. What was audited is remembered, so nothing can be billed twice." },
        )
      const of = getBill(bill)
      const { names, label, damaged } = line
      // What has no name is a consignment of its own, for each bill and words.
      const key = JSON.stringify(
        names.length === 0 ? [of.id, label, damaged ?? ""] : names.map(({ text, field }) => [text, field]),
      )
      const group = groups.get(key) ?? { key, names, damaged, day, charges: [] }
      groups.set(key, group)
      const stored = { ...line, names: NO_NAMES }
      group.charges.push({ at: charges, of, line: stored })
      of.charges.push(stored)
    },
    skip(bill: Bill, why: string): void {
      getBill(bill).skipped = why
    },
    /** Keeps the GST that a bill states for all its charges. */
    state(bill: Bill, stated: StatedGst): void {
      getBill(bill).stated = stated
    },
    *bills(): Generator<ScratchBill[]> {
      yield* inPages(Array.from(bills.values(), sumBill))
    },
    /** Forgets the charges of a bill that was given twice. */
    dropBill(bill: Bill, why: string): void {
      Object.assign(getBill(bill), { charges: [], skipped: why })
    },
    *names(): Generator<Names[]> {
      const there = [...groups.values()].filter(({ charges }) => charges.some(isThere))
      yield* inPages(there.sort((one, other) => (one.key < other.key ? -1 : 1)))
    },
    /** Makes charges of one subject those of another, where both are the same shipment. */
    joinSubjects(joined: ReadonlyMap<string, string>): void {
      for (const [from, to] of joined) {
        const moved = groupsOfSubject.get(from) ?? []
        groupsOfSubject.set(to, [...(groupsOfSubject.get(to) ?? []), ...moved])
        groupsOfSubject.delete(from)
        subjects.delete(from)
      }
    },
    putMatches(matches: readonly Match[]): void {
      for (const match of matches) {
        const group = groups.get(match.key)
        if (!group) continue
        group.match = match
        groupsOfSubject.set(match.subject, [...(groupsOfSubject.get(match.subject) ?? []), group])
      }
    },
    /** Names that nothing in the ledger has, in capitals. */
    putOpenNames(names: readonly { name: string; subject: string }[]): void {
      for (const { name, subject } of names) addTo(subjectsOfName, name, subject)
    },
    putSubjects<Known>(changed: readonly KnownSubject<Known>[]): void {
      for (const one of changed) {
        subjects.set(one.subject, one)
        if (one.shipmentId !== undefined) addTo(subjectsOfShipment, one.shipmentId, one.subject)
      }
    },
    /** Each as it is when its page is read. */
    *subjects<Known>(): Generator<KnownSubject<Known>[]> {
      for (const page of inPages([...subjects.keys()].sort()))
        yield page.flatMap((subject) => (subjects.get(subject) as KnownSubject<Known> | undefined) ?? [])
    },
    /** Subjects by the ids of their shipments, or by names that are open. */
    subjectsBy<Known>(
      what: "shipment" | "open name",
      values: readonly string[],
    ): Map<string, KnownSubject<Known>[]> {
      const found = new Map<string, KnownSubject<Known>[]>()
      for (const value of new Set(values)) {
        const named = (what === "shipment" ? subjectsOfShipment : subjectsOfName).get(value) ?? []
        const there = [...named].sort().flatMap((subject) => {
          const one = subjects.get(subject) as KnownSubject<Known> | undefined
          return one && (what === "open name" || one.shipmentId === value) ? [one] : []
        })
        if (there.length > 0) found.set(value, there)
      }
      return found
    },
    chargesOf(subject: string): ChargesOf | undefined {
      const all = (groupsOfSubject.get(subject) ?? [])
        .flatMap(({ match, charges: some }) => some.filter(isThere).map((charge) => ({ ...charge, match })))
        .sort((one, other) => one.at - other.at)
      return (
        all[0] && {
          charges: all.map(({ of, line }) => ({ ...line, bill: getHead(of) })),
          foundBy: all[0].match?.foundBy ?? "",
          foundIn: [...new Set(all.map(({ match }) => match?.foundIn ?? ""))],
        }
      )
    },
    putResults(more: readonly Result[]): void {
      results.push(...more)
    },
    /** What is remembered of each consignment, for each of its bills. */
    *billed<T>(): Generator<{ bill: number; billed: T }[]> {
      const ids = new Map(Array.from(heads, ([{ id }, head]) => [head, id]))
      for (const page of inPages(results))
        yield page.flatMap(({ billed }) =>
          billed.map((each) => ({ bill: ids.get(each.bill) ?? 0, billed: each.billed as T })),
        )
    },
    /** Worst first. @param maximum no better rank */
    *results<T>(maximum = Number.MAX_SAFE_INTEGER): Generator<T[]> {
      const sorted = results
        .filter(({ rank }) => rank <= maximum)
        .sort(
          (one, other) =>
            one.rank - other.rank || other.weight - one.weight || (one.subject < other.subject ? -1 : 1),
        )
      for (const page of inPages(sorted)) yield page.map(({ row }) => row as T)
    },
  }
}

/** Whether the bill of a charge was not dropped. */
function isThere({ of }: Group["charges"][number]): boolean {
  return of.charges.length > 0
}

function* inPages<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += PAGE) yield all.slice(at, at + PAGE)
}

function addTo(index: Map<string, Set<string>>, name: string, subject: string): void {
  const there = index.get(name)
  if (there) there.add(subject)
  else index.set(name, new Set([subject]))
}

function sumBill({ id, bill, charges, skipped, stated }: StoredBill): ScratchBill {
  const hasTax = charges.some(({ charge }) => charge === "tax")
  const sums = {
    exGst: sumOf(charges, "exGst"),
    gst: sumOf(charges, "gst"),
    incGst: sumOf(charges, "incGst"),
  }
  const unsaid = charges.some((line) => line.unsaid !== null)
  const isWhole = (name: keyof typeof sums) =>
    charges.length > 0 && !unsaid && !hasTax && charges.every((line) => line[name] !== null)
  return {
    id,
    bill,
    skipped,
    stated,
    lines: charges.length,
    exGst: isWhole("exGst") ? sums.exGst : null,
    gst: isWhole("gst") ? sums.gst : null,
    incGst: isWhole("incGst") ? sums.incGst : null,
    // Lines of several kinds add up to what asks for the money, on no basis that could be named.
    unsaid: unsaid || hasTax ? sumOf(charges, "unsaid") + sums.exGst + (hasTax ? sums.gst : 0) : null,
  }
}

/** The bill, with whether it states GST, and whether that is right for all its charges together. */
function judgeBill({ bill, charges }: StoredBill): Bill {
  const isTax = ({ charge }: BillLine) => charge === "tax"
  const lines = charges.filter((line) => !isTax(line))
  const taxes = charges.filter(isTax)
  const gst =
    sumOf(lines, "gst") +
    taxes.reduce(
      (sum, { gst: tax, exGst, incGst, unsaid }) => sum + (tax ?? exGst ?? incGst ?? unsaid ?? 0),
      0,
    )
  return {
    ...bill,
    statesGst: taxes.length > 0 || lines.some((line) => line.gst !== null),
    isGstRight: isGstOf({ exGst: sumOf(lines, "exGst"), gst, lines: lines.length }),
  }
}

function sumOf(lines: readonly Amounts[], name: keyof Amounts): number {
  return lines.reduce((sum, line) => sum + (line[name] ?? 0), 0)
}
