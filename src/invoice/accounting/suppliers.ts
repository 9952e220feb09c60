/** The supplier's usual bank account and email domain, as saved parties have them: by these payments are stolen. */
import { quoted } from "../../base/parsed.ts"
import { foldIdentifier } from "../../base/order-number.ts"
import { daysBetween, parseDate } from "../../base/wall-clock.ts"
import type { Books, Part } from "./books.ts"
import { isSameName, keepDigits } from "./identifiers.ts"
import type { Account, Identity, KnownSupplier } from "./known-supplier.ts"
import { ASK_SUPPLIER, type DocumentRule, type RuleFinding } from "./rule.ts"

export const SUPPLIER_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/usual-account",
    title: "the bank account and the email are the supplier's usual ones",
    about:
      "Compares the BSB, account number, account name and email domains with the saved party of the supplier (freight party), and with those of other saved suppliers. For 30 days after another account was saved for the supplier, each invoice with it is reported. Payments are stolen by a changed account: ask the supplier, by a phone number that you had before.",
    basis: "Australian Competition and Consumer Commission: payment redirection scams.",
    judges: "parties",
    mayBeMeant: true,
    needs: [["data.remitTo", "data.contacts", "supplier.contact"]],
    passes: ({ suppliers }) => suppliers === undefined || suppliers.length === 0,
    check: checkUsual,
  },
]

/** A saved account is new for this many days. */
const NEW_DAYS = 30

function checkUsual({ data, suppliers = [], today }: Books): RuleFinding[] {
  const supplier = data.part("supplier")
  const identity: Identity = {
    supplierId: supplier.text("id") ?? "",
    supplierName: supplier.text("name") ?? "",
    abn: supplier.part("taxRegistrations").text("value"),
  }
  const own = suppliers.filter((known) => areOneSupplier(known, identity))
  const others = suppliers.filter((known) => !own.some((one) => one === known || areOneSupplier(one, known)))
  const bank = data.part("remitTo").part("bankDetails")
  const found = checkNumbers(bank, own, others, today)
  return [...(found.length > 0 ? found : checkName(bank, own, others)), ...checkEmails(data, own, others)]
}

/** A supplier may have another code with each buyer, and two buyers may have one code for two suppliers. */
export function areOneSupplier(one: Identity, other: Identity): boolean {
  const [first, second] = [one, other].map(({ abn }) => keepDigits(abn))
  const areAbnsKnown = first !== "" && second !== ""
  if (areAbnsKnown && first === second) return true
  if (isSameName(one.supplierName, other.supplierName)) return true
  return !areAbnsKnown && foldIdentifier(one.supplierId) === foldIdentifier(other.supplierId)
}

function checkNumbers(
  bank: Part,
  own: readonly KnownSupplier[],
  others: readonly KnownSupplier[],
  today: string | undefined,
): RuleFinding[] {
  const given: Account = { bsb: bank.text("bsb"), accountNumber: bank.text("accountNumber") }
  if (keepDigits(given.accountNumber) === "") return []
  const usual = own.filter(({ accountNumber }) => accountNumber !== undefined)
  const same = usual.find((known) => isSameAccount(known, given))
  if (same) return checkNewAccount(bank, same, today)
  const other = others.find((known) => isSameAccount(known, given))
  const [known] = usual
  if (!other && !known) return []
  const isOnlyBsb = known !== undefined && isSameNumber(known.accountNumber, given.accountNumber)
  const belongs = other
    ? `belongs to the saved supplier ${quoted(other.party)}`
    : "is not the supplier's usual one"
  const before = known?.accountChanges?.at(-1)
  const changed = before ? `, saved on ${before.on} in the place of ${before.before}` : ""
  const expected = known ? `: the party ${quoted(known.party)} has ${describeAccount(known)}${changed}` : ""
  return [
    {
      pointer: bank.at(isOnlyBsb && !other ? "bsb" : "accountNumber"),
      message: `the account ${describeAccount(given)} ${belongs}${expected}`,
      hint: adviseAsking(known),
    },
  ]
}

/** An account that was changed recently, and accepted by the person who saved it. */
function checkNewAccount(bank: Part, known: KnownSupplier, today: string | undefined): RuleFinding[] {
  const last = known.accountChanges?.at(-1)
  const [on, now] = [parseDate(last?.on ?? ""), parseDate(today ?? "")]
  if (!last || !on.ok || !now.ok || daysBetween(on.value, now.value) > NEW_DAYS) return []
  return [
    {
      pointer: bank.at("accountNumber"),
      message: `the party ${quoted(known.party)} has this account since ${last.on} only; before it was ${last.before}`,
      hint: "if nobody has done it yet, ask the supplier, by a phone number that you had before the change",
    },
  ]
}

