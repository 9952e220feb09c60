/** Emails and phones of a booking; what single ones are is in texts/contacts.txt. */
import { describe, expect, it } from "vitest"
import { formatPhone, parsePhone } from "../../src/contract/contacts.ts"
import { checkBooking } from "../../src/contract/request-rules.ts"
import { booking, sydney } from "./rule-examples.ts"

describe("emails", () => {
  it("are looked at in every place that has one", () => {
    const bad = { ...sydney, email: "nobody" }
    const { warnings } = checkBooking(
      {
        ...booking,
        sender: bad,
        collection: bad,
        receiver: { ...bad, companyName: "Another" },
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

it.each([
  "02 5550 1234",
  "0412 345 678",
  "1300 555 123",
  "13 12 34",
  "+64 9 555 1234",
])("reads the phone number back that it writes: %s", (text) => {
  const read = parsePhone(text)
  expect(read.ok && parsePhone(formatPhone(read.value))).toEqual(read)
})
