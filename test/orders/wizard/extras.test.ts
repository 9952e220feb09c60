import { describe, expect, it } from "vitest"
import { extras, payer } from "../../../src/orders/wizard/steps/extras.ts"
import { type Draft, getWholeRequest } from "../../../src/orders/wizard/draft.ts"
import { CARRIER_FIELDS } from "../../../src/orders/wizard/questions.ts"
import type { Carrier } from "../../../src/contract/generated/types.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { rateOf, shippable, testContext } from "./bench.ts"
import { ENTER, type Line, scripted } from "./scripted.ts"

/** A draft for which a rate of that carrier is chosen. */
function chosen(carrier: Carrier, request = {}): Draft {
  return { ...shippable(request), rate: rateOf(carrier) }
}
const A = (request = {}) => chosen("CARRIER_A_AU", request)
const B = (request = {}) => chosen("CARRIER_B_AU", request)
const C = (request = {}) => chosen("CARRIER_C_AU", request)

async function ask(step: typeof payer, draft: Draft, lines: Line[]) {
  const talk = scripted(lines)
  const answer = await step.ask(draft, { ...testContext(), conversation: talk })
  expect(talk.left).toEqual([])
  return { talk, answer, request: answer === BACK ? {} : answer.request }
}

describe("the payer", () => {
  it("is the sender at one key", async () => {
    const { request } = await ask(payer, A(), [["Who pays", ENTER]])
    expect(request.payer).toEqual({ type: "Sender" })
  })

  it("who receives needs an account", async () => {
    const { request, talk } = await ask(payer, B(), [
      ["Who pays", "The receiver"],
      ["Account to bill", ""],
      ["Account to bill", "800123"],
    ])
    expect(request.payer).toEqual({ type: "Receiver", accountNumber: "800123" })
    expect(talk.refusals[0]).toContain("account is needed")
  })

  it("cannot be a third party on carrier A", async () => {
    const talk = scripted([["Who pays", "A third party"]])
    await expect(payer.ask(A(), { ...testContext(), conversation: talk })).rejects.toThrow(
      "does not bill third parties",
    )
  })

  it("is asked about an account that carrier A charges although the sender pays", async () => {
    const draft = A({ payer: { type: "Sender", accountNumber: "800123" } })
    const { request } = await ask(payer, draft, [
      ["Who pays", ENTER],
      ["Carrier A charges account 800123 although the sender pays", false],
    ])
    expect(request.payer).toEqual({ type: "Sender" })
  })

  it("goes back from the account to who pays", async () => {
    const { request } = await ask(payer, B(), [
      ["Who pays", "The receiver"],
      ["Account to bill", BACK],
      ["Who pays", "The sender"],
    ])
    expect(request.payer).toEqual({ type: "Sender" })
  })
})

