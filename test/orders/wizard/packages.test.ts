import { describe, expect, it } from "vitest"
import { getPackages } from "../../../src/orders/wizard/draft.ts"
import { goods, packages } from "../../../src/orders/wizard/steps/goods.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { draftOf, testContext } from "./bench.ts"
import { ENTER, LEAVE, type Line, scripted } from "./scripted.ts"

const TWO = { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }
const ONE = { count: 1, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 1 }

async function asked(lines: Line[], request = {}) {
  const context = testContext()
  const talk = scripted(lines)
  const answer = await packages.ask(draftOf(request), { ...context, conversation: talk })
  return { talk, context, lines: answer === BACK ? BACK : getPackages(answer) }
}

describe("packages", () => {
  it("are added to with +, and shown with the running total", async () => {
    const { lines, talk } = await asked([["Packages", "+10x10x10@1"]], { packages: [TWO] })
    expect(lines).toEqual([TWO, ONE])
    expect(talk.asked[0]).toMatchObject({ initial: "2x40x30x20@5.5" })
    expect(talk.asked[0]?.live?.("+10x10x10@1")).toBe("In all: 3 pieces, 12 kg, 0.049 m³")
  })

  it("are taken several at a time", async () => {
    const { lines } = await asked([["Packages", "2x40x30x20@5.5, 10x10x10@1"]])
    expect(lines).toEqual([TWO, ONE])
  })

  it("in mm and g are converted, and read back", async () => {
    const { lines, talk } = await asked([["Packages", "2x400x300x200mm@5500g"]])
    expect(lines).toEqual([TWO])
    expect(talk.said).toContain('"2x400x300x200mm@5500g" is taken as 2x40x30x20@5.5, in cm and kg.')
  })

  it("of a weight that does not fit their size are asked about", async () => {
    const { lines, talk } = await asked([
      ["Packages", "2x40x30x20@5500"],
      ["5500 kg in 40 × 30 × 20 cm: 229,167 kg/m³, and goods have 2 to 12,000. Is that right?", ENTER],
      ["Packages", "2x40x30x20@5.5"],
    ])
    expect(lines).toEqual([TWO])
    expect(talk.left).toEqual([])
    const meant = await asked([
      ["Packages", "400x300x200@5"],
      ["Is that right?", true],
    ])
    expect(meant.lines).toMatchObject([{ lengthCm: 400 }])
  })

  it("are asked for field by field", async () => {
    const { lines } = await asked([
      ["Packages", "?"],
      ["How many of these", "2"],
      ["Length", "40cm"],
      ["Width", "wide"],
      ["Width", "30"],
      ["Height", "20 cm"],
      ["Weight", "5,5"],
      ["Packages", ENTER],
    ])
    expect(lines).toEqual([TWO])
  })

  it("field by field go back to the field before", async () => {
    const { lines } = await asked([
      ["Packages", "?"],
      ["How many of these", "3"],
      ["Length", "50"],
      ["Width", BACK],
      ["Length", BACK],
      ["How many of these", "2"],
      ["Length", "40"],
      ["Width", "30"],
      ["Height", "20"],
      ["Weight", "5.5"],
      ["Packages", ENTER],
    ])
    expect(lines).toEqual([TWO])
  })

  it("that are wrong are refused with the reason", async () => {
    const { talk } = await asked([
      ["Packages", "2x40@5"],
      ["Packages", "10x10x10@1"],
    ])
    expect(talk.refusals[0]).toContain("is not a package")
  })

  it("are changed and taken out where they are typed", async () => {
    const { lines, talk } = await asked([["Packages", "1x10x10x10@2"]], { packages: [TWO, ONE] })
    expect(talk.asked[0]).toMatchObject({ initial: "2x40x30x20@5.5, 1x10x10x10@1" })
    expect(lines).toEqual([{ ...ONE, weightKg: 2 }])
    expect((await asked([["Packages", ENTER]], { packages: [TWO, ONE] })).lines).toEqual([TWO, ONE])
  })

  it("measured one by one have what was typed in the question when the person steps back", async () => {
    const { talk, lines } = await asked([
      ["Packages", "?"],
      ["How many of these", ENTER],
      ["Length", "11"],
      ["Width", BACK],
      ["Length", "10"],
      ["Width", "10"],
      ["Height", "10"],
      ["Weight", "1"],
      ["Packages", ENTER],
    ])
    expect(talk.asked[4]).toMatchObject({ question: "Length of one in cm", initial: "11" })
    expect(lines).toEqual([ONE])
  })

  it("go back out of the step, and out of the measures", async () => {
    expect((await asked([["Packages", BACK]])).lines).toBe(BACK)
    expect((await asked([["Packages", BACK]], { packages: [ONE] })).lines).toBe(BACK)
    const { lines } = await asked([
      ["Packages", "?"],
      ["How many of these", BACK],
      ["Packages", "10x10x10@1"],
    ])
    expect(lines).toEqual([ONE])
  })

  it("are kept after each that was measured", async () => {
    const context = testContext()
    const measures: Line[] = ["1", "10", "10", "10", "1"].map((each) => ["", each])
    const talk = scripted([["Packages", "?"], ...measures, ["Packages", LEAVE]])
    const left = packages.ask(draftOf({ packages: [TWO] }), { ...context, conversation: talk })
    await expect(left).rejects.toThrow("interrupted")
    expect(context.kept.at(-1)?.request.packages).toEqual([TWO, ONE])
  })
})

