/**
 * Every field that is asked for at a terminal of 60 columns: its answer is judged where it is typed, Esc goes back from it,
 * and the request that is sent has it.
 */
import { readFile, writeFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { hasTerminal, type Key } from "./pty.ts"
import { AFTER, readyDesk, type Turn, take } from "./wizard.ts"

const SIZE = { columns: 60, rows: 45 }

/** A day so many days from now, as people write it. */
const day = (from: number) => {
  const date = new Date(Date.now() + from * 86_400_000)
  return date.toISOString().slice(0, 10)
}

type Answer = (Key | { type: string })[]
/** A question and a good answer to it; between them may stand a bad one and what is said of it. */
type Part = readonly [question: string, ...answer: Answer] | readonly [string, Turn[]]

const text = (typed: string): Answer => [{ type: typed }, "enter"]

/** Wrong answers, and the messages that follow. */
const wrong = (question: string, typed: string, told: string, good: string): readonly [string, Turn[]] => [
  question,
  [
    [waits(question), ...text(typed)],
    [new RegExp(`✖[\\s\\S]*${told}`), "ctrl-u", ...text(good)],
  ],
]

/** A question that waits: one that is answered begins with a tick. */
const waits = (question: string) => new RegExp(`^${question.replace("?", "\\?")}`, "m")

/** Goes through questions in order, and from each of them back with Esc first. `before` is what Esc from the first one shows. */
function there(before: Turn[], parts: readonly Part[]): Turn[] {
  return parts.flatMap(([question, ...answer], at): Turn[] => {
    const previous = parts[at - 1]?.[0]
    const back: Turn[] = previous === undefined ? before : [[waits(previous), "enter"]]
    const [first] = answer
    const turns: Turn[] = Array.isArray(first) ? first : [[waits(question), ...(answer as Answer)]]
    return [[waits(question), "escape"], ...back, ...turns]
  })
}

const change = (title: string): Turn[] => [
  ["❯ Change something", "enter"],
  ["? Change what?", { type: title }],
  [`❯ ${title}`, "enter"],
]

/** Picks a field of the carrier, and goes through its questions. */
function extra(field: string, ...parts: Part[]): Turn[] {
  const picked: Turn[] = [
    ["? Anything more", { type: field }],
    [`❯ ${field}`, "enter"],
  ]
  return [...picked, ...there(picked, parts)]
}

const NO_MORE: Turn = ["? Anything more", "enter"]

/** Answers to a booking file that has the parties and times only. */
const GOODS: readonly Part[] = [
  ["? Packages", ...text("2x40x30x20@5.5, 1x60x40x40@12")],
  ["? Packed in", "enter"],
  ["? Are there dangerous goods in it?", { type: "y" }, "enter"],
  wrong("? UN number", "UN12", "four digits", "UN1263"),
  ["? Class", ...text("3")],
  ["? Packing group", { type: "II, medium" }, "enter"],
  ["? Subsidiary risk", "enter"],
  ["? Proper shipping name", ...text("PAINT")],
  ["? Kind of package", ...text("Fibreboard box")],
  wrong("? How many of these packages", "some", "whole number", "3"),
  ["? How much of the substance in all", ...text("30")],
  ["? Emergency contact", ...text("Lee Watson")],
  ["? Phone of the emergency contact", ...text("0412 345 678")],
]

/** A desk whose booking file has these parts of a booking only. */
async function emptyDesk(parts = ["sender", "collection", "receiver"]) {
  const made = await readyDesk()
  const booking: Record<string, unknown> = JSON.parse(await readFile(made.file, "utf8"))
  await writeFile(made.file, JSON.stringify(Object.fromEntries(parts.map((part) => [part, booking[part]]))))
  return made
}

const WHEN = ["--ready", `${day(7)} 10am`, "--close", "17:00"]

/** Books with one carrier what is answered, and gives the request that was sent. */
async function sentWith(
  connector: string,
  service: string,
  turns: readonly Turn[],
): Promise<ConsignmentBookingRequest> {
  const { sit, file, books } = await emptyDesk()
  const seat = await sit(["--file", file, "--connector", connector, "--service", service, ...WHEN], SIZE)
  await take(seat, [...turns, ["❯ Change something", "up"], ["❯ Book it", "enter"], ...AFTER])
  expect(await seat.exit).toBe(0)
  const [shipment] = (await books()).shipments as { request: ConsignmentBookingRequest }[]
  if (!shipment) throw new Error("nothing was sent")
  return shipment.request
}

/** The shortest way to the review. */
const PLAIN: readonly Turn[] = [
  ["? Packages", ...text("2x40x30x20@5.5")],
  ["? Packed in", "enter"],
  ["? Are there dangerous goods in it?", "enter"],
  ["? Is either place a home?", "enter"],
  ["? Which service", "enter"],
  ["? Your own reference", "enter"],
]

describe.runIf(hasTerminal)("the fields of the wizard at 60 columns", () => {
  it("are asked one after the other: packages, dangerous goods, homes, the reference and the payer", async () => {
    const request = await sentWith("connector-b", "GEN", [
      ...there([], GOODS).slice(1),
      ["? Is either place a home?", "escape"],
      ["? Phone of the emergency contact", "enter"],
      ["? Is either place a home?", { type: "The receiver" }, "enter"],
      ["? Which service", "escape"],
      ["? Is either place a home?", "enter"],
      ["? Which service", "enter"],
      ["? Your own reference", "escape"],
      ["? Which service", "enter"],
      ["? Your own reference", ...text("PO-60")],
      ...change("Payer"),
      ["? Who pays for the freight?", "escape"],
      ["❯ Change something", "enter"],
      ["? Change what?", "escape"],
      ...change("Payer"),
      ["? Who pays for the freight?", "down", "enter"],
      ["? Account to bill", "escape"],
      ["? Who pays for the freight?", "enter"],
      ["? Account to bill", ...text("800123")],
    ])
    expect(request).toMatchObject({
      packages: [
        { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 },
        { count: 1, lengthCm: 60, widthCm: 40, heightCm: 40, weightKg: 12 },
      ],
      dangerousGoods: true,
      dangerousGoodsDetails: {
        unNumber: "1263",
        hazClass: "3",
        packingGroup: "II",
        shippingName: "PAINT",
        packageType: "Fibreboard box",
        quantity: 3,
        aggregateQuantity: 30,
        contactName: "Lee Watson",
      },
      customerReference: "PO-60",
      payer: { type: "Receiver", accountNumber: "800123" },
    })
  })

  it("are carrier A's: alerts, a hold, a pickup, a warranty and food", async () => {
    const request = await sentWith("connector-a", "76", [
      ...PLAIN,
      ...change("Extras"),
      ...extra("Instructions", ["? Instructions for the driver", ...text("Ring twice")]),
      ...extra(
        "Alerts",
        wrong("? Email", "lee", "does not look like an email", "lee@port.example"),
        ["? Mobile for text messages", ...text("0412 345 678")],
        ["? Alert types", ...text("DESPATCHED, DELIVERED")],
      ),
      ...extra("Hold at", wrong("? Business days to hold it", "9", "to 5|most 5", "3")),
      ...extra("Pickup already", ["? Pickup already arranged", ...text("P-77")]),
      ...extra("Extended", ["? Value in dollars", ...text("900")], ["? Warranty class", "down", "enter"]),
      ...extra("Food", ["? Food?", { type: "y" }, "enter"]),
      NO_MORE,
    ])
    expect(request).toMatchObject({
      specialInstructions: "Ring twice",
      keepInStore: { numberOfDays: 3 },
      pickupBookingNumber: "P-77",
      extendedWarranty: { value: 900, class: "B" },
      foodFreight: true,
    })
    expect(request.alertAddresses).toHaveLength(1)
  })

  const POOL: readonly Part[] = [
    wrong("? Exchanged in", "two", "whole number", "2"),
    ["? Exchanged out", ...text("1")],
    ["? Transferred to the receiver", "enter"],
    ["? Transferred off carrier B", ...text("3")],
    ["? Docket number", ...text("D-9")],
  ]
  const SLOT: readonly Part[] = [
    ["? Day and time", ...text(`${day(20)} 9:30am`)],
    ["? The receiver's reference for it", ...text("BAY-4")],
  ]

  it("are carrier B's: alerts, the delivery window in place of a slot, pallets and barcodes", async () => {
    const request = await sentWith("connector-b", "GEN", [
      ...PLAIN,
      ...change("Extras"),
      ...extra(
        "Alerts",
        ["? When", "down", "enter"],
        ["? Name", ...text("Lee")],
        wrong("? Email", "lee", "does not look like an email", "lee@port.example"),
      ),
      ...extra("Delivery slot", ...SLOT),
      ["? Anything more", { type: "Delivery window" }],
      ["❯ Delivery window", "enter"],
      ["? Delivery window takes", "enter"],
      ...there(
        [["? Delivery window takes", "enter"]],
        [
          wrong("? First day", day(1), "before the collection on", day(20)),
          wrong("? Last day", day(19), "before the\\s+start", day(20)),
          ["? Not before", ...text("5pm")],
          wrong("? Not after", "9am", "before the\\s+start 17:00", "6pm"),
        ],
      ),
      ...extra("Pallets of pool A", ...POOL),
      ...extra("Pallets of pool B", ...POOL),
      ...extra("Your own", ["? Your own barcodes", ...text("B1, B2")]),
      NO_MORE,
    ])
    const pool = { exchangeIn: 2, exchangeOut: 1, transferOffBex: 3, docketNumber: "D-9" }
    expect(request).toMatchObject({
      bexAlerts: [{ alertType: "DELIVERY_STATUS", contactName: "Lee", emailAddress: "lee@port.example" }],
      timeSensitive: {
        deliveryWindow: { startDate: day(20), endDate: day(20), startTime: "17:00", endTime: "18:00" },
      },
      pallets: { poolA: pool, poolB: pool },
      customerBarcodes: ["B1", "B2"],
    })
    expect(request.timeSensitive).not.toHaveProperty("timeslot")
  })

  it("are carrier B's delivery slot, which a change at the review alters", async () => {
    const request = await sentWith("connector-b", "GEN", [
      ...PLAIN,
      ...change("Extras"),
      ...extra("Delivery slot", ...SLOT),
      NO_MORE,
      ...change("Extras"),
      ["? Anything more", { type: "Delivery slot" }],
      ["❯ Delivery slot", "enter"],
      ["❯ Change it", "enter"],
      ["? Day and time", "enter"],
      ["? The receiver's reference for it", "ctrl-u", ...text("BAY-5")],
      NO_MORE,
    ])
    expect(request.timeSensitive?.timeslot).toMatchObject({ reference: "BAY-5" })
    expect(request.timeSensitive?.timeslot?.dateTime).toContain(day(20))
  })

  it("are carrier C's: the sub-account and the business unit", async () => {
    const request = await sentWith("connector-c", "STD", [
      ...PLAIN,
      ...change("Extras"),
      ...extra("Sub-account", ["? Sub-account of the payer", ...text("SUB-1")]),
      ...extra("Business", ["? Business unit", { type: "Unit B" }, "enter"]),
      NO_MORE,
      [/rates are asked for\s+again/],
      ["? Which service", "enter"],
    ])
    expect(request).toMatchObject({ payer: { subAccount: "SUB-1" }, businessUnit: "UNIT_B" })
  })

  it("are asked in plain lines too, where a whole pasted address is read and < goes back", async () => {
    const { sit, file, books } = await emptyDesk(["sender"])
    const flags = [...WHEN, "--connector", "connector-b", "--service", "GEN", "--plain"]
    const seat = await sit(["--file", file, ...flags], SIZE)
    const typed = (question: string, answer: string): Turn => [question, { type: answer }, "enter"]
    await take(seat, [
      typed("Who receives it? (", "Port Street Fittings, 8 Market Street, Fremantle WA 6160"),
      ["(yes or no) [yes]", "enter"],
      typed("Save this address", "n"),
      typed("Packages", "2x40x30x20@5.5, 1x60x40x40@12"),
      typed("Packed in", "<"),
      [/Packages[\s\S]*Packages/, "enter"],
      [/Packed in[\s\S]*Packed in/, { type: "1" }, "enter"],
      ["dangerous goods in it?", "enter"],
      ["either place a home?", "enter"],
      ["Which service", "enter"],
      ["Your own reference", "enter"],
      typed("Book it? (", "Change something"),
      typed("Change what?", "Payer"),
      typed("Who pays for the freight?", "The receiver"),
      typed("Account to bill", "800123"),
      [/on account 800123[\s\S]*Book it\? \(/, { type: "book" }, "enter"],
      ["Print the label?", "enter"],
      ["Have the carrier collect it", "enter"],
      ["Save it as a booking file", "enter"],
    ])
    expect(await seat.exit).toBe(0)
    expect((await books()).shipments).toMatchObject([
      {
        request: {
          receiver: {
            companyName: "Port Street Fittings",
            address1: "8 Market Street",
            suburb: "Fremantle",
            state: "WA",
            postcode: "6160",
          },
          packages: [{ count: 2 }, { count: 1, weightKg: 12 }],
          payer: { type: "Receiver", accountNumber: "800123" },
        },
      },
    ])
  })
})
