import { describe, expect, it } from "vitest"
import { matchName, shortId } from "../../src/contract/names.ts"

const A = { id: "a48da18d-0000-4000-8000-000000000001", names: ["SBC00000001", "ORD-1", "PO-1001"] }
const B = { id: "b48da18d-0000-4000-8000-000000000002", names: ["SBC00000002", "ORD-2", "PO-1002"] }
const C = { id: "PO-1001", names: ["SBC000000011"] }

const matched = (name: string, things = [A, B]) => matchName(name, things)

describe("a name", () => {
  it.each([A.id, ...A.names])("fits what has exactly it: %s", (name) => {
    expect(matched(name)).toEqual([A])
  })

  it.each(["po-1001", "sbc00000001", "A48DA18D-0000-4000-8000-000000000001"])("in any case: %s", (name) => {
    expect(matched(name)).toEqual([A])
  })

  it.each([
    "a48da1",
    "a48da18d-00",
    "A48DA1",
    "SBC000",
    "PO-100",
  ])("of six characters fits what begins so: %s", (name) => {
    expect(matched(name)).toEqual(name.startsWith("SBC") || name.startsWith("PO") ? [A, B] : [A])
  })

  it.each(["a48da", "PO-10", "ORD"])("of fewer fits nothing that only begins so: %s", (name) => {
    expect(matched(name)).toEqual([])
  })

  it("that is another's beginning fits the one that has exactly it", () => {
    expect(matched("SBC00000001", [C, A])).toEqual([A])
  })

  it("that is one thing's id fits that one, whatever else is called so", () => {
    expect(matched("PO-1001", [A, C])).toEqual([C])
  })

  it("fits all that have it", () => {
    expect(matched("PO-1001", [A, { ...B, names: ["PO-1001"] }])).toHaveLength(2)
  })
})

it.each([
  [A.id, "a48da18d"],
  ["demo-shipment", "demo-shipment"],
  ["12345678-1234", "12345678-1234"],
])("the short form of %s is %s", (id, short) => {
  expect(shortId(id)).toBe(short)
})
