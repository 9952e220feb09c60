/** A letter to a carrier about the disputes of one bill. */
import { BILL_CURRENCY, formatVerdict } from "../verdicts.ts"
import { counted } from "../../base/counted.ts"
import { amountOf, formatCents, formatMoney, toExGst, toIncGst } from "../../base/money.ts"
import type { Page, PlainBlock, TableRow } from "../../output/index.ts"
import type { Party } from "../../invoice/index.ts"
import { describeForCarrier } from "../audit/carrier-words.ts"
import { nameBill } from "./settle.ts"
import { nameDispute, splitGst, type DisputeBalance } from "./balance.ts"

export type LetterSender = Pick<Party, "supplierName" | "abn" | "supplierAddress">

export interface LetterHead {
  /** `yyyy-mm-dd`. */
  day: string
  /** Undefined if no sender is known. */
  from: LetterSender | undefined
  /** Our account number with the carrier; undefined if unknown. */
  account: string | undefined
}

export function describeSender(from: LetterSender | undefined): string {
  return [from?.supplierName, from?.supplierAddress, from?.abn && `ABN ${formatAbn(from.abn)}`]
    .filter(Boolean)
    .join("\n")
}

/** As it is printed: 51 824 753 556. */
function formatAbn(abn: string): string {
  return abn.replaceAll(/\D/g, "").replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4")
}

/** An open amount in cents. Without proven GST one of the two is missing; both are if the GST basis is unknown. */
interface Open {
  exGst?: number
  incGst?: number
}

function getOpen({ openCents, dispute }: DisputeBalance, taxedIds: ReadonlySet<string>): Open {
  const { id, gstBasis } = dispute
  const own = splitGst(dispute, openCents)
  if (own) return { exGst: own.exGst, incGst: own.exGst + own.gst }
  if (gstBasis === "unknown") return {}
  if (!taxedIds.has(id)) return gstBasis === "included" ? { incGst: openCents } : { exGst: openCents }
  return gstBasis === "included"
    ? { exGst: toExGst(openCents), incGst: openCents }
    : { exGst: openCents, incGst: toIncGst(openCents) }
}

const money = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

/**
 * The disputed total with and without GST. If the GST is not proven, only one is given; if the basis is unknown, GST is
 * not mentioned.
 */
function describeSums(balances: readonly DisputeBalance[], taxedIds: ReadonlySet<string>): string {
  const all = balances.map((each) => ({ openCents: each.openCents, ...getOpen(each, taxedIds) }))
  const add = (some: readonly Open[], name: keyof Open) =>
    money(some.reduce((sum, each) => sum + (each[name] ?? 0), 0))
  const both = all.filter(({ exGst, incGst }) => exGst !== undefined && incGst !== undefined)
  const exGst = all.filter((each) => each.exGst !== undefined && each.incGst === undefined)
  const incGst = all.filter((each) => each.incGst !== undefined && each.exGst === undefined)
  const unspecified = all.filter((each) => each.exGst === undefined && each.incGst === undefined)
  return [
    ...(both.length > 0 ? [`${add(both, "exGst")} without GST, ${add(both, "incGst")} with GST,`] : []),
    ...(exGst.length > 0 ? [`${both.length > 0 ? "another " : ""}${add(exGst, "exGst")} without GST`] : []),
    ...(incGst.length > 0
      ? [`${both.length + exGst.length > 0 ? "another " : ""}${add(incGst, "incGst")} with GST`]
      : []),
    ...(unspecified.length > 0
      ? [`${money(unspecified.reduce((sum, { openCents }) => sum + openCents, 0))} as you billed it`]
      : []),
  ].join(" and ")
}

/**
 * @param balances the open ones of one bill
 * @param taxedIds the IDs of those disputes without a GST of their own whose bill charges 10 %
 */
export function describeLetter(
  balances: readonly DisputeBalance[],
  taxedIds: ReadonlySet<string>,
  { day, from, account }: LetterHead,
): Page<PlainBlock> {
  const [first] = balances
  if (!first) throw new RangeError("a letter is about something")
  const { dispute } = first
  const dated = dispute.billDate === "" ? "" : ` of ${dispute.billDate}`
  const claims = [...new Set(balances.map(({ claim }) => claim).filter((claim) => claim !== ""))]
  const fact = (name: string, text: string | undefined) => (text ? [{ name, text }] : [])
  return {
    title: `Dispute of ${nameBill(dispute)}${dated}`,
    about: dispute.supplier || dispute.carrier,
    corner: [day],
    notes: [
      ...fact("From", describeSender(from)),
      ...fact("Our account with you", account),
      ...fact("Your number for it", claims.join(", ")),
      {
        text: `We dispute ${describeSums(balances, taxedIds)} of this bill, for ${counted(balances.length, "consignment")}. Please send us an adjustment note (a credit note) for it, or write to us why not.`,
      },
    ],
    blocks: [
      {
        kind: "table",
        columns: [
          { title: "Consignment" },
          { title: "Why", gives: "words" },
          { title: "Without GST", align: "right" },
          { title: "With GST", align: "right" },
        ],
        rows: balances.map((each) => toLetterRow(each, taxedIds)),
        ...(balances.length > 1 && { totals: ["", "", ...toTotals(balances, taxedIds)] }),
      },
    ],
  }
}

function toLetterRow(balance: DisputeBalance, taxedIds: ReadonlySet<string>): TableRow {
  const { dispute, openCents } = balance
  const { exGst, incGst } = getOpen(balance, taxedIds)
  const isUnsaid = exGst === undefined && incGst === undefined
  return {
    cells: [
      {
        text: nameDispute(dispute),
        ...(dispute.reference !== "" && { below: `Our reference: ${dispute.reference}` }),
      },
      `${formatVerdict(dispute.verdict)}: ${describeForCarrier(dispute)}`,
      isUnsaid ? `${formatCents(openCents)} as billed` : exGst === undefined ? "" : formatCents(exGst),
      incGst === undefined ? "" : formatCents(incGst),
    ],
  }
}

/** A column has no total if it lacks an amount that the other column has. */
function toTotals(balances: readonly DisputeBalance[], taxedIds: ReadonlySet<string>): string[] {
  const open = balances
    .map((each) => getOpen(each, taxedIds))
    .filter(({ exGst, incGst }) => exGst !== undefined || incGst !== undefined)
  return (["exGst", "incGst"] as const).map((name) =>
    open.length === 0 || open.some((each) => each[name] === undefined)
      ? ""
      : formatCents(open.reduce((sum, each) => sum + (each[name] ?? 0), 0)),
  )
}

/** Joins the letter and its attachments on one page, for media without sheets. */
export function joinPages(letter: Page<PlainBlock>, evidence: readonly Page<PlainBlock>[]): Page<PlainBlock> {
  const named = evidence.flatMap(({ title, about = "", blocks }): PlainBlock[] => [
    { kind: "facts", title: `Evidence: ${title}`, facts: [{ text: about }] },
    ...blocks,
  ])
  return { ...letter, blocks: [...letter.blocks, ...named] }
}
