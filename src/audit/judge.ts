/** Judges what a consignment is billed by what was booked: pure, in exact cents. */
import { BILL_CURRENCY, type Charge, type Verdict, VERDICTS } from "../contract/bills.ts"
import { formatCents } from "../contract/money.ts"
import { quoted } from "../contract/parsed.ts"
import { checkGst, type GstCheck } from "./gst.ts"
import { type Amounts, type Bill, type BillLine, NO_AMOUNTS } from "./lines.ts"

/** What may be billed above or below the quote: a share of it or an amount, whichever is more. */
export interface Tolerance {
  percent: number
  cents: number
}

export interface Booked {
  from: "ledger" | "api"
  shipmentId: string
  consignment: string
  order: string
  reference: string
  carrier: string
  service: string
  /** ISO 8601 in UTC. */
  bookedAt: string
  /** Its sending has no known outcome; that it is billed says that it exists. */
  isOpen?: boolean
  quote?: Quote
  grams?: number
  /** Volume as weight, as most carriers reckon it. */
  cubicGrams?: number
  payer?: string
  dangerousGoods?: boolean
  isCancelled?: boolean
}

export interface Quote {
  cents: number
  basis: "excluded" | "included" | "unknown"
  currency: string
}

/** Whether the goods were collected, as far as is known; `unasked`: the API was not asked. */
export type Collected = "yes" | "no" | "unasked"

interface BilledBefore extends Amounts {
  number: string
  supplier: string
  auditedAt: string
  charges: readonly Charge[]
}

export type ChargeOf = BillLine & { bill: Bill }

export interface Subject {
  /** As the bill names it. */
  consignment: string
  booked: Booked | undefined
  /** Where nothing is booked: why it is not known. */
  missing: "unknown" | "unasked" | "nameless" | "damaged" | "several" | "other" | undefined
  /** The bookings that it fits, or seems to, for people. */
  fits?: string
  charges: readonly ChargeOf[]
  before: readonly BilledBefore[]
  collected: Collected
  /** The billed service if it differs from the booked one; undefined if that is unknown. */
  otherService?: string
}

export interface Judgement {
  verdicts: readonly Verdict[]
  why: string
  /** Whether `quoted`, `billed` and the others hold GST. */
  gst: "excluded" | "included" | "unknown"
  quoted: number | null
  billed: number
  difference: number | null
  /** Of the billed amount. */
  disputed: number
  /** Of `disputed`, what is GST above 10 %. */
  disputedGst: number
  gstCheck: GstCheck["is"]
}

const VERDICT_ORDER = Object.keys(VERDICTS) as Verdict[]
const FIRST_UNDISPUTED = VERDICT_ORDER.indexOf("under")

export function isDisputed(verdict: Verdict): boolean {
  return rankOf(verdict) < FIRST_UNDISPUTED
}

/** 0 is the worst. */
export function rankOf(verdict: Verdict): number {
  return VERDICT_ORDER.indexOf(verdict)
}

interface Finding {
  verdict: Verdict
  why: string
  /** Cents that are to be disputed for it. */
  disputed?: number
}

