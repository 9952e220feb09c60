/** Gathers the parts of a new invoice: from what was given, and from the person for what is missing. */
import { type Parsed, parsed, valueOrThrow } from "../../contract/parsed.ts"
import { FreightError } from "../../errors.ts"
import type { Supplier } from "../../memory/suppliers.ts"
import type { Questions } from "../../terminal/conversation/conversation.ts"
import { describeTotal, NEW_PURPOSES, type NewInvoice } from "./draft.ts"
import {
  ADDRESS_FORM,
  LINE_FORM,
  type NewLine,
  parseAbn,
  parseAddress,
  parseComments,
  parseDay,
  parseDue,
  parseLine,
  parseSome,
} from "./texts.ts"

/** The parts as text, by the names of their flags. */
export interface InvoiceTexts {
  number?: string
  po?: string
  supplierId?: string
  supplierName?: string
  abn?: string
  billTo?: string
  shipTo?: string
  line?: readonly string[]
  date?: string
  due?: string
  purpose: string
  refersTo?: string
  comments?: string
}

/** What an invoice cannot do without. */
export const NEEDS = {
  number: { flag: "--number", question: "Number of the invoice", check: parseSome },
  po: { flag: "--po", question: "Purchase order that is billed", check: parseSome },
  supplierId: { flag: "--supplier-id", question: "The buyer's code for the supplier", check: parseSome },
  supplierName: { flag: "--supplier-name", question: "Name of the supplier", check: parseSome },
  refersTo: {
    flag: "--refers-to",
    question: "Number of the invoice that this memo changes",
    check: parseSome,
  },
  billTo: { flag: "--bill-to", question: `Address to bill (${ADDRESS_FORM})`, check: parseAddress },
  line: { flag: "--line", question: `Line (${LINE_FORM})`, check: parseLine },
  abn: { flag: "--abn", question: "ABN of the supplier, since there is tax", check: parseAbn },
} as const

export type Asking = Pick<Questions, "text" | "choose">

export type Need = keyof typeof NEEDS
type Parts = Partial<NewInvoice> & Pick<NewInvoice, "purpose" | "lines" | "date">

/**
 * @param today date of the invoice where none is given: `2026-11-20`
 * @param prompt asks the person; absent where there is nobody to ask
 * @param suppliers those of earlier invoices, which are offered
 * @throws FreightError `input` for a part that is not right, `usage` listing what is missing
 */
export async function gatherInvoice(
  texts: InvoiceTexts,
  today: string,
  prompt?: () => Promise<Asking>,
  suppliers: readonly Supplier[] = [],
): Promise<NewInvoice> {
  const given = read(texts, today)
  const lacking = missing(given)
  if (lacking.length === 0 || !prompt) return whole(given)
  const findMissing = (known: InvoiceTexts) => missing(read(known, today))
  return whole(read(await asked(texts, findMissing, await prompt(), suppliers), today))
}

/** The parts that are given, each read. @throws FreightError `input` or `usage` */
export function read(texts: InvoiceTexts, today: string): Parts {
  const purpose = NEW_PURPOSES.find((each) => each === texts.purpose)
  if (!purpose)
    throw new FreightError("usage", `--purpose takes ${NEW_PURPOSES.join(", ")}, not '${texts.purpose}'`, {
      hint: "For a line-level memo, make a memo and add the references of its lines by hand.",
    })
  const part = <Name extends string, T>(
    name: Name,
    flag: string,
    text: string | undefined,
    parse: (text: string) => Parsed<T>,
  ) => (text === undefined ? {} : ({ [name]: valueOrThrow(parse(text), flag) } as { [N in Name]?: T }))
  const date = valueOrThrow(parseDay(texts.date ?? today, today), "--date")
  return {
    purpose,
    date,
    lines: (texts.line ?? []).map((line) => valueOrThrow(parseLine(line), "--line")),
    ...part("number", "--number", texts.number, parseSome),
    ...part("po", "--po", texts.po, parseSome),
    ...part("supplierId", "--supplier-id", texts.supplierId, parseSome),
    ...part("supplierName", "--supplier-name", texts.supplierName, parseSome),
    ...part("refersTo", "--refers-to", texts.refersTo, parseSome),
    ...part("abn", "--abn", texts.abn, parseAbn),
    ...part("billTo", "--bill-to", texts.billTo, parseAddress),
    ...part("shipTo", "--ship-to", texts.shipTo, parseAddress),
    ...part("due", "--due", texts.due, (text) => parseDue(text, date)),
    ...part("comments", "--comments", texts.comments, parseComments),
  }
}

