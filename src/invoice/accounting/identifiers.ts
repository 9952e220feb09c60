/** The numbers and names that identify an invoice, its lines, its order, its supplier and the supplier's bank. */
import { counted } from "../../base/counted.ts"
import { saysNothing } from "../../base/nothing.ts"
import { dropInvisible } from "../../base/invisible.ts"
import { adviseChoice, adviseText, type Explanation } from "../../contract/index.ts"
import { quoted } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import { MANAGED_FIELDS } from "../generated/validators.js"
import { type Amount, add, CENT, formatMoney, formatPlain, times } from "./amounts.ts"
import type { Books, Line, Part } from "./books.ts"
import { type Glance, isVisible, toCents } from "./glance.ts"
import { PIECES } from "./lines.ts"
import { type DocumentRule, GST_ACT, NO_FINDINGS, type RuleFinding } from "./rule.ts"

/** The rule that a draft may break until the buyer's name is known. */
export const BUYER_IDENTITY = "accounting/buyer-identity"

export const IDENTIFIER_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/abn-missing",
    title: "a tax invoice has the supplier's ABN",
    about:
      "When there is tax, the supplier's ABN must be on the invoice, or the buyer cannot claim the tax back.",
    basis: `${GST_ACT}, section 29-70 (tax invoices) and section 29-75 (adjustment notes).`,
    judges: "parties",
    passes: ({ supplier, summary }) =>
      supplier.taxRegistrations !== undefined || toCents(summary.taxAmount) === 0,
    check: checkAbnPresence,
  },
  {
    id: "accounting/abn",
    title: "the ABN is valid",
    about:
      "An ABN has 11 digits, and the first two are check digits of the others. Spaces between them do not matter.",
    basis: "Australian Business Register: the ABN's check digits, modulus 89.",
    judges: "parties",
    needs: ["supplier.taxRegistrations"],
    passes: ({ supplier }) => hasSoundAbn(supplier.taxRegistrations),
    check: checkAbn,
  },
  {
    id: "accounting/bsb",
    title: "the BSB has six digits",
    about:
      "A BSB names the bank and branch to pay. It has six digits, with or without a hyphen in the middle, of which the first two name the bank and are not 00.",
    basis: "Australian Payments Network: BSB numbers.",
    judges: "parties",
    needs: ["data.remitTo"],
    check: checkBsb,
  },
  {
    id: "accounting/line-number",
    title: "each line has its own number",
    about:
      "Two lines with the same number cannot be told apart when a question or a credit refers to one of them.",
    basis: "The contract: invoiceLineNumber is the supplier's number of the line.",
    judges: "references",
    passes: ({ areNumbersAscending }) => areNumbersAscending,
    check: checkLineNumbers,
  },
  {
    id: "accounting/po-reference",
    title: "the purchase order is among those invoiced",
    about:
      "When the invoice lists its purchase orders, the primary one must be in the list. None is there twice, unless its version or date tells the two apart.",
    basis:
      "The contract: poNumber is the primary purchase order billed, poReferences those that are invoiced.",
    judges: "references",
    needs: ["data.poReferences"],
    check: checkPurchaseOrder,
  },
  {
    id: "accounting/blank-identifier",
    title: "invoice, order and supplier are identified",
    about:
      "The invoice number, the purchase order number, and the supplier's id and name must not be empty or blank. Such an invoice cannot be found or paid. Nor may a number or the id have an invisible character, which makes two numbers of one.",
    basis: "The contract requires these fields, although it allows an empty text.",
    judges: "references",
    passes: ({ data, supplier }) =>
      [data.invoiceNumber, data.poNumber, supplier.id].every(isVisibleThroughout) && isVisible(supplier.name),
    check: checkIdentifiers,
  },
  {
    id: BUYER_IDENTITY,
    title: "a tax invoice of $1,000 or more names the buyer",
    about:
      "From $1,000 on, GST included, a tax invoice must say who the buyer is: an addressee or an address id in billTo or soldTo, or a contact of either role with a name. An address alone does not say it.",
    basis: `${GST_ACT}, section 29-70(1)(c)(ii): from a total price of "at least $1,000", "the recipient's identity or the recipient's ABN". The contract has no field for the buyer's ABN.`,
    judges: "parties",
    purposes: new Set(["standard"]),
    passes: ({ data }) => isVisible((Object(data.billTo) as { addressee?: unknown }).addressee),
    check: checkBuyer,
  },
  {
    id: "accounting/line-description",
    title: "each line says what was supplied",
    about:
      "A line without a description says how much and not what. The buyer cannot match it, and the document is not a tax invoice.",
    basis: `${GST_ACT}, section 29-70(1)(c)(iii): "what is supplied".`,
    judges: "references",
    passes: ({ areLinesDescribed }) => areLinesDescribed,
    checkLine: checkDescription,
  },
  {
    id: "accounting/ers-origin",
    title: "an evaluated receipt settlement is the buyer's",
    about:
      "With evaluated receipt settlement the buyer makes the invoice: isERS and the origin buyer say the same, and one without the other is half of it. Comments that call it a recipient-created tax invoice say so, too.",
    basis: "The contract, invoiceOrigin: buyer is the evaluated-receipt case.",
    judges: "references",
    needs: [["data.isERS", "data.invoiceOrigin"]],
    check: checkOrigin,
  },
  {
    id: "accounting/managed-field",
    title: "a draft leaves to the service what the service fills in",
    about:
      "docType, correlationId, timestamp and the unique keys of lines are set by the service. What a draft says there is replaced, or taken for another invoice's.",
    basis: "The contract's conventions, 2: managed fields are set by the service, not by the sender.",
    judges: "references",
    passes: ({ isDraft }) => !isDraft,
    check: checkManaged,
  },
  {
    id: "accounting/account-number",
    title: "the account number can be one",
    about:
      "An Australian account number has 4 to 10 digits, and not only zeros. Blanks and hyphens do not matter.",
    basis:
      "Australian Payments Network: direct entry takes account numbers of up to nine digits; some banks write ten.",
    judges: "parties",
    needs: ["data.remitTo"],
    check: checkAccountNumber,
  },
  {
    id: "accounting/bank-details",
    title: "a BSB and an account number come together",
    about: "A payment needs a BSB and an account number, or an IBAN, which has both.",
    basis: "Australian Payments Network: an account is named by BSB and number.",
    judges: "parties",
    needs: ["data.remitTo"],
    check: checkBankDetails,
  },
  {
    id: "accounting/abn-quoted",
    title: "a supply of more than $75 quotes an ABN",
    about:
      "From a supplier who quotes no ABN, the buyer has to withhold 47% of a payment of more than $75 without GST. Not for memos, nor where the words name what is input taxed, such as rent of a home, or say that the supplier need not have one.",
    basis: "Taxation Administration Act 1953, Schedule 1, section 12-190.",
    judges: "parties",
    purposes: new Set(["standard"]),
    passes: ({ supplier }) => supplier.taxRegistrations !== undefined,
    check: checkAbnQuoted,
  },
  {
    id: "accounting/billed-to-itself",
    title: "the supplier does not bill itself",
    about: "The buyer who is billed is somebody else than the supplier: one of the two names was copied.",
    basis: "The contract: supplier is who supplies, billTo the buyer's billing party.",
    judges: "parties",
    passes: ({ data, supplier }) => !isOf(supplier, data.billTo),
    check: checkSelfBilled,
  },
  {
    id: "accounting/shipped-to-itself",
    title: "the supplier does not ship to itself",
    about:
      "The goods of an invoice go to the buyer: a delivery address in the supplier's own name was copied. Goods that come back are credited, by a memo.",
    basis: "The contract: supplier is who supplies, shipTo where the goods go.",
    judges: "parties",
    mayBeMeant: true,
    purposes: new Set(["standard"]),
    needs: ["data.shipTo"],
    passes: ({ data, supplier }) => !isOf(supplier, data.shipTo),
    check: checkShippedToItself,
  },
  {
    id: "accounting/account-name",
    title: "the account is the supplier's",
    about:
      "The name of the bank account has a word or the initials of the supplier's name, or of the party to pay. Another name is how payments are stolen: ask the supplier, by a phone number that you had before.",
    basis: "Australian Competition and Consumer Commission: payment redirection scams.",
    judges: "parties",
    mayBeMeant: true,
    needs: ["data.remitTo"],
    check: checkAccountName,
  },
  {
    id: "accounting/bank-codes",
    title: "SWIFT and IBAN can be such",
    about:
      "A SWIFT code has 8 or 11 signs: four letters for the bank, two for the country, and two or five more. An IBAN begins with a country and two check digits, which match the rest.",
    basis: "ISO 9362 and ISO 13616.",
    judges: "parties",
    needs: ["data.remitTo"],
    check: checkBankCodes,
  },
  {
    id: "accounting/contact",
    title: "contacts can be reached",
    about:
      "A phone number has eight digits or more, or is one of six that begins with 13; with an area code it has ten. The domain of an email address has a dot in it.",
    basis: "The contract: contacts say who to ask.",
    judges: "parties",
    mayBeMeant: true,
    needs: [["data.contacts", "supplier.contact"]],
    check: checkContacts,
  },
  {
    id: "accounting/serial-numbers",
    title: "each piece has its own serial number",
    about:
      "Goods of one description have no serial number twice. A line of pieces (EA, C62) has no more serial numbers than pieces, and if most pieces have one, all have.",
    basis: "The contract: serialNumbers are those of the line's goods, quantity is how many there are.",
    judges: "references",
    needs: ["line.serialNumbers"],
    check: checkSerialNumbers,
  },
]

