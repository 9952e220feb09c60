import { describe, expect, it } from "vitest"
import { isFileName, savedAddress } from "../../../src/machine/config/addresses.ts"
import { checkNewName } from "../../../src/machine/config/saved.ts"
import { failureOf, holding } from "./setup.ts"

const PERTH = {
  companyName: "Port Street Fittings",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA",
  postcode: "6160",
}
const store = holding({
  addresses: { perth: PERTH, "Sydney dock": PERTH, broken: { ...PERTH, postcode: 6160 } },
})

describe("what names a party", () => {
  it.each(["perth.json", "./perth", "a/b", "C:\\perth", "PERTH.JSON", "-"])("%s is a file", (text) => {
    expect(isFileName(text)).toBe(true)
  })

  it.each(["perth", "Sydney dock", "perth.v2", "json"])("%s is a saved address", (text) => {
    expect(isFileName(text)).toBe(false)
  })
})

describe("a saved address", () => {
  it("is found by its name", () => {
    expect(savedAddress(store, "Sydney dock")).toEqual(PERTH)
  })

  it("that is nearly named is suggested", async () => {
    const error = await failureOf(() => savedAddress(store, "pert"))
    expect(error.kind).toBe("input")
    expect(error.hint).toContain('Did you mean "perth"?')
  })

  it("that is not there: the error lists those that are, and tells files from names", async () => {
    const error = await failureOf(() => savedAddress(store, "warehouse seven"))
    expect(error.hint).toContain("perth, Sydney dock, broken")
    expect(error.hint).toContain(".json")
  })

  it("is not found among the methods of every object", async () => {
    expect((await failureOf(() => savedAddress(store, "constructor"))).kind).toBe("input")
  })

  it("that breaks the contract is refused with its field", async () => {
    const error = await failureOf(() => savedAddress(store, "broken"))
    expect(error).toMatchObject({ kind: "config", errors: [{ field: "postcode" }] })
  })

  it.each(["perth", "Perth depot 2", "Müller & Co.", "7-eleven"])("can be called '%s'", (name) => {
    expect(() => checkNewName("addresses", name)).not.toThrow()
  })

  it.each([
    "",
    "-",
    "a/b",
    "a.json",
    " a",
    "a ",
    "\u001b[31m",
    "x".repeat(65),
  ])("cannot be called '%s'", async (name) => {
    expect((await failureOf(() => checkNewName("addresses", name))).kind).toBe("usage")
  })
})
