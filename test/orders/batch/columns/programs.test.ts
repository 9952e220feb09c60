/** The meanings of each program's headings and statuses. programs.txt has a line for every one, so that none is lost. */
import { it } from "vitest"
import { createMapping } from "../../../../src/input/columns/mapping.ts"
import type { Shop } from "../../../../src/input/columns/notation.ts"
import { findShop } from "../../../../src/input/columns/shops.ts"
import { batchColumns } from "../../../../src/orders/batch/columns/columns.ts"
import { SHOPS } from "../../../../src/orders/batch/columns/shops.ts"
import { findMeaning } from "../../../../src/orders/batch/columns/states.ts"
import { expectCalls } from "../../../cases.ts"

const mapping = createMapping(batchColumns(), [])

/** Each answer stands once, before all texts that it is given for. */
function group(texts: readonly string[], answer: (text: string) => string) {
  const answers = new Map<string, string[]>()
  for (const text of texts) answers.set(answer(text), [...(answers.get(answer(text)) ?? []), text])
  return Array.from(answers, ([line, all]) => ({ message: `${line}: ${all.join(" | ")}` }))
}

/** Both entries of ShipStation know what one of them does. */
const shopOf = (name: string, has: (shop: Shop) => boolean = () => true) =>
  SHOPS.find((shop) => shop.name === name && has(shop)) as Shop

function meaningOf(header: string, shop: Shop): string {
  const meaning = mapping.meaning(header, shop)
  const near = "likely" in meaning ? meaning.likely() : "asked about"
  const field = "field" in meaning ? meaning.field?.name : near
  const yields = shop.fallbackHeadings?.includes(header) === true && "yields to another"
  const number = shop.orderNumbers?.includes(header) === true && "another number of the order"
  return [field ?? "not used", yields, number].filter((each) => each !== false).join("; ")
}

const FUNCTIONS = {
  file: (all: readonly string[], ...others: readonly string[]) =>
    group(others, (other) => findShop(SHOPS, [...all, other])?.name ?? "no program"),
  heading: (name: string, ...headers: readonly string[]) =>
    group(headers, (header) =>
      meaningOf(
        header,
        shopOf(
          name,
          ({ unused = [] }) => name !== "ShipStation" || unused.includes(header) === /-/.test(header),
        ),
      ),
    ),
  status: (name: string, header: string, ...texts: readonly string[]) =>
    group(texts, (text) => findMeaning(shopOf(name).statuses[header] ?? {}, text)),
  sign: (name: string, header: string, ...cells: readonly string[]) =>
    group(cells, (cell) => {
      const sign = shopOf(name).signs?.find((each) => each.header === header)
      return sign?.says.test(cell) ? `${sign.status}${sign.means ? `, ${sign.means}` : ""}` : "nothing"
    }),
}

it("says what each word says", () => expectCalls(import.meta.dirname, "programs.txt", FUNCTIONS))
