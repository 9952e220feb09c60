/** The fields of a booking that `freight book` has a flag for. What the schema says of a field is not repeated here. */
import { parsePackage } from "../packages.ts"
import { packagingCode } from "../packaging.ts"
import { type Parsed, parsed } from "../parsed.ts"
import { parsePayer } from "../payer.ts"
import { parseCloseTime, type WallClock } from "../wall-clock.ts"
import type { Json, JsonObject } from "./json.ts"
import { readMoment } from "./sets.ts"

/** Headings of the help of `book`, in its order. */
export const FLAG_GROUPS = ["What", "From and to", "When", "Which service", "Afterwards", "Safety"] as const
export type FlagGroup = (typeof FLAG_GROUPS)[number]

interface BookingFlag {
  /** `packaging` for `--packaging`. */
  readonly name: string
  readonly takes: `<${string}>`
  readonly group: FlagGroup
  readonly about: string
  /** What to give where it is missing: `CT`. */
  readonly example?: string
  /** May be given several times, each an entry of the list. */
  readonly isRepeatable?: true
}

interface BookingField {
  /** Path in the booking. */
  readonly path: string
  readonly flag: BookingFlag
  /**
   * Reads what the flag was given; text that the contract checks later when there is none.
   * `now` is what the clock shows at the place of collection.
   */
  readonly read?: (text: string, now: () => WallClock) => Parsed<Json>
}

function spread(read: Parsed<object>): Parsed<JsonObject> {
  return read.ok ? parsed({ ...read.value }) : read
}

const PARTY_EXAMPLE = 'NAME, FILE.json or "ADDRESS"'

/** In the order of the help. */
export const BOOKING_FIELDS = [
  {
    path: "serviceCode",
    flag: {
      name: "service",
      takes: "<code>",
      group: "Which service",
      about: "the service to book: a code, cheapest or fastest",
      example: "CODE or cheapest, or --rate RATEID",
    },
  },
  {
    path: "sender",
    flag: {
      name: "sender",
      takes: "<name|file>",
      group: "From and to",
      about: "sender: a saved address, a FILE.json, or an address in quotes",
      example: PARTY_EXAMPLE,
    },
  },
  {
    path: "collection",
    flag: {
      name: "collection",
      takes: "<name|file>",
      group: "From and to",
      about: "collection, the same way (default: the sender)",
      example: PARTY_EXAMPLE,
    },
  },
  {
    path: "receiver",
    flag: {
      name: "receiver",
      takes: "<name|file>",
      group: "From and to",
      about: "receiver, the same way",
      example: PARTY_EXAMPLE,
    },
  },
  {
    path: "packages",
    flag: {
      name: "package",
      takes: "<spec>",
      group: "What",
      about: "2x40x30x20@5.5 is two of 40 × 30 × 20 cm, 5.5 kg each (repeatable)",
      example: "2x40x30x20@5.5",
      isRepeatable: true,
    },
    read: (spec) => spread(parsePackage(spec)),
  },
  {
    path: "packagingCode",
    flag: {
      name: "packaging",
      takes: "<code>",
      group: "What",
      about: "carton (CT), box, satchel, pallet, envelope, crate, drum, roll, bag or piece",
      example: "CT",
    },
    read: (text) => parsed(packagingCode(text)),
  },
  {
    path: "collectionDateTime",
    flag: {
      name: "ready",
      takes: "<time>",
      group: "When",
      about: 'ready for collection, local time there: 2026-11-23T10:00, "tomorrow 10am"',
      example: '"tomorrow 10am"',
    },
    read: readMoment,
  },
  {
    path: "collectionCloseTime",
    flag: {
      name: "close",
      takes: "<time>",
      group: "When",
      about: "the premises close, local time there: 17:00",
      example: "17:00",
    },
    read: parseCloseTime,
  },
  {
    path: "payer",
    flag: {
      name: "payer",
      takes: "<who>",
      group: "From and to",
      about: "sender, receiver:ACCOUNT or thirdparty:ACCOUNT (default: sender)",
      example: "sender",
    },
    read: (who) => spread(parsePayer(who)),
  },
  {
    path: "customerReference",
    flag: { name: "reference", takes: "<text>", group: "What", about: "your own reference" },
  },
  {
    path: "specialInstructions",
    flag: {
      name: "instructions",
      takes: "<text>",
      group: "What",
      about: "special instructions for the driver",
    },
  },
] as const satisfies readonly BookingField[]

type Flag = (typeof BOOKING_FIELDS)[number]["flag"]

/** The flags of the fields, by their names: a command spreads them into its own. */
export const BOOKING_FLAGS = Object.fromEntries(BOOKING_FIELDS.map(({ flag }) => [flag.name, flag])) as {
  readonly [F in Flag as F["name"]]: F
}

/** The flag for each field that can be missing. The totals come from the packages. */
export const MISSING_FLAGS: readonly { path: string; flag: string }[] = BOOKING_FIELDS.flatMap(
  ({ path, flag }) => {
    if (!("example" in flag)) return []
    const given = { flag: `--${flag.name} ${flag.example}` }
    return path === "packages"
      ? [
          { path, ...given },
          { path: "items", ...given },
        ]
      : [{ path, ...given }]
  },
)
