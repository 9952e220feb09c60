/** Keeps the links that people make from bill numbers to shipments. */
import type { Sender, Transaction } from "../../ledger/index.ts"
import { addLinks, findLinks } from "../records/links.ts"
import type { LinkDraft } from "../matching/links.ts"
import { toId } from "../ids.ts"

/** Keeps links in the transaction that remembers their bills; existing links are not kept twice. */
export async function keepLinks(
  transaction: Transaction,
  drafts: readonly LinkDraft[],
  by: Sender & { at: string },
): Promise<void> {
  if (drafts.length === 0) return
  const kept = await findLinks(
    transaction,
    drafts.map(({ number }) => number),
  )
  const { workstation, person, at } = by
  await addLinks(
    transaction,
    drafts.flatMap((draft) => {
      const { number, supplier, billNumber, file, shipment } = draft
      const same = kept.filter((each) =>
        (["number", "supplier", "billNumber", "file"] as const).every((key) => each[key] === draft[key]),
      )
      if (same[0]?.shipment === shipment) return []
      const id = toId("link", number, supplier, billNumber, file, String(same.length), shipment)
      return [{ id, ...draft, workstation, person, at }]
    }),
  )
}
