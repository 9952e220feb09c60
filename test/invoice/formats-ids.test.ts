import { describe, expect, it } from "vitest"
import { explainEmail, explainUuid } from "../../src/invoice/explain/formats.ts"

describe("a UUID", () => {
  it.each([
    "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
    "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    "2eb8aa08-AA98-11ea-B4Aa-73B441D16380",
    "00000000-0000-0000-0000-000000000000",
    "99c17cbb-656f-564a-940f-1a4568f03487",
    "99c17cbb-656f-f64a-940f-1a4568f03487",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ])("may be %s", (text) => {
    expect(explainUuid(text)).toBeUndefined()
  })

  it.each([
    "2eb8aa08aa9811eab4aa73b441d16380",
    "2eb8aa08aa98-11ea-b4aa73b441d16380",
    "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
    "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}",
    "urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    " 2eb8aa08-aa98-11ea-b4aa-73b441d16380\n",
  ])("%j is repaired", (text) => {
    expect(explainUuid(text)?.hint).toBe('write "2eb8aa08-aa98-11ea-b4aa-73b441d16380"')
  })

  it.each([
    "",
    "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
    "2eb8aa08-aa98-11ea-73b441d16380",
    "2eb8aa08-aa98-11ea-b4ga-73b441d16380",
    "2eb8aa08-aa98-11ea-b4aa-73b441d163800",
    "INV-1001",
    "a".repeat(1_000_000),
  ])("may not be such a text (%#)", (text) => {
    expect(explainUuid(text)?.hint).toMatch(/^a UUID has 32 digits/)
  })
})

describe("an email address", () => {
  it.each([
    "",
    "joe.bloggs@example.com",
    "te~st@example.com",
    "~test@example.com",
    "test~@example.com",
    "te.s.t@example.com",
    "joe+invoices@example.com.au",
    "o'brien_2@mail-1.example",
    '"joe bloggs"@example.com',
    '"joe..bloggs"@example.com',
    '"joe@bloggs"@example.com',
    '"joe\\"s"@example.com',
    "joe.bloggs@[127.0.0.1]",
    "joe.bloggs@[IPv6:::1]",
    "joe@localhost",
    `joe@${"a".repeat(63)}.example`,
    `${"j".repeat(64)}@${"a.".repeat(127)}a`,
  ])("may be %j", (text) => {
    expect(explainEmail(text)).toBeUndefined()
  })

  it.each([
    ["2962", "it has no @"],
    ["joe@bloggs@example.com", "it has more than one @"],
    ["a b@c", "it has a blank in it"],
    [" ", "it has no @"],
    ["@example.com", "there is nothing before the @"],
    ["joe@", "there is nothing after the @"],
    [".test@example.com", "a dot is at the start or end of a part, or beside another dot"],
    ["test.@example.com", "a dot is at the start or end of a part, or beside another dot"],
    ["te..st@example.com", "a dot is at the start or end of a part, or beside another dot"],
    ["joe@example..com", "a dot is at the start or end of a part, or beside another dot"],
    ["joe@.example.com", "a dot is at the start or end of a part, or beside another dot"],
    ["joe@example.com.", "a dot is at the start or end of a part, or beside another dot"],
    ["joe.bloggs@invalid=domain.com", '"=" is not allowed after the @'],
    ["joe@example,com", '"," is not allowed after the @'],
    ["joe@müller.example", '"ü" is not allowed after the @'],
    ["joe@-example.com", '"-example" starts or ends with a hyphen'],
    ["joe@example-.com", '"example-" starts or ends with a hyphen'],
    [`joe@${"a".repeat(64)}.example`, `"${"a".repeat(59)}…" has more than 63 characters between two dots`],
    ["joe.bloggs@[127.0.0.300]", '"[127.0.0.300]" is not an IP address in brackets'],
    ["joe.bloggs@[IPv6:fe80::1%1]", '"[IPv6:fe80::1%1]" is not an IP address in brackets'],
    ["joe.bloggs@[::1]", '"[::1]" is not an IP address in brackets'],
    ["用户@example.com", '"用" is not allowed before the @'],
    ["joe(home)@example.com", '"(" is not allowed before the @'],
    ['"joe"x@example.com', "double quotes before the @ must enclose all that is before it"],
    ["joe@example.com, ann@example.com", "it has more than one @"],
  ])("may not be %j", (text, trouble) => {
    const message = explainEmail(text)?.message ?? ""
    expect(message.slice(message.indexOf('" is not'))).toBe(`" is not an email address: ${trouble}`)
  })

  it.each([
    "Joe Bloggs <joe@example.com>",
    '"Winston Smith" <joe@example.com>',
    "mailto:joe@example.com",
    " joe@example.com ",
    "<joe@example.com>",
  ])("%j is repaired", (text) => {
    expect(explainEmail(text)?.hint).toBe('write "joe@example.com"')
  })

  it.each([
    ["before the @", `${"j".repeat(65)}@example.com`],
    ["after the @", `joe@${"a.".repeat(128)}`.slice(0, -1).concat("aa")],
    ["on both sides", `${"a".repeat(50_000_000)}@${"a".repeat(50_000_000)}`],
  ])("may not be too long %s", (_, text) => {
    expect(explainEmail(text)?.message).toMatch(/is longer than an email address can be$/)
  })
})
