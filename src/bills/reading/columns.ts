/** The columns that a carrier's bill can have, and their usual headings. */
import type { Charge } from "../verdicts.ts"
import { dropHidden } from "../../base/invisible.ts"
import {
  type KindName,
  readSignedNumber,
  SHARED_HEADINGS as SHARED,
  splitHeadings,
} from "../../contract/index.ts"
import {
  ambiguous,
  type Basis,
  type ByCells,
  type ColumnField,
  findBasis,
  isOpenLabel,
  isCreditLabel,
  isMoneyText,
  isTotalWord,
  mayBeMoney,
  type Meaning,
  plainHeader,
  readBasis,
  readQualified,
  readSign,
  readSignOrLetter,
  saysOfAccount,
  saysTotal,
  type SheetColumns,
  toWords,
} from "../../input/index.ts"
import { saysNothing } from "../../base/nothing.ts"
import { toCharge } from "./charge.ts"

export interface BillField extends ColumnField {
  readonly kind: KindName
  readonly title: string
  /** A name of the consignment, the total of the row, its GST, or one kind of charge; words if omitted. */
  readonly holds?: "name" | "total" | "gst" | "part"
  /** For a `part`: the kind of charge. */
  readonly charge?: Charge
  /** Whether its amounts include GST, if its heading says so. */
  readonly basis?: Basis
  /** Its amounts are credits, whatever their sign. */
  readonly isCredit?: boolean
  /** The total of the consignment, repeated on each of its rows. */
  readonly isOfConsignment?: boolean
  /** GST of one charge, ignored beside the GST of all charges. */
  readonly isOfPart?: boolean
  /** Usual headings, besides its own name, which `--map` takes. */
  readonly headings: string
  /** Headings that say less: not used beside another heading of the same field. */
  readonly fallbackHeadings?: string
  /** Headings whose columns may hold something else, such as yes and no: their cells decide. */
  readonly open?: string
}

const TOTAL = { holds: "total", kind: "money" } as const
const PART = { holds: "part", kind: "money" } as const
const NAME = { holds: "name", kind: "reference" } as const

