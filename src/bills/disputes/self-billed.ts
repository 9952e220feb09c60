/**
 * Disputes that were raised against the bill itself. Until bills were judged in the transaction that remembers them, two
 * desks that audited one bill at once could take it for two, and dispute all of it as billed twice. The next audit of
 * such a bill that raises writes these off, as a step, and raises what is right under a second id.
 */
import { describeEarlier } from "../audit/doubles.ts"
import { getChargedCents } from "../money.ts"
import {
  type BilledBefore,
  type Dispute,
  findBilled,
  findBills,
  type RememberedBill,
  type Statements,
  type Step,
} from "../../ledger/index.ts"
import { toId, toWithdrawalId } from "../ids.ts"
import { nameBill, type Writer } from "./settle.ts"
import { isOpen, type DisputeBalance } from "./balance.ts"

/**
 * Those that are open and were raised against their own bill: they say so, the bill is remembered twice with one amount,
 * and no other bill charged the consignment before.
 */
export async function findSelfBilled(
  statements: Statements,
  balances: readonly DisputeBalance[],
): Promise<DisputeBalance[]> {
  const suspects = balances.filter((each) => isOpen(each) && saysOwnBill(each.dispute))
  if (suspects.length === 0) return []
  const disputes = suspects.map(({ dispute }) => dispute)
  const bills = await findBills(statements, [...new Set(disputes.map(({ billNumber }) => billNumber))])
  const billed = await findBilled(
    statements,
    disputes.flatMap(({ consignment }) => (consignment === "" ? [] : [consignment])),
    disputes.flatMap(({ shipmentId }) => (shipmentId === "" ? [] : [shipmentId])),
  )
  return suspects.filter(({ dispute }) => {
    const own = findTwins(dispute, bills)
    return own.size > 0 && !billed.some((each) => !own.has(each.billId) && wasChargedBefore(each, dispute))
  })
}

function saysOwnBill({ verdict, why, billNumber }: Dispute): boolean {
  return verdict === "billed-twice" && why.startsWith(describeEarlier(billNumber))
}

/** The ids of a bill in the ledger, where it is there twice with the same amount; none where it is not. */
function findTwins(
  { supplier, billNumber, file }: Dispute,
  bills: readonly RememberedBill[],
): ReadonlySet<string> {
  const named = bills.filter(
    (bill) =>
      bill.number === billNumber && (billNumber === "" ? bill.file === file : bill.supplier === supplier),
  )
  const twins = named.filter((bill) =>
    named.some((other) => other !== bill && other.amountCents === bill.amountCents),
  )
  // A number is that of one bill, whatever it was corrected to; a file may be another bill each month.
  const own = billNumber === "" || twins.length === 0 ? twins : named
  return new Set(own.map(({ id }) => id))
}

function wasChargedBefore(charged: BilledBefore, { consignment, shipmentId, at }: Dispute): boolean {
  const isSame =
    charged.consignment === consignment || (shipmentId !== "" && charged.shipmentId === shipmentId)
  return isSame && getChargedCents(charged) > 0 && charged.firstAuditedAt <= at
}

/** Writes off what is open: once, also in ledgers that are copied together. */
export function withdraw({ dispute, openCents }: DisputeBalance, by: Writer): Step {
  return {
    ...{ id: toWithdrawalId(dispute.id), disputeId: dispute.id, kind: "written-off", amountCents: openCents },
    ...{ ...by, why: `raised by mistake: ${nameBill(dispute)} was taken for two bills` },
  }
}

/** What a dispute is about, without what was raised against its own bill. Cents. */
export function getRaisedCents({ dispute, steps }: DisputeBalance): number {
  const withdrawn = steps.find(({ id }) => id === toWithdrawalId(dispute.id))
  return dispute.amountCents - (withdrawn?.amountCents ?? 0)
}

/** The id under which what is right is raised, beside a dispute that was raised by mistake. */
export function toSecondId(disputeId: string): string {
  return toId(disputeId, "raised again")
}