const DIGITS_AND_GAPS = /^[\d\s-]+$/

function checkAccountNumber({ data }: Books): RuleFinding[] {
  const bank = data.part("remitTo").part("bankDetails")
  const number = bank.text("accountNumber")
  // An empty text means that there is none, and a number beside an IBAN may belong to another country.
  if (number === undefined || isBlank(number) || hasIban(bank)) return []
  const digits = keepDigits(number)
  if (DIGITS_AND_GAPS.test(number) && /^(?!0+$)\d{4,10}$/.test(digits)) return []
  return [
    {
      pointer: bank.at("accountNumber"),
      message: `${quoted(number)} is not an account number: it has 4 to 10 digits`,
      hint: "write it as the supplier's bank gives it",
    },
  ]
}

function hasIban(bank: Part): boolean {
  return !isBlank(bank.text("iban") ?? "")
}

function checkBankDetails({ data }: Books): RuleFinding[] {
  const bank = data.part("remitTo").part("bankDetails")
  if (!bank.given || hasIban(bank) || bank.mayBeMisnamed()) return []
  const fields = ["bsb", "accountNumber"]
  // A blank BSB is reported by its own rule.
  const missing = fields.filter(
    (field) => !bank.has(field) || (field !== "bsb" && bank.text(field)?.trim() === ""),
  )
  const [field] = missing
  if (field === undefined || missing.length === fields.length) return []
  const [name, other] = field === "bsb" ? ["BSB", "account number"] : ["account number", "BSB"]
  return [
    {
      ...(bank.has(field) ? { pointer: bank.at(field) } : { pointer: bank.pointer, property: field }),
      message: `there is ${other === "BSB" ? "a BSB" : "an account number"} but no ${name}`,
      hint: `add the ${name}, or take the ${other} out`,
    },
  ]
}

