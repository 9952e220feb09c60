import { describe, expect, it } from "vitest"
import { applyPlainSets, applySets } from "../../../src/contract/fields/sets.ts"
import { FreightError } from "../../../src/errors.ts"

const set = (...sets: string[]) => applySets({}, sets, "ConsignmentBookingRequest")

function refusal(...sets: string[]): FreightError {
  try {
    set(...sets)
  } catch (error) {
    if (error instanceof FreightError) return error
  }
  throw new Error("it was not refused")
}

describe("--set", () => {
  it("reads each value as the schema types it", () => {
    expect(
      set(
        "extendedWarranty.value=500.5",
        "keepInStore.numberOfDays=3",
        "foodFreight=true",
        "receiver.postcode=0800",
      ),
    ).toEqual({
      extendedWarranty: { value: 500.5 },
      keepInStore: { numberOfDays: 3 },
      foodFreight: true,
      receiver: { postcode: "0800" },
    })
  })

  it("fills lists by number, in either notation", () => {
    expect(set("packages.0.count=2", "packages[1].count=3", "customerBarcodes[0]=A1")).toEqual({
      packages: [{ count: 2 }, { count: 3 }],
      customerBarcodes: ["A1"],
    })
  })

  it("takes JSON for a whole list or object", () => {
    expect(set('customerBarcodes=["A","B"]')).toEqual({ customerBarcodes: ["A", "B"] })
  })

  it("keeps what was there", () => {
    const before = { receiver: { suburb: "Perth" } }
    expect(applySets(before, ["receiver.state=WA"], "ConsignmentBookingRequest")).toEqual({
      receiver: { suburb: "Perth", state: "WA" },
    })
    expect(before).toEqual({ receiver: { suburb: "Perth" } })
  })

  it.each([
    ["receiver.subrub=X", "Did you mean 'receiver.suburb'?"],
    ["recevier.suburb=X", "Did you mean 'receiver'?"],
  ])("%s is refused with a suggestion", (text, hint) => {
    expect(refusal(text).hint).toBe(hint)
  })

  it.each([
    ["keepInStore.numberOfDays=2.5", "whole number"],
    ["extendedWarranty.value=lots", "takes a number"],
    ["foodFreight=yes", "true or false"],
    ["packages.first.count=1", "by number"],
    ["customerBarcodes=A", "takes JSON"],
    ["nonsense", "FIELD=VALUE"],
    ["__proto__.polluted=1", "no such field"],
  ])("%s is refused: %s", (text, words) => {
    expect(refusal(text).message).toContain(words)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe("--set on a body without a schema", () => {
  it.each([
    ["a=1", { a: 1 }],
    ["a=true", { a: true }],
    ["a=null", { a: null }],
    ["a=[1,2]", { a: [1, 2] }],
    ['a={"b":1}', { a: { b: 1 } }],
    ['a="1"', { a: "1" }],
    ["a=0800", { a: "0800" }],
    ["a=hello world", { a: "hello world" }],
    ["a=b=c", { a: "b=c" }],
    ["a=", { a: "" }],
    ["a.b.c=x", { a: { b: { c: "x" } } }],
    ["a[1].b=x", { a: [undefined, { b: "x" }] }],
  ])("%j makes %j", (text, made) => {
    expect(applyPlainSets({}, [text])).toEqual(made)
  })

  it("goes over what the file holds, in order, and leaves the file's value alone", () => {
    const file = { a: { b: 1, c: 2 } }
    expect(applyPlainSets(file, ["a.b=3", "a.b=4"])).toEqual({ a: { b: 4, c: 2 } })
    expect(file).toEqual({ a: { b: 1, c: 2 } })
  })

  it.each(["a", "=1", "a..b=1", ".a=1", "a[999999999]=1"])("%j is refused", (text) => {
    expect(() => applyPlainSets({}, [text])).toThrow("--set")
  })

  it("makes a field called __proto__ like any other", () => {
    const made = applyPlainSets({}, ["__proto__.polluted=true"])
    expect(Object.hasOwn(made, "__proto__")).toBe(true)
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })
})