export function judge(subject: Subject, tolerance: Tolerance): Judgement {
  const { booked, charges, before } = subject
  const total = sumCharges(charges)
  const quote = booked?.quote?.currency === BILL_CURRENCY ? booked.quote : undefined
  const split = splitDoubles(subject, tolerance)
  const price = quote && comparePrice(quote, [...before, split.kept], tolerance)
  const basis = price?.gst ?? getGstBasis(total)
  const billed = getAmount(basis, total)
  const gst = checkGst(charges)
  if (booked && isCredited(charges, before)) return createCreditedJudgement(price, basis, billed, gst)
  const unknown = charges.flatMap((each) => each.unknown ?? [])
  const findings = [
    ...findDoubles(split, basis),
    ...findStranger(subject),
    ...findWhoPays(subject),
    ...findOther(subject, price),
    ...findUnknown(unknown),
    // What is more than quoted without the unknown amounts is more with them.
    ...(price && (unknown.length === 0 || price.is === "over") ? findPrice(price, quote, billed) : []),
    ...findWrongGst(gst, price),
  ]
  if (price?.is === "over") explainOver(findings, subject, split.doubled, price, tolerance)
  if (findings.every(({ verdict }) => verdict === "wrong-gst"))
    findings.push(
      price
        ? { verdict: "agrees", why: describeAgreement(price, quote, before.length > 0) }
        : { verdict: "no-price", why: describeNoPrice(booked) },
    )
  findings.sort((one, other) => rankOf(one.verdict) - rankOf(other.verdict))
  const reasons = findings.reduce((cents, each) => cents + (each.disputed ?? 0), 0)
  const disputed = Math.max(0, Math.min(reasons, billed))
  const disputedGst = findings.find(({ verdict }) => verdict === "wrong-gst")?.disputed ?? 0
  const doubled = getAmount(basis, sumCharges(split.doubled))
  return {
    verdicts: [...new Set(findings.map(({ verdict }) => verdict))],
    why: [...findings.map(({ why }) => why), ...describeFreeOfGst(gst)].join("; "),
    gst: basis,
    quoted: price ? price.quoted : null,
    billed,
    difference: price ? price.difference + doubled : null,
    disputed,
    disputedGst: reasons > disputed ? 0 : disputedGst,
    gstCheck: gst.is,
  }
}

/** Whether all that was charged, here and before, is given back. */
function isCredited(charges: readonly ChargeOf[], before: readonly BilledBefore[]): boolean {
  const total = sumCharges(charges)
  const sums = [total, ...before].map(getLineCents)
  const isGivenBack = charges.some((each) => getLineCents(each) < 0)
  return (
    isGivenBack && charges.every(({ unknown }) => !unknown) && sums.reduce((all, each) => all + each, 0) === 0
  )
}

function createCreditedJudgement(
  price: Comparison | undefined,
  gst: Judgement["gst"],
  billed: number,
  { is }: GstCheck,
): Judgement {
  return {
    verdicts: ["agrees"],
    why: "charged and credited in full: nothing is asked for it",
    gst,
    quoted: price ? price.quoted : null,
    billed,
    difference: price ? 0 : null,
    disputed: 0,
    disputedGst: 0,
    gstCheck: is,
  }
}

function findUnknown(unknown: readonly string[]): Finding[] {
  if (unknown.length === 0) return []
  const columns = unknown.map((each) => quoted(each.replace(/ \S+$/, "=other")))
  const why = `the bill states no total, and it is not known what ${unknown.join(" and ")} is: --map ${columns.join(" --map ")} adds it`
  return [{ verdict: "cannot-tell", why }]
}

/** GST below 10 % is told; what is above is to be disputed, unless the difference to the quote holds it already. */
function findWrongGst({ is, excess, why = "" }: GstCheck, price: Comparison | undefined): Finding[] {
  if (is !== "wrong") return []
  const isInDifference = price?.is === "over" && price.gst === "included"
  return [{ verdict: "wrong-gst", why, disputed: isInDifference ? 0 : Math.max(0, excess) }]
}

function describeFreeOfGst({ is, free }: GstCheck): string[] {
  if (is === "none") return ["no GST is charged (0 %)"]
  if (free.length === 0) return []
  return [`no GST (0 %) on ${[...new Set(free.map((label) => label || "freight"))].join(", ")}`]
}

/** What a kind of charge is called where the bill only has a column for it. */
const CHARGE_WORDS: Readonly<Partial<Record<Charge, string>>> = {
  freight: "freight",
  fuel: "fuel levy",
  residential: "residential delivery",
  "dangerous-goods": "dangerous goods",
}

function describeCharge({ charge, label }: ChargeOf): string {
  const words = CHARGE_WORDS[charge]
  return words !== undefined && !/[ -]/.test(label) ? words : label.toLowerCase()
}

