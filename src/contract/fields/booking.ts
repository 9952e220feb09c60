/**
 * The fields of a booking, each once. This list makes the flags of `freight book` and their help, says what is missing
 * and which flag gives it, words the questions of the wizard, and knows which carrier reads what.
 */
import { formatPhone, parseEmail, parsePhone } from "../contacts.ts"
import type { Carrier } from "../generated/types.ts"
import { parsePackage } from "../packages.ts"
import { PACKAGING, packagingCode } from "../packaging.ts"
import { type Parsed, parsed } from "../parsed.ts"
import { parsePayer } from "../payer.ts"
import { parsePlace } from "../places.ts"
import { parseCloseTime } from "../wall-clock.ts"
import type { Answer, Field, Parts } from "./field.ts"
import type { JsonObject } from "./json.ts"
import { readMoment } from "./sets.ts"

const TEXT: Answer = { kind: "text" }
const WHOLE: Answer = { kind: "whole" }

const text = (path: string, words: string, hint?: string): Field => asked(path, words, TEXT, hint)
const whole = (path: string, words: string, hint?: string): Field => asked(path, words, WHOLE, hint)
const email = (path: string, words: string): Field => ({ ...text(path, words), check: parseEmail })
const phone = (path: string, words: string): Field => ({ ...text(path, words), check: parsePhone })
const optional = (field: Field): Field => ({ ...field, optional: true })

const oneOf = (path: string, words: string, of: Choices): Field => asked(path, words, { kind: "one", of })

function asked(path: string, words: string, answer: Answer, hint?: string): Field {
  return { path, words, answer, ...(hint !== undefined && { hint }) }
}

type Choices = readonly (readonly [value: string, name: string])[]

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
    optional(
      oneOf("packingGroup", "Packing group", [
        ["I", "I, great danger"],
        ["II", "II, medium danger"],
        ["III", "III, minor danger"],
      ]),
    ),
    optional(text("subRisk", "Subsidiary risk")),
    text("shippingName", "Proper shipping name", "as in the UN list: PAINT"),
    text("packageType", "Packed in", "such as Fibreboard box"),
    whole("quantity", "How many of these packages"),
    whole("aggregateQuantity", "Total quantity", "a whole number"),
    text("contactName", "Emergency contact"),
    phone("contactPhone", "Phone of the emergency contact"),
  ],
}

const ALERTS: Parts = {
  kind: "parts",
  many: true,
  parts: [
    email("email", "Email"),
    optional(phone("phone", "Mobile for text messages")),
    asked("alertTypes", "Alert types", { kind: "words" }, "separated by commas"),
  ],
}

const HOLD: Parts = {
  kind: "parts",
  parts: [whole("numberOfDays", "Business days to hold it", "1 to 5")],
}

const WARRANTY: Parts = {
  kind: "parts",
  parts: [
    asked("value", "Value in dollars", { kind: "number" }, "at most 10,000"),
    oneOf(
      "class",
      "Warranty class",
      ["A", "B", "C"].map((name) => [name, name]),
    ),
  ],
}

const MAILS: Parts = {
  kind: "parts",
  many: true,
  parts: [
    oneOf("alertType", "When", [
      ["DESPATCHED", "when it is despatched"],
      ["DELIVERY_STATUS", "when its delivery status changes"],
      ["DELIVERED", "when it is delivered"],
    ]),
    text("contactName", "Name"),
    email("emailAddress", "Email"),
  ],
}

const SLOT: Parts = {
  kind: "parts",
  parts: [
    asked("dateTime", "Day and time", { kind: "moment" }, "such as 25/11/2026 9:30am"),
    text("reference", "The receiver's reference for it"),
  ],
}

const WINDOW: Parts = {
  kind: "parts",
  parts: [
    asked("startDate", "First day", { kind: "day" }, "such as 25/11/2026"),
    asked("endDate", "Last day", { kind: "day" }, "such as 27/11/2026"),
    optional(asked("startTime", "Not before", { kind: "clock" }, "such as 9am")),
    optional(asked("endTime", "Not after", { kind: "clock" }, "such as 4pm")),
  ],
}

const POOL: Parts = {
  kind: "parts",
  parts: [
    optional(whole("exchangeIn", "Exchanged in")),
    optional(whole("exchangeOut", "Exchanged out")),
    optional(whole("directTransferToRec", "Transferred to the receiver")),
    optional(whole("transferOffBex", "Transferred off carrier B")),
    optional(text("docketNumber", "Docket number")),
  ],
}

/** `--sender`, `--collection`, `--receiver`: read by the room that knows saved addresses and files. */
const party = (path: string, about: string): Field => ({
  path,
  words: `${path.slice(0, 1).toUpperCase()}${path.slice(1)}`,
  answer: PARTY,
  flag: {
    takes: `--${path} <name|file>`,
    group: "From and to",
    about,
    missing: `--${path} NAME, FILE.json or "ADDRESS"`,
  },
})

