import { describe, expect, it } from "vitest"
import {
  compareOrder,
  describeDifference,
  isIdentity,
  pickIdentity,
  type WrittenOrder,
} from "../../src/ledger/order.ts"
import { entry, request } from "./setup.ts"

const { receiver, packages = [] } = request
const [first] = packages
const BOOKED = {
  ...request,
  receiver: { ...receiver, phoneAreaCode: "08", phoneNumber: "5555 1234", contactPhone: "0491 570 156" },
  specialInstructions: "Ring the bell",
  payer: { type: "Sender" },
  collectionDateTime: "2026-11-23T10:00:00",
  serviceCode: "STD",
}
const entered = (changes: object = {}) =>
  entry({
    state: "done",
    request: { ...BOOKED, ...changes },
    facts: { connectorId: "connector-a", priceCents: 6252 },
  })

/** The verdict on an order that was booked as `BOOKED` and is written so now. */
function said(written: WrittenOrder, booked: object = {}) {
  const { changed, ignored } = compareOrder(entered(booked), written)
  return { changed: changed.map(describeDifference), ignored: ignored.map(describeDifference) }
}

const to = (changes: object) => ({ fields: { receiver: { ...BOOKED.receiver, ...changes } } })
const pack = (...lines: object[]) => ({ fields: { packages: lines.map((line) => ({ ...first, ...line })) } })

describe("an order that was booked under its key", () => {
  it.each<[string, WrittenOrder]>([
    ["nothing", { fields: {} }],
    ["the same", { fields: BOOKED }],
    ["case", to({ suburb: receiver.suburb.toUpperCase() })],
    ["blanks", to({ address1: `  ${receiver.address1.replaceAll(" ", "  ")} ` })],
    ["blanks and dashes of a phone number", to({ phoneNumber: "5555-1234", contactPhone: "0491570156" })],
    ["the country of a phone number", to({ contactPhone: "+61 491 570 156" })],
    ["how a number is written", { fields: { packages: [{ ...first, weightKg: "5.5" }] } }],
    [
      "the order of the fields",
      { fields: { receiver: Object.fromEntries(Object.entries(BOOKED.receiver).reverse()) } },
    ],
    ["an empty field that was empty", to({ address2: "" })],
    ["how many packages, of a size that a flag gives", { fields: { packages: [{ count: first?.count }] } }],
    [
      "its rate and its quote",
      { fields: { rateId: "another", quoteId: "another", quotedPriceExGstMinor: 1 } },
    ],
    ["a dash for an empty field", to({ address2: "-" })],
    ["the same day without a time", { fields: { collectionDateTime: "2026-11-23" } }],
    ["a limit that it keeps", { fields: {}, maxPriceCents: 6252 }],
  ])("is the same order with %s", (_, written) => {
    expect(said(written)).toEqual({ changed: [], ignored: [] })
  })

  it.each([
    ["its key", "key:PO-1", "PO-1", []],
    ["its key, of a second consignment", "key:PO-1#2", "PO-1", []],
    ["another", "key:PO-1", "PO-2", ["reference (empty, now PO-2)"]],
  ])("counts %s as its reference where it was booked without one", (_, key, customerReference, told) => {
    const { customerReference: __, ...request } = BOOKED
    const { changed } = compareOrder({ ...entered(), request, key }, { fields: { customerReference } })
    expect(changed.map(describeDifference)).toEqual(told)
  })

  it.each([
    ["as it was written then", { suburb: "Fremantlee" }, []],
    ["as it was sent, corrected by hand", {}, []],
    ["with another suburb", { suburb: "Perth" }, [`receiver suburb (${receiver.suburb}, now Perth)`]],
  ])("of which a place was fixed is compared %s", (_, changes, told) => {
    const { suburb: __, state, postcode } = receiver
    const booked = entered()
    booked.facts.writtenPlaces = JSON.stringify({ receiver: { suburb: "Fremantlee", state, postcode } })
    const { changed } = compareOrder(booked, to(changes))
    expect(changed.map(describeDifference)).toEqual(told)
  })

  it.each<[string, WrittenOrder, string | RegExp]>([
    ["suburb", to({ suburb: "Perth" }), `receiver suburb (${receiver.suburb}, now Perth)`],
    [
      "a line of the address that comes on top",
      to({ address2: "Unit 5" }),
      "receiver second line of the address (empty, now Unit 5)",
    ],
    [
      "a phone number",
      to({ contactPhone: "0491 570 157" }),
      "receiver contactPhone (0491 570 156, now 0491 570 157)",
    ],
    [
      "a phone number that is gone",
      to({ contactPhone: "" }),
      "receiver contactPhone (0491 570 156, now empty)",
    ],
    ["weight", pack({ weightKg: 6 }), "weight (booked as 5.5 kg, read today as 6 kg)"],
    [
      "number of packages",
      { fields: { packages: [{ count: 9 }] } },
      "number of packages (booked as 2, read today as 9)",
    ],
    [
      "payer",
      { fields: { payer: { type: "Receiver", account: "R1" } } },
      "payer type (Sender, now Receiver)",
    ],
    [
      "instructions",
      { fields: { specialInstructions: "Leave it" } },
      "instructions (Ring the bell, now Leave it)",
    ],
    ["reference", { fields: { customerReference: "PO-2" } }, "reference (PO-1001, now PO-2)"],
    ["dangerous goods", { fields: { dangerousGoods: true } }, "dangerousGoods (false, now true)"],
    [
      "a later day",
      { fields: { collectionDateTime: "2026-11-30" } },
      "collection (2026-11-23, now 2026-11-30)",
    ],
  ])("is another one with another %s, and both values are reported", (_, written, told) => {
    expect(said(written)).toMatchObject({ changed: expect.arrayContaining([told]), ignored: [] })
  })

  it.each<[string, WrittenOrder, string]>([
    [
      "an earlier day",
      { fields: { collectionDateTime: "2026-11-20" } },
      "collection (2026-11-23, now 2026-11-20)",
    ],
    [
      "another time of that day",
      { fields: { collectionDateTime: "2026-11-23T14:00:00" } },
      "collection (2026-11-23 10:00, now 2026-11-23 14:00)",
    ],
    [
      "a later day that a flag gives",
      { fields: {}, asked: { collectionDateTime: "2026-11-30T10:00:00" } },
      "collection (2026-11-23 10:00, now 2026-11-30 10:00)",
    ],
    ["another service", { fields: { serviceCode: "EXP" } }, "service (STD, now EXP)"],
    [
      "another connector",
      { fields: { connectorId: "connector-b" } },
      "connector (connector-a, now connector-b)",
    ],
    [
      "another sender",
      { fields: { sender: { ...request.sender, suburb: "Botany" } } },
      `sender suburb (${request.sender?.suburb}, now Botany)`,
    ],
    ["a limit below its price", { fields: {}, maxPriceCents: 5000 }, "price over the limit (62.52, now 50)"],
  ])("stands with %s, which is reported", (_, written, told) => {
    expect(said(written)).toEqual({ changed: [], ignored: [told] })
  })

  it("has its packages in any order, and none may come or go", () => {
    const two = [{ ...first }, { ...first, weightKg: 1 }]
    expect(said({ fields: { packages: [...two].reverse() } }, { packages: two }).changed).toEqual([])
    expect(said({ fields: { packages: two.slice(0, 1) } }, { packages: two }).changed).toEqual([
      "packages (booked as 2x40x30x20@1; 2x40x30x20@5.5, read today as 2x40x30x20@5.5)",
    ])
    expect(said({ fields: { packages: two } }).changed).toHaveLength(1)
  })

  it("is compared by what can be read of a damaged row alone", () => {
    const { suburb: _, ...rest } = receiver
    const damaged = { fields: { receiver: rest }, damaged: ["receiver"] }
    expect(said(damaged).changed).toEqual([])
    expect(said({ fields: damaged.fields }).changed).toHaveLength(4)
    const moved = { fields: { receiver: { ...rest, postcode: "6000" } }, damaged: ["receiver"] }
    expect(said(moved).changed).toEqual([`receiver postcode (${receiver.postcode}, now 6000)`])
  })

  it("is what is sent to whom, who pays, and what is said about it", () => {
    expect(
      Object.keys(request)
        .filter((name) => !isIdentity(name))
        .sort(),
    ).toEqual([
      "collection",
      "collectionCloseTime",
      "collectionDateTime",
      "packagingCode",
      "sender",
      "serviceCode",
    ])
    expect(Object.keys(pickIdentity(request).fields)).not.toContain("serviceCode")
  })
})