/** Supplies that are input taxed, and suppliers who carry on no enterprise. */
const NO_ABN_NEEDED =
  /\binput[\s-]taxed\b|\brent\b|\bresidential\b|\binterest\b|\bhobby\b|\bprivate\b|\bstatement by a supplier\b|\bno ABN (?:is )?(?:needed|required)\b|\b(?:non[- ]?|overseas |foreign |New Zealand )resident\b|\b(?:performed|supplied) outside (?:of )?Australia\b|\breverse[- ]charged?\b/i
/** A price without GST above this has to quote an ABN. */
const QUOTED_ABOVE: Amount = times(CENT, 7500)

function checkAbnQuoted(books: Books): RuleFinding[] {
  const { data, summary } = books
  const supplier = data.part("supplier")
  const [tax, price] = [summary.amount("taxAmount"), summary.amount("subtotal")]
  if (!supplier.given || supplier.has("taxRegistrations") || supplier.mayBeMisnamed()) return []
  // With tax, another rule asks for the ABN.
  if (tax !== 0 || price === undefined || price <= QUOTED_ABOVE) return []
  if (books.names(NO_ABN_NEEDED)) return []
  return [
    {
      pointer: supplier.pointer,
      property: "taxRegistrations",
      message: `${formatMoney(price)} is more than $75 but the supplier quotes no ABN, so that the buyer has to withhold tax`,
      hint: 'add "taxRegistrations": {"type": "ABN", "value": "…"} to the supplier',
    },
  ]
}

