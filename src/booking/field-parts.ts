/** The fields of which a whole consists: each is asked for on its own. */
import { formatPhone, parseEmail, parsePhone } from "../contract/contacts.ts"
import { type Parsed, parsed } from "../contract/parsed.ts"
import { parsePlace } from "../contract/places.ts"
import type { Answer, Field, Parts } from "./field.ts"
import type { JsonObject } from "./set.ts"

export const TEXT: Answer = { kind: "text" }
const WHOLE: Answer = { kind: "whole" }

const text = (path: string, words: string, hint?: string): Field => asked(path, words, TEXT, hint)
const whole = (path: string, words: string, hint?: string): Field => asked(path, words, WHOLE, hint)
const email = (path: string, words: string): Field => ({ ...text(path, words), check: parseEmail })
const phone = (path: string, words: string): Field => ({ ...text(path, words), check: parsePhone })
const optional = (field: Field): Field => ({ ...field, optional: true })

function asked(path: string, words: string, answer: Answer, hint: string | undefined): Field {
  return { path, words, answer, ...(hint !== undefined && { hint }) }
}

function spread(read: Parsed<object>): Parsed<JsonObject> {
  return read.ok ? parsed({ ...read.value }) : read
}

/** Each party, in the order in which it is asked. */
export const PARTY: Parts = {
  kind: "parts",
  parts: [
    text("companyName", "Company", "or the person's name where there is none"),
    text("address1", "Street and number"),
    optional(text("address2", "Unit, level or dock")),
    {
      path: "place",
      words: "Suburb, state and postcode",
      hint: "such as Alexandria NSW 2015",
      split: {
        fields: ["suburb", "state", "postcode"],
        read: (typed) => spread(parsePlace(typed)),
        write: ({ suburb, state, postcode }) => [suburb, state, postcode].filter(Boolean).join(" "),
      },
    },
    optional(text("contactName", "Contact person")),
    {
      path: "phone",
      words: "Phone",
      optional: true,
      hint: "such as 02 5550 1234 or 0412 345 678",
      split: {
        fields: ["phoneAreaCode", "phoneNumber"],
        read: (typed) => spread(parsePhone(typed)),
        write: (address) => formatPhone(address),
      },
    },
    optional(email("email", "Email")),
  ],
}

export const DANGEROUS_GOODS: Parts = {
  kind: "parts",
  parts: [
    text("unNumber", "UN number", "four digits, such as 1263"),
    text("hazClass", "Class", "such as 3, 2.1 or 1.4S"),
    {
      path: "packingGroup",
      words: "Packing group",
      optional: true,
      answer: {
        kind: "one",
        of: [
          ["I", "I, great danger"],
          ["II", "II, medium danger"],
          ["III", "III, minor danger"],
        ],
      },
    },
    optional(text("subRisk", "Subsidiary risk")),
    text("shippingName", "Proper shipping name", "as the UN list has it: PAINT"),
    text("packageType", "Packed in", "such as Fibreboard box"),
    whole("quantity", "How many of these packages"),
    whole("aggregateQuantity", "How much of it in all", "a whole number"),
    text("contactName", "Person to ask in an emergency"),
    phone("contactPhone", "Phone of that person"),
  ],
}

export const ALERTS: Parts = {
  kind: "parts",
  many: true,
  parts: [
    email("email", "Email"),
    optional(phone("phone", "Mobile for text messages")),
    { path: "alertTypes", words: "Alert types", answer: { kind: "words" }, hint: "with commas between them" },
  ],
}

export const HOLD: Parts = {
  kind: "parts",
  parts: [whole("numberOfDays", "Business days to hold it", "1 to 5")],
}

export const WARRANTY: Parts = {
  kind: "parts",
  parts: [
    { path: "value", words: "Value in dollars", answer: { kind: "number" }, hint: "at most 10,000" },
    {
      path: "class",
      words: "Warranty class",
      answer: {
        kind: "one",
        of: [
          ["A", "A"],
          ["B", "B"],
          ["C", "C"],
        ],
      },
    },
  ],
}

export const MAILS: Parts = {
  kind: "parts",
  many: true,
  parts: [
    {
      path: "alertType",
      words: "When",
      answer: {
        kind: "one",
        of: [
          ["DESPATCHED", "when it is despatched"],
          ["DELIVERY_STATUS", "when its delivery status changes"],
          ["DELIVERED", "when it is delivered"],
        ],
      },
    },
    text("contactName", "Name"),
    email("emailAddress", "Email"),
  ],
}

export const SLOT: Parts = {
  kind: "parts",
  parts: [
    text("dateTime", "Day and time", "2026-11-25T09:30:00+11:00"),
    text("reference", "The receiver's reference of it"),
  ],
}

export const WINDOW: Parts = {
  kind: "parts",
  parts: [
    text("startDate", "First day", "2026-11-25"),
    text("endDate", "Last day", "2026-11-27"),
    optional(text("startTime", "Not before", "09:00")),
    optional(text("endTime", "Not after", "16:00")),
  ],
}

export const POOL: Parts = {
  kind: "parts",
  parts: [
    optional(whole("exchangeIn", "Exchanged in")),
    optional(whole("exchangeOut", "Exchanged out")),
    optional(whole("directTransferToRec", "Transferred to the receiver")),
    optional(whole("transferOffBex", "Transferred off carrier B")),
    optional(text("docketNumber", "Docket number")),
  ],
}
