/** Checks a correction against the register of earlier steps of the invoice, and records it there. */
import { FreightError } from "../../base/errors.ts"
import { foldInvoiceNumber } from "../../base/order-number.ts"
import { inWords } from "../../contract/index.ts"
import type { Database, Transaction } from "../../ledger/index.ts"
import { type Amount, sum, toAmount, ZERO } from "../accounting/amounts.ts"
import { type InvoiceNumber, keyInvoice } from "../accounting/duplicates.ts"
import { formatFileName } from "../finding.ts"
import { createRegister } from "../run/register.ts"
import { readStep } from "../steps.ts"
import type { SentInvoice } from "./correct.ts"

type WithData = Pick<SentInvoice, "data">

export interface Chain {
  objections: readonly string[]
  /** The amount that other memos gave back of the invoice. */
  credited: Amount
  /**
   * @param file where the document goes
   * @returns the number of newly registered documents
   */
  keep(file: string): Promise<number>
}

interface Documents {
  /** The file of the invoice, which counts as sent although nothing is known of its number. */
  file: string
  sent: WithData
  document: WithData
}

export async function openChain(database: Database, now: () => number, documents: Documents): Promise<Chain> {
  const { objections, credited } = await compare(database, now, documents)
  return {
    objections,
    credited,
    keep: (file) =>
      database.transaction(async (transaction) => {
        // A memo's number is given once, too, whichever invoice it is of.
        const keys = [documents.sent, documents.document].map((each) => keyInvoice(toInvoiceNumber(each)))
        await transaction.lock(keys.map(({ supplier, number }) => `invoice ${supplier} ${number}`))
        const held = {
          all: (...query: Parameters<Transaction["all"]>) => transaction.all(...query),
          transaction: <T>(work: (own: Transaction) => Promise<T>) => work(transaction),
        }
        const { objections: since, register, next } = await compare(held, now, documents)
        const errors = since.filter((each) => !objections.includes(each)).map((message) => ({ message }))
        if (errors.length > 0)
          throw new FreightError("input", "another workstation was quicker; nothing was written", { errors })
        register.add(file, next, true)
        return register.keep()
      }),
  }
}

async function compare(
  database: Pick<Database, "all" | "transaction">,
  now: () => number,
  { file, sent, document }: Documents,
) {
  const register = createRegister(database, () => "warning", now)
  const [original, next] = [toInvoiceNumber(sent), toInvoiceNumber(document)]
  // As an update, also a first invoice is looked up with all that followed.
  await register.load([{ ...original, step: { ...readStep(sent.data), operation: "update" } }, next])
  register.assume(file, original)
  const other = register.findOther(original)
  const newer = other
    ? [
        `${sent.data.invoiceNumber} is different in the register, since ${other.at.slice(0, 10)} by ${formatFileName(other.file)}: correct that one`,
      ]
    : []
  const memos = register
    .listCredits(original)
    .filter(({ number }) => foldInvoiceNumber(number) !== foldInvoiceNumber(next.invoiceNumber))
  return {
    register,
    next,
    objections: [...newer, ...register.find(next).map(inWords)],
    credited: sum(memos.map(({ total = "0" }) => toAmount(Number(total), total) ?? ZERO)),
  }
}

function toInvoiceNumber({ data }: WithData): InvoiceNumber {
  const { supplier, invoiceNumber, operation, invoiceSummary } = data
  return {
    supplierId: supplier.id,
    invoiceNumber,
    due: String(invoiceSummary.dueAmount),
    ...(operation === "update" && { isUpdate: true }),
    ...(operation === "delete" && { isDeletion: true }),
    step: readStep(data),
    line: 1,
    column: 1,
  }
}
