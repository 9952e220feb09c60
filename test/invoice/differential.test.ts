import { describe, expect, it } from "vitest"
import { readJson } from "../../src/input/json/read.ts"
import { share } from "../drawn.ts"
import { describeBothWays } from "./differential.ts"
import { fullInvoice } from "./samples.ts"

// More of them are tried in differential.long.test.ts.
describeBothWays(share(100))

describe("the fast path", () => {
  const takesIt = (change: (invoice: ReturnType<typeof fullInvoice>) => void) => {
    const invoice = fullInvoice()
    change(invoice)
    return readJson(JSON.stringify(invoice)).numbers === undefined
  }

  it.each<[string, (invoice: ReturnType<typeof fullInvoice>) => void]>([
    ["as it is", () => {}],
    [
      "an apostrophe in an e-mail address",
      ({ data }) => {
        data.contacts = [{ role: "billTo", email: "pat.o'neill@example.com" }]
      },
    ],
    [
      "long numbers in texts",
      ({ data }) => {
        data.comments = "SSCC: 00193000123456789012, tracking 12345678901234567890, 1e5"
      },
    ],
    [
      "quotes and backslashes in texts",
      ({ data }) => {
        data.comments = 'He wrote "a": 1, and C:\\parts\\'
      },
    ],
    [
      "a UUID of digits and an e",
      (invoice) => {
        invoice.correlationId = "12345678-1e23-4e56-8e78-123456789e12"
      },
    ],
  ])("is taken by an ordinary invoice: %s", (_, change) => {
    expect(takesIt(change)).toBe(true)
  })
})