/** Whether an address is in the supplier's own name. */
function isOf(supplier: Glance["supplier"], address: unknown): boolean {
  return isSameName((Object(address) as { addressee?: unknown }).addressee, supplier.name)
}

/** Whether two names are one, whatever their case, signs, and Pty Ltd. */
export function isSameName(one: unknown, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false
  // Nearly all names differ in their first letter.
  const [first, second] = [one, other].map((name) => name.charAt(0).toLowerCase())
  if (first !== second && /[a-z]/.test(first ?? "") && /[a-z]/.test(second ?? "")) return false
  const fold = (text: string) =>
    text.toLowerCase().replace(/\bp\/l\b|\bpty\b|\bltd\b|\blimited\b|[^\p{L}\p{N}]/gu, "")
  return one === other ? !isBlank(one) : fold(one) !== "" && fold(one) === fold(other)
}

function checkSelfBilled({ data }: Books): RuleFinding[] {
  const [billTo, supplier] = [data.part("billTo"), data.part("supplier")]
  if (!isSameName(billTo.text("addressee"), supplier.text("name"))) return []
  return [
    {
      pointer: billTo.at("addressee"),
      message: `${quoted(billTo.text("addressee") ?? "")} is the supplier too`,
      hint: "write the buyer's name",
    },
  ]
}

function checkShippedToItself({ data }: Books): RuleFinding[] {
  const [shipTo, supplier] = [data.part("shipTo"), data.part("supplier")]
  const words = [data.text("comments"), data.part("shipping").text("shippingInstructions")].join(" ")
  if (/\b(?:collect\w*|pick(?:ed)?[\s-]?up|ex[\s-]works|storage|stored)\b/i.test(words)) return []
  if (data.part("shipping").text("incoTerms") === "exw") return []
  if (!isSameName(shipTo.text("addressee"), supplier.text("name"))) return []
  return [
    {
      pointer: shipTo.at("addressee"),
      message: `the goods go to ${quoted(shipTo.text("addressee") ?? "")}, who supplies them`,
      hint: "write where the buyer gets them",
    },
  ]
}

/** Words for a kind of company or account: they do not identify it. */
const NOT_A_NAME =
  /^(?:pty|ltd|limited|inc|llc|co|company|corp|corporation|group|holdings?|trust|trustee|for|the|and|of|australia|australian|aust|au|t|as|ta|atf|account|acct|a|c|trading|business|services?|supplies|mr|mrs|ms|dr|everyday|transaction|cheque|operating|savings|main|nab|cba|anz|westpac|bank|bendigo|suncorp|macquarie)$/
const SMALL_WORD = /^(?:of|and|the|for|department)$/

