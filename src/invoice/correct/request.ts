/** Reads a person's wishes for an invoice, from flags or answers, and makes the correction. */
import path from "node:path"
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { foldInvoiceNumber } from "../../base/order-number.ts"
import { type Parsed, parsed, refused, refuseThrown, valueOrThrow } from "../../base/parsed.ts"
import type { Questions } from "../../output/index.ts"
import type { Outputs } from "../../machine/index.ts"
import { type NewLine, parseComments, parseDay, parseSome, type ShippingCharge } from "../new/texts.ts"
import {
  cancelInvoice,
  type Correction,
  creditInvoice,
  type SentInvoice,
  updateInvoice,
  type Writer,
} from "./correct.ts"
import {
  CHANGE_FORM,
  type LineChange,
  type LineCredit,
  parseLineChange,
  parseLineCredit,
} from "./line-texts.ts"

/** By the names of the flags. */
export interface CorrectionRequest {
  cancel?: boolean | undefined
  changeLine?: readonly LineChange[] | undefined
  addLine?: readonly NewLine[] | undefined
  removeLine?: readonly number[] | undefined
  set?: readonly string[] | undefined
  shippingAmount?: ShippingCharge | undefined
  credit?: boolean | undefined
  creditLine?: readonly LineCredit[] | undefined
  number?: string | undefined
  date?: string | undefined
  comments?: string | undefined
}

const CHANGING = ["changeLine", "addLine", "removeLine", "shippingAmount", "set", "comments"] as const
const NUMBER_QUESTION = "The credit memo's own number"

function isCredit({ credit, creditLine }: CorrectionRequest): boolean {
  return credit === true || creditLine !== undefined
}

function isChange(request: CorrectionRequest): boolean {
  return CHANGING.some((name) => request[name] !== undefined)
}

export function makeCorrection(sent: SentInvoice, request: CorrectionRequest, writer: Writer): Correction {
  const { comments, set = [], shippingAmount: shipping } = request
  const sets = comments === undefined ? set : [...set, `comments=${comments}`]
  if (request.cancel) return cancelInvoice(sent, sets, writer)
  if (isCredit(request)) {
    const { number, creditLine: lines } = request
    if (number === undefined)
      throw new FreightError("usage", "the credit memo is incomplete", {
        errors: [{ message: `--number: ${NUMBER_QUESTION}` }],
      })
    if (foldInvoiceNumber(number) === foldInvoiceNumber(sent.data.invoiceNumber))
      throw new FreightError(
        "usage",
        `--number: ${number} is the number of the invoice; a memo has one of its own`,
      )
    const date = valueOrThrow(parseDay(request.date ?? writer.today, writer.today), "--date")
    return creditInvoice(sent, { number, date, lines, shipping, comments, sets: set }, writer)
  }
  if (!isChange(request))
    throw new FreightError("usage", "nothing says what to do with the invoice", {
      hint: "--cancel withdraws it, --change-line, --add-line, --remove-line and --set change it, --credit and --credit-line give money back.",
    })
  const { changeLine: lines = [], removeLine: removed = [], addLine: added = [] } = request
  return updateInvoice(sent, { lines, removed, added, shipping, sets }, writer)
}

/** The request completed by the answers. */
export async function askForRequest<R extends CorrectionRequest>(
  { data }: SentInvoice,
  given: R,
  prompt: () => Promise<Questions>,
): Promise<R> {
  const isSaid = given.cancel || isCredit(given) || isChange(given)
  const asked = isSaid || data.operation === "delete" ? given : await askWhat(data, given, await prompt())
  if (!isCredit(asked)) return asked
  const ask = await prompt()
  const number = asked.number ?? (await ask.text(NUMBER_QUESTION, { check: parseSome }))
  const reason =
    asked.comments ??
    (await ask.text("Reason for it, for the buyer (Enter alone: none)", { check: parseComments }))
  return { ...asked, number, ...(reason !== "" && { comments: reason }) }
}

async function askWhat<R extends CorrectionRequest>(
  { invoiceNumber, lineItems }: SentInvoice["data"],
  given: R,
  ask: Questions,
): Promise<R> {
  const lines = counted(lineItems.length, "line")
  const what = await ask.choose(`How do you want to correct ${invoiceNumber} (${lines})?`, [
    { name: "Cancel it", value: "cancel" },
    { name: "Change a line", value: "changeLine" },
    { name: "Credit all of it", value: "credit" },
    { name: "Credit some of its lines", value: "creditLine" },
  ])
  if (what === "changeLine") {
    const changeLine = await askForSeveral(ask, `Line to change (${CHANGE_FORM})`, parseLineChange)
    return { ...given, changeLine }
  }
  if (what === "creditLine") {
    const question = "Line to credit (2, or 2=1 for one piece)"
    return { ...given, creditLine: await askForSeveral(ask, question, parseLineCredit) }
  }
  return { ...given, [what]: true }
}

async function askForSeveral<T>(
  ask: Questions,
  question: string,
  parse: (text: string) => Parsed<T>,
): Promise<T[]> {
  const values: T[] = []
  for (;;) {
    const isFirst = values.length === 0
    const text = await ask.text(isFirst ? question : `${question}; Enter alone finishes`, {
      check: (answer) => (answer === "" && !isFirst ? parsed(undefined) : parse(answer)),
    })
    if (text === "") return values
    values.push(valueOrThrow(parse(text), question))
  }
}

const ENDINGS = { cancellation: "-cancelled", update: "-updated", credit: "" } as const

/** The document's file: never that of the invoice. */
export function askForFile(
  ask: Questions,
  outputs: Pick<Outputs, "check">,
  file: string,
  { kind, document }: Pick<Correction, "kind" | "document">,
): Promise<string> {
  const name = `${document.data.invoiceNumber.replace(/[^\w.-]+/g, "_")}${ENDINGS[kind]}.json`
  return ask.text("Save it as", {
    initial: file === "-" ? name : path.join(path.dirname(file), name),
    check: (answer) => {
      if (answer === "") return refused("give the file a name")
      if (path.resolve(answer) === path.resolve(file))
        return refused("this is the invoice itself: name another file")
      return refuseThrown(() => {
        outputs.check({ file: answer, writes: "file", force: false })
        return parsed(answer)
      })
    },
  })
}
