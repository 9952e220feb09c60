/**
 * Advice on columns, followed to the letter: `--map` as errors print it, in each mix of headings of a weight and of counts.
 * The row then has the grams that were meant, or is refused, or freight asks again.
 */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { UnclearColumns } from "../../../src/input/columns/questions.ts"
import { rowsOf } from "./batches.ts"

/** The meaning of each weight heading for the author of the file: of one item, of a package, or of the whole row. */
const WEIGHTS = {
  "Kg per item": "item",
  "Weight per item": "item",
  "Item weight": "item",
  "Weight per piece kg": "item",
  "Product weight": "item",
  "Unit weight kg": "item",
  "Weight per carton": "package",
  "Kg per package": "package",
  "Package mass": "package",
  "Total weight": "all",
  "Total mass": "all",
  "Kg all up": "all",
} as const

/** Headings of how many packages there are, and of how many goods are in all of them. */
const PACKAGES = [undefined, "Ctns", "Cartons", "No of boxes"] as const
const GOODS = [
  undefined,
  "Qty",
  "Quantity",
  "Items",
  "Pieces",
  "Units",
  "Qty ordered",
  "No of items",
] as const

/** Grams of one of the goods, of which each package has as many. */
const OF_ONE = 2000
const MAX_STEPS = 5

interface Truth {
  packages: number
  goods: number
}

interface Drawn extends Truth {
  weight: keyof typeof WEIGHTS
  ofPackages: string | undefined
  ofGoods: string | undefined
}

const kgOf = ({ weight, packages, goods }: Drawn) =>
  (OF_ONE / 1000) * { item: 1, package: goods / packages, all: goods }[WEIGHTS[weight]]

function csvOf(drawn: Drawn): string {
  const { ofPackages, ofGoods, weight, packages, goods } = drawn
  const columns = [
    ...([
      ["Reference", "SO-1"],
      ["Company", "Wattle"],
      ["Address1", "1 Main St"],
    ] as const),
    ...([
      ["Suburb", "Dee Why"],
      ["State", "NSW"],
      ["Postcode", "2099"],
    ] as const),
    [weight, String(kgOf(drawn))],
    ...(ofPackages === undefined ? [] : [[ofPackages, String(packages)]]),
    ...(ofGoods === undefined ? [] : [[ofGoods, String(goods)]]),
    ...([
      ["Length", "40"],
      ["Width", "30"],
      ["Height", "20"],
    ] as const),
  ]
  return [0, 1].map((at) => columns.map((cells) => cells[at]).join(",")).join("\n")
}

/** The answer of the file's author for a column; undefined if none of the choices is right. */
function answer(drawn: Drawn, column: string, choices: readonly string[]): string | undefined {
  const { weight, ofPackages, ofGoods } = drawn
  const right = {
    [weight]: { item: ["package.weightKg"], package: ["package.weightKg"], all: ["package.totalWeightKg"] }[
      WEIGHTS[weight]
    ],
    ...(ofPackages && { [ofPackages]: ["package.count"] }),
    ...(ofGoods && { [ofGoods]: ["orderedQuantity", ""] }),
  }[column]
  return right?.find((each) => each === "" || choices.includes(each))
}

const MAPS = /--map (?:"([^"]+)"|(\S+?))(?=[\s,;:)]|$)/g

/** Follows the advice until nothing more is advised. @returns the grams of all packages, or why nothing is read */
async function follow(drawn: Drawn): Promise<number | "refused"> {
  const map: string[] = []
  for (let step = 0; step < MAX_STEPS; step++) {
    let advice: string[]
    try {
      const [row] = await rowsOf(csvOf(drawn), { map })
      if (row?.request)
        return row.request.packages.reduce((sum, each) => sum + each.count * each.weightKg * 1000, 0)
      const told = (row?.findings ?? []).map(({ message, hint = "" }) => `${message}: ${hint}`).join("\n")
      advice = [...told.matchAll(MAPS)].map(([, quotedMap, plain]) => quotedMap ?? plain ?? "")
      // A weight is that of each or of all, as its file means it.
      const isOf = (each: string) => answer(drawn, drawn.weight, [each.slice(drawn.weight.length + 1)])
      const ofWeight = advice.filter((each) => each.startsWith(`${drawn.weight}=package.`))
      if (ofWeight.length > 1) advice = advice.filter((each) => !ofWeight.includes(each) || isOf(each))
      // Which of the two counts goods is left to whoever wrote them.
      advice = advice.flatMap((each) =>
        each === "COLUMN=" ? (drawn.ofGoods ? [`${drawn.ofGoods}=`] : []) : [each],
      )
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      if (error instanceof UnclearColumns)
        advice = error.questions.flatMap(({ column, choices }) => {
          const field = answer(drawn, column, choices)
          return field === undefined ? [] : [`${column}=${field}`]
        })
      else
        advice = (error.errors ?? []).flatMap(({ message }) =>
          [...message.matchAll(MAPS)].map(([, quotedMap, plain]) => quotedMap ?? plain ?? ""),
        )
    }
    const next = advice.filter((each) => !map.includes(each))
    if (next.length === 0) return "refused"
    const [first = ""] = next
    map.push(first)
  }
  return "refused"
}

const TRUTHS: readonly Truth[] = [
  { packages: 1, goods: 10 },
  { packages: 2, goods: 10 },
  { packages: 3, goods: 3 },
]

describe("advice on a weight and on counts", () => {
  it.each(
    Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[],
  )("never makes a wrong weight of %s", async (weight) => {
    const wrong: string[] = []
    let read = 0
    for (const truth of TRUTHS)
      for (const ofPackages of PACKAGES)
        for (const ofGoods of GOODS) {
          // Without this count the file does not determine the weight.
          if (ofPackages === undefined && truth.packages > 1) continue
          if (ofGoods === undefined && WEIGHTS[weight] === "item" && truth.packages !== truth.goods) continue
          // Without another count a quantity beside sizes is that of the packages.
          if (ofPackages === undefined && ofGoods !== undefined && WEIGHTS[weight] !== "item") continue
          const drawn = { ...truth, weight, ofPackages, ofGoods }
          const grams = await follow(drawn)
          if (grams !== "refused") read++
          if (grams !== "refused" && Math.abs(grams - truth.goods * OF_ONE) > 1)
            wrong.push(`${ofPackages} ${truth.packages}, ${ofGoods} ${truth.goods}: ${grams} g`)
        }
    expect(wrong).toEqual([])
    expect(read).toBeGreaterThan(0)
  })
})
