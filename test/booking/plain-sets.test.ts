import { describe, expect, it } from "vitest"
import { applyPlainSets } from "../../src/booking/schema-fields.ts"

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