/** Each field is one entry, with all its headings. */
const FIELDS = {
  consignment: {
    title: "the consignment number",
    ...NAME,
    headings: `${SHARED.consignment}, Consignment num, Consignment id, Consignments, Con number, Con no, Con,
      Con #, C/Note, C/Note no, C/N no, Consignment note number, Consignment note no, Connote/Job number,
      Carrier ref, Carrier reference, Carrier consignment, Waybill no, Air waybill, Air waybill number,
      AWB no, Shipment number, Shipment no, Sendle reference, Sendle ref, HAWB, House bill`,
    fallbackHeadings: `${SHARED.tracking}, Docket, Docket number, Docket no, Article id, Article no, Article number,
      Label, Label no, Label number, Barcode, Freight bill, Pro number`,
  },
  /** Consignment numbers on first rows only: an empty cell means the one above. */
  consignmentAbove: { title: "the consignment number, in the first of its rows only", ...NAME, headings: "" },
  /** The carrier's number for the booking. */
  order: {
    title: "the order or booking number",
    ...NAME,
    headings: `${SHARED.orderNumber}, Booking, Booking number, Booking no, Job, Job number, Job no`,
  },
  /** The customer's own. */
  reference: {
    title: "your own reference",
    ...NAME,
    mayRepeat: true,
    headings: `${SHARED.reference}, ${SHARED.yourRef}, ${SHARED.purchaseOrder}, Reference no, Ref no, Your ref no, Sender reference,
      Senders reference, Sender ref, Senders ref, Shipper reference, Shipper ref, Cust ref, Client ref,
      Client reference, Shipment reference, Shipment reference 1, Customer reference 1, Reference 1,
      Ref 1`,
  },
  shipment: { title: "the shipment's id", ...NAME, headings: "Shipment id" },
  charge: {
    title: "the name of the charge",
    kind: "text",
    headings: `Charge type, Surcharge type, Charge description, Charge name, Charge detail, Fee type,
      Description of charge, Charge code description, Item charge description`,
    fallbackHeadings: `${SHARED.description}, ${SHARED.narration}, Charge code, Line type, Detail, Article description`,
  },
  service: {
    title: "the service",
    kind: "text",
    headings: `${SHARED.service}, Serv`,
    fallbackHeadings: `Service type, ${SHARED.serviceLevel}, Carrier service, Freight service, Service used, Service name, Service description, Product, Product code,
      Product name`,
  },
  weight: {
    title: "the weight",
    kind: "kg",
    headings: `${SHARED.weight}, ${SHARED.totalWeight}, Actual wt, Actual kg, Actual kgs, Dead wt, Dead kg,
      Dead kgs, Measured weight, Measured kg, Scale weight, Scanned weight, Re-weighed weight,
      Billed weight, Charged weight, Chargeable weight, Charge weight, Chargeable kg, Chargeable kgs,
      Charge kg, Charge kgs, Charged kg, Charged kgs, Billed kg, Charge wt, Chg wt, Rated weight,
      Invoiced weight, Billable weight, Chargeable, Declared weight, Declared kg, Manifest weight`,
  },
  weightUnit: {
    title: "the unit of the weights",
    kind: "unit",
    bearing: { as: "unit" },
    headings: `${SHARED.weightUnit}, ${SHARED.unitOfMeasure}`,
  },
  shipDate: {
    title: "the day it was sent",
    kind: "day",
    headings: `${SHARED.shipDate}, Shipped, Date shipped, Consigned, Date consigned, Consignment date, Connote date, Con date, Shipment date,
      Lodgement date, Manifest date`,
    fallbackHeadings: "Date",
  },
  amountExGst: {
    title: "the amount without GST",
    ...TOTAL,
    headings: SHARED.netTotal,
    fallbackHeadings: `${SHARED.net}, Net charge, Net price, Nett charge, Nett price`,
  },
  gst: {
    title: "the GST",
    holds: "gst",
    kind: "money",
    headings: `${SHARED.gst}, ${SHARED.totalGst}, GST charged, GST charge, GST component, GST payable, GST cost,
      GST 10`,
    fallbackHeadings: SHARED.tax,
  },
  amountIncGst: {
    title: "the amount with GST",
    ...TOTAL,
    headings: `${SHARED.gross}, Gross total, Gross charge, Amount payable, Total payable`,
  },
  /** Does not say whether GST is included. */
  amount: {
    title: "the amount",
    ...TOTAL,
    headings: `${SHARED.total}, Total charge, Total charges, Amount due, Total due, Balance due`,
    fallbackHeadings: `${SHARED.amount}, Charge amount, Charged, Billed, Price, Cost, AUD, Charges`,
  },
  /** Its heading is one of those above. */
  consignmentTotal: { title: "the total of the consignment, on each of its rows", ...TOTAL, headings: "" },
  /** Charges and credits in separate columns. */
  debit: {
    title: "what is charged",
    ...TOTAL,
    headings: "Debit, Debits, Debit amount, Amount debit, DR, DR amount, Debit value",
  },
  credit: {
    title: "what is given back",
    ...TOTAL,
    isCredit: true,
    headings: `Credit, Credits, Credit amount, Amount credit, Credit value, CR, CR amount, Refund, Refunds,
      Refund amount, Refunded amount, Amount refunded, Credited, Credit note amount`,
  },
  freight: {
    title: "the charge for freight",
    ...PART,
    charge: "freight",
    headings: `${SHARED.freight}, Freight charge, Freight charges, Freight cost, Freight price, Base freight,
      Base charge, Base price, Base amount, Base cost, Base, Basic charge, Basic freight, Route price, Weight charge,
      Cartage, Cartage charge, Line haul, Linehaul, Linehaul charge, Transport charge, Delivery charge, Postage,
      Postage charge, Carriage`,
  },
  fuel: {
    title: "the fuel levy",
    ...PART,
    charge: "fuel",
    headings: `Fuel, Fuel levy, Fuel surcharge, Fuel charge, FSC, Fuel amount, Fuel levy amount,
      Fuel surcharge amount, Fuel adjustment, Fuel factor charge`,
  },
  residential: {
    title: "the charge for a home",
    ...PART,
    charge: "residential",
    headings: "Residential charge, Residential surcharge, Residential fee, Residential delivery charge",
    open: "Residential, Residential delivery, Home delivery, Private address, Private residence",
  },
  dangerousGoods: {
    title: "the charge for dangerous goods",
    ...PART,
    charge: "dangerous-goods",
    headings:
      "Dangerous goods charge, Dangerous goods surcharge, Dangerous goods fee, DG charge, DG surcharge, DG fee",
    open: SHARED.dangerousGoods,
  },
  other: {
    title: "another charge",
    ...PART,
    charge: "other",
    mayRepeat: true,
    headings: `Other charges, Other charge, Other amount,
      Additional charges, Additional charge, Surcharge amount, Ancillary charges, Extra charges, Sundry charges,
      Tail lift charge, Tailgate charge, Tailgate fee, Futile charge, Futile fee, Futile pickup fee,
      Waiting time charge, Manual handling charge, Handling fee, Handling charge, Storage charge, Security surcharge,
      Security charge, Peak surcharge, Remote area surcharge, Oversize surcharge, Pickup fee, Pickup charge,
      Admin fee, Redelivery fee, Address correction fee, Insurance charge, Warranty charge`,
    open: `Other, Surcharge, Surcharges, Extras, Accessorials, Accessorial, Levy, Levies, Tail lift, Taillift, Tailgate, Tail gate, Tailgate delivery, Tailgate pickup, Lift gate, Futile,
      Futile pickup, Futile delivery, Futile trip, Waiting time, Waiting, Demurrage, Detention, Manual handling,
      Hand unload, Hand load, Handling, Oversize, Over size, Overlength, Over length, Over dimension, Redelivery,
      Re-delivery, Storage, Security, Peak, Remote, Remote area, Regional, Insurance, Warranty, Extended warranty,
      Toll, Tolls, CBD, Address correction, Adjustment, Adjustments, Ancillary, Misc, Miscellaneous, Sundry, Sundries,
      Signature, Signature on delivery, Time slot, Booking fee, Label fee, Excess weight, Special handling,
      Authority to leave, Two man, Two man delivery, Airport fee, Port fee`,
  },
  discount: {
    title: "a discount",
    ...PART,
    charge: "other",
    isCredit: true,
    headings: `${SHARED.discount}, ${SHARED.discountAmount}, Rebate, Volume rebate, Less rebate`,
  },
  /** `CR`, `Credit note`, `refunded`: the row's amounts are credits. */
  sign: {
    title: "the sign of the amounts",
    kind: "text",
    mayRepeat: true,
    bearing: { as: "sign", knows: (text) => readSignOrLetter(text) !== undefined },
    headings: `${SHARED.sign}, ${SHARED.documentType}, +/-, Sign of amount, Transaction, Doc, Bill type,
      Entry type`,
  },
  status: {
    title: "whether the row counts",
    kind: "text",
    mayRepeat: true,
    bearing: { as: "state" },
    headings: `${SHARED.documentStatus}, Charge status, Billing status`,
    open: `${SHARED.status}, State of charge, Paid, Refunded`,
  },
  /** The basis of the row's amounts: `inc GST`, `exclusive`. */
  basis: {
    title: "whether amounts include GST",
    kind: "text",
    bearing: { as: "basis", knows: (text) => readBasis(text) !== undefined },
    headings: `${SHARED.basis}, GST inclusive, GST included, GST incl`,
  },
  currency: {
    title: "the currency",
    kind: "currency",
    bearing: { as: "currency" },
    headings: `${SHARED.currency}, Billing currency`,
  },
  invoiceNumber: {
    title: "the number of the bill",
    kind: "reference",
    headings: `${SHARED.invoiceNumber}, Bill number, Bill no, Statement number, Statement no, Invoice ref,
      Invoice reference, Document number, Document no, Doc no`,
  },
  invoiceDate: {
    title: "the day of the bill",
    kind: "day",
    headings: `${SHARED.invoiceDate}, Bill date, Billing date, Statement date, Document date, Issued, Issued on,
      Invoiced on, Date invoiced, Billed on`,
  },
  carrier: { title: "the carrier", kind: "text", headings: `Carrier, ${SHARED.supplier}, Carrier name` },
} as const satisfies Record<string, Omit<BillField, "name">>

