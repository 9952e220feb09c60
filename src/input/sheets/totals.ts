/** The words by which a row of a spreadsheet is recognised as a sum of others. */

/** Whether a cell begins as a sum does; `Total Tools Fremantle` does, too. */
export function isTotalWord(text: string): boolean {
  return /^\s*(?:(?:grand\s+|sub-?\s*|invoice\s+)?totals?|sum)\b/i.test(text)
}

/** Words at the end of a page, and at the beginning of the next. */
const CARRIED = /\b(?:carried|brought) (?:forward|fwd|over)\b|\b[cb]\/f(?:wd)?\b/
const OF_PAGE = new RegExp(`\\bpage\\b|${CARRIED.source}`, "i")
const TOTAL = new RegExp(
  String.raw`\b(?:sub ?)?totals?\b|\bsum\b|${CARRIED.source}|\bpayable\b|\b(?:amount|balance) due\b|\bthis (?:invoice|bill)\b|\bto pay\b|\bplease pay\b`,
)
/** Other words that a cell with those may have. */
const FILLER = new Set(
  `grand sub total totals subtotal subtotals sum page invoice bill account statement period week month this of for the all
  and to in carried brought forward fwd over c/f b/f c/fwd b/fwd amount amounts balance due payable pay please owing
  charge charges surcharges consignment consignments connotes shipments items lines job jobs ex exc excl excluding exclusive inc incl including included includes inclusive gst tax
  aud net nett gross before after less plus with without no now number continued freight
  credit credits refund refunds notes`.split(/\s+/),
)

/** Maximum number of characters of such a cell; longer ones are remarks. */
const MAX_LABEL_LENGTH = 300

const withPlainGst = (text: string) => text.replace(/\bG\.S\.T\b\.?/gi, "GST")

/** Whether a cell holds words of a total and nothing else: `Page total`, `Carried forward`, `Amount payable`, `GST total`. */
export function saysTotal(text: string): boolean {
  if (text.length > MAX_LABEL_LENGTH) return false
  // Numbers of pages, of invoices, and how many there are.
  const plain = withPlainGst(text)
    .toLowerCase()
    .replace(/(?<!\S)\S*\d\S*/g, " ")
  const words = plain.match(/[\p{L}/]+/gu) ?? []
  if (words.length === 0 || words.some((word) => !FILLER.has(word))) return false
  return TOTAL.test(words.join(" ")) || saysTaxOfTotal(text)
}

/** The words of a sum, or of the account, that were written as one: `TotalexGST`; a text of other words as it is. */
export function partSumWords(text: string): readonly string[] {
  const plain = text.toLowerCase()
  if (plain.length > MAX_JOINED_LENGTH) return [text]
  // The fewest words to each place: `subtotal` is one.
  const ways: (readonly string[] | undefined)[] = [[]]
  for (let end = 1; end <= plain.length; end++)
    for (let start = 0; start < end; start++) {
      const [before, own] = [ways[start], ways[end]]
      const word = plain.slice(start, end)
      const isKnown = FILLER.has(word) || BESIDE.has(word)
      if (before && isKnown && (own === undefined || before.length + 1 < own.length))
        ways[end] = [...before, text.slice(start, end)]
    }
  const found = ways[plain.length]
  const joined = found?.join(" ") ?? ""
  return found && (saysTotal(joined) || saysTax(joined) || saysOfAccount(joined)) ? found : [text]
}

/** Characters of a label of a sum that is one word. */
const MAX_JOINED_LENGTH = 40

/** Whether a total is only of a page: the rows below it may continue those above. */
export function saysPageTotal(text: string): boolean {
  return saysTotal(text) && OF_PAGE.test(text)
}

/** Whether these words name the GST of a total: `GST`, `GST included`. Beside one charge, the latter is its basis. */
export function saysTaxOfTotal(text: string): boolean {
  return saysTax(
    text
      .replace(/\bincluded\b(?: (?:in|above)(?: the)?(?: (?:above|total|amount|price)){0,2})?/i, " ")
      .replace(/^(\W*)(?:includes|including|of which) (.*?)(?: of)?\W*$/i, "$1$2"),
  )
}