/** In the order in which they are asked. */
function missing(parts: Parts): Need[] {
  const { number, po, supplierId, supplierName, refersTo, billTo, lines, abn, purpose } = parts
  const taxed = lines.length === 0 || lines.some(({ taxRate }) => taxRate !== 0)
  const absent: Record<Need, boolean> = {
    number: number === undefined,
    po: po === undefined,
    supplierId: supplierId === undefined,
    supplierName: supplierName === undefined,
    refersTo: refersTo === undefined && purpose !== "standard",
    billTo: billTo === undefined,
    line: lines.length === 0,
    abn: abn === undefined && taxed,
  }
  return (Object.keys(NEEDS) as Need[]).filter((need) => absent[need])
}

/** The texts with the answers for what they lack; whether an ABN is needed shows when the lines are known. */
export async function asked(
  texts: InvoiceTexts,
  findMissing: (known: InvoiceTexts) => readonly Need[],
  ask: Asking,
  suppliers: readonly Supplier[],
): Promise<InvoiceTexts> {
  let known = texts
  const { supplierId, supplierName } = texts
  if (suppliers.length > 0 && supplierId === undefined && supplierName === undefined)
    known = { ...texts, ...(await askSupplier(ask, suppliers, texts.abn)) }
  for (;;) {
    const [need] = findMissing(known)
    if (!need) return known
    if (need === "line") known = { ...known, line: await askLines(ask) }
    else {
      const { question, check } = NEEDS[need]
      known = { ...known, [need]: await ask.text(question, { check }) }
    }
  }
}

/** One of those before, with its code, name and ABN; nothing for another. */
async function askSupplier(
  ask: Asking,
  suppliers: readonly Supplier[],
  givenAbn: string | undefined,
): Promise<Partial<InvoiceTexts>> {
  const chosen = await ask.choose<Supplier | undefined>("Who is the supplier?", [
    ...suppliers.slice(0, 10).map((value) => ({ name: `${value.name} (${value.id})`, value })),
    { name: "Another", value: undefined },
  ])
  if (!chosen) return {}
  const abn = givenAbn ?? chosen.abn
  return { supplierId: chosen.id, supplierName: chosen.name, ...(abn !== undefined && { abn }) }
}

async function askLines(ask: Asking): Promise<string[]> {
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
          return all.length > 0 ? describeTotal(all) : undefined
        },
      },
    )
    if (line === "") return lines
    lines.push(line)
    const parsedLine = parseLine(line)
    if (parsedLine.ok) read.push(parsedLine.value)
  }
}

function whole(parts: Parts): NewInvoice {
  const { number, po, supplierId, supplierName, billTo } = parts
  const lacking = missing(parts)
  if (
    lacking.length > 0 ||
    number === undefined ||
    po === undefined ||
    supplierId === undefined ||
    supplierName === undefined ||
    billTo === undefined
  )
    throw new FreightError("usage", "an invoice needs more than was given", {
      errors: lacking.map((need) => ({ message: `${NEEDS[need].flag}: ${NEEDS[need].question}` })),
      hint: "On a terminal, what is missing is asked for. A line without tax is written with: tax 0",
    })
  return { ...parts, number, po, supplierId, supplierName, billTo }
}