export type BillFieldName = keyof typeof FIELDS

const fields: ReadonlyMap<string, BillField> = new Map(
  Object.entries(FIELDS).map(([name, field]) => [name, { name, ...field }]),
)
const fieldOf = (name: BillFieldName) => fields.get(name) as BillField

const areAmounts = (cells: readonly string[]) => cells.length > 0 && cells.every(isAmount)
const areNumbers = (cells: readonly string[]) =>
  cells.length > 0 && cells.every((text) => /\d/.test(text) && text.length >= 6)

/** Headings with several meanings: the cells decide if they can. */
const AMBIGUOUS: Readonly<
  Record<string, readonly [names: readonly BillFieldName[], byCells: ByCells<BillField>]>
> = {
  Number: [
    ["consignment", "invoiceNumber"],
    (cells) => (areNumbers(cells) && new Set(cells).size > 1 ? fieldOf("consignment") : undefined),
  ],
  // Names are looked up as all kinds anyway.
  Order: [["order", "reference"], () => fieldOf("reference")],
  "Order id": [["order", "reference"], () => fieldOf("reference")],
  Shipment: [
    ["consignment", "shipment"],
    (cells) => (areNumbers(cells) ? fieldOf("consignment") : undefined),
  ],
  ID: [["consignment", "shipment"], (cells) => (areNumbers(cells) ? fieldOf("consignment") : undefined)],
  Type: [["charge", "service", "sign"], readType],
  Code: [["charge", "service"], readCode],
  Item: [["charge"], (cells) => (areMostlyCharges(cells) ? fieldOf("charge") : "unused")],
  "Record type": [
    ["sign"],
    (cells) => (cells.every((text) => readSign(text) !== undefined) ? fieldOf("sign") : "unused"),
  ],
  Charge: [["charge", "amount"], (cells) => fieldOf(areAmounts(cells) ? "amount" : "charge")],
  Fee: [["charge", "amount"], (cells) => fieldOf(areAmounts(cells) ? "amount" : "charge")],
  "Invoice amount": [["amount"], readRepeated],
  "Invoice total": [["amount"], readRepeated],
}

