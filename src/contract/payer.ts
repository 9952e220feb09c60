/** The payer (Booking rules 6, and the Payer table). */
import { carrierName, getCarrierFacts } from "../carriers/index.ts"
import type { Carrier, Payer } from "./generated/types.ts"
import { type Parsed, parsed, quoted, refused } from "../base/parsed.ts"
import { type Findings, missingFieldAt, findingAt, type RuleFinding } from "./findings.ts"

const RULE = "payer"

const TYPES = { sender: "Sender", receiver: "Receiver", thirdparty: "ThirdParty" } as const

/** Parses `sender`, `receiver:ACCOUNT` or `thirdparty:ACCOUNT`. The contract check reports missing accounts. */
export function parsePayer(text: string): Parsed<Pick<Payer, "type" | "accountNumber">> {
  const [word = "", ...rest] = text.split(":")
  const accountNumber = rest.join(":").trim()
  const name = word.toLowerCase().replace(/[\s_-]/g, "")
  if (!isPayerType(name)) {
    const forms = "sender, receiver:ACCOUNT or thirdparty:ACCOUNT"
    return refused(`takes ${forms}, not ${quoted(text)}`)
  }
  return parsed(accountNumber === "" ? { type: TYPES[name] } : { type: TYPES[name], accountNumber })
}

function isPayerType(name: string): name is keyof typeof TYPES {
  return Object.hasOwn(TYPES, name)
}

/** Errors with the contract's codes, and warnings; without a carrier only the general rules. */
export function checkPayer(payer: Payer, carrier: Carrier | undefined): Findings {
  return {
    errors: [...checkAccount(payer), ...(carrier ? checkThirdParty(payer, carrier) : [])],
    warnings: carrier ? [...chargedAccountWarnings(payer, carrier), ...unreadWarnings(payer, carrier)] : [],
  }
}

function checkAccount({ type, accountNumber }: Payer): RuleFinding[] {
  if (type === "Sender" || accountNumber?.trim()) return []
  const at = accountNumber === undefined ? missingFieldAt : findingAt
  const code = "PAYER_ACCOUNT_REQUIRED"
  const says = `is ${accountNumber === undefined ? "missing" : "empty"}: a payer of type ${type} needs the account to bill`
  return [at(["payer", "accountNumber"], RULE, says, { code })]
}

function checkThirdParty({ type }: Payer, carrier: Carrier): RuleFinding[] {
  const code = getCarrierFacts(carrier)?.thirdPartyRefusal
  if (type !== "ThirdParty" || code === undefined) return []
  const hint = "use Sender or Receiver, or another carrier"
  const says = `is ThirdParty, which ${carrierName(carrier)} does not take`
  return [findingAt(["payer", "type"], RULE, says, { code, hint })]
}

/** An account given with Sender may be meant as a reference only. */
function chargedAccountWarnings({ type, accountNumber }: Payer, carrier: Carrier): RuleFinding[] {
  if (!getCarrierFacts(carrier)?.chargesSenderAccount || type !== "Sender" || !accountNumber?.trim())
    return []
  const says = `will be charged: ${carrierName(carrier)} bills it even when the payer is Sender`
  const hint = "leave it out to bill the account used for the booking"
  return [findingAt(["payer", "accountNumber"], RULE, says, { hint })]
}

/** No carrier reads the address: the one that would does not accept a third party, which is an error by itself. */
function unreadWarnings({ type, thirdPartyAddress }: Payer, carrier: Carrier): RuleFinding[] {
  const isRefused = type === "ThirdParty" && getCarrierFacts(carrier)?.thirdPartyRefusal !== undefined
  if (thirdPartyAddress === undefined || isRefused) return []
  return [findingAt(["payer", "thirdPartyAddress"], "ignored", `is ignored by ${carrierName(carrier)}`)]
}