describe("an order that an earlier release read otherwise", () => {
  const html = { companyName: "Kel&#039;s Guitars &amp; Amps", address2: "N/A" }
  const decoded = { companyName: "Kel's Guitars & Amps" }

  it("is the same where only its text was decoded since", () => {
    const booked = { receiver: { ...BOOKED.receiver, ...html }, specialInstructions: "Back<br />door" }
    const written = { ...to(decoded).fields, specialInstructions: "Back door" }
    expect(said({ fields: written }, booked)).toEqual({ changed: [], ignored: [] })
  })

  it("stays as it was booked where a phone number is read now", () => {
    const { phoneAreaCode: _, phoneNumber: __, ...rest } = BOOKED.receiver
    const { changed, ignored } = said({ fields: { receiver: BOOKED.receiver } }, { receiver: rest })
    expect(changed).toEqual([])
    expect(ignored).toEqual(["receiver area code (empty, now 08)", "receiver phone (empty, now 5555 1234)"])
  })

  it.each([
    [{ weightKg: 600 }, { weightKg: 0.6 }, "weight (booked as 600 kg, read today as 0.6 kg)"],
    [{ count: 1 }, { count: 3 }, "number of packages (booked as 1, read today as 3)"],
    [
      { lengthCm: 300, widthCm: 200, heightCm: 100 },
      { lengthCm: 30, widthCm: 20, heightCm: 10 },
      "size (booked as 300 × 200 × 100 cm, read today as 30 × 20 × 10 cm)",
    ],
  ])("is told by both readings: %j, %j", (before, now, text) => {
    const { changed } = said(pack(now), { packages: [{ ...first, ...before }] })
    expect(changed).toEqual([text])
  })
})
