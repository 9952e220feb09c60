import { describe, expect, it } from "vitest"
import { parseLedgerAddress } from "../../src/ledger/database/address.ts"

describe("the address of a ledger", () => {
  it.each([
    ["ledger.example", "verified"],
    ["127.0.0.1.example", "verified"],
    ["10.0.0.1", "verified"],
    ["[2001:db8::1]", "verified"],
    ["localhost", "none"],
    ["127.0.0.1", "none"],
    ["[::1]", "none"],
    ["ledger.example/freight?sslmode=require", "unverified"],
    ["ledger.example/freight?sslmode=disable", "none"],
    ["localhost/freight?sslmode=verify-full", "verified"],
  ])("at %s has TLS that is %s", (text, tls) => {
    const address = text.includes("/") ? text : `${text}/freight`
    expect(parseLedgerAddress(`postgres://${address}`, "FREIGHT_LEDGER")).toMatchObject({ address: { tls } })
  })

  it("is shown without its options, with the user and port that it names", () => {
    const text = "postgres://desk%40melbourne@[::1]:6543/freight%20ledger?sslmode=require"
    expect(parseLedgerAddress(text, "FREIGHT_LEDGER")).toEqual({
      dialect: "postgres",
      address: {
        text: "postgres://desk@melbourne@[::1]:6543/freight ledger",
        host: "::1",
        port: 6543,
        user: "desk@melbourne",
        database: "freight ledger",
        tls: "unverified",
      },
    })
    expect(parseLedgerAddress("postgresql://ledger.example/freight", "FREIGHT_LEDGER")).toEqual({
      dialect: "postgres",
      address: {
        text: "postgres://ledger.example/freight",
        host: "ledger.example",
        port: 5432,
        database: "freight",
        tls: "verified",
      },
    })
  })

  it.each([
    ["postgres://desk:secret@ledger.example/freight", "must not hold the password"],
    ["postgres://ledger.example", "is not a full address"],
    ["postgres://ledger.example/", "is not a full address"],
    ["postgres:///freight", "is not a full address"],
    ["postgres://100%@ledger.example/freight", "is not a full address"],
    ["postgres://ledger.example/100%", "is not a full address"],
    ["postgres://ledger.example/freight?sslmode=prefer", 'is verify-full, require or disable, not "prefer"'],
    ["mysql://ledger.example/freight", "takes postgres://"],
    ["ledger.sqlite", "takes postgres://"],
  ])("is not %s", (text, message) => {
    expect(() => parseLedgerAddress(text, "FREIGHT_LEDGER")).toThrow(message)
  })

  it("may be the full path of a file", () => {
    const file = "/var/lib/freight/ledger.sqlite"
    expect(parseLedgerAddress(file, "FREIGHT_LEDGER")).toEqual({ dialect: "sqlite", file })
  })
})
