/** Compares the invoices of a run with those of earlier runs, and remembers them when it is over. */
import { hash } from "node:crypto"
import { foldInvoiceNumber } from "../../base/order-number.ts"
import { sameJson } from "../../base/json.ts"
import { quoted } from "../../base/parsed.ts"
import type { Database } from "../../ledger/index.ts"
import {
  findInvoiceSteps,
  findRegistered,
  type InvoiceKey,
  type RegisteredInvoice,
  type RegisteredStep,
  registerInvoices,
} from "../registered.ts"
import {
  DUPLICATE_INVOICE,
  type InvoiceNumber,
  type InvoiceStep,
  keyInvoice,
  nameKey,
} from "../accounting/duplicates.ts"
import { type Finding, formatFileName, type Severity } from "../finding.ts"
import { type Chain, findStanding, judgeStep, type TakenStep } from "../steps.ts"

export interface Register {
  /** Loads the steps of these invoices. Call it before `find` and `add`. */
  load(numbers: readonly InvoiceNumber[]): Promise<void>
  /** Whether an invoice with the number was registered before. */
  has(invoice: InvoiceNumber): boolean
  /** Findings about an invoice because of earlier registered ones, or of those added in this run. */
  find(invoice: InvoiceNumber): Finding[]
  /** Assumes that an invoice was sent if nothing is known of its number. The assumption is not stored. */
  assume(file: string, invoice: InvoiceNumber): void
  /** The current step of its number, if it is not this one. */
  findOther(invoice: InvoiceNumber): TakenStep | undefined
  listCredits(invoice: InvoiceNumber): readonly TakenStep[]
  /**
   * Adds the invoice of a valid document.
   * @param isNew it was written just now: it counts as the last step, even if an earlier one is equal
   */
  add(file: string, invoice: InvoiceNumber, isNew?: boolean): void
  /** Records all of them or none. @returns how many are remembered now that were not before */
  keep(): Promise<number>
}

/** @param getSeverity the severity of a rule's findings; undefined if the rule is off */
export function createRegister(
  database: Pick<Database, "all" | "transaction">,
  getSeverity: (rule: string) => Severity | undefined,
  now: () => number,
): Register {
  const known = new Map<string, RegisteredInvoice & { at: string }>()
  const taken = new Map<string, RegisteredInvoice>()
  const steps = createStepStore()
  return {
    async load(numbers) {
      const keyed = numbers.flatMap((number) => {
        const key = toKey(number)
        return key ? [{ number, key }] : []
      })
      const keys = keyed.map(({ key }) => key)
      for (const each of await findRegistered(database, keys)) known.set(nameKey(each), each)
      // A new invoice follows from nothing.
      const following = keyed.filter(({ number: { step } }) => step && isFollowing(step))
      const invoices = following.map(({ number, key }) => toInvoiceKey(number, key))
      const memos = await findInvoiceSteps(database, invoices, "refers_to")
      const own = [...invoices, ...following.map(({ key }) => key), ...memos]
      for (const row of await findInvoiceSteps(database, uniqueKeys(own), "number"))
        steps.add(row, readTaken(row))
    },
    has: (number) => {
      const key = toKey(number)
      return key !== undefined && known.has(nameKey(key))
    },
    find(number) {
      const key = toKey(number)
      if (!key) return []
      const { step } = number
      const warnings = step
        ? judgeStep(number.invoiceNumber.trim(), step, steps.chainOf(key, toInvoiceKey(number, key)))
        : []
      const found = warnings.flatMap(({ rule, message, hint }) => {
        const severity = getSeverity(rule)
        return severity === undefined ? [] : [toFinding(number, rule, severity, message, hint)]
      })
      const same = known.get(nameKey(key))
      const severity = getSeverity(DUPLICATE_INVOICE.id)
      const isSecond = same && severity && !number.isUpdate && !number.isDeletion
      return isSecond ? [describeRepeat(number, same, severity), ...found] : found
    },
    assume(file, number) {
      const key = toKey(number)
      const { step } = number
      if (!key || !step || steps.chainOf(key, key).own.length > 0) return
      steps.add(toRegisteredStep(file, number, step, key), {
        ...step,
        number: number.invoiceNumber,
        file,
        at: "",
      })
    },
    findOther(number) {
      const key = toKey(number)
      const { step } = number
      if (!key || !step) return undefined
      const [standing] = findStanding(steps.chainOf(key, key).own)
      return standing && !sameJson(toAmounts(standing), toAmounts(step)) ? standing : undefined
    },
    listCredits(number) {
      const key = toKey(number)
      const memos = key ? steps.chainOf(key, key).memos : []
      return memos.flatMap(findStanding).filter(({ kind }) => kind === "credit")
    },
    add(file, number, isNew = false) {
      const key = toKey(number)
      if (!key) return
      const name = nameKey(key)
      const { step } = number
      if (step) {
        const row = toRegisteredStep(file, number, step, key)
        const at = new Date(now()).toISOString()
        steps.take(row, { ...step, number: row.written, file, at }, isNew)
      }
      if (number.isUpdate || number.isDeletion || known.has(name) || taken.has(name)) return
      taken.set(name, { ...key, amount: number.due, file })
    },
    async keep() {
      const added = steps.listAdded()
      if (taken.size > 0 || added.length > 0)
        await database.transaction(async (transaction) => {
          await registerInvoices(transaction, [...taken.values()], added)
        })
      return taken.size + added.filter(({ operation }) => operation !== "new").length
    },
  }
}

