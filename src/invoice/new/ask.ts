/** Collects the parts of a new invoice: from the input, and from the person for missing ones. */
import { parseNewName, suggestName } from "../../machine/index.ts"
import { parsed, valueOrThrow, quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { Questions } from "../../output/index.ts"
import { getOwn } from "../../base/json.ts"
import { ZERO } from "../accounting/amounts.ts"
import { CREDITS } from "../kind.ts"
import { readInvoiceSets } from "../set-fields.ts"
import { describeTotal, NEW_PURPOSES, type NewInvoice } from "./draft.ts"
import {
  askField,
  FIELDS,
  isNeededBy,
  type LastParties,
  type Party,
  pickRole,
  type Role,
  ROLES,
} from "./parties.ts"
import {
  LINE_FORM,
  type NewLine,
  parseAddress,
  parseComments,
  parseDay,
  parseDeposit,
  parseDue,
  parseLine,
  parseShipping,
  parseSome,
} from "./texts.ts"

/** The parts as text, by the names of their flags. */
export interface InvoiceTexts extends Party {
  number?: string
  po?: string
  line?: readonly string[]
  date?: string
  due?: string
  purpose: string
  refersTo?: string
  shippingAmount?: string
  specialHandling?: string
  deposit?: string
  soldTo?: string
  remitTo?: string
  comments?: string
  set?: readonly string[]
}

/** The fields that an invoice needs, in the order of the questions. */
export const NEEDS = {
  number: { flag: "--number", question: "Number of the invoice", check: parseSome },
  po: { flag: "--po", question: "Purchase order that is billed", check: parseSome },
  supplierId: FIELDS.supplierId,
  supplierName: FIELDS.supplierName,
  refersTo: {
    flag: "--refers-to",
    question: "Number of the invoice that this memo changes",
    check: parseSome,
  },
  billTo: FIELDS.billTo,
  line: { flag: "--line", question: `Line (${LINE_FORM})`, check: parseLine },
  abn: { ...FIELDS.abn, question: `${FIELDS.abn.question}, since there is tax` },
  bsb: FIELDS.bsb,
  accountNumber: FIELDS.accountNumber,
} as const

const { line: _, ...needed } = NEEDS
/** The parts of an invoice that are each read from one text, whatever the others are. */
const TEXT_PARTS = {
  ...FIELDS,
  ...needed,
  soldTo: { flag: "--sold-to", check: parseAddress },
  remitTo: { flag: "--remit-to", check: parseAddress },
  deposit: { flag: "--deposit", check: parseDeposit },
  specialHandling: { flag: "--special-handling", check: parseShipping },
  comments: { flag: "--comments", check: parseComments },
}

export type Asking = Pick<Questions, "text" | "pick" | "confirm">

export type Need = keyof typeof NEEDS
type Parts = Partial<NewInvoice> & Pick<NewInvoice, "purpose" | "lines" | "date">

/** Parts that were found elsewhere; a text of the same part counts instead. */
export type KnownParts = Omit<Partial<NewInvoice>, "purpose" | "lines" | "date"> & {
  /** Lines that come after those that were given. */
  freightLines?: readonly NewLine[]
}

export interface OfferedParties {
  saved: Readonly<Record<Role, Readonly<Record<string, Party>>>>
  last: LastParties
  /** Names that are already used, in any role. */
  listTaken(): readonly string[]
  save(name: string, party: Party): Promise<void>
}

/** @param today the default date of the invoice: `2026-11-20` */
export function readInvoice(texts: InvoiceTexts, today: string, known: KnownParts = {}): NewInvoice {
  const parts = readParts(texts, today, known)
  const lacking = listMissing(parts)
  if (lacking.length > 0)
    throw new FreightError("usage", "the invoice is incomplete", {
      errors: lacking.map((need) => ({ message: `${NEEDS[need].flag}: ${NEEDS[need].question}` })),
      hint: "On a terminal, freight asks for what is missing. A line without tax is written with: tax 0",
    })
  return parts as NewInvoice
}

function readParts(texts: InvoiceTexts, today: string, { freightLines = [], ...known }: KnownParts): Parts {
  const parts = { ...known, ...readTexts(texts, today) }
  return { ...parts, lines: [...parts.lines, ...freightLines] }
}

/**
 * Completes the texts by asking.
 * @param prompt asks the person; not called if nothing is missing
 */
export async function askForMissing(
  texts: InvoiceTexts,
  today: string,
  prompt: () => Promise<Asking>,
  parties: OfferedParties,
  known: KnownParts = {},
): Promise<InvoiceTexts> {
  const findMissing = (texts: InvoiceTexts) => listMissing(readParts(texts, today, known))
  const complete =
    findMissing(texts).length === 0
      ? texts
      : await askInOrder(texts, findMissing, await prompt(), parties, known, PAYMENT_FIELDS)
  return complete.purpose === "standard" || complete.comments !== undefined
    ? complete
    : askForReason(await prompt(), complete)
}

/** The texts of a memo with the reason for it, which may be left out. */
async function askForReason(ask: Asking, texts: InvoiceTexts): Promise<InvoiceTexts> {
  const reason = await ask.text("Reason for it, for the buyer (Enter alone: none)", { check: parseComments })
  return reason === "" ? texts : { ...texts, comments: reason }
}

/**
 * Completes the texts by asking; whether an ABN is needed depends on the lines.
 * @param findMissing missing texts, in the order of the questions
 * @param besides additional optional questions for a new supplier or customer
 */
export async function askInOrder(
  texts: InvoiceTexts,
  findMissing: (texts: InvoiceTexts) => readonly Need[],
  ask: Asking,
  parties: OfferedParties,
  known: KnownParts = {},
  besides: readonly PaymentField[] = [],
): Promise<InvoiceTexts> {
  const offered = await askParties(ask, texts, findMissing(texts), parties, known)
  let complete = offered
  for (let [need] = findMissing(complete); need; [need] = findMissing(complete))
    if (need === "line") complete = { ...complete, line: await askLines(ask, complete, known) }
    else {
      const { question, check } = NEEDS[need]
      complete = { ...complete, [need]: await ask.text(question, { check }) }
    }
  for (const role of ROLES)
    if (isPartyMissing(offered, role) && !isPartyMissing(complete, role))
      complete = await askForPayment(
        ask,
        complete,
        besides.filter((field) => FIELDS[field].role === role),
      )
  for (const role of ROLES) {
    const typed = pickRole(complete, role)
    if (isPartyMissing(offered, role) && !isPartyMissing(complete, role))
      await offerToSave(ask, role, typed, parties)
  }
  return complete
}

/** Adds when and where to pay, and the contact. A credit memo asks for no payment. */
async function askForPayment(
  ask: Asking,
  texts: InvoiceTexts,
  fields: readonly PaymentField[],
): Promise<InvoiceTexts> {
  const asked = { ...texts }
  for (const field of fields)
    if (!CREDITS.has(texts.purpose) || field === "contact") await askField(ask.text, asked, field)
  return asked
}

const PAYMENT_FIELDS = ["bsb", "accountNumber", "accountName", "contact", "terms"] as const
type PaymentField = (typeof PAYMENT_FIELDS)[number]

/** The parts that the texts give. */
export function readTexts(texts: InvoiceTexts, today: string): Parts {
  const purpose = NEW_PURPOSES.find((each) => each === texts.purpose)
  if (!purpose)
    throw new FreightError(
      "usage",
      `--purpose takes ${NEW_PURPOSES.join(", ")}, not ${quoted(texts.purpose)}`,
    )
  const date = valueOrThrow(parseDay(texts.date ?? today, today), "--date")
  const parts: Record<string, unknown> = {}
  for (const [name, { flag, check }] of Object.entries(TEXT_PARTS)) {
    const text = texts[name as keyof typeof TEXT_PARTS]
    if (text !== undefined) parts[name] = valueOrThrow<unknown>(check(text), flag)
  }
  const { due, shippingAmount, line = [], set = [] } = texts
  const assignments = readInvoiceSets(set, today)
  for (const { path } of assignments) {
    const name = path.slice(1).join(".")
    const flag = getOwn(FLAG_INSTEAD, name)
    if (flag !== undefined) throw new FreightError("usage", `--set ${name}: give ${flag} instead`)
  }
  return {
    ...parts,
    purpose,
    date,
    lines: line.map((each) => valueOrThrow(parseLine(each), "--line")),
    ...(due !== undefined && { due: valueOrThrow(parseDue(due, date), "--due") }),
    ...(shippingAmount !== undefined && {
      shipping: valueOrThrow(parseShipping(shippingAmount), "--shipping-amount"),
    }),
    ...(assignments.length > 0 && { assignments }),
  }
}

/**
 * Fields that --set does not set, and the flags that do: signs are worked out from the purpose, and the day of payment from
 * the date.
 */
export const FLAG_INSTEAD: Readonly<Record<string, string>> = { purpose: "--purpose", invoiceDate: "--date" }

/** The missing fields of an invoice, in the order of the questions. One without lines counts as taxed. */
export function listMissing(parts: Parts): Need[] {
  const { purpose, lines, shipping, specialHandling } = parts
  const isTaxed =
    lines.length === 0 ||
    [...lines, shipping, specialHandling].some((charge) => (charge?.taxRate ?? ZERO) !== ZERO)
  return (Object.keys(NEEDS) as Need[]).filter((need) => {
    if (need === "line") return lines.length === 0
    const isNeeded =
      need === "bsb" || need === "accountNumber"
        ? isNeededBy(parts, need)
        : need === "abn"
          ? isTaxed
          : need !== "refersTo" || purpose !== "standard"
    return isNeeded && parts[need] === undefined
  })
}

const QUESTIONS: Readonly<Record<Role, string>> = {
  supplier: "Who is the supplier?",
  customer: "Who is billed?",
}

/** Whether nobody has the role yet. */
function isPartyMissing({ supplierId, supplierName, billTo }: InvoiceTexts, role: Role): boolean {
  return role === "supplier" ? supplierId === undefined && supplierName === undefined : billTo === undefined
}

/** Adds the texts of the saved parties that the person picks. Given texts do not change, nor does the delivery address. */
async function askParties(
  ask: Asking,
  texts: InvoiceTexts,
  missing: readonly Need[],
  parties: OfferedParties,
  known: KnownParts,
): Promise<InvoiceTexts> {
  let filled = texts
  for (const role of ROLES) {
    const offers = listOffers(parties, role)
    const isAsked =
      isPartyMissing(texts, role) && missing.includes(role === "supplier" ? "supplierId" : "billTo")
    if (offers.length === 0 || !isAsked) continue
    const other = { name: "Another", value: undefined }
    const picked = await ask.pick<Party | undefined>(QUESTIONS[role], (typed) => {
      const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
      const found = offers.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      return [...found, other]
    })
    filled = mergeParty(filled, picked ?? {}, known)
  }
  return filled
}

/**
 * Adds the texts of a party. Given texts do not change, nor does the delivery address; a due day overrides the party's
 * terms.
 */
export function mergeParty(texts: InvoiceTexts, party: Party, { shipmentId }: KnownParts): InvoiceTexts {
  const { shipTo, terms, ...others } = party
  return {
    ...others,
    ...(shipTo !== undefined && shipmentId === undefined && { shipTo }),
    ...(terms !== undefined && texts.due === undefined && { terms }),
    ...texts,
  }
}

/** The party that was used last comes first, saved or not. */
function listOffers({ saved, last }: OfferedParties, role: Role): { name: string; value: Party }[] {
  const isLast = (party: Party) => JSON.stringify(party) === JSON.stringify(last[role])
  const offers = Object.entries(saved[role]).map(([name, value]) => ({ name: describe(value, name), value }))
  const used = last[role]
  const first = offers.filter(({ value }) => isLast(value))
  if (used && first.length === 0) first.push({ name: describe(used), value: used })
  return [...first, ...offers.filter(({ value }) => !isLast(value))]
}

/** `harbour: Harbour Lighting (S-1)` */
function describe({ supplierId, supplierName, billTo }: Party, name?: string): string {
  const about = supplierName === undefined ? billTo : `${supplierName} (${supplierId})`
  return [name, about].filter(Boolean).join(": ")
}

async function offerToSave(ask: Asking, role: Role, party: Party, parties: OfferedParties): Promise<void> {
  if (!(await ask.confirm(`Save this ${role} for next time?`, true))) return
  const name = await ask.text("Under which name?", {
    initial: suggestName(party.supplierName ?? party.billTo?.split(/[,;]/)[0] ?? "", role),
    check: (typed) => parseNewName("parties", typed, parties.listTaken()),
  })
  await parties.save(name, party)
}

async function askLines(ask: Asking, { shippingAmount }: InvoiceTexts, known: KnownParts): Promise<string[]> {
  const given = shippingAmount === undefined ? undefined : parseShipping(shippingAmount)
  const shipping = given?.ok ? given.value : known.shipping
  const lines: string[] = []
  const read: NewLine[] = []
  for (;;) {
    const first = lines.length === 0
    const line = await ask.text(
      first ? NEEDS.line.question : `Line ${lines.length + 1} (Enter alone finishes)`,
      {
        check: (answer) => (answer === "" && !first ? parsed(undefined) : parseLine(answer)),
        live: (answer) => {
          const typed = parseLine(answer)
          const all = [...read, ...(typed.ok ? [typed.value] : [])]
          return all.length > 0 ? describeTotal(all, shipping) : undefined
        },
      },
    )
    if (line === "") return lines
    lines.push(line)
    const parsedLine = parseLine(line)
    if (parsedLine.ok) read.push(parsedLine.value)
  }
}