describe("extras", () => {
  const names = async (draft: Draft) => {
    const { talk } = await ask(extras, draft, [["Anything more", ENTER]])
    return talk.asked[0]?.choices
  }

  it.each([
    [
      A(),
      ["Alerts by email or text message", "Hold at the depot", "Pickup already arranged"],
      ["Extended warranty", "Food"],
    ],
    [
      B(),
      ["Alerts by email", "Delivery slot", "Delivery window"],
      ["Pallets of pool A", "Pallets of pool B", "Your own barcodes"],
    ],
    [C(), ["Sub-account of the payer"], ["Business unit"]],
  ])("are those of the chosen carrier, and only those", async (draft, some, others) => {
    const carrier = draft.rate?.carrier
    const own = CARRIER_FIELDS.filter((field) => field.carriers?.some((each) => each === carrier)).map(
      ({ words }) => words,
    )
    expect(await names(draft)).toEqual(["Nothing more", "Instructions for the driver", ...own])
    expect(own).toEqual(expect.arrayContaining([...some, ...others]))
  })

  it("are set one by one, and shown with what was set", async () => {
    const { request, talk } = await ask(extras, A(), [
      ["Anything more", "Instructions for the driver"],
      ["Instructions for the driver", "Ring twice"],
      ["Anything more", ENTER],
    ])
    expect(request.specialInstructions).toBe("Ring twice")
    expect(talk.asked[2]?.choices).toContain("Instructions for the driver: Ring twice")
  })

  it("are checked against the contract", async () => {
    const { request, talk } = await ask(extras, A({ payer: { type: "Sender" } }), [
      ["Anything more", "Hold at the depot"],
      ["Business days", "9"],
      ["Business days", "3"],
      ["Anything more", "Extended warranty"],
      ["Value in dollars", "20000"],
      ["Value in dollars", "$1,500"],
      ["Warranty class", "B"],
      ["Anything more", ENTER],
    ])
    expect(request).toMatchObject({
      keepInStore: { numberOfDays: 3 },
      extendedWarranty: { value: 1500, class: "B" },
    })
    expect(talk.refusals).toEqual([
      expect.stringContaining("must be at most 5"),
      expect.stringContaining("must be at most 10000"),
    ])
  })

  it("of which there can be several are added one after another", async () => {
    const alert = (email: string): Line[] => [
      ["Email", email],
      ["Mobile for text messages", ""],
      ["Alert types", "DELIVERED, DELAYED"],
    ]
    const { request } = await ask(extras, A(), [
      ["Anything more", "Alerts by email"],
      ...alert("one@a.example"),
      ["Anything more", "Alerts by email"],
      ["Alerts by email", "Add another"],
      ...alert("two@a.example"),
      ["Anything more", ENTER],
    ])
    expect(request.alertAddresses).toEqual([
      { email: "one@a.example", alertTypes: ["DELIVERED", "DELAYED"] },
      { email: "two@a.example", alertTypes: ["DELIVERED", "DELAYED"] },
    ])
  })

  it("that rule each other out keep only the last", async () => {
    const { request } = await ask(extras, B(), [
      ["Anything more", "Delivery slot"],
      ["Day and time", "2026-11-25T09:30:00+11:00"],
      ["The receiver's reference", "R1"],
      ["Anything more", "Delivery window"],
      ["Delivery window takes the place of Delivery slot", true],
      ["First day", "25/11/2026"],
      ["Last day", "26 Nov 2026"],
      ["Not before", "9am"],
      ["Not after", ""],
      ["Anything more", ENTER],
    ])
    expect(request.timeSensitive).toEqual({
      deliveryWindow: { startDate: "2026-11-25", endDate: "2026-11-26", startTime: "09:00" },
    })
  })

  it("judge each answer as the whole form would, and read days as people write them", async () => {
    const { request, talk } = await ask(extras, B(), [
      ["Anything more", "Delivery window"],
      ["First day", "20/11/2026"],
      ["First day", "thu 26/11"],
      ["Last day", "25/11"],
      ["Last day", "thu 26/11"],
      ["Not before", "5pm"],
      ["Not after", "9am"],
      ["Not after", "6pm"],
      ["Anything more", ENTER],
    ])
    expect(talk.refusals).toEqual([
      "it is 2026-11-20, before the collection on 2026-11-23",
      "it is 2026-11-25, before the start 2026-11-26",
      "it is 09:00, before the start 17:00",
    ])
    expect(request.timeSensitive).toEqual({
      deliveryWindow: {
        startDate: "2026-11-26",
        endDate: "2026-11-26",
        startTime: "17:00",
        endTime: "18:00",
      },
    })
    const [, first] = talk.asked
    expect(first?.hint).toBe("such as 24 Nov 2026")
  })

  it("read the slot of a delivery as a time is read anywhere, and refuse one before the collection", async () => {
    const { request, talk } = await ask(extras, B(), [
      ["Anything more", "Delivery slot"],
      ["Day and time", "sun 22/11/2026 2pm"],
      ["Day and time", "sat 28/11 2pm"],
      ["The receiver's reference", "R1"],
      ["Anything more", ENTER],
    ])
    expect(request.timeSensitive).toEqual({ timeslot: { dateTime: "2026-11-28T14:00:00", reference: "R1" } })
    expect(talk.refusals).toEqual(["it is 2026-11-22T14:00:00, before the collection on 2026-11-23"])
  })

  it("keep a slot whose window is not meant", async () => {
    const timeslot = { dateTime: "2026-11-25T09:30:00+11:00", reference: "R1" }
    const { request } = await ask(extras, B({ timeSensitive: { timeslot } }), [
      ["Anything more", "Delivery window"],
      ["Delivery window takes the place of Delivery slot", false],
      ["Anything more", ENTER],
    ])
    expect(request.timeSensitive).toEqual({ timeslot })
  })

  it("that are stepped back from stay as they were", async () => {
    const { request } = await ask(extras, A(), [
      ["Anything more", "Extended warranty"],
      ["Value in dollars", "500"],
      ["Warranty class", BACK],
      ["Value in dollars", BACK],
      ["Anything more", ENTER],
    ])
    expect(request).not.toHaveProperty("extendedWarranty")
  })

  it("can be taken out", async () => {
    const { request } = await ask(extras, A({ keepInStore: { numberOfDays: 2 } }), [
      ["Anything more", "Hold at the depot"],
      ["Hold at the depot", "Remove it"],
      ["Anything more", ENTER],
    ])
    expect(request).not.toHaveProperty("keepInStore")
  })

  it("of another carrier are kept in the draft and not sent", () => {
    const draft = C({ payer: { type: "Sender" }, keepInStore: { numberOfDays: 2 } })
    expect(getWholeRequest(draft)).not.toHaveProperty("keepInStore")
    expect(draft.request).toHaveProperty("keepInStore")
  })
})
