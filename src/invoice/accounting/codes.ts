/** Numbers and codes with an invalid form, and placeholder texts that were never filled in. */
import { quoted } from "../../base/parsed.ts"
import { foldIdentifier } from "../../base/order-number.ts"
import { adviseText } from "../../contract/index.ts"
import type { Books, Part } from "./books.ts"
import { isAbn, keepDigits } from "./identifiers.ts"
import { hasText } from "./glance.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

export const CODE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/item-codes",
    title: "GTINs and UNSPSC codes can be such",
    about:
      "The last digit of a GTIN (the number below a barcode) is a check digit: of what the description, an extrinsic or a classification calls a GTIN, EAN, UPC or barcode, and of an item id of 13 digits that begins with 93, as Australian ones do. A UNSPSC code has 8 digits, or 10.",
    basis: "GS1 General Specifications, section 7.9; UNSPSC.",
    judges: "references",
    mayBeMeant: true,
    passes: ({ data, lines, words }) =>
      data.extrinsics === undefined &&
      !words.match(/\d{8}/) &&
      lines.every(
        ({ supplierItemId, buyerItemId, manufacturerPartId, classification }) =>
          classification === undefined &&
          !hasText(supplierItemId, /\d{8}/) &&
          !hasText(buyerItemId, /\d{8}/) &&
          !hasText(manufacturerPartId, /\d{8}/),
      ),
    check: checkCodes,
  },
  {
    id: "accounting/placeholder",
    title: "no field has a placeholder such as TBA",
    about:
      "An invoice number, an order number, a name, a street or a city such as XXXX, TBA or to be advised was never filled in.",
    basis: "The contract requires these fields.",
    judges: "references",
    mayBeMeant: true,
    passes: ({ data, supplier }) =>
      !standsForOther(data.invoiceNumber) &&
      !standsForOther(data.poNumber) &&
      !standsForOther(supplier.name) &&
      ![data.billTo, data.soldTo, data.shipTo, supplier.address].some((address) => {
        const { addressee, street1, city } = Object(address) as Record<string, unknown>
        return standsForOther(addressee) || standsForOther(street1) || standsForOther(city)
      }),
    check: checkPlaceholders,
  },
  {
    id: "accounting/invoice-number",
    title: "the invoice has a number of its own, without stray blanks",
    about:
      "The number of the purchase order is not that of the invoice: a second invoice for the order would have it again. Blanks around a number, or two in a row, make two numbers of one.",
    basis: "The contract: invoiceNumber is the supplier's own number of the invoice.",
    judges: "references",
    mayBeMeant: true,
    passes: ({ data }) =>
      typeof data.invoiceNumber === "string" &&
      !/^\s|\s\s|\s$/.test(data.invoiceNumber) &&
      data.invoiceNumber !== data.poNumber,
    check: checkInvoiceNumber,
  },
  {
    id: "accounting/buyer-abn",
    title: "the supplier's ABN is not the buyer's",
    about: "An extrinsic that is called the ABN of the buyer, customer or recipient has the supplier's ABN.",
    basis: "Australian Business Register: each business has an ABN of its own.",
    judges: "parties",
    needs: ["data.extrinsics", "supplier.taxRegistrations"],
    check: checkBuyerAbn,
  },
]

const NAMED_GTIN =
  /\b(?:GTIN|EAN|UPC|APN|barcode)(?:[- ]?1[234])?(?: ?(?:no|number))?\.?:? ?(?<digits>\d{8}|\d{12,14})(?!\d)/gi
const GTIN_NAME = /^(?:\w*[_-])?(?:gtin|ean|upc|apn|barcode)\d*$/i
const AUSTRALIAN_GTIN = /^(?:93\d{11}|[1-8]93\d{11})$/

