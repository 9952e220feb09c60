/** Random bills in every shape that freight reads, posted for every program and read back. */
import { Buffer } from "node:buffer"
import { parse } from "csv-parse/sync"
import { keptAs } from "../../../src/bills/audit/remember.ts"
import { matchInLedger } from "../../../src/bills/matching/evidence.ts"
import { openBills } from "../../../src/bills/open.ts"
import { BOOKS, isImported, joinBills } from "../../../src/bills/books/formats.ts"
import { type BillToPost, postBills, type PostOptions, prepareBill } from "../../../src/bills/books/post.ts"
import { hashLines } from "../../../src/bills/growth.ts"
import { PROGRAMS, type Program } from "../../../src/bills/programs.ts"
import { toId } from "../../../src/bills/ids.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { addDisputes, type Dispute } from "../../../src/bills/records/disputes.ts"
import { numbersFrom } from "../../acceptance/numbers.ts"
import { invBill, invLine } from "../../acceptance/bills.ts"

type Random = () => number

/** In cents. */
interface Charge {
  consignment: string
  exGst: number
  gst: number
}

const SENDER = { workstation: "desk-1", person: "ann" }
const SUPPLIER = "Carrier A"
const HEAD = { "Invoice Number": "", "Invoice Date": "2026-11-20", Carrier: SUPPLIER }

const decimals = (cents: number) => (cents / 100).toFixed(2)
const total = (charges: readonly Charge[], name: "exGst" | "gst") =>
  charges.reduce((sum, charge) => sum + charge[name], 0)

type Cells = Record<string, string>

function csv(number: string, rows: readonly Cells[], last: readonly string[] = []): string {
  const all = rows.map((row): Cells => ({ ...HEAD, "Invoice Number": number, ...row }))
  const headings = Object.keys(all[0] ?? {})
  return [headings, ...all.map((row) => headings.map((heading) => row[heading] ?? "")), last]
    .filter((cells) => cells.length > 0)
    .map((cells) => cells.join(","))
    .join("\n")
}

/** GST of a line, as carriers round it; some of it half a cent off, and some lines free. */
function randomCharges(random: Random, canBeFree: boolean, canCredit: boolean): Charge[] {
  const count = 1 + Math.floor(random() * 12)
  return Array.from({ length: count }, (_, at) => {
    const sign = canCredit && random() < 0.1 ? -1 : 1
    const exGst = sign * (500 + Math.floor(random() * 20_000))
    const gst = canBeFree && random() < 0.15 ? 0 : Math.round(exGst / 10)
    return { consignment: `ZZ${String(at).padStart(5, "0")}`, exGst, gst }
  })
}

interface Made {
  text: string
  exGst: number
  gst: number
  charges: readonly Charge[]
  /** The whole bill's, as a person gives it. */
  given?: number
}

/** Each makes a bill of one shape; GST that stands for all lines together is rounded on their sum. */
const SHAPES: Readonly<Record<string, (random: Random, number: string) => Made>> = {
  "three amounts on each line": (random, number) =>
    perLine(random, number, ({ exGst, gst }) => ({
      "Amount ex GST": decimals(exGst),
      GST: decimals(gst),
      "Amount inc GST": decimals(exGst + gst),
    })),
  "without GST, and GST": (random, number) =>
    perLine(random, number, ({ exGst, gst }) => ({ "Amount ex GST": decimals(exGst), GST: decimals(gst) })),
  "with GST, and GST": (random, number) =>
    perLine(random, number, ({ exGst, gst }) => ({
      "Amount inc GST": decimals(exGst + gst),
      GST: decimals(gst),
    })),
  "an amount that does not say, and GST": (random, number) =>
    perLine(random, number, ({ exGst, gst }) => ({ Total: decimals(exGst), GST: decimals(gst) })),
  "GST on a line of its own": (random, number) => {
    const charges = randomCharges(random, false, true)
    const rows = charges.flatMap(({ consignment, exGst, gst }) => {
      const fuel = Math.round(exGst * random() * 0.2)
      const parts = [
        { Charge: "Freight", Total: decimals(exGst - fuel) },
        { Charge: "Fuel levy", Total: decimals(fuel) },
        { Charge: "GST", Total: decimals(gst) },
      ]
      return parts.map((part) => ({ Consignment: consignment, ...part }))
    })
    return { text: csv(number, rows), charges, exGst: total(charges, "exGst"), gst: total(charges, "gst") }
  },
  "a column for each kind": (random, number) =>
    perLine(random, number, ({ exGst, gst }) => {
      const fuel = Math.round(exGst * random() * 0.2)
      return {
        Freight: decimals(exGst - fuel),
        Fuel: decimals(fuel),
        GST: decimals(gst),
        "Total inc GST": decimals(exGst + gst),
      }
    }),
  "GST given by a person": (random, number) => {
    const charges = randomCharges(random, false, false)
    const gst = Math.round(total(charges, "exGst") / 10)
    const pick = Math.floor(random() * 3)
    const heading = pick === 0 ? "Amount ex GST" : "Amount"
    const isWithGst = pick === 2
    const written = charges.map((each) => ({ ...each, cents: each.exGst + (isWithGst ? each.gst : 0) }))
    const rows = written.map(({ consignment, cents }) => ({
      Consignment: consignment,
      [heading]: decimals(cents),
    }))
    const sum = written.reduce((all, { cents }) => all + cents, 0)
    return { text: csv(number, rows), charges, exGst: isWithGst ? sum - gst : sum, gst, given: gst }
  },
  "GST below all lines": (random, number) => {
    const charges = randomCharges(random, false, false)
    const exGst = total(charges, "exGst")
    const gst = Math.round(exGst / 10)
    const rows = charges.map((each) => ({
      Consignment: each.consignment,
      Charge: "Freight",
      "Amount ex GST": decimals(each.exGst),
    }))
    return { text: csv(number, rows, ["", "", "", "", "Total GST", decimals(gst)]), charges, exGst, gst }
  },
  "a document with GST on each line, and shipping": (random, number) => document(random, number, true, 1),
  "a document with GST in its summary only": (random, number) => document(random, number, false, 1),
  "a credit memo": (random, number) => document(random, number, random() < 0.5, -1),
}