/** Names the charges that make the difference to the quote. */
function explainOver(
  findings: Finding[],
  { booked, charges }: Subject,
  doubled: readonly ChargeOf[],
  price: Comparison,
  tolerance: Tolerance,
): void {
  const over = findings.find(({ verdict }) => verdict === "over")
  if (!over) return
  const positive = withoutCredits(charges).filter(
    (each) => each.charge !== "tax" && each.charge !== "freight" && !doubled.includes(each),
  )
  const seen = new Set<string>()
  const causes = positive.flatMap((each) => {
    const cents = getAmount(price.gst, sumCharges([each]))
    const name = describeCharge(each)
    const key = `${name} ${cents}`
    const isRepeat = seen.has(key)
    seen.add(key)
    if (isRepeat) return [{ text: `${name} stands twice`, cents, isSure: true }]
    if (each.charge === "residential" || (each.charge === "dangerous-goods" && !booked?.dangerousGoods))
      return [{ text: `${name}, not booked`, cents, isSure: false }]
    return each.charge === "other" ? [{ text: name, cents, isSure: true }] : []
  })
  const allowed = getAllowed(price.quoted, tolerance)
  const { unsaid } = sumCharges(charges.filter((each) => !doubled.includes(each)))
  // An amount that does not say whether GST is in it may be explained as it stands.
  const differences = [price.difference, ...(unsaid === null ? [] : [unsaid - price.quoted])]
  const isExplained = (some: readonly { cents: number }[]) => {
    const sum = some.reduce((all, { cents }) => all + cents, 0)
    return differences.some((difference) => Math.abs(difference - sum) <= allowed)
  }
  const one = causes.find((each) => isExplained([each]))
  const named = one ? [one] : isExplained(causes) ? causes : causes.filter(({ isSure }) => isSure)
  const fitting = named.filter(({ cents }) => cents <= Math.max(...differences) + allowed)
  if (fitting.length > 0) over.why += `: ${[...new Set(fitting.map(({ text }) => text))].join(", ")}`
}

function findStranger({ booked, missing, fits = "", charges }: Subject): Finding[] {
  if (booked) return []
  const { incGst, exGst, unsaid } = sumCharges(charges)
  const all = exGst ?? incGst ?? unsaid ?? 0
  const labels = [...new Set(charges.map(({ label }) => label).filter((label) => label !== ""))].join(", ")
  if (missing === "unknown" && all > 0) {
    const why = "neither the ledger nor the API knows it"
    return [{ verdict: "not-ours", why, disputed: Number.POSITIVE_INFINITY }]
  }
  return [{ verdict: "cannot-tell", why: WHY_UNMATCHED[missing ?? "nameless"](fits, labels || "it") }]
}

const WHY_UNMATCHED: Record<NonNullable<Subject["missing"]>, (fits: string, labels: string) => string> = {
  // A credit asks for nothing.
  unknown: () => "a credit for what neither the ledger nor the API knows",
  unasked: () => "the ledger does not know it, and the API was not asked",
  several: (fits) => `it fits several bookings: ${fits}`,
  other: (fits) => `its number is unknown; the reference or order number is that of ${fits}`,
  damaged: () => "a spreadsheet shortened its number, and the last digits are gone",
  nameless: (_, labels) => `the bill names no consignment for ${labels}`,
}

function findWhoPays({ booked, collected }: Subject): Finding[] {
  if (!booked) return []
  const disputed = Number.POSITIVE_INFINITY
  const findings: Finding[] = []
  if (booked.isCancelled) findings.push({ verdict: "cancelled", why: "the shipment is cancelled", disputed })
  if (booked.payer === "Receiver" || booked.payer === "ThirdParty")
    findings.push({
      verdict: "payer-is-another",
      why: `the booking says that ${booked.payer === "Receiver" ? "the receiver" : "a third party"} pays`,
      disputed,
    })
  if (collected === "no" && !booked.isCancelled)
    findings.push({ verdict: "not-collected", why: "nothing was scanned, and there is no pickup", disputed })
  return findings
}

/** Weighing again may find so much more: carriers round up to the kilogram. */
const MORE_GRAMS = 1000
const MORE_SHARE = 1.02

