/** A letter to a carrier about what is disputed on one bill. */
import { BILL_CURRENCY, formatVerdict } from "../verdicts.ts"
import { counted } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import type { Page, PlainBlock } from "../../output/pages/model.ts"
import { BASIS } from "../audit/report.ts"
import { nameBill } from "./settle.ts"
import { nameDispute, type Standing, sumOpen } from "./standing.ts"

/** @param standings those of one bill that are open; @param day `yyyy-mm-dd` */
export function describeLetter(standings: readonly Standing[], day: string): Page<PlainBlock> {
  const [first] = standings
  if (!first) throw new RangeError("a letter is about something")
  const { dispute } = first
  const bill = nameBill(dispute)
  const dated = dispute.billDate === "" ? "" : ` of ${dispute.billDate}`
  const claims = [...new Set(standings.map(({ claim }) => claim).filter((claim) => claim !== ""))]
  const sums = Array.from(
    groupBy(standings, ({ dispute: { gstBasis } }) => gstBasis),
    ([basis, some]) => `${sumOpen(some)} ${BASIS[basis]}`,
  )
  return {
    title: `Dispute of ${bill}${dated}`,
    about: dispute.supplier || dispute.carrier,
    corner: [day],
    notes: [
      {
        text: `We dispute ${sums.join(" and ")} of this bill, for ${counted(standings.length, "consignment")}. Please credit it, or write to us why not.`,
      },
      ...(claims.length > 0 ? [{ name: "Your number for it", text: claims.join(", ") }] : []),
    ],
    blocks: [
      {
        kind: "facts",
        title: "What we dispute",
        isWide: true,
        facts: standings.map(({ dispute, openCents }) => ({
          name: nameDispute(dispute),
          text: [
            `${formatMoney(amountOf(openCents), BILL_CURRENCY)}, ${formatVerdict(dispute.verdict)}: ${dispute.why}`,
            ...(dispute.reference === "" ? [] : [`Our reference: ${dispute.reference}`]),
          ].join("\n"),
        })),
      },
    ],
  }
}

/** The letter with what belongs to it on one page, for media that have no sheets. */
export function joinPages(letter: Page<PlainBlock>, evidence: readonly Page<PlainBlock>[]): Page<PlainBlock> {
  const named = evidence.flatMap(({ title, about = "", blocks }): PlainBlock[] => [
    { kind: "facts", title: `Evidence: ${title}`, facts: [{ text: about }] },
    ...blocks,
  ])
  return { ...letter, blocks: [...letter.blocks, ...named] }
}
