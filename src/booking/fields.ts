/**
 * The fields of a booking, each once. This list makes the flags of `freight book` and their help, says what is missing
 * and which flag gives it, words the questions of the wizard, and knows which carrier reads what.
 */
import type { Carrier, Package } from "../contract/generated/types.ts"
import { formatPackage, parsePackage } from "../contract/packages.ts"
import { type Parsed, parsed } from "../contract/parsed.ts"
import { parsePayer } from "../contract/payer.ts"
import { formatWallClock, parseCloseTime, parseWallClock } from "../contract/wall-clock.ts"
import { capital } from "../terminal/said.ts"
import { type Answer, type Field, isObject } from "./field.ts"
import * as parts from "./field-parts.ts"
import type { MissingFlag } from "./missing.ts"
import type { Json, JsonObject } from "./set.ts"

/** `--sender`, `--collection`, `--receiver`: read by the room that knows saved addresses and files. */
const party = (path: string, about: string): Field => ({
  path,
  words: capital(path),
  answer: parts.PARTY,
  flag: { takes: `--${path} <name|file>`, about, missing: `--${path} NAME or FILE.json` },
})

const { TEXT } = parts

/** The fields of each party, in the order in which they are asked. */
export const PARTY_FIELDS = parts.PARTY.parts

const only = (carrier: Carrier, path: string, words: string, answer: Answer, hint?: string): Field => ({
  path,
  words,
  answer,
  carrier,
  ...(hint !== undefined && { hint }),
})
/** What goods can be packed in: the contract's code, and its name. */
export const PACKAGING: readonly (readonly [code: string, name: string])[] = [
  ["CT", "carton"],
  ["BX", "box"],
  ["SA", "satchel"],
  ["PA", "pallet"],
  ["EN", "envelope"],
  ["CR", "crate"],
  ["DR", "drum"],
  ["RO", "roll"],
  ["BG", "bag"],
  ["PC", "piece"],
]

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
      about: "the service to book: a code, cheapest or fastest",
      missing: "--service CODE or cheapest, or --rate RATEID",
    },
  },
  party("sender", "sender: a saved address, or a FILE.json"),
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
      read: (spec) => asJson(parsePackage(spec)),
      write: (value) => formatPackage(value as unknown as Package),
      many: true,
    },
  },
  {
    path: "packagingCode",
    words: "Packed in",
    answer: {
      kind: "one",
      of: PACKAGING,
    },
    flag: {
      takes: "--packaging <code>",
      about: "CT carton, BX box, SA satchel, PA pallet, EN, CR, DR, RO, BG, PC",
      missing: "--packaging CT",
    },
  },
  { path: "dangerousGoods", words: "Dangerous goods", answer: { kind: "yes" } },
  {
    path: "dangerousGoodsDetails",
    words: "What they are",
    answer: parts.DANGEROUS_GOODS,
  },
  {
    path: "collectionDateTime",
    words: "Ready for collection",
    flag: {
      takes: "--ready <time>",
      about: "ready for collection, by the clock there: 2026-11-23T10:00",
      missing: "--ready 2026-11-23T10:00",
      read: (time) => {
        const read = parseWallClock(time)
        return read.ok ? parsed(formatWallClock(read.value)) : read
      },
      write: (value) => String(value).replace(/:00$/, ""),
    },
  },
  {
    path: "collectionCloseTime",
    words: "The premises close",
    flag: {
      takes: "--close <time>",
      about: "the premises close, by the clock there: 17:00",
      missing: "--close 17:00",
      read: parseCloseTime,
      write: (value) => String(value).replace(/^(..)(..)$/, "$1:$2"),
    },
  },
  {
    path: "payer",
    words: "Payer",
    flag: {
      takes: "--payer <who>",
      about: "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (default: sender)",
      missing: "--payer sender",
      read: (who) => {
        const payer = parsePayer(who)
        return payer.ok ? parsed({ ...payer.value }) : payer
      },
      write: payerText,
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
  only(A, "alertAddresses", "Alerts by email or text message", parts.ALERTS),
  only(A, "keepInStore", "Hold at the depot", parts.HOLD),
  only(A, "pickupBookingNumber", "Pickup that is arranged already", TEXT, "the carrier's reference of it"),
  only(A, "extendedWarranty", "Extended warranty", parts.WARRANTY),
  only(A, "foodFreight", "Food", { kind: "yes" }),
  only(B, "bexAlerts", "Alerts by email", parts.MAILS),
  only(B, "timeSensitive.timeslot", "Delivery slot", parts.SLOT),
  only(B, "timeSensitive.deliveryWindow", "Delivery window", parts.WINDOW),
  only(B, "pallets.poolA", "Pallets of pool A", parts.POOL),
  only(B, "pallets.poolB", "Pallets of pool B", parts.POOL),
  only(B, "customerBarcodes", "Your own barcodes", { kind: "words" }, "with commas between them"),
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
export function fieldAt(path: string): Field {
  const field = FIELDS.find((each) => each.path === path)
  if (!field) throw new TypeError(`no field ${path}`)
  return field
}

/** What a carrier takes besides what every booking has. */
export function extrasOf(carrier: Carrier): readonly Field[] {
  const common = ["customerReference", "specialInstructions"].map(fieldAt)
  return [...common, ...FIELDS.filter((field) => field.carrier === carrier)]
}

/** The flag for each field that can be missing. The totals come from the packages. */
export const MISSING_FLAGS: readonly MissingFlag[] = [
  ...FIELDS,
  { ...fieldAt("packages"), path: "items" },
].flatMap(({ path, flag }) => (flag?.missing === undefined ? [] : [{ path, flag: flag.missing }]))

function payerText(value: Json): string | undefined {
  if (!isObject(value)) return undefined
  const { type, accountNumber, ...more } = value
  if (typeof type !== "string" || Object.keys(more).length > 0) return undefined
  return accountNumber === undefined ? type.toLowerCase() : `${type.toLowerCase()}:${String(accountNumber)}`
}

function asJson(result: ReturnType<typeof parsePackage>): Parsed<JsonObject> {
  return result.ok ? parsed({ ...result.value }) : result
}
