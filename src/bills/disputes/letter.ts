/** A letter to a carrier about what is disputed on one bill. */
import { BILL_CURRENCY, formatVerdict } from "../verdicts.ts"
import { counted } from "../../base/counted.ts"
import { amountOf, formatCents, formatMoney, toExGst, toIncGst } from "../../base/money.ts"
import type { Page, PlainBlock, TableRow } from "../../output/pages/model.ts"
import type { Party } from "../../invoice/new/parties.ts"
import { describeForCarrier } from "../audit/carrier-words.ts"
import { nameBill } from "./settle.ts"
import { nameDispute, type Standing } from "./standing.ts"

/** Who writes, as a letter says it. */
export type LetterSender = Pick<Party, "supplierName" | "abn" | "supplierAddress">

export interface LetterHead {
  /** `yyyy-mm-dd`. */
  day: string
  /** Undefined where nobody said who writes. */
  from: LetterSender | undefined
  /** The number of our account with the carrier; undefined where it is not known. */
  account: string | undefined
}

/** As it is printed: 51 824 753 556. */
function formatAbn(abn: string): string {
  return abn.replaceAll(/\D/g, "").replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4")
}

/** What is open of a dispute, in cents; undefined where neither quote nor bill says whether GST is in it. */
function getOpen({ openCents, dispute: { gstBasis } }: Standing) {
  if (gstBasis === "unknown") return undefined
  return gstBasis === "included"
    ? { exGst: toExGst(openCents), incGst: openCents }
    : { exGst: openCents, incGst: toIncGst(openCents) }
}

const money = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

/** What is disputed in all, with GST and without; what says nothing of GST stands apart. */
function describeSums(standings: readonly Standing[]): string {
  const known = standings.flatMap((each) => getOpen(each) ?? [])
  const unsaid = standings.filter((each) => getOpen(each) === undefined)
  const add = (name: "exGst" | "incGst") => money(known.reduce((sum, each) => sum + each[name], 0))
  return [
    ...(known.length > 0 ? [`${add("exGst")} without GST, ${add("incGst")} with GST,`] : []),
    ...(unsaid.length > 0
      ? [`${money(unsaid.reduce((sum, { openCents }) => sum + openCents, 0))} as you billed it`]
      : []),
  ].join(" and ")
}

/** @param standings those of one bill that are open */
export function describeLetter(
  standings: readonly Standing[],
  { day, from, account }: LetterHead,
): Page<PlainBlock> {
  const [first] = standings
  if (!first) throw new RangeError("a letter is about something")
  const { dispute } = first
  const dated = dispute.billDate === "" ? "" : ` of ${dispute.billDate}`
  const claims = [...new Set(standings.map(({ claim }) => claim).filter((claim) => claim !== ""))]
  const sender = [from?.supplierName, from?.supplierAddress, from?.abn && `ABN ${formatAbn(from.abn)}`]
  const fact = (name: string, text: string | undefined) => (text ? [{ name, text }] : [])
  return {
    title: `Dispute of ${nameBill(dispute)}${dated}`,
    about: dispute.supplier || dispute.carrier,
    corner: [day],
    notes: [
      ...fact("From", sender.filter(Boolean).join("\n")),
      ...fact("Our account with you", account),
      ...fact("Your number for it", claims.join(", ")),
      {
        text: `We dispute ${describeSums(standings)} of this bill, for ${counted(standings.length, "consignment")}. Please send us an adjustment note (a credit note) for it, or write to us why not.`,
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
        rows: standings.map(toRow),
        totals: ["", "", ...toTotals(standings)],
      },
    ],
  }
}

function toRow(standing: Standing): TableRow {
  const { dispute, openCents } = standing
  const open = getOpen(standing)
  return {
    cells: [
      {
        text: nameDispute(dispute),
        ...(dispute.reference !== "" && { below: `Our reference: ${dispute.reference}` }),
      },
      `${formatVerdict(dispute.verdict)}: ${describeForCarrier(dispute)}`,
      open ? formatCents(open.exGst) : `${formatCents(openCents)} as billed`,
      open ? formatCents(open.incGst) : "",
    ],
  }
}

function toTotals(standings: readonly Standing[]): string[] {
  const open = standings.flatMap((each) => getOpen(each) ?? [])
  return (["exGst", "incGst"] as const).map((name) =>
    open.length === 0 ? "" : formatCents(open.reduce((sum, each) => sum + each[name], 0)),
  )
}

/** The letter with what belongs to it on one page, for media that have no sheets. */
export function joinPages(letter: Page<PlainBlock>, evidence: readonly Page<PlainBlock>[]): Page<PlainBlock> {
  const named = evidence.flatMap(({ title, about = "", blocks }): PlainBlock[] => [
    { kind: "facts", title: `Evidence: ${title}`, facts: [{ text: about }] },
    ...blocks,
  ])
  return { ...letter, blocks: [...letter.blocks, ...named] }
}