function findOther({ booked, charges, otherService }: Subject, price: Comparison | undefined): Finding[] {
  if (!booked) return []
  const findings: Finding[] = []
  if (otherService !== undefined)
    findings.push({
      verdict: "wrong-service",
      why: `billed as ${otherService}, booked as ${booked.service}`,
    })
  const grams = Math.max(0, ...charges.map((each) => each.grams ?? 0))
  const allowed = (of: number) => Math.max(of * MORE_SHARE, Math.ceil(of / MORE_GRAMS) * MORE_GRAMS)
  const isMore = booked.grams !== undefined && booked.grams > 0 && grams > allowed(booked.grams)
  // The volume explains the weight, unless the quote did not foresee its price.
  const isVolume = booked.cubicGrams !== undefined && grams <= allowed(booked.cubicGrams)
  if (isMore && (!isVolume || price?.is === "over"))
    findings.push({
      verdict: "wrong-weight",
      why: `billed for ${formatKilograms(grams)}, booked with ${formatKilograms(booked.grams ?? 0)}`,
    })
  return findings
}

function formatKilograms(grams: number): string {
  return `${grams / 1000} kg`
}

function findPrice(price: Comparison, quote: Quote | undefined, billed: number): Finding[] {
  const { is, difference, quoted } = price
  if (is === "fits") return []
  const amount = formatCents(Math.abs(difference))
  if (is === "unclear")
    return [
      {
        verdict: "cannot-tell",
        why: `less than the quote of ${formatCents(quoted)} if that is without GST, more if it includes GST: neither the carrier nor the bill says`,
      },
    ]
  const percent = quoted > 0 ? `, ${((Math.abs(difference) / quoted) * 100).toFixed(1)} %` : ""
  return is === "over"
    ? [
        {
          verdict: "over",
          why: `${amount} more than quoted${percent}${describeReading(price, quote)}`,
          disputed: Math.min(difference, billed),
        },
      ]
    : [{ verdict: "under", why: `${amount} less than quoted${percent}${describeReading(price, quote)}` }]
}

function describeAgreement(price: Comparison, quote: Quote | undefined, isRest: boolean): string {
  return `as quoted${isRest ? ", with what was billed before" : ""}${describeReading(price, quote)}`
}

/** Which reading was compared, where quote or bill leave open whether GST is in it. */
function describeReading({ gst, read }: Comparison, quote: Quote | undefined): string {
  const readings = [
    ...(quote?.basis === "unknown"
      ? [`the quote read as ${gst === "included" ? "with" : "without"} GST`]
      : []),
    ...(read ? [`the bill read as ${read} GST`] : []),
  ]
  return readings.length > 0 ? `, ${readings.join(", ")}` : ""
}

function describeNoPrice(booked: Booked | undefined): string {
  if (booked?.quote)
    return `quoted in ${booked.quote.currency}: only ${BILL_CURRENCY} can be compared with a bill`
  return booked?.from === "api"
    ? "booked elsewhere: no quoted price is known"
    : "booked without a rate: no quoted price is known"
}

interface Comparison {
  is: "fits" | "over" | "under" | "unclear"
  gst: "excluded" | "included"
  quoted: number
  difference: number
  read: Pair["read"]
}

/** The rate of GST: only where a bill does not say the other amount. */
const withGst = (exGst: number) => Math.round(exGst * 1.1)
const withoutGst = (incGst: number) => Math.round(incGst / 1.1)

interface Pair {
  exGst: number
  incGst: number
  /** How an amount was read for which the bill does not state GST. */
  read?: "with" | "without"
}

/** What a sum may be with and without GST: two readings where the bill does not say which it is. */
function listReadings({ exGst, incGst, unsaid }: Amounts): Pair[] {
  if (unsaid !== null)
    return [
      { exGst: unsaid, incGst: withGst(unsaid), read: "without" },
      { exGst: withoutGst(unsaid), incGst: unsaid, read: "with" },
    ]
  if (exGst === null && incGst === null) return [{ exGst: 0, incGst: 0 }]
  return [{ exGst: exGst ?? withoutGst(incGst ?? 0), incGst: incGst ?? withGst(exGst ?? 0) }]
}

function getAllowed(quoted: number, { percent, cents }: Tolerance): number {
  return Math.max(Math.round((Math.abs(quoted) * percent) / 100), cents)
}

