/** Credit and debit memos: their references and signs. */
import { adviseLiteral } from "../../contract/index.ts"
import { formatLiteral, formatMoney, negate, ZERO } from "./amounts.ts"
import { formatDate } from "../../base/wall-clock.ts"
import type { Books, Part } from "./books.ts"
import { findInvoiceMoment, readMoment } from "./dates.ts"
import { foldIdentifier } from "../../base/order-number.ts"
import { UPDATE_REFERENCE } from "./duplicates.ts"
import { type Glance, toCents } from "./glance.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"
import { isDueSignWrong } from "./summary.ts"
import { CREDITS, DEBITS } from "../kind.ts"

const MEANING =
  "The contract, purpose: a credit memo reduces what was invoiced before, a debit memo increases it"

const BY_LINE: ReadonlySet<unknown> = new Set(["lineLevelCreditMemo", "lineLevelDebitMemo"])
const MEMOS: ReadonlySet<unknown> = new Set([...CREDITS, ...DEBITS])

export const MEMO_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/memo-reference",
    title: "a memo names the invoice that it changes",
    about:
      "Credit and debit memos, by line or not, need a document reference with an invoice id, a document id or a payload id.",
    basis: "The contract: documentReference refers to a previous invoice, for credit and debit memos.",
    judges: "references",
    purposes: MEMOS,
    check: checkReference,
  },
  {
    id: "accounting/memo-itself",
    title: "a memo does not name itself",
    about:
      "The document reference of a credit or debit memo is the earlier invoice, not the memo's own number. A document that is deleted may name itself: that is what it deletes.",
    basis: "The contract: documentReference refers to a previous invoice.",
    judges: "references",
    purposes: MEMOS,
    check: checkOwnReference,
  },
  {
    id: "accounting/memo-line-reference",
    title: "a line of a line-level memo names the line that it changes",
    about: "Each line of a line-level memo needs a purchase order line, a ship notice line, or a line key.",
    basis: "The contract, purpose: a line-level memo is a credit or debit of lines of a previous invoice.",
    judges: "references",
    purposes: BY_LINE,
    check: checkLineReferences,
  },
  {
    id: "accounting/due-sign",
    title: "the sign of the amount due fits the purpose",
    about:
      "A standard invoice or a debit memo asks for money, so its amount due must not be negative. A credit memo gives money back: where it has negative lines, its amount due is not positive. One with positive amounts throughout is read as a credit by its purpose.",
    basis: `${MEANING}; it allows negative amounts.`,
    judges: "amounts",
    passes: isDueSignRight,
    check: checkDueSign,
  },
  {
    id: "accounting/memo-line-sign",
    title: "a credit memo's lines have one sign",
    about:
      "When some lines of a credit memo are negative, lines that are positive reduce the credit. Perhaps their minus sign was forgotten. A fee that is kept back, such as for restocking, is right: its description says so.",
    basis: `${MEANING}.`,
    judges: "amounts",
    purposes: CREDITS,
    check: checkLineSigns,
  },
  {
    id: "accounting/memo-date",
    title: "a memo is not dated before its invoice",
    about:
      "A credit or debit memo changes an invoice that was issued before, on the same day at the earliest.",
    basis: "The contract: documentReference refers to a previous invoice.",
    judges: "dates",
    purposes: MEMOS,
    needs: ["data.documentReference"],
    check: checkMemoDate,
  },
  {
    id: "accounting/delete-reference",
    title: "a deletion names what it deletes",
    about: "A document that deletes an invoice needs a document reference with an id of that invoice.",
    basis: "The contract: documentReference refers to a previous invoice, for cancellations too.",
    judges: "references",
    needs: ["data.operation"],
    passes: ({ data }) => data.operation !== "delete",
    check: (books) => checkOperation(books, "delete"),
  },
  {
    id: UPDATE_REFERENCE,
    title: "an update names what it updates",
    about:
      "A document that updates an invoice needs a document reference with an id of that invoice, unless an invoice of its number was checked before it, in this run or with --register, or the comments say that it is issued again.",
    basis: "The contract: documentReference refers to a previous invoice.",
    judges: "references",
    needs: ["data.operation"],
    passes: ({ data }) => data.operation !== "update",
    check: (books) => checkOperation(books, "update"),
  },
]

/** Days that two clocks may be apart. */
const ONE_DAY_MS = 86_400_000

function checkMemoDate(books: Books): RuleFinding[] {
  const { data, purpose } = books
  const reference = data.part("documentReference")
  const [issued, earlier] = [findInvoiceMoment(books), readMoment(reference.text("invoiceDate"))]
  if (!issued || !earlier || earlier.instant - issued.instant < ONE_DAY_MS) return []
  return [
    {
      pointer: reference.at("invoiceDate"),
      message: `${formatDate(earlier.day)} is after this ${describePurpose(purpose)}, which is dated ${formatDate(issued.day)}`,
      hint: "correct the date that is wrong",
    },
  ]
}

