/** Asks which shipments the numbers of a bill mean that nothing known has, before they are disputed. */
import { BILL_CURRENCY } from "../../bills/verdicts.ts"
import type { PreparedAudit } from "../../bills/audit/audit.ts"
import { getAskedCents, sumCharges } from "../../bills/money.ts"
import { billsOf, type Consignment, isUnknown } from "../../bills/matching/match.ts"
import type { GivenLink } from "../../bills/matching/links.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import type { Asking, Ledgers, Memory, Services, Session } from "../../deps.ts"
import { FreightError } from "../../base/errors.ts"
import { readShipments } from "../../lookup/given.ts"

type Needs = Asking & Ledgers & Memory & Services & Session

/** With more of them, their numbers are hardly mistaken one by one. */
const MOST_ASKED = 5

/**
 * @returns what the person says, for this bill or for all from now on; nothing where Enter says that it is not known
 */
export async function askForLinks(
  deps: Needs,
  { consignments }: Pick<PreparedAudit, "consignments">,
): Promise<GivenLink[]> {
  const unknown = consignments.filter((each) => each.number !== "" && isUnknown(each))
  if (unknown.length > MOST_ASKED) return []
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

async function askShipment(deps: Needs, consignment: Consignment): Promise<string> {
  const { number, named } = consignment
  const lines = named.flatMap((each) => each.lines)
  const cost = formatMoney(amountOf(getAskedCents(sumCharges(lines))), BILL_CURRENCY)
  const bills = billsOf(consignment).map((bill) => bill.number || bill.file)
  await deps.note(`${number} on bill ${bills.join(", ")} is not known here or at the API: ${cost}.`)
  for (;;) {
    const name = await (await deps.prompt()).text("Which shipment is it? (Enter: none that you know)", {
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