/** The digits from the right, weighted 1 and 3 in turn, add up to a multiple of ten. */
function isGtin(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

function checkCodes({ data, lines }: Books): RuleFinding[] {
  const reportGtin = (part: Part, field: string, digits: string): RuleFinding[] =>
    isGtin(digits)
      ? []
      : [
          {
            pointer: part.at(field),
            message: `${digits} is not a valid GTIN: its check digit does not match`,
            hint: "copy it again from the goods: a digit is wrong, or two are swapped",
          },
        ]
  const extrinsics = data.part("extrinsics")
  const named = extrinsics.names().filter((name) => GTIN_NAME.test(name))
  const ofLines = lines.flatMap((line) => {
    const ids = ["supplierItemId", "buyerItemId", "manufacturerPartId"].flatMap((field) => {
      const digits = (line.text(field) ?? "").trim()
      return AUSTRALIAN_GTIN.test(digits) ? reportGtin(line, field, digits) : []
    })
    if (ids.length > 0) return ids
    const words = [...(line.text("description") ?? "").matchAll(NAMED_GTIN)]
    return words.flatMap(({ groups }) => reportGtin(line, "description", groups?.digits ?? ""))
  })
  return [
    ...named.flatMap((name) => {
      const digits = String(extrinsics.value(name) ?? "").trim()
      return /^(?:\d{8}|\d{12,14})$/.test(digits) ? reportGtin(extrinsics, name, digits) : []
    }),
    ...ofLines,
    ...lines.flatMap((line) => line.parts("classification").flatMap(checkClassification)),
  ]
}

function checkClassification(part: Part): RuleFinding[] {
  const code = part.text("code")?.replaceAll(/[\s.-]/g, "") ?? ""
  if (part.text("domain") !== "UNSPSC" || code === "" || /^\d{8}(?:\d\d)?$/.test(code)) return []
  // Letters that are read for digits; a code of another list is left alone.
  if (/^\d[\dOIL]{7}(?:[\dOIL]{2})?$/i.test(code))
    return [
      {
        pointer: part.at("code"),
        message: `${quoted(part.text("code") ?? "")} has letters, but a UNSPSC code has digits only`,
        hint: "copy it again from the list of codes: an O may be a 0",
      },
    ]
  if (!/^\d+$/.test(code)) return []
  return [
    {
      pointer: part.at("code"),
      message: `${quoted(part.text("code") ?? "")} has ${code.length} digits, but a UNSPSC code has 8`,
      hint: "copy it again from the list of codes",
    },
  ]
}

const PLACEHOLDER =
  /^(?:x{3,}|tb[acd]|n\/?a|none|null|nil|undefined|unknown|todo|test|placeholder|\?+|\*+|to be (?:advised|confirmed|announced|supplied)|<[^>]*>|\[[^\]]*\])$/i

const NO_ORDER = /^\s*(?:n\/?a|none|null|nil|unknown|test)\s*$/i
const MAX_PLACEHOLDER_LENGTH = 20

function standsForOther(text: unknown): boolean {
  return typeof text === "string" && text.length <= MAX_PLACEHOLDER_LENGTH && PLACEHOLDER.test(text.trim())
}

function checkPlaceholders({ data }: Books): RuleFinding[] {
  const supplier = data.part("supplier")
  const addresses = [
    ...["billTo", "soldTo", "shipTo"].map((name) => data.part(name)),
    supplier.part("address"),
  ]
  const places: (readonly [Part, string])[] = [
    [data, "invoiceNumber"],
    // An order that there is none of is written so.
    ...(NO_ORDER.test(data.text("poNumber") ?? "") ? [] : [[data, "poNumber"] as const]),
    [supplier, "name"],
    ...addresses.flatMap((address) =>
      ["addressee", "street1", "city"].map((field) => [address, field] as const),
    ),
  ]
  return places.flatMap(([part, field]) => {
    const text = part.text(field)?.trim() ?? ""
    if (!standsForOther(text)) return []
    return [
      {
        pointer: part.at(field),
        message: `${quoted(text)} is a placeholder`,
        hint: "write what it is",
      },
    ]
  })
}

function checkInvoiceNumber({ data, purpose }: Books): RuleFinding[] {
  const number = data.text("invoiceNumber") ?? ""
  const pointer = data.at("invoiceNumber")
  const plain = number.trim().replaceAll(/\s+/g, " ")
  if (plain === "") return []
  if (plain !== number && plain !== number.replaceAll(/[^\S ]/g, " "))
    return [
      {
        pointer,
        message: `${quoted(number)} has blanks around it, or two in a row`,
        ...adviseText(plain, { safety: "suggestion" }),
      },
    ]
  const order = data.text("poNumber") ?? ""
  if (purpose !== "standard" || foldIdentifier(number) !== foldIdentifier(order)) return []
  return [
    {
      pointer,
      message: `${quoted(number)} is the number of the purchase order, too`,
      hint: "write the supplier's own number of the invoice",
    },
  ]
}

const BUYER_ABN = /^(?:buyer|customer|client|recipient|purchaser|billto|soldto)s?[\s_-]*abn$/i

function checkBuyerAbn({ data }: Books): RuleFinding[] {
  const registration = data.part("supplier").part("taxRegistrations")
  const abn = keepDigits(registration.text("value"))
  const extrinsics = data.part("extrinsics")
  const name = extrinsics
    .names()
    .find((each) => BUYER_ABN.test(each) && keepDigits(String(extrinsics.value(each) ?? "")) === abn)
  if (!isAbn(abn) || name === undefined) return []
  return [
    {
      pointer: registration.at("value"),
      message: `${abn} is the buyer's ABN, as the extrinsic ${quoted(name)} says`,
      hint: "write the supplier's ABN",
    },
  ]
}
