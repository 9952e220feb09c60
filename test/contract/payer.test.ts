import { describe, expect, it } from "vitest"
import type { Carrier, Payer } from "../../src/contract/generated/types.ts"
import { parsePayer, checkPayer } from "../../src/contract/payer.ts"
import { sydney } from "./rule-examples.ts"

const A = "CARRIER_A_AU"
const B = "CARRIER_B_AU"
const C = "CARRIER_C_AU"

function codes(payer: Payer, carrier: Carrier | undefined): (string | undefined)[] {
  return checkPayer(payer, carrier).errors.map(({ code }) => code)
}

function warned(payer: Payer, carrier: Carrier | undefined): string[] {
  return checkPayer(payer, carrier).warnings.map(({ path }) => path)
}

describe("the account of a payer", () => {
  it.each([A, B, C, undefined] as const)("is required of Receiver on %s", (carrier) => {
    expect(codes({ type: "Receiver" }, carrier)).toEqual(["PAYER_ACCOUNT_REQUIRED"])
  })

  it.each([B, C, undefined] as const)("is required of ThirdParty on %s", (carrier) => {
    expect(codes({ type: "ThirdParty" }, carrier)).toEqual(["PAYER_ACCOUNT_REQUIRED"])
  })

  it("is as good as missing when it is blank", () => {
    expect(codes({ type: "Receiver", accountNumber: " " }, B)).toEqual(["PAYER_ACCOUNT_REQUIRED"])
  })

  it.each([A, B, C, undefined] as const)("is not required of Sender on %s", (carrier) => {
    expect(codes({ type: "Sender" }, carrier)).toEqual([])
  })

  it.each([A, B, C, undefined] as const)("settles it for Receiver on %s", (carrier) => {
    expect(codes({ type: "Receiver", accountNumber: "123" }, carrier)).toEqual([])
  })

  it("is shown as missing from the payer", () => {
    expect(checkPayer({ type: "Receiver" }, B).errors).toEqual([
      {
        pointer: "/payer",
        property: "accountNumber",
        path: "payer.accountNumber",
        keyword: "payer",
        code: "PAYER_ACCOUNT_REQUIRED",
        message: "payer.accountNumber is missing: a payer of type Receiver needs the account to bill",
      },
    ])
  })
})

describe("a third party", () => {
  it("is refused by carrier A", () => {
    expect(codes({ type: "ThirdParty", accountNumber: "123" }, A)).toEqual([
      "CARRIER_A_THIRD_PARTY_UNSUPPORTED",
    ])
  })

  it("without an account breaks both rules of carrier A", () => {
    expect(codes({ type: "ThirdParty" }, A)).toEqual([
      "PAYER_ACCOUNT_REQUIRED",
      "CARRIER_A_THIRD_PARTY_UNSUPPORTED",
    ])
  })

  it.each([B, C, undefined] as const)("is fine on %s", (carrier) => {
    expect(codes({ type: "ThirdParty", accountNumber: "123" }, carrier)).toEqual([])
  })
})

describe("an account given with Sender", () => {
  it("is charged by carrier A, which is worth a warning", () => {
    const [warning] = checkPayer({ type: "Sender", accountNumber: "123" }, A).warnings
    expect(warning?.message).toBe(
      "payer.accountNumber will be charged: carrier A bills it even when the payer is Sender",
    )
  })

  it.each([B, C, undefined] as const)("goes without a warning on %s", (carrier) => {
    expect(warned({ type: "Sender", accountNumber: "123" }, carrier)).toEqual([])
  })

  it("goes without a warning on carrier A when the receiver pays", () => {
    expect(warned({ type: "Receiver", accountNumber: "123" }, A)).toEqual([])
  })
})

describe("fields of the payer that the carrier does not read", () => {
  it.each([
    [A, "Sender", ["payer.thirdPartyAddress"]],
    [A, "ThirdParty", []],
    [B, "ThirdParty", ["payer.thirdPartyAddress"]],
    [C, "ThirdParty", ["payer.thirdPartyAddress"]],
    [undefined, "ThirdParty", []],
  ] as const)("thirdPartyAddress on %s with %s", (carrier, type, paths) => {
    expect(warned({ type, thirdPartyAddress: sydney }, carrier)).toEqual(paths)
  })
})

describe("a payer in short", () => {
  it.each([
    ["sender", { type: "Sender" }],
    ["Sender", { type: "Sender" }],
    ["receiver:80012345", { type: "Receiver", accountNumber: "80012345" }],
    ["receiver: 8001 : 2", { type: "Receiver", accountNumber: "8001 : 2" }],
    ["ThirdParty:7", { type: "ThirdParty", accountNumber: "7" }],
    ["Third party:7", { type: "ThirdParty", accountNumber: "7" }],
    ["receiver:", { type: "Receiver" }],
  ])("%j is read", (text, value) => {
    expect(parsePayer(text)).toEqual({ ok: true, value })
  })

  it.each(["", "me", "constructor", "__proto__:1"])("%j is refused", (text) => {
    expect(parsePayer(text)).toMatchObject({ ok: false, reason: expect.stringContaining("receiver:ACCOUNT") })
  })
})