function perLine(random: Random, number: string, write: (charge: Charge) => Cells): Made {
  const charges = randomCharges(random, true, true)
  const rows = charges.map((charge) => ({ Consignment: charge.consignment, ...write(charge) }))
  return { text: csv(number, rows), charges, exGst: total(charges, "exGst"), gst: total(charges, "gst") }
}

function document(random: Random, number: string, isOnLines: boolean, sign: 1 | -1): Made {
  const charges = randomCharges(random, isOnLines, false)
  const shipping = random() < 0.5 ? Math.floor(random() * 3000) : 0
  const discount = random() < 0.3 ? Math.floor(random() * 400) : 0
  const subtotal = total(charges, "exGst")
  const exGst = subtotal + shipping - discount
  const gst = isOnLines
    ? total(charges, "gst") + Math.round((shipping - discount) / 10)
    : Math.round(exGst / 10)
  const lines = charges.map(({ consignment, exGst: cents, gst: tax }) =>
    invLine(cents, {
      description: "Freight",
      serialNumbers: [consignment],
      taxAmount: isOnLines ? tax / 100 : undefined,
    }),
  )
  const text = JSON.stringify(
    invBill(lines, {
      invoiceNumber: number,
      invoiceDate: "2026-11-20T00:00:00Z",
      supplier: { id: SUPPLIER, name: SUPPLIER },
      ...(sign === -1 && { purpose: "creditMemo" }),
      invoiceSummary: {
        subtotal: subtotal / 100,
        ...(shipping > 0 && { shippingAmount: shipping / 100 }),
        ...(discount > 0 && { discountAmount: discount / 100 }),
        taxAmount: gst / 100,
        dueAmount: (exGst + gst) / 100,
        currency: "AUD",
      },
    }),
  )
  return { text, charges, exGst: sign * exGst, gst: sign * gst }
}

/** A part of what is charged for a consignment is disputed, or more than that. */
function randomDisputes(random: Random, number: string, charges: readonly Charge[]): Dispute[] {
  return charges.flatMap(({ consignment, exGst }): Dispute[] => {
    if (random() < 0.7 || exGst < 0) return []
    return [
      {
        id: toId("dispute", SUPPLIER, number, consignment),
        ...{ supplier: SUPPLIER, billNumber: number, billDate: "2026-11-20", file: "bill" },
        ...{
          consignment,
          shipmentId: "",
          reference: "",
          carrier: "",
          verdict: "over",
          why: "",
          at: "2026-11-24T00:00:00.000Z",
          ...SENDER,
        },
        amountCents: 1 + Math.floor(exGst * random() * 1.2),
        gstBasis: random() < 0.5 ? "excluded" : "included",
        day: "2026-11-21",
      },
    ]
  })
}

const OPTIONS: Omit<PostOptions, "program"> = {
  rules: [],
  otherwise: { account: "429", costCentre: "" },
  clearing: "650",
  isSummed: false,
  isAgain: true,
  book: { tracking: "Cost Centre" },
}

const AMOUNTS: Readonly<
  Record<Program, readonly [number: string, account: string, exGst: string, gst: string]>
> = {
  xero: ["*InvoiceNumber", "*AccountCode", "*UnitAmount", "TaxAmount"],
  myob: ["Supplier Invoice No.", "Account No.", "Amount", "Tax Amount"],
  quickbooks: ["*BillNo", "*Account", "*LineAmount", "LineTaxAmount"],
}

interface ReadBack {
  exGst: number
  gst: number
  /** Without GST, on the clearing account. */
  cleared: number
}

