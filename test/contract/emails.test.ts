import { describe, expect, it } from "vitest"
import { checkBooking } from "../../src/contract/request-rules.ts"
import { alertWarnings, collectionEmailWarnings } from "../../src/contract/contacts.ts"
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
          "collection.email is missing: carrier C refuses the booking unless the connector has an address to fall back to",
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
    "名@例.jp",
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