const DANGEROUS: Line[] = [
  ["Packed in", "carton"],
  ["Are there dangerous goods in it?", true],
  ["UN number", "1263"],
  ["Class", "3"],
  ["Packing group", "II, medium"],
  ["Subsidiary risk", ""],
  ["Proper shipping name", "PAINT"],
  ["Kind of package", "Fibreboard box"],
  ["How many of these packages", "2"],
  ["How much of the substance in all", "10"],
  ["Emergency contact", "Dana Lee"],
  ["Phone of the emergency contact", "0255501000"],
]

describe("goods", () => {
  it("that are not dangerous take two answers", async () => {
    const talk = scripted([
      ["Packed in", "pallet"],
      ["Are there dangerous goods", ENTER],
    ])
    const answer = await goods.ask(draftOf(), { ...testContext(), conversation: talk })
    expect(answer).toMatchObject({ request: { packagingCode: "PA", dangerousGoods: false } })
    expect(answer === BACK || goods.isOpen(answer, testContext())).toBe(false)
  })

  it("that are dangerous are asked for all that the carrier must know", async () => {
    const answer = await goods.ask(draftOf(), { ...testContext(), conversation: scripted(DANGEROUS) })
    expect(answer).toMatchObject({
      request: {
        dangerousGoods: true,
        dangerousGoodsDetails: {
          unNumber: "1263",
          packingGroup: "II",
          quantity: 2,
          aggregateQuantity: 10,
          shippingName: "PAINT",
        },
      },
    })
    expect(answer === BACK || goods.isOpen(answer, testContext())).toBe(false)
  })

  it("without a packing group are asked about where their class has one", async () => {
    const talk = scripted([
      ...DANGEROUS.slice(0, 4),
      ["Packing group", "none"],
      ["Substances of class 3 usually have a packing group. Is there none?", ENTER],
      ...DANGEROUS.slice(4),
    ])
    const answer = await goods.ask(draftOf(), { ...testContext(), conversation: talk })
    expect(answer).toMatchObject({ request: { dangerousGoodsDetails: { packingGroup: "II" } } })
    expect(talk.asked[4]?.choices.at(-1)).toBe("none")
  })

  it("of several kinds of packages are told that a booking has one packing", async () => {
    const talk = scripted([
      ["Packed in", "pallet"],
      ["Are there dangerous goods", ENTER],
    ])
    await goods.ask(draftOf({ packages: [TWO, ONE] }), { ...testContext(), conversation: talk })
    expect(talk.said.join()).toContain("For a pallet and cartons, make two bookings.")
  })

  it("are checked one by one against the contract", async () => {
    const talk = scripted([
      ...DANGEROUS.slice(0, 2),
      ["UN number", "UN12"],
      ["UN number", "UN1263"],
      ["Class", "eight"],
      ["Class", "8"],
      ["Packing group", LEAVE],
    ])
    await expect(goods.ask(draftOf(), { ...testContext(), conversation: talk })).rejects.toThrow(
      "interrupted",
    )
    expect(talk.refusals).toEqual([
      expect.stringContaining("four digits"),
      expect.stringContaining("UN class or division"),
    ])
  })

  it("have names, and no numbers, as what they are and what they are packed in", async () => {
    const lines = DANGEROUS.flatMap(([question, reply]): Line[] => {
      const wrong = { "Proper shipping name": "2", "Kind of package": "10", "Emergency contact": "1" }[
        question
      ]
      return [...(wrong ? [[question, wrong] as const] : []), [question, reply]]
    })
    const talk = scripted(lines)
    await goods.ask(draftOf(), { ...testContext(), conversation: talk })
    expect(talk.refusals).toEqual(['"2" is not a name', '"10" is not a name', '"1" is not a name'])
    const hintOf = (words: string) => talk.asked.find(({ question }) => question.startsWith(words))?.hint
    expect(hintOf("Subsidiary risk")).toBe("its class, such as 6.1; nothing where there is none")
  })

  it("have a class as their subsidiary risk, and no words", async () => {
    const talk = scripted([
      ...DANGEROUS.slice(0, 2),
      ["UN number", "1263"],
      ["Class", "3"],
      ["Packing group", "II"],
      ["Subsidiary risk", "PAINT"],
      ["Subsidiary risk", "6.1, 8"],
      ["Proper shipping name", LEAVE],
    ])
    await expect(goods.ask(draftOf(), { ...testContext(), conversation: talk })).rejects.toThrow(
      "interrupted",
    )
    expect(talk.said.join()).toContain('"PAINT" is not a subsidiary risk: write its class, such as 6.1')
  })

  it("that turn out not to be dangerous lose their details", async () => {
    const draft = draftOf({
      packagingCode: "CT",
      dangerousGoods: true,
      dangerousGoodsDetails: { unNumber: "1263" },
    })
    const talk = scripted([
      ["Packed in", ENTER],
      ["Are there dangerous goods", false],
    ])
    const answer = await goods.ask(draft, { ...testContext(), conversation: talk })
    expect(answer).toMatchObject({ request: { dangerousGoods: false } })
    expect(answer === BACK ? {} : answer.request).not.toHaveProperty("dangerousGoodsDetails")
  })

  it("are asked about again where a needed detail is missing", () => {
    const details = { unNumber: "1263" }
    const draft = draftOf({ packagingCode: "CT", dangerousGoods: true, dangerousGoodsDetails: details })
    expect(goods.isOpen(draft, testContext())).toBe(true)
  })
})