/** The amounts of each bill in an import file, in cents. */
function readBack(program: Program, file: string): Map<string, ReadBack> {
  const records: Cells[] = parse(file, {
    columns: true,
    delimiter: BOOKS[program].delimiter,
    skip_empty_lines: true,
  })
  const [number, account, exGst, gst] = AMOUNTS[program]
  const cents = (text = "") => Math.round(Number(text) * 100)
  const sums = new Map<string, ReadBack>()
  for (const record of records) {
    const sum = sums.get(record[number] ?? "") ?? { exGst: 0, gst: 0, cleared: 0 }
    sums.set(record[number] ?? "", {
      exGst: sum.exGst + cents(record[exGst]),
      gst: sum.gst + cents(record[gst]),
      cleared: sum.cleared + (record[account] === "650" ? cents(record[exGst]) : 0),
    })
  }
  return sums
}

/** The line that a person should type. */
function readEntry(entry: string): ReadBack {
  const cents = (text = "") => -Math.round(Number(text) * 100)
  const [, all, allGst] = / In all (\S+) and GST of (\S+): AUD/.exec(entry) ?? []
  const rows = [...entry.matchAll(/^ {2}([^:]+): (\S+), .*? (\S+), /gm)]
  const sum = { exGst: 0, gst: 0, cleared: 0 }
  for (const [, account, exGst, gst] of rows) {
    sum.exGst += cents(exGst)
    sum.gst += cents(gst)
    if (account === "650") sum.cleared += cents(exGst)
  }
  return sum.exGst === cents(all) && sum.gst === cents(allGst) ? sum : { ...sum, exGst: Number.NaN }
}

const AT_ONCE = 100

/** @returns what was wrong: none of it may be */
export async function postRandomBills(database: Database, { count, seed }: { count: number; seed: number }) {
  const random = numbersFrom(seed)
  const shapes = Object.entries(SHAPES)
  const outcome = { posted: 0, cleared: 0, wrong: [] as string[] }
  for (let from = 0; from < count; from += AT_ONCE) {
    const made = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => {
      const [shape, make] = shapes[(from + at) % shapes.length] as (typeof shapes)[number]
      const number = `R${seed}-${from + at}`
      return { shape, number, ...make(random, number) }
    })
    const disputes = made.flatMap(({ number, charges, shape }) =>
      shape === "a credit memo" ? [] : randomDisputes(random, number, charges),
    )
    await database.transaction((transaction) => addDisputes(transaction, disputes))
    const bills: BillToPost[] = []
    for (const { number, text, given } of made) bills.push(await readOne(database, number, text, given))
    for (const program of PROGRAMS) {
      const posted = await postBills(database, bills, { ...OPTIONS, program }, SENDER, (text) =>
        outcome.wrong.push(text),
      )
      const postings = posted.map(({ posting }) => posting)
      const sums = readBack(program, joinBills(program, postings))
      for (const posting of postings)
        if (!isImported(posting)) sums.set(posting.billNumber, readEntry(posting.body))
      for (const { billNumber, accounts } of postings) {
        const cleared = Object.values(accounts?.clearedExGst ?? {}).reduce((all, cents) => all + cents, 0)
        if (cleared !== sums.get(billNumber)?.cleared)
          outcome.wrong.push(`${program}, ${billNumber}: ${cleared} without GST is not what is cleared`)
      }
      for (const { shape, number, exGst, gst } of made) {
        const sum = sums.get(number)
        if (sum?.exGst !== exGst || sum.gst !== gst)
          outcome.wrong.push(
            `${program}, ${shape} ${number}: ${JSON.stringify(sum)} is not ${exGst} and ${gst}`,
          )
        outcome.cleared += sum?.cleared ?? 0
      }
      outcome.posted += posted.length
    }
  }
  return outcome
}

/** Desks that post one bill at once. @returns how many posted it, and how many texts came of it */
export async function postAtOnce(databases: readonly Database[]) {
  const posted = await Promise.all(
    databases.map(async (database) => {
      const { text } = document(numbersFrom(1), "R-1", true, 1)
      const bill = await readOne(database, "R-1", text, undefined)
      const options = { ...OPTIONS, program: "xero", isAgain: false } as const
      return postBills(database, [bill], options, SENDER, () => undefined)
    }),
  )
  const all = posted.flat()
  return {
    made: all.filter(({ isNew }) => isNew).length,
    texts: new Set(all.map(({ posting }) => posting.body)).size,
  }
}

async function readOne(database: Database, number: string, text: string, given: number | undefined) {
  const quiet = async () => undefined
  const { bills, named } = await openBills([{ file: "-", stream: true }], {
    ...{
      map: [],
      ignoreUnknown: true,
      nowMs: 0,
      tell: quiet,
      warn: quiet,
      stage: "auto",
      input: undefined,
      choices: {},
    },
    signal: new AbortController().signal,
    async *stdin() {
      yield Buffer.from(text)
    },
  })
  const [bill, ...others] = bills
  if (!bill || others.length > 0) throw new Error(`not one bill: ${text}`)
  const consignments = await matchInLedger(named, database, undefined)
  return prepareBill(
    keptAs(bill, undefined, false),
    consignments,
    { supplier: SUPPLIER, number, date: "2026-11-20", due: "2026-12-20" },
    hashLines(named),
    given,
  )
}
