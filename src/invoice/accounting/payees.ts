/** Checks payment recipients: bank, country, names and emails have to belong together. */
import { quoted } from "../../base/parsed.ts"
import type { Books } from "./books.ts"
import { keepDigits, mayBeOneName } from "./identifiers.ts"
import { ASK_SUPPLIER, type DocumentRule, type RuleFinding } from "./rule.ts"
import { isOneDomain, isSharedDomain, readDomain } from "./suppliers.ts"

export const PAYEE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/bank-of-bsb",
    title: "the BSB is of the bank that is named",
    about:
      "The first two digits of a BSB name the bank. It is reported where the bank is named and is one of the large ones, and the digits are another's. A SWIFT code beside a BSB is of that bank, and of Australia; an Australian account has no IBAN.",
    basis: "Australian Payments Network: BSB numbers; ISO 9362.",
    judges: "parties",
    mayBeMeant: true,
    needs: ["data.remitTo"],
    check: checkBank,
  },
  {
    id: "accounting/remit-to",
    title: "who is paid is whose account it is",
    about:
      "Remit-to names another company than the supplier, as a factor is, but the account is the supplier's: one of the two was copied. Or there is no account, and nothing says why another is paid.",
    basis: "The contract: remitTo is who is paid, bankDetails the account.",
    judges: "parties",
    mayBeMeant: true,
    needs: ["data.remitTo"],
    check: checkRemitTo,
  },
  {
    id: "accounting/supplier-emails",
    title: "the supplier's emails have one domain",
    about:
      "The email of the supplier's contact, and those of the contacts who issue the invoice or are paid. An address that only looks like the supplier's, or that anybody may have, is how payments are stolen; so is one that only looks like a domain that the comments name.",
    basis: "Australian Competition and Consumer Commission: payment redirection scams.",
    judges: "parties",
    mayBeMeant: true,
    needs: ["supplier.contact", ["data.contacts", "data.comments"]],
    check: checkEmails,
  },
]

/** The first letters of a SWIFT code, and the first digits of the BSBs of that bank and of those that it owns. */
const SWIFT_BANKS: Readonly<Record<string, readonly string[]>> = {
  ANZB: ["01"],
  WPAC: ["03", "73", "10", "11", "33", "19", "24"],
  CTBA: ["06", "76", "30"],
  NATA: ["08", "78"],
  MACQ: ["18"],
  BEND: ["63"],
}

/** Names of banks, and the first digits of their BSBs. */
const BANKS: readonly (readonly [name: RegExp, prefixes: readonly string[]])[] = [
  [/\banz\b|australia (?:and|&) new zealand/i, ["01"]],
  [/\bwestpac\b/i, ["03", "73"]],
  [/\bcommonwealth\b|\bcba\b|\bcomm ?bank\b/i, ["06", "76"]],
  [/\bnab\b|\bnational australia\b/i, ["08", "78"]],
  [/\bst\.? ?george\b/i, ["11", "33"]],
  [/\bbank ?sa\b/i, ["10"]],
  [/\bbankwest\b/i, ["30"]],
  [/\bsuncorp\b/i, ["48"]],
  [/\bbendigo\b/i, ["63"]],
  [/\bmacquarie\b/i, ["18"]],
]

function checkBank({ data }: Books): RuleFinding[] {
  const bank = data.part("remitTo").part("bankDetails")
  const [name, bsb] = [bank.text("bankName") ?? "", keepDigits(bank.text("bsb"))]
  const swift = (bank.text("swift") ?? "").replaceAll(" ", "").toUpperCase()
  const country = /^[A-Z]{4}([A-Z]{2})[A-Z\d]{2}(?:[A-Z\d]{3})?$/.exec(swift)?.[1]
  if (bsb.length !== 6) return []
  const prefix = bsb.slice(0, 2)
  const named = BANKS.filter(([pattern]) => pattern.test(name))
  const other = BANKS.find(([, prefixes]) => prefixes.includes(prefix))
  const isOther = other !== undefined && named.length === 1 && !named.includes(other)
  const iban = (bank.text("iban") ?? "").trim()
  const swiftBank = country === "AU" ? SWIFT_BANKS[swift.slice(0, 4)] : undefined
  const isBankKnown = Object.values(SWIFT_BANKS).some((prefixes) => prefixes.includes(prefix))
  return [
    ...(swiftBank !== undefined && isBankKnown && !swiftBank.includes(prefix)
      ? [
          {
            pointer: bank.at("swift"),
            message: `${quoted(bank.text("swift") ?? "")} is of another bank than the BSB ${quoted(bank.text("bsb") ?? "")}`,
            hint: "compare both with the supplier's documents from before this invoice",
          },
        ]
      : []),
    ...(iban !== "" && bank.has("accountNumber")
      ? [
          {
            pointer: bank.at("iban"),
            message: `${quoted(iban)} is given with a BSB, but an Australian account has no IBAN`,
            hint: "ask the supplier which account to pay into, by a phone number that you had before",
          },
        ]
      : []),
    ...(isOther
      ? [
          {
            pointer: bank.at("bsb"),
            message: `${quoted(bank.text("bsb") ?? "")} is not a BSB of ${quoted(name)}: BSBs with ${prefix} are another bank's`,
            hint: "compare it with the supplier's documents from before this invoice",
          },
        ]
      : []),
    ...(country !== undefined && country !== "AU"
      ? [
          {
            pointer: bank.at("swift"),
            message: `${quoted(bank.text("swift") ?? "")} is of the country ${country}, but a BSB is Australian`,
            hint: "compare it with the supplier's documents from before this invoice",
          },
        ]
      : []),
  ]
}

