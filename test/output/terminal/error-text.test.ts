import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { errorText } from "../../../src/output/terminal/error-text.ts"

const stream = (isTTY: boolean) => ({ isTTY, colour: false, columns: 30, write: async () => {} })

const error = new FreightError("stepFailed", "the booking stands, but not all after it was done", {
  errors: [
    { message: "the label: the service does not answer", next: "freight label shp-1 -o a-long-name.pdf" },
    { message: "the pickup: refused", code: "NO_VEHICLE", next: "freight pickup book --shipment shp-1" },
  ],
  hint: "Do not book again: run only what failed.",
  next: "freight label shp-1 -o a-long-name.pdf",
})

describe("an error", () => {
  it("on a terminal is broken between words, and its commands are not", () => {
    expect(errorText(stream(true), error).split("\n")).toEqual([
      "error: the booking stands, but",
      "not all after it was done",
      "  - the label: the service",
      "    does not answer",
      "    next: freight label shp-1 -o a-long-name.pdf",
      "  - the pickup: refused",
      "    (NO_VEHICLE)",
      "    next: freight pickup book --shipment shp-1",
      "Do not book again: run only",
      "what failed.",
      "next: freight label shp-1 -o a-long-name.pdf",
      "",
    ])
  })

  it("elsewhere has a line for each thing that it says", () => {
    expect(errorText(stream(false), error).split("\n").slice(0, 2)).toEqual([
      "error: the booking stands, but not all after it was done",
      "  - the label: the service does not answer",
    ])
  })

  it("with one thing that failed names its command once", () => {
    const [only] = error.errors ?? []
    const alone = new FreightError("stepFailed", "booked", {
      errors: only ? [only] : [],
      next: "freight label shp-1",
    })
    expect(errorText(stream(false), alone).match(/next:/g)).toEqual(["next:"])
  })
})
