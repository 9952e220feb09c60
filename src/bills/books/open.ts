/** Prepares opened bills for posting. Facts that the file lacks are given by a person. */
import { quoteBlanks, toFlagName } from "../../base/command-line.ts"
import { counted, grouped } from "../../base/counted.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { quoted, valueOrThrow } from "../../base/parsed.ts"
import { addDays, formatDate, parseDate, type WallClock } from "../../base/wall-clock.ts"
import { parseDay, parseDays } from "../../base/when.ts"
import { FreightError } from "../../base/errors.ts"
import type { Database, Sender } from "../../ledger/index.ts"
import type { Bill } from "../bill.ts"
import { hashLines } from "../growth.ts"
import { understandBills } from "../understand.ts"
import { matchInLedger } from "../matching/evidence.ts"
import type { BillsRead } from "../reading/list.ts"
import {
  type BillToPost,
  checkAudited,
  findUnraised,
  type Posted,
  type PostOptions,
  postBills,
  prepareBill,
  refuseOtherConsignments,
} from "./post.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { BOOKS, refuseLongNumber } from "./formats.ts"

/** Facts of one bill, as given by the flags of the same names. */
export interface GivenHeading {
  supplierName?: string
  number?: string
  date?: string
  /** A day, or a number of days after the bill. */
  due?: string
  /** Cents of GST of the whole bill. */
  gst?: number
}

export async function postOpened(
  { bills: opened, named }: BillsRead,
  {
    database,
    scopes,
    sender,
    warn,
    confirm,
    now,
  }: {
    database: Database
    scopes: readonly string[] | undefined
    sender: Sender
    warn(text: string): Promise<void>
    /** Asks a person whether to continue; undefined if nobody can be asked. */
    confirm: ((question: string) => Promise<boolean>) | undefined
    now(): WallClock
  },
  given: GivenHeading,
  options: PostOptions,
): Promise<Posted[]> {
  for (const { skipped, number, file } of opened)
    if (skipped !== undefined) await warn(`${number || file} is left out: ${skipped}`)
  const bills = opened.filter(({ skipped, lines }) => skipped === undefined && lines.length > 0)
  checkGiven(bills, given)
  const hashes = hashLines(named)
  understandBills(bills, [])
  const kept = await checkAudited(database, bills, hashes, given.number)
  const consignments = await matchInLedger(named, database, scopes)
  await refuseOtherConsignments(database, kept, consignments, hashes)
  const ready = kept.map((each) =>
    prepareBill(each, consignments, readHeading(each.bill, given, now), hashes, given.gst),
  )
  for (const { number } of ready) refuseLongNumber(number, options.program)
  const doubts = [
    ...listDoubts(ready, options),
    ...(await findUnraised(database, ready, options)).map(describeUnraised),
  ]
  for (const doubt of doubts) await warn(doubt)
  if (doubts.length > 0 && confirm && !(await confirm("Post it anyway?")))
    throw new FreightError("input", "you said no: nothing was posted")
  const warnings: string[] = []
  const posted = await postBills(database, ready, options, sender, (text) => warnings.push(text))
  for (const warning of warnings) await warn(warning)
  return posted
}

function checkGiven(bills: readonly Bill[], { number, gst, supplierName, date }: GivenHeading): void {
  if (bills.length === 0) throw new FreightError("input", "there is nothing to post in these bills")
  const given = Object.entries({ number, gst, supplierName, date }).find(([, value]) => value !== undefined)
  if (bills.length > 1 && given)
    throw new FreightError(
      "usage",
      `${toFlagName(given[0])} is for one bill, and these are ${bills.length}`,
      {
        hint: "Post them one by one.",
      },
    )
}

function readHeading(
  bill: Bill,
  given: GivenHeading,
  now: () => WallClock,
): Pick<BillToPost, "supplier" | "number" | "date" | "due"> {
  const need = (value: string | undefined, flag: string, what: string, hint = "") => {
    if (value !== undefined && value !== "") return value
    throw new FreightError("input", `${bill.file} does not say ${what}: give it with ${flag}`, {
      hint: `${hint}Nothing was written.`,
    })
  }
  const { period } = bill
  const mayBe =
    period && `${quoted(period.label)} is ${period.date}: if it is of that day, --date ${period.date}. `
  const date =
    given.date === undefined ? bill.date : valueOrThrow(parseDay(given.date, now, "past"), "--date")
  const heading = {
    supplier: need(
      given.supplierName ?? bill.supplierName ?? bill.supplier,
      "--supplier-name",
      "who the supplier is",
    ),
    number: need(given.number ?? bill.number, "--number", "its number"),
    date: need(date, "--date", "its date", mayBe),
  }
  const due = given.due === undefined ? bill.due : readDue(given.due, heading.date, now)
  return { ...heading, due: due ?? "" }
}

function readDue(text: string, billDate: string, now: () => WallClock): string {
  const [from, days] = [parseDate(billDate), parseDays(text)]
  return days.ok && from.ok
    ? formatDate(addDays(from.value, days.value))
    : valueOrThrow(parseDay(text, now, "any"), "--due")
}

/** An account's number, not its name. */
const NUMBER = /^[\d.-]+$/

/** Values that the program may reject on import: reported before anything is recorded as posted. */
function listDoubts(bills: readonly BillToPost[], options: PostOptions): string[] {
  const { title, most, namesAccounts } = BOOKS[options.program]
  const { rules, otherwise, clearing = "" } = options
  const accounts = [...rules, ...(otherwise ? [otherwise] : [])].map(({ account }) => account)
  const numbers = [...new Set([...accounts, clearing])].filter((account) => NUMBER.test(account))
  const rows = options.isSummed ? 0 : bills.reduce((sum, { parts }) => sum + countEntries(parts), 0)
  return [
    ...(namesAccounts && numbers.length > 0
      ? [
          `${title} finds an account by its name, and ${numbers.join(", ")} ${numbers.length === 1 ? "is a number" : "are numbers"}: give the names that its chart of accounts has`,
        ]
      : []),
    ...(rows > most.rows
      ? [
          `${title} takes ${grouped(most.rows)} rows at once, and these bills have ${grouped(rows)}: --sum writes fewer`,
        ]
      : []),
  ]
}

function describeUnraised({ bill, unraised }: Awaited<ReturnType<typeof findUnraised>>[number]): string {
  const cents = unraised.reduce((sum, { disputedCents }) => sum + disputedCents, 0)
  const { file } = bill.kept.bill
  const unnamed = unraised.filter(({ consignment }) => consignment === "").length
  const named = unraised.length - unnamed
  const charges = [
    ...(named > 0 ? [counted(named, "consignment")] : []),
    ...(unnamed > 0 ? [`${counted(unnamed, "charge")} without a consignment`] : []),
  ].join(" and ")
  return `bill ${bill.number}: ${formatMoney(amountOf(cents), BILL_CURRENCY)} is to be disputed for ${charges}, and was not raised, so nothing of it goes to the clearing account. Raise it first: freight audit ${quoteBlanks(file)} --raise`
}

function countEntries(parts: BillToPost["parts"]): number {
  return parts.reduce((sum, { entries }) => sum + entries.length, 0)
}