/** The invoice total, repeated on each of its rows. */
function readRepeated(cells: readonly string[]): BillField | "unused" | undefined {
  if (new Set(cells).size > 1) return fieldOf("amount")
  return cells.length > 1 ? "unused" : undefined
}

const CHARGE_CODE =
  /^(?:frt|fgt|frgt|fsc|fuel|fl|gst|tax|res|resi|dg|tl|tail|ins|adj|misc|sur|lev|fut|whl|wait)\d*$/i

function readCode(cells: readonly string[]): BillField | "unused" | undefined {
  if (cells.length === 0) return undefined
  return cells.some((text) => CHARGE_CODE.test(text.trim())) ? fieldOf("charge") : "unused"
}

/** Words in names of charges but not of services. */
const NAMES_CHARGE =
  /\b(?:freight|fuel|levy|surcharge|charge|charges|fee|adjustment|adjust|invoiced|gst|residential|tail ?(?:lift|gate)|futile|waiting|handling|insurance|refund|credit|discount)\b/i

/** Whether words name a charge, and so cannot be a consignment number. */
export function namesCharge(text: string): boolean {
  return NAMES_CHARGE.test(text)
}

function areMostlyCharges(cells: readonly string[]): boolean {
  return cells.filter(namesCharge).length * 2 > cells.length
}

