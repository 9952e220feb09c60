import { describe, expect, it } from "vitest"
import { checkBooking } from "../../src/contract/request-rules.ts"
import {
  alertWarnings,
  collectionEmailWarnings,
  formatPhone,
  parsePhone,
  phoneWarnings,
} from "../../src/contract/contacts.ts"
import { booking, darwin, sydney } from "./rule-examples.ts"

describe("the email of the collection", () => {
  it("is missed on carrier C, which may have a fallback that a client cannot see", () => {
    expect(collectionEmailWarnings(darwin, "CARRIER_C_AU")).toEqual([
      {
        pointer: "/collection",
        property: "email",
        path: "collection.email",
        keyword: "collectionEmail",
        message:
          "collection.email is missing: carrier C refuses the booking unless the connector has a fallback address",
      },
    ])
  })

  it("settles it when it is there", () => {
    expect(collectionEmailWarnings(sydney, "CARRIER_C_AU")).toEqual([])
  })

  it.each(["CARRIER_A_AU", "CARRIER_B_AU", undefined] as const)("is not missed on %s", (carrier) => {
    expect(collectionEmailWarnings(darwin, carrier)).toEqual([])
  })
})

describe("alertWarnings", () => {
  const alert = (email: string) => alertWarnings({ ...booking, alertAddresses: [{ email, alertTypes: [] }] })

  it.each([
    "a@b.au",
    "dispatch+x@sub.example.com.au",
    "o'neil@example.com",
    "a_b-c@x1.co",
  ])("lets %s pass", (email) => {
    expect(alert(email)).toEqual([])
  })

  it.each([
    "",
    " ",
    "a",
    "a@b",
    "@b.au",
    "a@",
    "a@b.",
    "a@.au",
    "a@b..au",
    "a b@c.au",
    "a@b.au,c@d.au",
    "a@b.au; c@d.au",
    "Ann <a@b.au>",
    "a..b@c.au",
    "名@例.jp",
  ])("warns of %j", (email) => {
    expect(alert(email)).toHaveLength(1)
  })

  it("looks at every place that has an email, and says which", () => {
    const bad = { ...sydney, email: "nobody" }
    const { warnings } = checkBooking(
      {
        ...booking,
        sender: bad,
        collection: bad,
        receiver: bad,
        alertAddresses: [
          { email: "a@b.au", alertTypes: [] },
          { email: "x", alertTypes: [] },
        ],
        bexAlerts: [{ alertType: "DELIVERED", contactName: "Ann", emailAddress: "y" }],
      },
      undefined,
    )
    expect(warnings.map(({ pointer, path }) => [pointer, path])).toEqual([
      ["/sender/email", "sender.email"],
      ["/collection/email", "collection.email"],
      ["/receiver/email", "receiver.email"],
      ["/alertAddresses/1/email", "alertAddresses[1].email"],
      ["/bexAlerts/0/emailAddress", "bexAlerts[0].emailAddress"],
    ])
  })
})

describe("parsePhone", () => {
  it.each([
    ["02 5550 1234", "02", "55501234"],
    ["(08) 5550-1234", "08", "55501234"],
    ["0355501234", "03", "55501234"],
    ["+61 7 5550 1234", "07", "55501234"],
    ["+61 (0)2 5550 1234", "02", "55501234"],
    ["0061 2 5550 1234", "02", "55501234"],
    ["255501234", "02", "55501234"],
    ["0412 345 678", undefined, "0412345678"],
    ["+61 412 345 678", undefined, "0412345678"],
    ["412345678", undefined, "0412345678"],
    ["1300 555 123", undefined, "1300555123"],
    ["1800 555 123", undefined, "1800555123"],
    ["13 12 34", undefined, "131234"],
    ["+64 9 555 1234", undefined, "+6495551234"],
  ])("splits %s", (text, phoneAreaCode, phoneNumber) => {
    const read = parsePhone(text)
    expect(read).toEqual({ ok: true, value: { ...(phoneAreaCode && { phoneAreaCode }), phoneNumber } })
    if (read.ok) expect(parsePhone(formatPhone(read.value))).toEqual(read)
  })

  it.each([
    "5550 1234",
    "call me",
    "",
    "02",
    "0255501",
    "02 5550 12345",
    "123",
    "0155501234",
    "+61",
    "a@b.au",
  ])("refuses %j", (text) => {
    expect(parsePhone(text)).toMatchObject({ ok: false })
  })
})

describe("phoneWarnings", () => {
  it.each([
    {},
    { phoneNumber: "08 5550 4321" },
    { phoneAreaCode: "02", phoneNumber: "55501234" },
  ])("has none for %j", (address) => {
    expect(phoneWarnings(address, ["sender"])).toEqual([])
  })

  it.each([
    [{ phoneAreaCode: "02" }, "sender.phoneAreaCode"],
    [{ phoneNumber: "none" }, "sender.phoneNumber"],
    [{ phoneAreaCode: "02", phoneNumber: "0412345678" }, "sender.phoneNumber"],
  ])("has one for %j", (address, path) => {
    expect(phoneWarnings(address, ["sender"]).map((each) => each.path)).toEqual([path])
  })
})