/** The parts of a step that decide how much is to be paid. */
function toAmounts({ kind, total, lines }: InvoiceStep): unknown {
  return [kind, total ?? null, lines]
}

function isFollowing({ operation, kind }: InvoiceStep): boolean {
  return operation !== "new" || kind === "credit" || kind === "debit"
}

/** The invoice that a document is about: of a memo, the one that it changes. */
function toInvoiceKey({ step }: InvoiceNumber, key: InvoiceKey): InvoiceKey {
  return step?.refersTo === undefined
    ? key
    : { supplier: key.supplier, number: foldInvoiceNumber(step.refersTo) }
}

function uniqueKeys(keys: readonly InvoiceKey[]): InvoiceKey[] {
  return [...new Map(keys.map((key) => [nameKey(key), key])).values()]
}

function toRegisteredStep(
  file: string,
  { invoiceNumber }: InvoiceNumber,
  step: InvoiceStep,
  { supplier, number }: InvoiceKey,
): RegisteredStep {
  const { operation, kind, refersTo, total } = step
  const lines = JSON.stringify(step.lines)
  const folded = refersTo === undefined ? undefined : foldInvoiceNumber(refersTo)
  const id = toId([operation, kind, folded, total, lines])
  const written = invoiceNumber.trim()
  return {
    supplier,
    number,
    id,
    written,
    operation,
    kind,
    refersTo: folded,
    refersToWritten: refersTo,
    total,
    lines,
    file,
  }
}

/** The id of a step, different for each step of one invoice. */
function toId(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, ID_LENGTH)
}

const ID_LENGTH = 24

function readTaken(row: RegisteredStep & { at: string }): TakenStep {
  const { written, operation, kind, refersToWritten, total, lines, file, at } = row
  return {
    number: written,
    operation: operation as InvoiceStep["operation"],
    kind: kind as InvoiceStep["kind"],
    ...(refersToWritten !== undefined && { refersTo: refersToWritten }),
    ...(total !== undefined && { total }),
    lines: JSON.parse(lines),
    file,
    at,
  }
}

/** The steps that are known, by their invoices, and those that are new. */
function createStepStore() {
  const byNumber = new Map<string, Map<string, TakenStep>>()
  const memos = new Map<string, Set<string>>()
  const added: (RegisteredStep & { after?: string })[] = []
  const add = (row: RegisteredStep, step: TakenStep): boolean => {
    const name = nameKey(row)
    const steps = byNumber.get(name) ?? new Map<string, TakenStep>()
    if (steps.has(row.id)) return false
    byNumber.set(name, steps.set(row.id, step))
    if (row.refersTo === undefined) return true
    const target = nameKey({ supplier: row.supplier, number: row.refersTo })
    memos.set(target, (memos.get(target) ?? new Set()).add(name))
    return true
  }
  return {
    add,
    take(row: RegisteredStep, step: TakenStep, isNew: boolean): void {
      const before = byNumber.get(nameKey(row)) ?? new Map<string, TakenStep>()
      const [last, lastStep] = [...before].at(-1) ?? []
      const isAgain = isNew && before.has(row.id) && last !== row.id
      // If the first of two updates is registered again, the first is the one that counts.
      const own = isAgain ? { ...row, id: toId([last, row.id]) } : row
      if (add(own, step)) added.push({ ...own, ...(lastStep && { after: lastStep.at }) })
    },
    chainOf(own: InvoiceKey, invoice: InvoiceKey): Chain {
      const list = (name: string) => [...(byNumber.get(name)?.values() ?? [])]
      const [name, target] = [nameKey(own), nameKey(invoice)]
      const others = [...(memos.get(target) ?? [])].filter((memo) => memo !== name && memo !== target)
      return { own: list(name), invoice: list(target), memos: others.map(list) }
    },
    listAdded: () => added,
  }
}

function toKey(invoice: InvoiceNumber): InvoiceKey | undefined {
  const key = keyInvoice(invoice)
  return key.number === "" ? undefined : key
}

function describeRepeat(
  invoice: InvoiceNumber,
  before: RegisteredInvoice & { at: string },
  severity: Severity,
): Finding {
  const { supplierId, invoiceNumber, due } = invoice
  const amount =
    before.amount === due
      ? "with the same amount"
      : `with the amount ${before.amount ?? "missing"}, not ${due ?? "missing"}`
  return toFinding(
    invoice,
    DUPLICATE_INVOICE.id,
    severity,
    `${quoted(invoiceNumber.trim())} of supplier ${quoted(supplierId.trim())} was registered before, on ${before.at.slice(0, 10)} from ${formatFileName(before.file)}, ${amount}`,
    "do not send it again; a new invoice needs a number of its own",
  )
}

function toFinding(
  { line, column }: InvoiceNumber,
  rule: string,
  severity: Severity,
  message: string,
  hint: string,
): Finding {
  return {
    rule,
    severity,
    pointer: "/data/invoiceNumber",
    message: `invoice number: ${message}`,
    hint,
    line,
    column,
  }
}
