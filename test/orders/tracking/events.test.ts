import { describe, expect, it } from "vitest"
import type { TrackingInfo, TrackingResponse } from "../../../src/contract/generated/types.ts"
import {
  eventRows,
  isOver,
  isPending,
  proofOfDelivery,
  standing,
} from "../../../src/orders/tracking/events.ts"

function answer(tracking: Partial<TrackingInfo>): TrackingResponse {
  return { supported: true, tracking: { currentStatus: "In transit", events: [], ...tracking } }
}

describe("isOver", () => {
  it.each([
    ["a time of delivery", { deliveredAt: "2026-11-20T00:00:00Z" }],
    ["the status Delivered", { currentStatus: "Delivered" }],
    ["the status CANCELLED", { currentStatus: "CANCELLED" }],
    ["the status canceled", { currentStatus: " canceled " }],
  ])("is so with %s", (_, tracking) => {
    expect(isOver(answer(tracking))).toBe(true)
  })

  it.each([
    ["on the way", {}],
    ["at a depot", { currentStatus: "Delivered to depot" }],
    ["out for delivery", { currentStatus: "Out for delivery", deliveredAt: null }],
  ])("is not so %s", (_, tracking) => {
    expect(isOver(answer(tracking))).toBe(false)
  })

  it("is not so while nothing is known", () => {
    expect(isOver({ supported: true, tracking: null })).toBe(false)
  })
})

describe("isPending", () => {
  it.each([
    [{ supported: true, tracking: null }, true],
    [{ supported: true }, true],
    [{ supported: false, tracking: null }, false],
    [answer({}), false],
  ])("of %j is %s", (response, pending) => {
    expect(isPending(response)).toBe(pending)
  })
})

describe("standing", () => {
  it.each([
    [answer({}), "In transit"],
    [answer({ eta: "2026-11-26" }), "In transit, expected 2026-11-26"],
    [
      answer({ currentStatus: "Delivered", deliveredAt: "2026-11-26T03:00:00Z", eta: "2026-11-26" }),
      "Delivered, Thu 26 Nov 2026, 11:00 Fremantle",
    ],
    [{ supported: false }, "this carrier has no tracking"],
  ])("of %j is %j", (response, text) => {
    expect(standing(response, { to: { suburb: "Fremantle", state: "WA" } })).toBe(text)
  })
})

describe("proofOfDelivery", () => {
  it("gives what there is", () => {
    const pod = { signedBy: "LEE", itemsReceived: null, signatureImageUrl: "https://images.example/1.png" }
    expect(proofOfDelivery(answer({ pod }))).toEqual([
      ["Signed by", "LEE"],
      ["Signature", "https://images.example/1.png"],
    ])
  })

  it("is empty without one", () => {
    expect(proofOfDelivery(answer({}))).toEqual([])
  })
})

describe("eventRows", () => {
  it("gives each event with where its consignment stands", () => {
    const events = [{ timestamp: "2026-11-20T00:00:00Z", status: "Booked" }]
    expect(eventRows({ consignment: "A1", ...answer({ events, eta: "2026-11-26" }) })).toEqual([
      {
        consignment: "A1",
        timestamp: "2026-11-20T00:00:00Z",
        status: "Booked",
        currentStatus: "In transit",
        eta: "2026-11-26",
      },
    ])
  })
})
