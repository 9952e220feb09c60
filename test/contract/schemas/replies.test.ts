/** Every reply is taken with new fields, and refused where a field is of no type that fits. */
import { describe, expect, it } from "vitest"
import { findErrors } from "../../../src/contract/check.ts"
import { type Name, type Path, placesIn, problems, REPLY_EXAMPLES, validators } from "./examples.ts"

describe.each(Object.keys(REPLY_EXAMPLES) as Name[])("%s", (name) => {
  const example = REPLY_EXAMPLES[name as keyof typeof REPLY_EXAMPLES]
  const places = placesIn(example)
  const valueAt = (path: Path) => path.reduce<unknown>((value, key) => Object(value)[key], example)
  const objects = places.filter((path) => valueAt(path)?.constructor === Object)
  const called = (path: Path) => ({ path, at: path.join(".") || "the top level" })

  it("is taken when it is good", () => {
    expect(findErrors(validators[name], example)).toEqual([])
  })

  it.each(objects.map(called))("may have a new field in $at", ({ path }) => {
    expect(problems(name, [...path, "newField"], { any: 1 })).toEqual([])
  })

  it.each(places.map(called))("has one problem when $at is of no type that fits", ({ path }) => {
    const odd = Array.isArray(valueAt(path)) ? 1 : [[]]
    const pointer = path.map((key) => `/${key}`).join("")
    expect(problems(name, path, odd)).toMatchObject([{ pointer }])
  })
})
