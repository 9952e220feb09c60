/** The supplier's business number and bank. */
import { counted } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { money } from "./amounts.ts"
import type { Books } from "./books.ts"
import type { DocumentRule, Remark } from "./rule.ts"

const GST_ACT = "A New Tax System (Goods and Services Tax) Act 1999"

export const PARTY_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/abn-missing",
    title: "a tax invoice has the supplier's ABN",
    about:
      "When there is tax, the supplier's ABN must be on the invoice, or the buyer cannot claim the tax back.",
    basis: `${GST_ACT}, section 29-70 (tax invoices) and section 29-75 (adjustment notes).`,
    check: checkAbnPresence,
  },
  {
    id: "accounting/abn",
    title: "the ABN is valid",
    about:
      "An ABN has 11 digits, and the first two are check digits of the others. Spaces between them do not matter.",
    basis: "Australian Business Register: the ABN's check digits, modulus 89.",
    check: checkAbn,
  },
  {
    id: "accounting/bsb",
    title: "the BSB has six digits",
    about:
      "A BSB names the bank and branch to pay. It has six digits, with or without a hyphen in the middle.",
    basis: "Australian Payments Network: BSB numbers.",
    check: checkBsb,
  },
]

function checkAbnPresence({ data, summary }: Books): Remark[] {
  const supplier = data.part("supplier")
  const tax = summary.amount("taxAmount")
  if (!supplier.given || supplier.has("taxRegistrations") || tax === undefined || tax === 0) return []
  return [
    {
      pointer: supplier.pointer,
      property: "taxRegistrations",
      message: `there is tax of ${money(tax)} but no ABN`,
      hint: 'add "taxRegistrations": {"type": "ABN", "value": "…"} to the supplier',
    },
  ]
}

function checkAbn({ data }: Books): Remark[] {
  const registration = data.part("supplier").part("taxRegistrations")
  const value = registration.text("value")
  const digits = value?.replaceAll(" ", "") ?? ""
  if (value === undefined || isAbn(digits)) return []
  const remark = (says: string, hint: string): Remark[] => [
    { pointer: registration.at("value"), message: `${quoted(value)} ${says}`, hint },
  ]
  const bare = value.slice(0, 100).replace(/\D/g, "")
  if (isAbn(bare)) return remark("is not an ABN as written", `write "${bare}"`)
  if (!/^\d+$/.test(digits)) return remark("is not an ABN", "write its 11 digits and nothing else")
  if (digits.length !== 11)
    return remark(
      `has ${counted(digits.length, "digit")}, but an ABN has 11`,
      "copy it again from the supplier's documents",
    )
  return remark(
    "is not a valid ABN: its check digits do not match",
    "compare it with the supplier's documents: a digit is wrong, or two are swapped",
  )
}

/** The weights of the eleven digits. */
const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/** Eleven digits; one is taken off the first digit; the weighted digits then add up to a multiple of 89. */
function isAbn(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), -10)
  return sum % 89 === 0
}

function checkBsb({ data }: Books): Remark[] {
  const bank = data.part("remitTo").part("bankDetails")
  const bsb = bank.text("bsb")
  if (bsb === undefined || /^\d{3}-?\d{3}$/.test(bsb)) return []
  const digits = /^(?:BSB\b[\s:.]*)?([\d\s./\p{Pd}]{6,20})$/iu.exec(bsb.trim())?.[1]?.replace(/\D/g, "") ?? ""
  return [
    {
      pointer: bank.at("bsb"),
      message: `${quoted(bsb)} is not a BSB: a BSB has six digits`,
      hint:
        digits.length === 6
          ? `write "${digits.slice(0, 3)}-${digits.slice(3)}"`
          : "write three digits, a hyphen and three digits, as the supplier's bank gives them",
    },
  ]
}
