/** Asks which shipments the unknown numbers of a bill mean, before they are disputed. */
import { BILL_CURRENCY } from "../verdicts.ts"
import type { PreparedAudit } from "./audit.ts"
import { getChargedCents, sumCharges } from "../money.ts"
import { billsOf, type Consignment, isUnknown } from "../matching/match.ts"
import type { GivenLink } from "../matching/links.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import type { Deps } from "../../session/index.ts"
import { FreightError } from "../../base/errors.ts"
import type { Database } from "../../ledger/index.ts"
import { readDisputes } from "../records/disputes.ts"
import { readShipments } from "../../orders/index.ts"

/** Above this many, wrong numbers are hardly single mistakes. */
const MAX_QUESTIONS = 5

/**
 * Asks only about new disputes: not about credits, and not about what was raised before.
 * @returns the answers, for this bill or for all later ones; nothing if Enter says that the number is not known
 */
export async function askForLinks(
  deps: Deps,
  database: Database,
  { bills, consignments }: Pick<PreparedAudit, "bills" | "consignments">,
): Promise<GivenLink[]> {
  const { disputes } = await readDisputes(database, { billNumbers: bills.map(({ number }) => number) })
  const raised = new Set(disputes.map(({ consignment }) => consignment))
  const unknown = consignments.filter(
    (each) => each.number !== "" && isUnknown(each) && !raised.has(each.number) && costOf(each) > 0,
  )
  if (unknown.length > MAX_QUESTIONS) return []
  const links: GivenLink[] = []
  for (const each of unknown) {
    const shipment = await askShipment(deps, each)
    if (shipment === "") continue
    const question = `Is ${each.number} that shipment on every bill from now on?`
    links.push({
      number: each.number,
      shipment,
      isAlways: await (await deps.prompt()).confirm(question, false),
    })
  }
  return links
}

function costOf({ named }: Consignment): number {
  return getChargedCents(sumCharges(named.flatMap((each) => each.lines)))
}

async function askShipment(deps: Deps, consignment: Consignment): Promise<string> {
  const { number } = consignment
  const cost = formatMoney(amountOf(costOf(consignment)), BILL_CURRENCY)
  const bills = billsOf(consignment).map((bill) => bill.number || bill.file)
  await deps.note(`${number} on bill ${bills.join(", ")} is not known here or at the API: ${cost}.`)
  for (;;) {
    const name = await (await deps.prompt()).text("Which shipment is it? (Enter: not known)", {
      hint: "its consignment number, order number, reference or id",
    })
    if (name === "") return ""
    try {
      const [found] = await readShipments(deps, [name])
      return found?.shipment.id ?? ""
    } catch (error) {
      if (!(error instanceof FreightError) || error.kind !== "notFound") throw error
      await deps.warn(error.message)
    }
  }
}