function readType(cells: readonly string[]): BillField | undefined {
  if (cells.length === 0) return undefined
  if (
    cells.every((text) => readSignOrLetter(text) !== undefined) &&
    cells.some((text) => !/^freight$/i.test(text.trim()))
  )
    return fieldOf("sign")
  if (areMostlyCharges(cells)) return fieldOf("charge")
  // A charge called a refund is a credit, like one with that sign.
  const isCalled = (text: string) =>
    namesCharge(text) || isCreditLabel(text) || isOpenLabel(text) || toCharge(text) === "freight"
  if (cells.every(isCalled) && new Set(cells).size > 1) return fieldOf("charge")
  const maySign = cells.some(
    (text) => readSign(text) !== undefined || /\b(?:adj|rev|void|cn|cr|ref)\w*/i.test(text),
  )
  return cells.some(namesCharge) || maySign ? undefined : fieldOf("service")
}

/** Known columns that are never charged: estimates, rates and notes. */
const NOT_ASKED =
  /\b(?:quoted?|estimated?|est|expected|budget(?:ed)?|forecast|previous)\b|^(?:(?:running )?balance|running total|(?:amount )?paid|paid amount|outstanding|unit (?:price|rate|cost)|rate|base rate|min(?:imum)?(?: charge)?|cod(?: amount)?|goods value|(?:declared|insured|insurance|customs) (?:value|amount)|(?:sell|retail|customer|sale|selling) ?(?:price|amount|charge|total)?|buy price|rrp|margin|mark ?up|savings?|gst (?:code|rate|type|applicable|status|registered)|tax (?:code|rate|type|applicable|status))$/

/** Codes and kinds of GST: they only say whether an amount includes it. */
const OF_TAX =
  /^(?:gst|tax|vat) (?:codes?|rates?|types?|class|category|treatment|applicable|status|registered)$/

/** Cells that say whether amounts include GST; yes and no only say whether there is any. */
function findBasisField(cells: readonly string[]): BillField | undefined {
  const says = (text: string) => !/^(?:y|yes|n|no)\W*$/i.test(text.trim()) && readBasis(text) !== undefined
  return cells.length > 0 && cells.every(says) ? fieldOf("basis") : undefined
}

/** Cubic weight, which is never the booked weight. */
const CUBIC_WEIGHT =
  /^(?:cubic|cube|cubed|volumetric|volume|vol|dimensional|dim)\b.*\b(?:weight|wt|kgs?|mass)\b/

/** In order of use: actual weight, charged weight (which may be cubic), declared weight. */
const WEIGHTS = [
  /\b(?:actual|dead|gross|measured|scale|scanned|re ?weighed)\b/,
  /^(?:total )?(?:weight|wt|kgs?)\b/,
  /\b(?:charged?|chargeable|billed|billable|rated|invoiced)\b/,
]

/** The weight column with the lowest rank is compared with the booking. */
export function rankWeight(header: string): number {
  const spoken = toSpoken(header)
  const rank = WEIGHTS.findIndex((pattern) => pattern.test(spoken))
  return rank < 0 ? WEIGHTS.length : rank
}

const PRICE = "(?:price|cost|amount|charges?|total|value|fees?)"
const BILLED = new RegExp(
  `^(?:invoiced|billed|actual|charged|final|carrier) (?:freight )?${PRICE}$|^invoice (?:price|cost|charges?)$|^${PRICE}(?: amount)? (?:invoiced|billed|charged|actual|final)$`,
)
/** Beside words of the basis, these mean the total of the row. */
const ALL = new RegExp(
  `^(?:(?:total|line|net+|sub ?total|gross|invoiced?|billed|charged|unit|ext(?:ended)?|aud)\\b ?)*${PRICE}?(?: aud)?$`,
)

/** The total of one consignment. A fee for it is only a part, and its value is that of the goods. */
const OF_ONE =
  /^(?:consignment|con|connote|con note|docket|shipment|job) (?:price|cost|amount|charges?|total)$|^total (?:per|for|of) (?:consignment|con|connote|docket|shipment|job)$|^after (?:discount|rebate)$/
/** Amounts before a deduction. */
const BEFORE = /\b(?:before|list price|full price|undiscounted)\b/