function checkOperation({ data, purpose }: Books, operation: "update" | "delete"): RuleFinding[] {
  if (data.text("operation") !== operation || MEMOS.has(purpose)) return []
  // Its own number is that of the invoice, and the comments say that it takes its place.
  if (operation === "update" && REISSUED.test(data.text("comments") ?? "")) return []
  return reportMissingReference(data, `this document does not say which invoice it ${operation}s`, "name it")
}

const REISSUED = /\bre-?issued?\b|\breplac(?:es|ing|ed)\b|\bsupersed\w+|\bamended\b|\bcorrected\b/i

/** Fields that identify an invoice; a date alone does not. */
const REFERENCES = ["invoiceId", "documentId", "payloadId"]

function describePurpose(purpose: string | undefined): string {
  return CREDITS.has(purpose) ? "credit memo" : DEBITS.has(purpose) ? "debit memo" : "standard invoice"
}

function checkReference({ data, purpose }: Books): RuleFinding[] {
  const message = `this ${describePurpose(purpose)} does not say which invoice it changes`
  return reportMissingReference(data, message, "name the earlier invoice")
}

function reportMissingReference(data: Part, message: string, does: string): RuleFinding[] {
  const reference = data.part("documentReference")
  if (data.has("documentReference") && !reference.given) return []
  if ((reference.given ? reference : data).mayBeMisnamed()) return []
  if (REFERENCES.some((field) => reference.has(field) && reference.text(field)?.trim() !== "")) return []
  const hint = `${does}: "documentReference": { "invoiceId": "..." }`
  return reference.given
    ? [{ pointer: reference.pointer, property: "invoiceId", message, hint }]
    : [{ pointer: data.pointer, property: "documentReference", message, hint }]
}

function checkOwnReference({ data, purpose }: Books): RuleFinding[] {
  if (data.text("operation") === "delete") return []
  const reference = data.part("documentReference")
  const [own, named] = [data.text("invoiceNumber") ?? "", reference.text("invoiceId") ?? ""].map(
    foldIdentifier,
  )
  if (!own || own !== named) return []
  return [
    {
      pointer: reference.at("invoiceId"),
      message: `this ${describePurpose(purpose)} names itself as the invoice that it changes`,
      hint: "write the number of the earlier invoice",
    },
  ]
}

const LINE_REFERENCES = ["poLineReference", "asnLineReference", "uniqueLineKey"]

function checkLineReferences({ lines, purpose }: Books): RuleFinding[] {
  return lines
    .filter(
      (line) => line.given && !LINE_REFERENCES.some((field) => line.has(field)) && !line.mayBeMisnamed(),
    )
    .map(({ pointer }) => ({
      pointer,
      property: "poLineReference",
      message: `nothing says which line of the earlier invoice this ${describePurpose(purpose)} changes`,
      hint: "add the purchase order line (poLineReference) or the ship notice line (asnLineReference)",
    }))
}

function isDueSignRight({ data, summary }: Glance): boolean {
  const due = toCents(summary.dueAmount)
  return CREDITS.has(data.purpose) ? due <= 0 : due >= 0
}

function checkDueSign(books: Books): RuleFinding[] {
  const { summary, purpose, lines } = books
  const due = summary.amount("dueAmount") ?? ZERO
  const isCredit = CREDITS.has(purpose)
  const asksForMoney = purpose === "standard" || DEBITS.has(purpose)
  const hasCreditedLine = lines.some(({ subtotal = ZERO }) => subtotal < 0)
  const isWrong = (isCredit && due > 0 && hasCreditedLine) || (asksForMoney && due < 0)
  // A wrong sign in this one amount alone is reported as such.
  if (!isWrong || isDueSignWrong(books)) return []
  return [
    {
      pointer: summary.at("dueAmount"),
      ...(isCredit
        ? {
            message: `${formatMoney(due)} is positive, which on a credit memo reads as one more bill`,
            hint: "write the amounts of a credit memo as negative, or correct the purpose",
          }
        : {
            message: `${formatMoney(due)} is negative, although a ${describePurpose(purpose)} asks for money`,
            hint: `to give money back, make it a credit memo: "purpose": "${BY_LINE.has(purpose) ? "lineLevelCreditMemo" : "creditMemo"}"`,
          }),
    },
  ]
}

/** Charges that a supplier keeps back of a credit. */
const KEPT_BACK = /\b(?:fees?|charges?|restock\w*|handling|freight|delivery|levy|surcharge|deduct\w*|less)\b/i

function checkLineSigns({ lines }: Books): RuleFinding[] {
  const subtotals = lines.map((line) => line.subtotal ?? ZERO)
  if (!subtotals.some((subtotal) => subtotal < 0)) return []
  return lines.flatMap((line, index) => {
    const subtotal = subtotals[index] ?? ZERO
    if (subtotal <= 0 || KEPT_BACK.test(line.text("description") ?? "")) return []
    return [
      {
        pointer: line.at("subtotal"),
        message: `${formatMoney(subtotal)} is positive, while other lines of this credit memo are negative`,
        ...adviseLiteral(formatLiteral(negate(subtotal)), {
          safety: "suggestion",
          more: " if this line is a credit too",
        }),
      },
    ]
  })
}