/** The GST in dollars that the words of a total say it includes: `Total due (includes GST of $87.46)`. */
export function findIncludedTax(text: string): string | undefined {
  return /\b(?:includes|including|incl?\.?|inclusive of|of which) (?:gst|tax)(?: of)?:? ?(?:AUD ?|A?\$ ?)?(\d[\d,]*\.\d\d)\b/i
    .exec(text)?.[1]
    ?.replaceAll(",", "")
}

/** Whether these words name GST alone: `GST`, `Total GST`, `GST @ 10%`. */
export function saysTax(text: string): boolean {
  if (text.length > MAX_LABEL_LENGTH) return false
  const plain = withPlainGst(text).replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3})? ?%/, " ")
  return /^\W*(?:(?:total|plus|add)\s+)?(?:gst|tax)(?:\s+(?:total|amount|payable|component|charged|adjustment|correction|at))?\W*$/i.test(
    plain,
  )
}

/** The name in a total's label: `Coral Pumps Norwood` of `Total Coral Pumps Norwood`, and as Excel writes it. */
export function saysTotalOf(text: string): string | undefined {
  if (text.length > MAX_LABEL_LENGTH) return undefined
  const trimmed = text.trim()
  const [, first] = /^(?:grand |sub-? ?)?totals?(?: (?:for|of))?[ :-]+(\S.*)$/i.exec(trimmed) ?? []
  return first ?? /^(\S.*?)[ :-](?:grand |sub-?)?totals?:?$/i.exec(trimmed)?.[1]?.trim()
}

/** Words for earlier balances, for the present one, and for other rows of the account. */
const OPENING = String.raw`opening|previous|brought forward|b\/f`
const CLOSING = "closing|balance|amount due|outstanding"
const OTHERS = "(?:other|earlier|previous|open|unpaid) (?:tax )?invoices?"
const SETTLED = `payments?|paid|received|overdue|past due|arrears|enclosed|remittance|${OTHERS}`

const OPENS = new RegExp(String.raw`\b(?:${OPENING}|b\/fwd)\b`, "i")
const CLOSES = new RegExp(String.raw`\b(?:${CLOSING}|carried forward|c\/f(?:wd)?)\b`, "i")
const OF_ACCOUNT = new RegExp(String.raw`\b(?:${OPENING}|${CLOSING}|${SETTLED})\b`, "i")

/** Whether words name the balance before the first row. */
export function saysOpening(text: string): boolean {
  return OPENS.test(text)
}

/** Whether words name the balance after the last row. */
export function saysClosing(text: string): boolean {
  return CLOSES.test(text)
}

/** A charge related to the account: `Late payment fee`, `Interest on overdue account`. */
const CHARGED_FOR = new RegExp(
  String.raw`(?<!\b(?:incl\S*|plus|with|of|and) )\b(?:(?:fee|interest|surcharge|levy|penalty|charge)|(?<=\bpayments? (?:\w+ )?)(?:fees|surcharges|charges))\b(?:.*\b(?:on|for)\b|(?!.*\b(?:${OPENING}|${CLOSING}|${SETTLED})\b))`,
  "i",
)

/** Whether words among others say that their amount is of the account, and not charged here. */
export function namesAccount(text: string): boolean {
  return OF_ACCOUNT.test(text) && !/\btotal\b/i.test(text) && !CHARGED_FOR.test(text)
}

/** Since when it is owed: `Current`, `30 days`, `31-60 days`, `60+`. */
const AGE = String.raw`current|not (?:yet )?due|(?:over|(?:older|more) than)? ?\d{1,3} ?(?:(?:-|to) ?\d{1,3}|\+|plus)? ?days?(?: (?:(?:and|&) (?:over|older)|\+))?|\d{1,3} ?\+`
const AGES = new RegExp(
  `^(?:(?:total|overdue|past due) )?(?:${AGE})(?: ?(?:overdue|past due|old|amount|balance))?$`,
)
const OTHER_INVOICES = new RegExp(String.raw`\b${OTHERS}\b`)
const PAYS =
  /\bpayments?\b|\bpaid\b|\breceived\b|\breceipts?\b|\bremittance\b|\b(?:direct debit|bank transfer|cheque|eft|bpay)\b/
