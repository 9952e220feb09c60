import { describe, expect, it } from "vitest"
import { applySets } from "../../src/booking/schema-fields.ts"
import { FreightError } from "../../src/errors.ts"

const set = (...sets: string[]) => applySets({}, sets, "ConsignmentBookingRequest")

async function refusal(...sets: string[]): Promise<FreightError> {
  const error: unknown = await set(...sets).catch((caught: unknown) => caught)
  if (!(error instanceof FreightError)) throw new Error("it was not refused")
  return error
}

describe("--set", () => {
  it("reads each value as the schema types it", async () => {
    expect(
      await set(
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

  it("fills lists by number, in either notation", async () => {
    expect(await set("packages.0.count=2", "packages[1].count=3", "customerBarcodes[0]=A1")).toEqual({
      packages: [{ count: 2 }, { count: 3 }],
      customerBarcodes: ["A1"],
    })
  })

  it("takes JSON for a whole list or object", async () => {
    expect(await set('customerBarcodes=["A","B"]')).toEqual({ customerBarcodes: ["A", "B"] })
  })

  it("keeps what was there", async () => {
    const before = { receiver: { suburb: "Perth" } }
    expect(await applySets(before, ["receiver.state=WA"], "ConsignmentBookingRequest")).toEqual({
      receiver: { suburb: "Perth", state: "WA" },
    })
    expect(before).toEqual({ receiver: { suburb: "Perth" } })
  })

  it.each([
    ["receiver.subrub=X", "Did you mean 'receiver.suburb'?"],
    ["recevier.suburb=X", "Did you mean 'receiver'?"],
  ])("%s is refused with a suggestion", async (text, hint) => {
    expect((await refusal(text)).hint).toBe(hint)
  })

  it.each([
    ["keepInStore.numberOfDays=2.5", "whole number"],
    ["extendedWarranty.value=lots", "takes a number"],
    ["foodFreight=yes", "true or false"],
    ["packages.first.count=1", "by number"],
    ["customerBarcodes=A", "takes JSON"],
    ["nonsense", "FIELD=VALUE"],
    ["__proto__.polluted=1", "no such field"],
  ])("%s is refused: %s", async (text, words) => {
    expect((await refusal(text)).message).toContain(words)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