const only = (carrier: Carrier, ...field: Parameters<typeof asked>): Field => ({
  ...asked(...field),
  carrier,
})

const A = "CARRIER_A_AU"
const B = "CARRIER_B_AU"
const C = "CARRIER_C_AU"

/** In the order of the help. */
export const FIELDS: readonly Field[] = [
  {
    path: "serviceCode",
    words: "Service",
    flag: {
      takes: "--service <code>",
      group: "Which service",
      about: "the service to book: a code, cheapest or fastest",
      missing: "--service CODE or cheapest, or --rate RATEID",
    },
  },
  party("sender", "sender: a saved address, a FILE.json, or an address in quotes"),
  party("collection", "collection, the same way (default: the sender)"),
  party("receiver", "receiver, the same way"),
  {
    path: "packages",
    words: "Packages",
    hint: "2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each",
    flag: {
      takes: "--package <spec>",
      about: "2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each (repeatable)",
      missing: "--package 2x40x30x20@5.5",
      read: (spec) => spread(parsePackage(spec)),
      many: true,
    },
  },
  {
    path: "packagingCode",
    words: "Packed in",
    answer: { kind: "one", of: PACKAGING },
    flag: {
      takes: "--packaging <code>",
      about: "carton (CT), box, satchel, pallet, envelope, crate, drum, roll, bag or piece",
      missing: "--packaging CT",
      read: (text) => parsed(packagingCode(text)),
    },
  },
  { path: "dangerousGoods", words: "Dangerous goods", answer: { kind: "yes" } },
  { path: "dangerousGoodsDetails", words: "What they are", answer: DANGEROUS_GOODS },
  {
    path: "collectionDateTime",
    words: "Ready for collection",
    flag: {
      takes: "--ready <time>",
      group: "When",
      about: 'ready for collection, local time there: 2026-11-23T10:00, "tomorrow 10am"',
      missing: '--ready "tomorrow 10am"',
      read: readMoment,
    },
  },
  {
    path: "collectionCloseTime",
    words: "The premises close",
    flag: {
      takes: "--close <time>",
      group: "When",
      about: "the premises close, local time there: 17:00",
      missing: "--close 17:00",
      read: parseCloseTime,
    },
  },
  {
    path: "payer",
    words: "Payer",
    flag: {
      takes: "--payer <who>",
      group: "From and to",
      about: "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (default: sender)",
      missing: "--payer sender",
      read: (who) => spread(parsePayer(who)),
    },
  },
  {
    path: "customerReference",
    words: "Your own reference",
    answer: TEXT,
    flag: { takes: "--reference <text>", about: "your own reference" },
  },
  {
    path: "specialInstructions",
    words: "Instructions for the driver",
    answer: TEXT,
    flag: { takes: "--instructions <text>", about: "special instructions for the driver" },
  },
  only(A, "alertAddresses", "Alerts by email or text message", ALERTS),
  only(A, "keepInStore", "Hold at the depot", HOLD),
  only(A, "pickupBookingNumber", "Pickup already arranged", TEXT, "the carrier's reference for it"),
  only(A, "extendedWarranty", "Extended warranty", WARRANTY),
  only(A, "foodFreight", "Food", { kind: "yes" }),
  only(B, "bexAlerts", "Alerts by email", MAILS),
  only(B, "timeSensitive.timeslot", "Delivery slot", SLOT),
  only(B, "timeSensitive.deliveryWindow", "Delivery window", WINDOW),
  only(B, "pallets.poolA", "Pallets of pool A", POOL),
  only(B, "pallets.poolB", "Pallets of pool B", POOL),
  only(B, "customerBarcodes", "Your own barcodes", { kind: "words" }, "separated by commas"),
  only(C, "businessUnit", "Business unit", {
    kind: "one",
    of: [
      ["UNIT_A", "Unit A"],
      ["UNIT_B", "Unit B"],
    ],
  }),
  only(C, "payer.subAccount", "Sub-account of the payer", TEXT),
]

/** @throws TypeError for a path that is not in the list. */
export function getField(path: string): Field {
  const field = FIELDS.find((each) => each.path === path)
  if (!field) throw new TypeError(`no field ${path}`)
  return field
}

export const REFERENCE = getField("customerReference")
const INSTRUCTIONS = getField("specialInstructions")

/** What can be given besides what every booking is asked for; without a carrier, what all of them take. */
export function listExtras(carrier: Carrier | undefined): readonly Field[] {
  return [INSTRUCTIONS, ...FIELDS.filter((field) => field.carrier !== undefined && field.carrier === carrier)]
}

/** The flag for each field that can be missing. The totals come from the packages. */
export const MISSING_FLAGS: readonly { path: string; flag: string }[] = [
  ...FIELDS,
  { ...getField("packages"), path: "items" },
].flatMap(({ path, flag }) => (flag?.missing === undefined ? [] : [{ path, flag: flag.missing }]))
