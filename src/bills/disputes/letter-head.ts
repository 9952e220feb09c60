/** The sender of a letter, and the account that it is about: saved once, and asked for at a terminal. */
import { parsed, quoted } from "../../base/parsed.ts"
import type { Asking, Session } from "../../session/index.ts"
import { ADDRESS_FORM, askField, findParty, listParties, type Party } from "../../invoice/index.ts"
import { findOfCarrier, readCarrierAccounts, saveUnderName } from "../../machine/index.ts"
import type { Dispute } from "../records/disputes.ts"
import type { LetterSender } from "./letter.ts"

/** The default name of the saved party that a letter is from. */
export const OWN_PARTY = "us"

/**
 * Finds the sender: the saved party that is named, the one called `us`, or the only saved supplier. If there is none, a
 * person is asked once, and the answer is saved.
 * @param page the document that lacks it otherwise, for people
 * @throws FreightError `input` for a name that is not saved, `config` for one whose saved party is not valid
 */
export async function findSender(
  deps: Asking & Session,
  name: string | undefined,
  page: "letter" | "advice",
): Promise<LetterSender | undefined> {
  if (name !== undefined) return findParty(deps.config, name, "supplier")
  const saved = listParties(deps.config, "supplier")
  const [only, ...others] = Object.values(saved)
  const found = saved[OWN_PARTY] ?? (others.length === 0 ? only : undefined)
  if (found) return found
  const how =
    "freight party add us --supplier-id CODE --supplier-name NAME --abn ABN --supplier-address ADDRESS"
  if (!deps.interactive) {
    await deps.warn(
      others.length === 0
        ? `the ${page} does not say who writes it: ${how}`
        : `the ${page} does not say who writes it: name one of the saved parties with --as`,
    )
    return undefined
  }
  const { text } = await deps.prompt()
  const answer = await text(`Your company's name, for the head of the ${page}`, {
    check: (typed) => parsed(typed.trim()),
  })
  const party: Party = { supplierName: answer }
  await askField(text, party, "abn", "Your ABN")
  await askField(text, party, "supplierAddress", `Your address (${ADDRESS_FORM})`)
  // Our own invoices need a code; most buyers accept the ABN.
  await saveUnderName(deps.config, "parties", [OWN_PARTY, { ...party, supplierId: party.abn ?? answer }], {
    replace: false,
  })
  await deps.note(
    `Saved as ${quoted(OWN_PARTY)} for the next ${page}: freight party remove ${OWN_PARTY} forgets it.`,
  )
  return party
}

/**
 * Our account number with the carrier of a bill, from the setting; undefined if it has none.
 * @param page the document that lacks it then, for people
 */
export async function findAccount(
  { settings, note }: Session,
  dispute: Pick<Dispute, "carrier" | "supplier">,
  page: "letter" | "advice",
): Promise<string | undefined> {
  const found = findOfCarrier(dispute, readCarrierAccounts({ settings }))
  if (found === undefined)
    await note(
      `The ${page} does not name your account with ${dispute.supplier || dispute.carrier || "the carrier"}: freight config set carrierAccounts "${dispute.supplier || dispute.carrier || "CARRIER"}=NUMBER"`,
    )
  return found
}
