import { describe, expect, it } from "vitest"
import { getPackages } from "../../../src/booking/wizard/draft.ts"
import { goods, packages, totalText } from "../../../src/booking/wizard/steps/goods.ts"
import { BACK } from "../../../src/terminal/conversation/conversation.ts"
import { draftOf, testWorld } from "./bench.ts"
import { ENTER, LEAVE, type Line, scripted } from "./scripted.ts"

const TWO = { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }
const ONE = { count: 1, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 1 }

async function asked(lines: Line[], request = {}) {
  const world = testWorld()
  const talk = scripted(lines)
  const answer = await packages.ask(draftOf(request), talk, world)
  return { talk, world, lines: answer === BACK ? BACK : getPackages(answer) }
}

describe("packages", () => {
  it("can be added to in the short form, with the running total", async () => {
    const { lines, talk } = await asked(
      [
        ["2 pieces, 11 kg, 0.048 m³: is that all?", "there is more"],
        ["More packages", "10x10x10@1"],
        ["3 pieces, 12 kg, 0.049 m³: is that all?", ENTER],
      ],
      { packages: [TWO] },
    )
    expect(lines).toEqual([TWO, ONE])
    expect(talk.left).toEqual([])
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
      ["is that all?", ENTER],
    ])
    expect(lines).toEqual([TWO])
  })

  it("field by field go back to the field before", async () => {
    const { lines } = await asked([
      ["Packages", "?"],
      ["How many of these", "3"],
      ["Length", BACK],
      ["How many of these", "2"],
      ["Length", "40"],
      ["Width", "30"],
      ["Height", "20"],
      ["Weight", "5.5"],
      ["is that all?", ENTER],
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

  it("can be taken out", async () => {
    const { lines } = await asked(
      [
        ["is that all?", "Remove 2 of 40 × 30 × 20"],
        ["is that all?", ENTER],
      ],
      { packages: [TWO, ONE] },
    )
    expect(lines).toEqual([ONE])
  })

  it("whose last one is taken out are typed anew, over what was there", async () => {
    const { lines } = await asked(
      [
        ["is that all?", "Remove 1 of 10 × 10 × 10"],
        ["Packages", ENTER],
      ],
      { packages: [ONE] },
    )
    expect(lines).toEqual([ONE])
  })

  it("go back into what was entered, and then out of the step", async () => {
    const measures: Line[] = ["1", "10", "10", "10", "1"].map((each) => ["", each])
    const { lines } = await asked([
      ["Packages", "?"],
      ...measures,
      ["is that all?", BACK],
      ["Packages", ENTER],
    ])
    expect(lines).toEqual([ONE])
    expect((await asked([["Packages", BACK]])).lines).toBe(BACK)
    expect((await asked([["is that all?", BACK]], { packages: [ONE] })).lines).toBe(BACK)
  })

  it("are kept after every line", async () => {
    const world = testWorld()
    const talk = scripted([
      ["is that all?", "there is more"],
      ["More packages", "10x10x10@1"],
      ["is that all?", LEAVE],
    ])
    await expect(packages.ask(draftOf({ packages: [TWO] }), talk, world)).rejects.toThrow("interrupted")
    expect(world.kept.at(-1)?.request.packages).toEqual([TWO, ONE])
  })

  it("have a total without signs that a terminal may not have", () => {
    expect(totalText([ONE], { cubic: "m3" })).toBe("1 piece, 1 kg, 0.001 m3")
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
  ["Packed in", "Fibreboard box"],
  ["How many of these packages", "2"],
  ["Total quantity", "10"],
  ["Emergency contact", "Dana Lee"],
  ["Phone of the emergency contact", "0255501000"],
]

describe("goods", () => {
  it("that are not dangerous take two answers", async () => {
    const talk = scripted([
      ["Packed in", "pallet"],
      ["Are there dangerous goods", ENTER],
    ])
    const answer = await goods.ask(draftOf(), talk, testWorld())
    expect(answer).toMatchObject({ request: { packagingCode: "PA", dangerousGoods: false } })
    expect(answer === BACK || goods.isOpen(answer, testWorld())).toBe(false)
  })

  it("that are dangerous are asked for all that the carrier must know", async () => {
    const answer = await goods.ask(draftOf(), scripted(DANGEROUS), testWorld())
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
    expect(answer === BACK || goods.isOpen(answer, testWorld())).toBe(false)
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
    await expect(goods.ask(draftOf(), talk, testWorld())).rejects.toThrow("interrupted")
    expect(talk.refusals).toEqual([
      expect.stringContaining("four digits"),
      expect.stringContaining("UN class or division"),
    ])
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
    const answer = await goods.ask(draft, talk, testWorld())
    expect(answer).toMatchObject({ request: { dangerousGoods: false } })
    expect(answer === BACK ? {} : answer.request).not.toHaveProperty("dangerousGoodsDetails")
  })

  it("without a needed detail are still open", () => {
    const details = { unNumber: "1263" }
    const draft = draftOf({ packagingCode: "CT", dangerousGoods: true, dangerousGoodsDetails: details })
    expect(goods.isOpen(draft, testWorld())).toBe(true)
  })
})