/** Factors, agents and owners are paid for others. */
const PAID_FOR_OTHERS =
  /\b(?:factor\w*|financ\w*|capital|fund\w*|collect\w*|receivables?|debtors?|assign\w*|agents?|agency|behalf|trad(?:es|ing) as|t\/as?|trust\w*|trustee|group|holdings?|bank|payments?|billing|accounts?|services|lawyers?|solicitors?|liquidat\w*|administrat\w*|remit\w*|pay(?:able)? to)\b/i

const COMPANY = /\b(?:pty|ltd|limited|p\/l|inc|incorporated|corporation|llc|plc)\b/i

function checkRemitTo({ data }: Books): RuleFinding[] {
  const remitTo = data.part("remitTo")
  const [payee, account] = [
    remitTo.text("addressee") ?? "",
    remitTo.part("bankDetails").text("accountName") ?? "",
  ]
  const supplier = data.part("supplier").text("name") ?? ""
  if (payee.trim() === "" || supplier === "") return []
  if (mayBeOneName(payee, supplier) || mayBeOneName(supplier, payee)) return []
  if (account.trim() === "") {
    // A person, a department or a trading name is not another company.
    if (!COMPANY.test(payee) || PAID_FOR_OTHERS.test(payee)) return []
    if (PAID_FOR_OTHERS.test(data.text("comments") ?? "")) return []
    return [
      {
        pointer: remitTo.at("addressee"),
        message: `${quoted(payee)} is to be paid for what ${quoted(supplier)} supplied, and nothing says why`,
        hint: ASK_SUPPLIER,
      },
    ]
  }
  if (mayBeOneName(account, payee) || !mayBeOneName(account, supplier)) return []
  return [
    {
      pointer: remitTo.at("addressee"),
      message: `${quoted(payee)} is to be paid, but the account is that of ${quoted(account)}`,
      hint: "write the name of whose account it is",
    },
  ]
}

const PAID_ROLES: ReadonlySet<string | undefined> = new Set(["issuerOfInvoice", "remitTo"])

const DOMAIN = /(?:www\.|@)(?<domain>[a-z\d-]+(?:\.[a-z\d-]+)+)/gi
/** Letters and digits that look alike. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[1i|]/g, "l"],
  [/0/g, "o"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/5/g, "s"],
  [/-/g, ""],
]

function mayBeMistaken(one: string, other: string): boolean {
  const [first, second] = [one, other].map((domain) =>
    LOOKALIKES.reduce((text, [sign, plain]) => text.replace(sign, plain), domain),
  )
  return one !== other && first === second
}

function checkEmails({ data }: Books): RuleFinding[] {
  const own = data.part("supplier").part("contact")
  const supplier = data.part("supplier").text("name") ?? ""
  const usual = readDomain(own.text("email"))
  if (usual === undefined) return []
  const named = [...(data.text("comments") ?? "").matchAll(DOMAIN)].map(({ groups }) =>
    (groups?.domain ?? "").toLowerCase(),
  )
  const alike = named.some((each) => isOneDomain(each, usual))
    ? undefined
    : named.find((each) => mayBeMistaken(each, usual))
  if (alike !== undefined)
    return [
      {
        pointer: own.at("email"),
        message: `${quoted(own.text("email") ?? "")} looks like ${alike}, which the comments name, and is another domain`,
        hint: ASK_SUPPLIER,
      },
    ]
  if (isSharedDomain(usual)) {
    const firm = data
      .parts("contacts")
      .filter((contact) => PAID_ROLES.has(contact.text("role")))
      .map((contact) => readDomain(contact.text("email")))
      // A factor is paid, and an accountant or a service may issue it.
      .find(
        (domain) =>
          domain !== undefined &&
          !isSharedDomain(domain) &&
          mayBeOneName(domain.replace(/\..*/s, ""), supplier),
      )
    if (firm === undefined) return []
    return [
      {
        pointer: own.at("email"),
        message: `anybody may have an address such as ${quoted(own.text("email") ?? "")}, and the supplier has a domain of its own: ${firm}`,
        hint: ASK_SUPPLIER,
      },
    ]
  }
  return data.parts("contacts").flatMap((contact) => {
    const email = contact.text("email") ?? ""
    const domain = readDomain(email)
    if (!PAID_ROLES.has(contact.text("role")) || domain === undefined || isSharedDomain(domain)) return []
    if (isOneDomain(domain, usual)) return []
    return [
      {
        pointer: contact.at("email"),
        message: `${quoted(email)} is of another domain than the supplier's contact: ${usual}`,
        hint: ASK_SUPPLIER,
      },
    ]
  })
}
