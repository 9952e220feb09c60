/** Explanations take time linear in the findings: what is counted is how often the names of an object are listed. */
import { expect, it } from "vitest"
import { explainContractError } from "../../src/invoice/explain/contract.ts"

it("lists the names of an object once, however many of them are unknown", () => {
  let lists = 0
  const names = Array.from({ length: 50 }, (_, index) => `invoiceNumbr${index}`)
  const value = new Proxy(Object.fromEntries(names.map((name) => [name, 1])), {
    ownKeys(target) {
      lists++
      return Reflect.ownKeys(target)
    },
  })
  const error = { keyword: "additionalProperties", pointer: "/data", params: {} }
  for (const property of names)
    expect(explainContractError({ ...error, property }, value, () => "1").hint).toBe(
      'did you mean "invoiceNumber"?',
    )
  expect(lists).toBe(1)
})
