import { describe, expect, it } from "vitest"
import { carrierName, isCarrier, nameCarriers } from "../../src/carriers/names.ts"

describe("carriers", () => {
  it.each([
    ["CARRIER_A_AU", "carrier A"],
    ["CARRIER_B_AU", "carrier B"],
    ["CARRIER_C_AU", "carrier C"],
  ] as const)("%s is called %s", (carrier, name) => {
    expect(carrierName(carrier)).toBe(name)
  })

  it("are listed", () => {
    expect(nameCarriers(["CARRIER_A_AU", "CARRIER_C_AU"])).toBe("carriers A and C")
    expect(nameCarriers(["CARRIER_A_AU", "CARRIER_B_AU", "CARRIER_C_AU"])).toBe("carriers A, B and C")
  })

  it("are told from what is none", () => {
    expect(isCarrier("CARRIER_C_AU")).toBe(true)
    expect(["C", "carrier_c_au", ""].some(isCarrier)).toBe(false)
  })
})
