/** Who pays (Booking rules 6, and the Payer table). */
import { carrierName } from "./carrier-fields.ts"
import type { Carrier, Payer } from "./generated/types.ts"
import { type Parsed, parsed, quoted, refused } from "./parsed.ts"
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
    errors: [...checkAccount(payer), ...(carrier === "CARRIER_A_AU" ? checkThirdParty(payer) : [])],
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

function checkThirdParty({ type }: Payer): RuleFinding[] {
  if (type !== "ThirdParty") return []
  return [
    findingAt(["payer", "type"], RULE, "is ThirdParty, which carrier A does not take", {
      code: "CARRIER_A_THIRD_PARTY_UNSUPPORTED",
      hint: "use Sender or Receiver, or another carrier",
    }),
  ]
}

/** An account given with Sender may be meant as a mere reference. */
function chargedAccountWarnings({ type, accountNumber }: Payer, carrier: Carrier): RuleFinding[] {
  if (carrier !== "CARRIER_A_AU" || type !== "Sender" || !accountNumber?.trim()) return []
  const says = "will be charged: carrier A bills it even when the payer is Sender"
  const hint = "leave it out to bill the connector's own account"
  return [findingAt(["payer", "accountNumber"], RULE, says, { hint })]
}

function unreadWarnings({ type, thirdPartyAddress }: Payer, carrier: Carrier): RuleFinding[] {
  if (thirdPartyAddress === undefined || (carrier === "CARRIER_A_AU" && type === "ThirdParty")) return []
  const message =
    carrier === "CARRIER_A_AU"
      ? `has no effect when the payer is ${type}`
      : `is ignored by ${carrierName(carrier)}`
  return [findingAt(["payer", "thirdPartyAddress"], "ignored", message)]
}