/** Compares on each basis that quote and bills can have. What one reading explains is not wrong. */
function comparePrice(quote: Quote, billed: readonly Amounts[], tolerance: Tolerance): Comparison {
  const sums = billed.map(listReadings).reduce<Pair[]>(
    (all, readings) =>
      all.flatMap((sum) =>
        readings.map((each) => ({
          ...sum,
          ...each,
          exGst: sum.exGst + each.exGst,
          incGst: sum.incGst + each.incGst,
        })),
      ),
    [{ exGst: 0, incGst: 0 }],
  )
  const compare = (gst: "excluded" | "included", sum: Pair): Comparison => {
    const quoted = quote.cents
    const difference = (gst === "included" ? sum.incGst : sum.exGst) - quoted
    const allowed = getAllowed(quoted, tolerance)
    return {
      is: Math.abs(difference) <= allowed ? "fits" : difference > 0 ? "over" : "under",
      gst,
      quoted,
      difference,
      read: sum.read,
    }
  }
  const all = sums.flatMap((sum) => [
    ...(quote.basis === "included" ? [] : [compare("excluded", sum)]),
    ...(quote.basis === "excluded" ? [] : [compare("included", sum)]),
  ])
  const fits = all.find(({ is }) => is === "fits")
  if (fits) return fits
  // Above the quote the reading counts that asks for the least.
  const nearest = all.reduce((best, each) =>
    each.is === "over" && each.difference < best.difference ? each : best,
  )
  return new Set(all.map(({ is }) => is)).size > 1 ? { ...nearest, is: "unclear" } : nearest
}

export function getGstBasis({ exGst, incGst }: Amounts): Judgement["gst"] {
  return exGst !== null ? "excluded" : incGst !== null ? "included" : "unknown"
}

function getAmount(gst: Judgement["gst"], amounts: Amounts): number {
  if (amounts.unsaid !== null) return amounts.unsaid
  const [reading] = listReadings(amounts)
  return (gst === "included" ? reading?.incGst : reading?.exGst) ?? 0
}

/** The sum of charges. Where one does not say whether GST is in it, the sum does not. */
export function sumCharges(charges: readonly Pick<ChargeOf, keyof Amounts | "charge">[]): Amounts {
  const taxes = charges.filter(({ charge }) => charge === "tax")
  const others = charges
    .filter(({ charge }) => charge !== "tax")
    .map((each) => resolveGst(each, taxes.length > 0))
  const tax = taxes.reduce(
    (sum, each) => sum + (each.gst ?? each.exGst ?? each.incGst ?? each.unsaid ?? 0),
    0,
  )
  if (others.some(({ unsaid }) => unsaid !== null)) {
    const unsaid = others.reduce((sum, each) => sum + (each.unsaid ?? each.exGst ?? each.incGst ?? 0), 0)
    return { ...NO_AMOUNTS, unsaid }
  }
  const add = (name: "exGst" | "gst" | "incGst") =>
    others.every((each) => each[name] !== null)
      ? others.reduce((sum, each) => sum + (each[name] ?? 0), 0)
      : null
  const exGst = add("exGst")
  const gst = add("gst")
  if (taxes.length === 0) return { exGst, gst, incGst: add("incGst"), unsaid: null }
  const allGst = tax + (gst ?? 0)
  return { exGst, gst: allGst, incGst: exGst === null ? add("incGst") : exGst + allGst, unsaid: null }
}

/** Cents by which a GST that was rounded may differ. */
const ROUNDED = 2

/** Tells by the line's own GST, or by lines that add GST, whether an amount holds it. */
function resolveGst(line: Amounts, hasTaxLines: boolean): Amounts {
  const { unsaid, gst } = line
  if (unsaid === null) return line
  if (gst !== null) {
    const near = (share: number) => Math.abs(Math.abs(unsaid) / share - Math.abs(gst)) <= ROUNDED
    if (near(10) && !near(11)) return { exGst: unsaid, gst, incGst: unsaid + gst, unsaid: null }
    if (near(11) && !near(10)) return { exGst: unsaid - gst, gst, incGst: unsaid, unsaid: null }
  }
  return hasTaxLines ? { exGst: unsaid, gst: null, incGst: null, unsaid: null } : line
}

interface Split {
  /** What would be billed if nothing were billed twice. */
  kept: Amounts
  doubled: readonly ChargeOf[]
  why: string
}