const keyOf = (heading: string) => plainHeader(heading) || heading.trim()

const words: ReadonlyMap<string, { field: BillField; isOpen: boolean }> = new Map(
  [...fields.values()].flatMap((field) =>
    [
      ...[...splitHeadings(field.headings), ...splitHeadings(field.fallbackHeadings)].map(
        (each) => [each, false] as const,
      ),
      ...splitHeadings(field.open).map((each) => [each, true] as const),
    ].map(([heading, isOpen]) => [keyOf(heading), { field, isOpen }] as const),
  ),
)
const ambiguousWords = new Map(Object.entries(AMBIGUOUS).map(([heading, choice]) => [keyOf(heading), choice]))

/** Carriers' bills have many unneeded columns, so an unknown heading is never corrected to a similar one. */
const UNKNOWN: Meaning<BillField> = { likely: () => undefined }

const GST_OF_PART: BillField = { ...fieldOf("gst"), isOfPart: true, mayRepeat: true }

function meaningOf(header: string): Meaning<BillField> {
  const exact = fields.get(header.trim())
  if (exact) return { field: exact }
  const plain = header.replace(/\b10(?:\.0)? ?%/, " ")
  // `Fuel levy %` is a rate, not an amount.
  if (plain.includes("%")) return UNKNOWN
  const choice = ambiguousWords.get(keyOf(plain))
  if (choice) return ambiguous(header.trim(), ...choice)
  const word = words.get(keyOf(plain)) ?? words.get(plainHeader(toSpoken(plain)))
  // `GST` may be an amount, or `Y`.
  if (word?.field.holds === "gst") return readOpen(header, word.field)
  if (word?.field.name === "basis") return readBasisOrGst(header)
  if (/^(?:gst|tax|vat) included in\b/i.test(plain)) return { field: fieldOf("gst") }
  if (word) return word.isOpen ? readOpen(header, word.field) : { field: word.field }
  const said = findBasis(plain)
  const spoken = toSpoken(said?.rest ?? plain)
  if (OF_TAX.test(spoken)) return { field: undefined, refine: findBasisField }
  if (NOT_ASKED.test(spoken) || CUBIC_WEIGHT.test(spoken) || NUMBERED_CODE.test(spoken))
    return { field: undefined }
  if (said) return readWithBasis(header, said.rest, said.basis, /free|exempt|non|no /i.test(plain))
  const short = /^(.*?)[ .]?\b(?:(ex|exc|excl|exclusive)|inc|incl|inclusive)$/.exec(spoken)
  if (short && (ALL.test(short[1] ?? "") || isAmountOrCharge(meaningOfBase((short[1] ?? "").trim()))))
    return readWithBasis(header, short[1] ?? "", short[2] === undefined ? "incGst" : "exGst", false)
  if (BILLED.test(spoken)) return { field: fieldOf("amount") }
  if (/^(?:gst )?taxable(?: amount| value| charges?)?$/.test(spoken))
    return { field: { ...fieldOf("freight"), basis: "exGst" } }
  const [, on, of] = /^(?:gst|tax) (?:on|of) (.+)$|^(.+) (?:gst|tax)(?: amount)?$/.exec(spoken) ?? []
  if (isOfMoney(meaningOfBase(on ?? of ?? ""))) return { field: GST_OF_PART }
  if (NUMBERED.test(spoken)) return readOpen(header, fieldOf("other"))
  const [, whose] = /^(?:your|our|my|the|carrier|freight|shipping) (.+)$/.exec(spoken) ?? []
  const named = whose === undefined ? undefined : words.get(plainHeader(whose))?.field
  if (named?.name === "consignment") return { field: named }
  if (/^your (?:po|order)\b/.test(spoken) && whose !== undefined) return { field: fieldOf("reference") }
  const inDollars = header.trim().replace(/(?:[ _]in)?[ _]AUD$/i, "")
  const ofDollars = inDollars === header.trim() ? UNKNOWN : meaningOfBase(inDollars)
  if (isOfMoney(ofDollars)) return ofDollars
  return readQualified(header, meaningOf, "as a charge in AUD") ?? UNKNOWN
}