function listNameWords(name: string): string[] {
  const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()
  return plain.replaceAll(/['’]s?\b/g, "").match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whether two names share a word, or one has the initials of the other. */
function shareName(words: readonly string[], name: string): boolean {
  const own = listNameWords(name)
  const large = own.filter((word) => !SMALL_WORD.test(word))
  const initials = [own, large].map((some) => some.map((word) => word[0]).join(""))
  const begin = (one: string, other: string) =>
    Math.min(one.length, other.length) >= MIN_SHARED_LETTERS && one.startsWith(other)
  return words.some(
    (word) =>
      own.some(
        (each) => !NOT_A_NAME.test(each) && (each === word || begin(each, word) || begin(word, each)),
      ) ||
      (word.length > MIN_SHARED_LETTERS && own.join("").includes(word)) ||
      (word.length > 1 && initials.some((each) => each.includes(word))),
  )
}

/** Whether a name has nothing in it that tells it from another name, or shares something of it. */
export function mayBeOneName(name: string, other: string): boolean {
  if (name === other) return true
  const telling = listNameWords(name).filter((word) => !NOT_A_NAME.test(word))
  return telling.length === 0 || shareName(telling, other)
}

/** Letters that two words have to share: one that begins with `h` is not the other's. */
const MIN_SHARED_LETTERS = 3

function checkAccountName({ data }: Books): RuleFinding[] {
  const remitTo = data.part("remitTo")
  const bank = remitTo.part("bankDetails")
  const account = bank.text("accountName") ?? ""
  const names = [data.part("supplier").text("name"), remitTo.text("addressee")].filter(
    (name) => name !== undefined,
  )
  if (names.length === 0 || names.some((name) => mayBeOneName(account, name))) return []
  return [
    {
      pointer: bank.at("accountName"),
      message: `the account of ${quoted(account)} has nothing of the name ${quoted(names[0] ?? "")}`,
      hint: "ask the supplier whose account it is, by a phone number that you had before this invoice",
    },
  ]
}

function checkBankCodes({ data }: Books): RuleFinding[] {
  const bank = data.part("remitTo").part("bankDetails")
  const [swift, iban] = ["swift", "iban"].map((field) => {
    const text = bank.text(field) ?? ""
    return saysNothing(text) ? "" : text.replaceAll(" ", "").toUpperCase()
  })
  return [
    ...(swift === "" || swift === undefined || /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(swift)
      ? []
      : [
          {
            pointer: bank.at("swift"),
            message: `${quoted(bank.text("swift") ?? "")} is not a SWIFT code: it has 8 or 11 signs, six letters first`,
            hint: "copy it again from the supplier's documents",
          },
        ]),
    ...(iban === "" || iban === undefined || isIban(iban)
      ? []
      : [
          {
            pointer: bank.at("iban"),
            message: `${quoted(bank.text("iban") ?? "")} is not an IBAN: ${/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban) ? "its check digits do not match" : "it is two letters, two digits and 11 to 30 more"}`,
            hint: "copy it again from the supplier's documents; accounts in Australia have none",
          },
        ]),
  ]
}

/** The first four signs moved to the end, letters counted from A = 10: the number leaves 1 when it is divided by 97. */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  let rest = 0
  for (const sign of `${iban.slice(4)}${iban.slice(0, 4)}`)
    rest = Number(`${rest}${Number.parseInt(sign, 36)}`) % 97
  return rest === 1
}

const MIN_PHONE_DIGITS = 8
const SHORT_PHONE = /^13\d{4}$/

function checkContacts({ data }: Books): RuleFinding[] {
  const contacts = [...data.parts("contacts"), data.part("supplier").part("contact")]
  return contacts.flatMap((contact) => {
    const [phone, email] = [contact.text("phone") ?? "", contact.text("email") ?? ""]
    const digits = keepDigits(phone)
    const found: RuleFinding[] = []
    if (phone.includes("@"))
      found.push({
        pointer: contact.at("phone"),
        message: `${quoted(phone)} is an email address, not a phone number`,
        hint: "write the number, and the address as email",
      })
    else if (isWrongLength(phone))
      found.push({
        pointer: contact.at("phone"),
        message: `${quoted(phone)} has ${counted(digits.length, "digit")}: with its area code an Australian number has 10`,
        hint: "compare it with the supplier's documents",
      })
    else if (
      !isBlank(phone) &&
      !/[a-z]{3}/i.test(phone) &&
      digits.length < MIN_PHONE_DIGITS &&
      !SHORT_PHONE.test(digits)
    )
      found.push({
        pointer: contact.at("phone"),
        message: `${quoted(phone)} has ${counted(digits.length, "digit")}: too few for a phone number`,
        hint: "write it with its area code",
      })
    if (email.includes("@") && !contact.isBroken("email") && !/@[^@]+\.[^@.]{2,}$/.test(email.trim()))
      found.push({
        pointer: contact.at("email"),
        message: `${quoted(email)} has no whole domain behind its @`,
        hint: "write the whole address, such as accounts@harbour.com.au",
      })
    return found
  })
}

/** Whether a number with an area code, or of a mobile, has not ten digits. */
function isWrongLength(phone: string): boolean {
  // An extension or a second number may follow.
  if (!/^[\d\s()+.-]+$/.test(phone) || /[\d)]\s*-\s+\d/.test(phone)) return false
  const digits = keepDigits(phone.replace(/^\s*\+61\s*(?:\(0\))?/, "0"))
  return (
    /^0[2-578]/.test(digits) &&
    digits.length > MIN_PHONE_DIGITS - 1 &&
    digits.length < 16 &&
    digits.length !== 10
  )
}

function checkSerialNumbers({ lines }: Books): RuleFinding[] {
  const first = new Map<string, number>()
  return lines.flatMap((line, index) => {
    const numbers = line.value("serialNumbers")
    if (!Array.isArray(numbers) || line.isBroken("serialNumbers")) return []
    const { quantity } = line
    const count = times(HUNDRED_CENTS, numbers.length)
    const isCounted = PIECES.has(line.text("unitOfMeasure")) && quantity !== undefined && quantity >= 0
    const isTooFew = isCounted && count < quantity && times(count, 2) > quantity
    const found: RuleFinding[] =
      isCounted && (quantity < count || isTooFew)
        ? [
            {
              pointer: line.at("serialNumbers"),
              message: `there are ${numbers.length} serial numbers for a quantity of ${formatPlain(quantity)}`,
              hint: isTooFew
                ? "add those that are missing, or correct the quantity; leave it if the others have none"
                : "correct the quantity, or take out the numbers of other goods",
            },
          ]
        : []
    for (const [at, number] of numbers.entries()) {
      if (typeof number !== "string" || isBlank(number)) continue
      // Charges for one piece name it each, as those of a consignment in a carrier's bill.
      const description = line.text("description") ?? ""
      if (description.includes(number.trim())) continue
      const key = `${description}\n${number.trim()}`
      const before = first.get(key)
      if (before === undefined) first.set(key, index)
      else
        found.push({
          pointer: `${line.at("serialNumbers")}/${at}`,
          message: `${quoted(number)} is already a serial number of ${before === index ? "this line" : `line item ${before + 1}`}`,
          hint: "write each serial number once",
        })
    }
    return found
  })
}

const HUNDRED_CENTS: Amount = times(CENT, 100)

/** A total price of this much, GST included, asks for the buyer's identity. */
const IDENTIFIED_FROM: Amount = times(CENT, 100_000)

function checkBuyer({ data, summary }: Books): RuleFinding[] {
  const tax = summary.amount("taxAmount")
  const [net, due] = [summary.amount("netAmount"), summary.amount("dueAmount")]
  const deposit = summary.amountOrZero("depositAmount")
  const price = net ?? (due === undefined || deposit === undefined ? undefined : add(due, deposit))
  if (!tax || price === undefined || price < IDENTIFIED_FROM) return []
  const buyers = ["billTo", "soldTo"]
  const parts = buyers.map((name) => data.part(name))
  const named = data.parts("contacts").filter((contact) => buyers.includes(contact.text("role") ?? ""))
  const names = [
    ...parts.flatMap((part) => [part.text("addressee"), part.text("addressId")]),
    ...named.map((contact) => contact.text("name")),
  ]
  if (names.some((name) => name !== undefined && !isBlank(name))) return []
  const [billTo] = parts
  if (!billTo?.given || [data, ...parts, ...named].some((part) => part.mayBeMisnamed())) return []
  return [
    {
      pointer: billTo.pointer,
      property: "addressee",
      message: `a tax invoice of ${formatMoney(price)} does not say who the buyer is`,
      hint: 'add the buyer\'s name: "addressee": "..."',
    },
  ]
}

function checkDescription(line: Line): readonly RuleFinding[] {
  const text = line.text("description")
  if (!line.given || line.isBroken("description") || (text !== undefined && !isBlank(text)))
    return NO_FINDINGS
  if (line.mayBeMisnamed((value) => typeof value === "string")) return NO_FINDINGS
  const place =
    text === undefined
      ? { pointer: line.pointer, property: "description" }
      : { pointer: line.at("description") }
  return [{ ...place, message: "nothing says what was supplied", hint: 'write "description": "..."' }]
}

/** At the start of a sentence: elsewhere it may mean another document, such as `your RCTI 1042`, or say that none is to be made. */
const BUYER_CREATED =
  /(?:^|[.;:!\n]) ?(?:this (?:invoice |document )?is (?:an? )?)?(?<said>recipient[- ]created tax invoice|buyer[- ]created (?:tax )?invoice|RCTI)\b(?!-|\s+(?:agreement|not?\b|number|\d))/i

function checkOrigin({ data }: Books): RuleFinding[] {
  const [isSettled, origin] = [data.value("isERS") === true, data.text("invoiceOrigin")]
  const said =
    origin === "supplier" ? BUYER_CREATED.exec(data.text("comments") ?? "")?.groups?.said : undefined
  if (said !== undefined)
    return [
      {
        pointer: data.at("invoiceOrigin"),
        message: `the comments say ${quoted(said)}, but the invoice comes from the supplier`,
        ...adviseText("buyer", { safety: "suggestion", more: ' and "isERS": true, or correct the comments' }),
      },
    ]
  if (data.mayBeMisnamed() || isSettled === (origin === "buyer")) return []
  if (isSettled && origin === undefined)
    return [
      {
        pointer: data.pointer,
        property: "invoiceOrigin",
        message: "it is an evaluated receipt settlement, but does not say that the buyer made it",
        hint: 'add "invoiceOrigin": "buyer", or set isERS to false',
      },
    ]
  if (isSettled)
    return [
      {
        pointer: data.at("invoiceOrigin"),
        message: "an evaluated receipt settlement comes from the buyer, not from the supplier",
        ...adviseText("buyer", { safety: "suggestion", more: ", or set isERS to false" }),
      },
    ]
  return [
    {
      pointer: data.at("invoiceOrigin"),
      message: "the buyer made it, but it does not say that it is an evaluated receipt settlement",
      hint: 'add "isERS": true, or correct the origin',
    },
  ]
}

const MANAGED_IN_LINE = "uniqueLineKey"

function checkManaged({ root, lines, isDraft }: Books): readonly RuleFinding[] {
  if (!isDraft) return NO_FINDINGS
  return [
    ...MANAGED_FIELDS.flatMap((field) => checkLeftOut(root, field)),
    ...lines.flatMap((line) => checkLeftOut(line, MANAGED_IN_LINE)),
  ]
}

function checkLeftOut(part: Part, field: string): readonly RuleFinding[] {
  if (!part.has(field)) return NO_FINDINGS
  return [
    {
      pointer: part.at(field),
      message: "the service fills this in, and this is a draft",
      hint: "leave it out",
      answer: { safety: "suggestion", does: "remove" },
    },
  ]
}

function checkIdentifiers({ data }: Books): RuleFinding[] {
  const supplier = data.part("supplier")
  return [
    ...checkText(data, "invoiceNumber", "write the supplier's number of the invoice"),
    ...checkText(data, "poNumber", "write the number of the purchase order that is billed"),
    ...checkText(supplier, "id", "write the id by which the buyer knows the supplier"),
    ...checkText(supplier, "name", "write the supplier's name"),
    ...checkInvisible(data, "invoiceNumber"),
    ...checkInvisible(data, "poNumber"),
    ...checkInvisible(supplier, "id"),
  ]
}

function checkText(part: Part, field: string, hint: string): RuleFinding[] {
  const text = part.text(field)
  if (text === undefined || !isBlank(text)) return []
  return [{ pointer: part.at(field), message: text === "" ? "the text is empty" : "the text is blank", hint }]
}

function checkInvisible(part: Part, field: string): RuleFinding[] {
  const text = part.text(field) ?? ""
  const visible = dropInvisible(text)
  if (text === visible || isBlank(text)) return []
  const message = `${quoted(visible)} has an invisible character in it`
  return [{ pointer: part.at(field), message, ...adviseText(visible, { safety: "suggestion" }) }]
}

function isVisibleThroughout(text: unknown): boolean {
  return isVisible(text) && dropInvisible(String(text)) === text
}

function isBlank(text: string): boolean {
  return !/[^\p{Z}\p{C}]/u.test(dropInvisible(text))
}

function checkLineNumbers({ lines }: Books): readonly RuleFinding[] {
  const numbers = lines.map((line) => line.invoiceLineNumber)
  const isAscending = numbers.every(
    (number, index) => number !== undefined && (index === 0 || number > (numbers[index - 1] ?? number)),
  )
  if (isAscending) return NO_FINDINGS
  const first = new Map<Amount, number>()
  return lines.flatMap((line, index) => {
    const number = numbers[index]
    if (number === undefined) return []
    const before = first.get(number)
    if (before === undefined) {
      first.set(number, index)
      return []
    }
    return [
      {
        pointer: line.at("invoiceLineNumber"),
        message: `${formatPlain(number)} is already the number of line item ${before + 1}`,
        hint: "give each line its own number",
      },
    ]
  })
}

function checkPurchaseOrder({ data }: Books): RuleFinding[] {
  const order = data.text("poNumber")
  const orders = data.parts("poReferences")
  const references = orders.map((each) => each.text("poNumber"))
  const all = orders.map((each) => JSON.stringify(Object.entries(each.fields).sort()))
  const before = new Set<string>()
  const twice = all.findIndex((each) => before.size === before.add(each).size)
  if (twice >= 0 && references[twice] !== undefined)
    return [
      {
        pointer: orders[twice]?.at("poNumber") ?? "",
        message: `${quoted(references[twice])} is in the list already`,
        hint: "take it out, or write the order that is meant",
      },
    ]
  const listed = references.filter((each) => each !== undefined)
  if (order === undefined || isBlank(order) || listed.length === 0 || listed.includes(order)) return []
  // One that cannot be read may be this one.
  if (listed.length < references.length) return []
  // Orders that differ in a digit are different orders.
  const digits = keepDigits(order)
  const meant = suggest(
    order,
    listed.filter((each) => keepDigits(each) === digits),
  )
  return [
    {
      pointer: data.at("poNumber"),
      message: `${quoted(order)} is not among the purchase orders listed: ${listed.slice(0, 3).map(quoted).join(", ")}${listed.length > 3 ? ", …" : ""}`,
      ...(meant
        ? adviseChoice(meant, "suggestion")
        : { hint: "add it to poReferences, or correct the number that is wrong" }),
    },
  ]
}

export function keepDigits(text = ""): string {
  return text.replace(/\D/g, "")
}

function checkAbnPresence({ data, summary }: Books): RuleFinding[] {
  const supplier = data.part("supplier")
  const tax = summary.amount("taxAmount")
  if (!supplier.given || supplier.has("taxRegistrations") || tax === undefined || tax === 0) return []
  if (supplier.mayBeMisnamed()) return []
  return [
    {
      pointer: supplier.pointer,
      property: "taxRegistrations",
      message: `there is tax of ${formatMoney(tax)} but no ABN`,
      hint: 'add "taxRegistrations": {"type": "ABN", "value": "…"} to the supplier',
    },
  ]
}

function hasSoundAbn(registrations: unknown): boolean {
  const { value } = Object(registrations) as { value?: unknown }
  return typeof value === "string" && isAbn(value.replaceAll(" ", ""))
}

function checkAbn({ data }: Books): RuleFinding[] {
  const registration = data.part("supplier").part("taxRegistrations")
  // The number of another register is not a wrong ABN.
  if (registration.isBroken("type")) return []
  const wrong = explainAbn(registration.text("value"))
  return wrong ? [{ pointer: registration.at("value"), ...wrong }] : []
}

/** The error of an ABN, and how to fix it; undefined for a valid one, and if there is none. */
export function explainAbn(value: string | undefined): Explanation | undefined {
  const digits = value?.replaceAll(" ", "") ?? ""
  if (value === undefined || isAbn(digits)) return undefined
  const explain = (says: string, hint: string): Explanation => ({ message: `${quoted(value)} ${says}`, hint })
  const bare = value.slice(0, 100).replace(/\D/g, "")
  if (isAbn(bare)) return { message: `${quoted(value)} is not an ABN as written`, ...adviseText(bare) }
  if (!/^\d+$/.test(digits)) return explain("is not an ABN", "write its 11 digits and nothing else")
  if (digits.length !== 11) {
    const hint = "copy it again from the supplier's documents"
    return explain(`has ${counted(digits.length, "digit")}, but an ABN has 11`, hint)
  }
  const hint = "compare it with the supplier's documents: a digit is wrong, or two are swapped"
  return explain("is not a valid ABN: its check digits do not match", hint)
}

/** The weights of the eleven digits. */
const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/** Eleven digits; one is taken off the first digit; the weighted digits then add up to a multiple of 89. */
export function isAbn(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), -10)
  return sum % 89 === 0
}

function checkBsb({ data }: Books): RuleFinding[] {
  const bank = data.part("remitTo").part("bankDetails")
  const bsb = bank.text("bsb")
  if (bsb === undefined || /^(?!00)\d{3}-?\d{3}$/.test(bsb)) return []
  const digits = /^(?:BSB\b[\s:.]*)?([\d\s./\p{Pd}]{6,20})$/iu.exec(bsb.trim())?.[1]?.replace(/\D/g, "") ?? ""
  return [
    {
      pointer: bank.at("bsb"),
      message: `${quoted(bsb)} is not a BSB: ${bsb.startsWith("00") ? "no bank has 00" : "a BSB has six digits"}`,
      ...(digits.length === 6 && !digits.startsWith("00")
        ? adviseText(`${digits.slice(0, 3)}-${digits.slice(3)}`)
        : { hint: "write three digits, a hyphen and three digits, as the supplier's bank gives them" }),
    },
  ]
}