/** Words for the present balance alone. */
const OWED =
  /\blast (?:bill|invoice|month|statement)\b|\bunpaid\b|\bun(?:allocated|applied)\b|\bcredit limit\b|\bdue on account\b/
const SHORT: Readonly<Record<string, string>> = {
  bal: "balance",
  chq: "cheque",
  pmt: "payment",
  pmts: "payments",
  recd: "received",
}
/** Other words that a cell with words of the account may have. */
const BESIDE = new Set(
  `account statement balance amount amounts total opening previous prior old closing brought carried forward b/f c/f b/fwd
  c/fwd last outstanding overdue arrears due owing past payment payments paid received receipt receipts remittance enclosed
  deposit cash unallocated unapplied limit less your our the on by of as at from to and thank you thanks with eft bpay cheque direct
  debit credit card bank transfer bill bills invoice invoices unpaid aud
  dr cr month period january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec`.split(/\s+/),
)

/** An amount that is due on a condition: `Amount due if paid by 15/12/2026`, `Less discount if paid within 7 days`. */
const CONDITIONAL = /\bif (?:paid|you pay|payment is|received|settled)\b/
/** Another document, taken off what is due: `Less credit note CN-9`, `Credit note CN-9 applied`. */
const APPLIED =
  /\bless(?: our| your)? (?:credit|adjustment) note\b.*\d|\b(?:credit|adjustment) note\b.*\d.*\b(?:applied|allocated)\b|\b(?:applied|allocated) (?:credit|adjustment) note\b.*\d/

/**
 * The kind of a cell with words of the account only: a `balance` (`Opening balance`, `Over 30 days`, `Total
 * outstanding`, `Amount due if paid by 15/12/2026`) or a `payment` (`Payment received`). A fee for late payment is a charge, and the amount to pay for the
 * rows themselves is their total.
 */
export function saysOfAccount(text: string): "balance" | "payment" | undefined {
  if (text.length > MAX_LABEL_LENGTH || saysTotal(text)) return undefined
  const plain = text
    .toLowerCase()
    .replace(/[:.$!]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(OTHER_INVOICES, "balance")
    .replace(/[a-z][a-z'’]*/g, (word) => SHORT[word.replace(/['’]/, "")] ?? word)
    .trim()
  if (AGES.test(plain)) return "balance"
  if (CONDITIONAL.test(plain) || APPLIED.test(plain)) return "balance"
  const words = plain.replace(/(?<!\S)\S*\d\S*/g, " ").match(/[\p{L}/]+/gu) ?? []
  if (words.length === 0 || words.some((word) => !BESIDE.has(word))) return undefined
  if (PAYS.test(plain)) return "payment"
  return OF_ACCOUNT.test(plain) || OWED.test(plain) ? "balance" : undefined
}

const OF_RECORDS =
  /^\W*(?:\d(?:[\d,]*\d)?\W*)?(?:records?(?:\(s\))?|rows?(?:\(s\))?|orders?(?:\(s\))?|results?) (?:were |was )?(?:downloaded|exported|found|returned|in total)\b|^\W*(?:end of (?:the )?(?:report|file|export)|seller id ?:)/i

/** Whether a record is an export's last line: `4,record(s) downloaded,from ,1-Nov-26`. */
export function isCountOfRecords(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  if (filled.length > MAX_FILLED) return false
  const at = filled.findIndex((cell) => OF_RECORDS.test(cell))
  // At most a number comes before it.
  return at === 0 || (at === 1 && /^[\d,]+$/.test(filled[0] ?? ""))
}

/** A count, its words, and from when to when. */
const MAX_FILLED = 6
