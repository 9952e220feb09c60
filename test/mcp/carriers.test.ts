/** Texts of carriers, as an assistant reads them. */
import { expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { markCarriers } from "../../src/mcp/carriers.ts"
import { toReply } from "../../src/mcp/tool.ts"

const HIDDEN = "Delivered\u{e0049}\u{e0067}\u{e006e}\u00ad\u180e\ufff9\u3164\u200b"
const SHOWN = `Delivered${"\ufffd".repeat(8)}`

it("text of a carrier is named beside it, before the words themselves", () => {
  const event = { timestamp: "2026-11-28T10:00:00+11:00", status: "Delivered", location: null }
  const marked = markCarriers([{ tracking: { currentStatus: "Delivered", events: [event] } }])
  expect(JSON.stringify(marked)).toBe(
    JSON.stringify([
      {
        tracking: {
          writtenByCarrier: ["currentStatus"],
          currentStatus: "Delivered",
          events: [{ writtenByCarrier: ["status"], ...event }],
        },
      },
    ]),
  )
})

it("text that freight or a person wrote is not marked as a carrier's", () => {
  const data = { reference: "SO-1", status: "BOOKED", description: "a lamp", list: [1, null, true] }
  expect(markCarriers(data)).toEqual(data)
})

it("invisible characters are shown in data, notes, errors and text", () => {
  const error = new FreightError("input", HIDDEN, { hint: HIDDEN })
  const stdout = JSON.stringify({ tracking: { currentStatus: HIDDEN } })
  const reply = toReply({ stdout, stderr: `${HIDDEN}\n`, error, shipments: 0 })
  expect(reply.structuredContent).toMatchObject({
    tracking: { currentStatus: SHOWN },
    notes: [SHOWN],
    error: { message: SHOWN, hint: SHOWN },
  })
  expect(JSON.stringify(reply)).not.toMatch(/[\u{e0000}-\u{e007f}\u00ad\u180e\ufff9\u3164\u200b]|\\\\u/u)
})