/** What is charged again. A bill that agrees with the quote charges nothing again. */
function splitDoubles(subject: Subject, tolerance: Tolerance): Split {
  const { booked, charges, before } = subject
  const none = { kept: sumCharges(charges), doubled: [], why: "" }
  const fits = (kept: readonly Amounts[]) =>
    booked?.quote !== undefined && comparePrice(booked.quote, kept, tolerance).is !== "over"
  if (fits([...before, none.kept])) return none

  const positive = withoutCredits(charges)
  const isOpen = before.reduce((sum, each) => sum + getLineCents(each), 0) > 0
  const billedBefore = isOpen ? before.filter(({ charges: kinds }) => kinds.includes("freight")) : []
  if (billedBefore.length > 0 && positive.some(({ charge }) => charge === "freight")) {
    const [{ number, auditedAt } = { number: "", auditedAt: "" }] = billedBefore
    const name = number === "" ? "an earlier bill" : `bill ${number}`
    return {
      kept: NO_AMOUNTS,
      doubled: positive,
      why: `charged before in ${name}, audited on ${auditedAt.slice(0, 10)}`,
    }
  }
  const repeated = findRepeats(positive)
  if (repeated.size > 0) {
    const numbers = [...new Set([...repeated].map(({ bill }) => bill.number))].join(", ")
    const where =
      new Set(positive.map(({ bill }) => bill)).size > 1 ? `again in bill ${numbers}` : "twice in this bill"
    return {
      kept: sumCharges(charges.filter((each) => !repeated.has(each))),
      doubled: [...repeated],
      why: `charged ${where}`,
    }
  }
  return splitBills(positive, none, fits)
}

/** Charges with another amount in a second bill: the bill that fits the quote counts, or the first. */
function splitBills(
  positive: readonly ChargeOf[],
  none: Split,
  fits: (kept: readonly Amounts[]) => boolean,
): Split {
  const bills = [...new Set(positive.filter(({ charge }) => charge === "freight").map(({ bill }) => bill))]
  const [first] = bills
  if (bills.length < 2 || first === undefined) return none
  const linesOf = (bill: Bill) => positive.filter((each) => each.bill === bill)
  const right = bills.find((bill) => fits([sumCharges(linesOf(bill))])) ?? first
  const doubled = positive.filter(({ bill }) => bill !== right && bills.includes(bill))
  const others = [...new Set(doubled.map(({ bill }) => bill.number))].join(", ")
  return {
    kept: sumCharges(positive.filter((each) => !doubled.includes(each))),
    doubled,
    why: `charged again in bill ${others}`,
  }
}

const SIGNS = ["exGst", "incGst", "unsaid"] as const

function getLineCents(line: Amounts): number {
  return SIGNS.map((name) => line[name]).find((cents) => cents !== null) ?? 0
}

/** Charges without those that a credit of the same amount takes back, and without credits. */
function withoutCredits(charges: readonly ChargeOf[]): ChargeOf[] {
  const credits = charges.map(getLineCents).filter((cents) => cents < 0)
  return charges.filter((each) => {
    const at = credits.indexOf(-getLineCents(each))
    if (getLineCents(each) > 0 && at >= 0) {
      credits.splice(at, 1)
      return false
    }
    return getLineCents(each) > 0
  })
}

/** Lines that are there before, with the same words and amount. */
function findRepeats(charges: readonly ChargeOf[]): Set<ChargeOf> {
  const seen = new Set<string>()
  const repeats = new Set<ChargeOf>()
  for (const each of charges) {
    const key = `${each.charge} ${each.label.toLowerCase()} ${each.grams ?? ""} ${getLineCents(each)}`
    if (seen.has(key)) repeats.add(each)
    seen.add(key)
  }
  // One charge of several may be for a second item; freight is charged once.
  return [...repeats].some(({ charge }) => charge === "freight") ? repeats : new Set()
}

function findDoubles({ doubled, why }: Split, basis: Judgement["gst"]): Finding[] {
  if (doubled.length === 0) return []
  const disputed = getAmount(basis, sumCharges(doubled))
  return [{ verdict: "billed-twice", why, disputed }]
}