const TRADING_AS = /(?<!\S)(?:t\/as?|trading as)(?!\S)/i

function checkName(
  bank: Part,
  own: readonly KnownSupplier[],
  others: readonly KnownSupplier[],
): RuleFinding[] {
  const name = bank.text("accountName") ?? ""
  const known = own.filter(({ accountName }) => accountName !== undefined)
  const [usual] = known
  // An account in the supplier's own name is its own, whichever of its names was saved.
  const isUsual = ({ accountName, supplierName }: KnownSupplier) =>
    name.split(TRADING_AS).some((each) => isSameName(accountName, each) || isSameName(supplierName, each))
  if (name.trim() === "" || !usual || known.some(isUsual)) return []
  const other = others.find(({ accountName, supplierName }) => isSameName(accountName ?? supplierName, name))
  const belongs = other ? `, but that of the saved supplier ${quoted(other.party)}` : ""
  return [
    {
      pointer: bank.at("accountName"),
      message: `${quoted(name)} is not the supplier's usual account name${belongs}: the party ${quoted(usual.party)} has ${quoted(usual.accountName ?? "")}`,
      hint: adviseAsking(usual),
    },
  ]
}

/** Contacts of these roles are the supplier's. */
const OF_SUPPLIER: ReadonlySet<string | undefined> = new Set(["issuerOfInvoice", "remitTo", "shipFrom"])
/** Anybody may have an address there. */
const SHARED_DOMAIN =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|bigpond|optusnet|iinet|tpg|internode|aol|proton(?:mail)?)\.(?:com|net|me)(?:\.au)?$/

function checkEmails(
  data: Part,
  own: readonly KnownSupplier[],
  others: readonly KnownSupplier[],
): RuleFinding[] {
  const contacts = data.parts("contacts").filter((contact) => OF_SUPPLIER.has(contact.text("role")))
  const known = own.filter(({ email }) => email !== undefined)
  const [usual] = known
  return [data.part("supplier").part("contact"), ...contacts].flatMap((contact) => {
    const email = contact.text("email") ?? ""
    const domain = readDomain(email)
    if (domain === undefined || known.some((each) => isUsualEmail(email, each.email))) return []
    const other = others.find((each) => readDomain(each.email) === domain && !isSharedDomain(domain))
    if (!usual && !other) return []
    const belongs = other
      ? `belongs to the saved supplier ${quoted(other.party)}`
      : "is not the supplier's usual one"
    const expected = usual ? `: the party ${quoted(usual.party)} has ${quoted(usual.email ?? "")}` : ""
    return [
      {
        pointer: contact.at("email"),
        message: `the domain of ${quoted(email)} ${belongs}${expected}`,
        hint: adviseAsking(usual),
      },
    ]
  })
}

export function isSharedDomain(domain: string): boolean {
  return SHARED_DOMAIN.test(domain)
}

export function readDomain(email = ""): string | undefined {
  return /@([^@\s]+)$/.exec(email.trim().toLowerCase())?.[1]
}

/** Whether two domains are one, or one is below the other. */
export function isOneDomain(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

/** Whether an address has the usual domain or a subdomain of it; for a public mail domain, the address itself is compared. */
function isUsualEmail(email: string, usual = ""): boolean {
  const [domain, other] = [readDomain(email) ?? "", readDomain(usual) ?? ""]
  if (isSharedDomain(other)) return email.trim().toLowerCase() === usual.trim().toLowerCase()
  return isOneDomain(domain, other)
}

function adviseAsking(known: KnownSupplier | undefined): string {
  return known
    ? `${ASK_SUPPLIER}; if it is right from now on, save the party again, with freight party add --replace`
    : ASK_SUPPLIER
}

/** Number of visible digits of an account. */
const SHOWN_DIGITS = 3

/** `062-000 …678`: enough to compare with a document that has the number. */
export function describeAccount({ bsb, accountNumber }: Account): string {
  return `${bsb === undefined ? "" : `${bsb.trim()} `}…${keepDigits(accountNumber).slice(-SHOWN_DIGITS)}`
}

/** Whether two are one account, as far as both say it. */
export function isSameAccount(one: Account, other: Account): boolean {
  if (!isSameNumber(one.accountNumber, other.accountNumber)) return false
  const [first, second] = [one, other].map(({ bsb }) => keepDigits(bsb))
  return first === "" || second === "" || first === second
}

/** Banks write an account with zeros in front or without. */
function isSameNumber(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [one, other].map((number) => keepDigits(number).replace(/^0+/, ""))
  return first !== "" && first === second
}