/** Numbered charges: `Amount 1`, `Charge 2 amount`, each beside its description. */
const NUMBERED =
  /^(?:(?:sur)?charge |fee )?(?:amount|charge|cost|fee|value) \d{1,2}$|^(?:(?:sur)?charge|fee) ?\d{1,2} (?:amount|charge|cost|value)$/

/** `XC3 Code` belongs to one charge of several: `CR` in it does not apply to the other amounts of the row. */
const NUMBERED_CODE = /\d{1,2} (?:code|type)$|\b(?:code|type) \d{1,2}$/

/** As `toWords`, without currency signs and with abbreviations written out. */
function toSpoken(text: string): string {
  const words = toWords(text).replace(/[#$]/g, "").trim()
  return words.replace(/\p{L}+/gu, (word) => SHORT[word] ?? word)
}

const SHORT: Readonly<Record<string, string>> = {
  ...{ amt: "amount", amts: "amount", chg: "charge", chgs: "charges", chrg: "charge", chrgs: "charges" },
  ...{
    frt: "freight",
    frgt: "freight",
    fgt: "freight",
    surch: "surcharge",
    sur: "surcharge",
    adj: "adjustment",
  },
  ...{ tot: "total", svc: "service", inv: "invoice", cons: "consignment", num: "number" },
  ...{ wgt: "wt", wght: "wt", kilo: "kg", kilos: "kgs", kilograms: "kgs" },
}

const meaningOfBase = (base: string): Meaning<BillField> => (base === "" ? UNKNOWN : meaningOf(base))

function isOfMoney(meaning: Meaning<BillField>): boolean {
  if ("field" in meaning) return meaning.field?.kind === "money"
  return "byCells" in meaning && meaning.choices?.every((name) => fields.get(name)?.kind === "money") === true
}

const isAmountOrCharge = (meaning: Meaning<BillField>) =>
  isOfMoney(meaning) || ("choices" in meaning && meaning.choices?.includes("amount") === true)

/** `Fuel (inc GST)`: the text in front is the meaning, the words in brackets are the basis. */
function readWithBasis(header: string, base: string, basis: Basis, isFree: boolean): Meaning<BillField> {
  const spoken = toSpoken(base)
  const all = { field: fieldOf(basis === "exGst" ? "amountExGst" : "amountIncGst") }
  if (isFree) return { field: { ...fieldOf("other"), basis } }
  if (ALL.test(spoken) || OF_ONE.test(spoken)) return all
  const meaning = meaningOf(base)
  const known = "field" in meaning ? meaning.field : undefined
  if (known?.holds === "total" && known.name !== "debit" && known.name !== "credit") return all
  if (known?.name === "charge" || ("choices" in meaning && meaning.choices?.includes("amount"))) return all
  if (known?.kind === "money") return { field: { ...known, basis } }
  if ("byCells" in meaning && isOfMoney(meaning)) {
    const [name] = meaning.choices ?? []
    return readOpen(header, { ...fieldOf(name as BillFieldName), basis })
  }
  if (known || MEASURE.test(base)) return meaning
  // It may hold the sum of other columns, which is asked about as for a heading without words of GST.
  if (saysWhole(base) || BEFORE.test(spoken)) return UNKNOWN
  return { field: { ...fieldOf("other"), basis } }
}

/** A heading whose column may hold amounts or something else. */
function readOpen(header: string, field: BillField): Meaning<BillField> {
  if (field.kind === "money")
    return ambiguous(header.trim(), [field.name], (all) => {
      // Words of a total or the account stand wherever there is room, and a dash means nothing.
      const cells = all.filter(
        (text) => !saysTotal(text) && saysOfAccount(text) === undefined && !saysNothing(text),
      )
      if (cells.every(isAmount)) return field
      const basis = field.holds === "gst" ? findBasisField(cells) : undefined
      if (basis) return basis
      return cells.some((text) => mayBeMoney(text)) ? undefined : "unused"
    })
  // Paid or credited amounts and their days are not charges.
  return ambiguous(header.trim(), [field.name], (cells) =>
    cells.length > 0 && cells.every((text) => /\d/.test(text)) ? "unused" : field,
  )
}

/** `GST included` may be an amount, or say that other amounts include it. */
function readBasisOrGst(header: string): Meaning<BillField> {
  return ambiguous(header.trim(), ["basis", "gst"], (cells) =>
    cells.length > 0 && cells.every(isAmount) ? fieldOf("gst") : fieldOf("basis"),
  )
}

const isAmount = (text: string) => readSignedNumber(dropHidden(text).trim(), { money: true }).ok

export const BILL_COLUMNS: SheetColumns<BillField> = {
  fields: [...fields.values()],
  shops: [],
  bearings: ["unit", "currency", "sign", "basis"],
  fallbackHeadings: [...fields.values()].flatMap(({ fallbackHeadings }) => splitHeadings(fallbackHeadings)),
  facts: ["invoiceNumber", "invoiceDate", "carrier"],
  help: {
    hint: `A bill needs headings in its first rows. Use --map COLUMN=FIELD to name the field of a column, and --header-row N for the row of the headings; the fields are ${[...fields.keys()].join(", ")}.`,
    next: "freight help audit --all",
  },
  meaning: meaningOf,
  /** Mapping `Tail lift (inc GST)` to a charge does not make its amounts exclude GST. */
  mapTo(field, header) {
    if (field?.name === "consignmentTotal") {
      return { ...fieldOf(nameWhole(findBasis(header)?.basis)), isOfConsignment: true }
    }
    const said = field?.holds === "part" && !field.basis ? findBasis(header) : undefined
    return said && field ? { ...field, basis: said.basis } : field
  },
}

/** The field for the total of a row. */
export function nameWhole(basis: Basis | undefined): "amountExGst" | "amountIncGst" | "amount" {
  if (basis === undefined) return "amount"
  return basis === "exGst" ? "amountExGst" : "amountIncGst"
}

export function listHeadings(name: string): string[] {
  const { headings = "", fallbackHeadings, open } = fields.get(name) ?? {}
  return [...splitHeadings(headings), ...splitHeadings(fallbackHeadings), ...splitHeadings(open)]
}

/** Whether a heading says that its amounts are the total of the row. */
export function saysWhole(header: string): boolean {
  return /\b(?:sub ?)?totals?\b|\bgross\b|\bpayable\b|\bdue\b/.test(toSpoken(header))
}

/** Counts, measures and notes: never a charge. */
const MEASURE =
  /\b(?:weight|wt|kgs?|grams?|cub(?:e|ic)|cbm|m3|vol(?:ume)?|length|width|height|cms?|items?|qty|quantity|count|pieces|pcs|cartons?|pallets?|packages|zone|post ?code|suburb|state|depot|account|customer|name|no|number|id|code|reference|ref|date|time|period|page|line|seq|declared|insured|goods value|value|distance|kms?)\b/i
const RATE = /%|\b(?:percent|rate|per)\b/i
const CHARGE = /charge|\bfees?\b|levy|lift|handling|storage|demurrage|oversize|futile|discount|credit|adjust/i

/** Whether a cell of an unknown column may be the total of its row. */
export function mayBeWhole(header: string, text: string): boolean {
  return (
    isTotalWord(header) && isMoneyText(text) && !MEASURE.test(header) && !NOT_ASKED.test(toSpoken(header))
  )
}

/** Whether a cell of an unknown column may be a charge. */
export function mayBeCharge(header: string, text: string): boolean {
  if (header === "" || isTotalWord(header) || RATE.test(header) || NOT_ASKED.test(toSpoken(header)))
    return false
  const isMeasure = MEASURE.test(header)
  if (isMoneyText(text)) return !isMeasure || CHARGE.test(header)
  return !isMeasure && CHARGE.test(header) && /^[-\u2212(]?\s*(?:\$\s*)?[\d,]+\)?$/.test(text)
}
