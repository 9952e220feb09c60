import { describe, expect, it } from "vitest"
import { formatPhone, parsePhone, phoneWarnings } from "../../src/contract/contacts.ts"

describe("parsePhone", () => {
  it.each([
    ["02 5550 1234", "02", "55501234"],
    ["(08) 5550-1234", "08", "55501234"],
    ["0355501234", "03", "55501234"],
    ["+61 7 5550 1234", "07", "55501234"],
    ["+61 (0)2 5550 1234", "02", "55501234"],
    ["0061 2 5550 1234", "02", "55501234"],
    ["255501234", "02", "55501234"],
    ["0412 345 678", undefined, "0412345678"],
    ["+61 412 345 678", undefined, "0412345678"],
    ["412345678", undefined, "0412345678"],
    ["1300 555 123", undefined, "1300555123"],
    ["1800 555 123", undefined, "1800555123"],
    ["13 12 34", undefined, "131234"],
    ["+64 9 555 1234", undefined, "+6495551234"],
  ])("splits %s", (text, phoneAreaCode, phoneNumber) => {
    const read = parsePhone(text)
    expect(read).toEqual({ ok: true, value: { ...(phoneAreaCode && { phoneAreaCode }), phoneNumber } })
    if (read.ok) expect(parsePhone(formatPhone(read.value))).toEqual(read)
  })

  it.each([
    "5550 1234",
    "call me",
    "",
    "02",
    "0255501",
    "02 5550 12345",
    "123",
    "0155501234",
    "+61",
    "a@b.au",
  ])("refuses %j", (text) => {
    expect(parsePhone(text)).toMatchObject({ ok: false })
  })
})

describe("phoneWarnings", () => {
  it.each([
    {},
    { phoneNumber: "08 5550 4321" },
    { phoneAreaCode: "02", phoneNumber: "55501234" },
  ])("has none for %j", (address) => {
    expect(phoneWarnings(address, ["sender"])).toEqual([])
  })

  it.each([
    [{ phoneAreaCode: "02" }, "sender.phoneAreaCode"],
    [{ phoneNumber: "none" }, "sender.phoneNumber"],
    [{ phoneAreaCode: "02", phoneNumber: "0412345678" }, "sender.phoneNumber"],
  ])("has one for %j", (address, path) => {
    expect(phoneWarnings(address, ["sender"]).map((each) => each.path)).toEqual([path])
  })
})
