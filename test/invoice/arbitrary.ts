/** Invoices at random that keep the contract: any optional field may be there or not. Their amounts need not agree. */
import fc from "fast-check"
import { fieldsOf, type Kind } from "./contract-tables.ts"
import { type Layout, raw } from "./writer.ts"

const FORMS = {
  "date-time": fc.constantFrom(
    "2026-11-20T09:30:00Z",
    "2026-11-20t09:30:00.123456789+10:00",
    "2016-12-31T23:59:60Z",
    "2028-02-29T23:59:59-00:30",
  ),
  date: fc.constantFrom("2026-12-04", "2028-02-29"),
  uuid: fc.uuid().map((uuid) => uuid.toUpperCase()),
  email: fc.constantFrom("", "joe@example.com", '"joe bloggs"@[127.0.0.1]'),
}

/** Where any are allowed. */
const MANY_PLACES = 12

/** A number of at most so many decimals, in any way of writing it. */
function numberOf(places = MANY_PLACES): fc.Arbitrary<unknown> {
  const written = fc.record({ digits: fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})$/), way: fc.nat(4) })
  return written.map(({ digits, way }) =>
    raw(
      [
        digits,
        `${digits}.${"9".repeat(places)}0`,
        `${digits}e-${places}`,
        `${digits}E+400`,
        `${digits}.${"0".repeat(places)}1E${places + 1}`,
      ][way] ?? digits,
    ),
  )
}

function anyOf(kind: Kind): fc.Arbitrary<unknown> {
  switch (kind.is) {
    case "text": {
      const { longest = 20 } = kind
      return fc.oneof(
        { weight: 9, arbitrary: fc.string({ unit: "grapheme-composite", maxLength: 20 }) },
        { weight: 1, arbitrary: fc.constant("😀".repeat(longest)) },
      )
    }
    case "choice":
      return fc.constantFrom(...kind.of)
    case "number":
      return numberOf(kind.places)
    case "boolean":
      return fc.boolean()
    case "form":
      return FORMS[kind.form]
    case "object":
      return objectOf(kind.table)
    case "list":
      return fc.array(anyOf(kind.of), { minLength: kind.filled ? 1 : 0, maxLength: 3 })
    case "anything":
      return fc.dictionary(fc.string(), fc.jsonValue())
  }
}

function objectOf(table: string): fc.Arbitrary<unknown> {
  const fields = fieldsOf(table)
  return fc.record(Object.fromEntries(fields.map(({ name, kind }) => [name, anyOf(kind)])), {
    requiredKeys: fields.filter(({ required }) => required).map(({ name }) => name),
    noNullPrototype: true,
  })
}

export const validInvoice = objectOf("Document")

export const anyLayout: fc.Arbitrary<Layout> = fc.record({
  indent: fc.constantFrom("", " ", "  ", "\t"),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  mark: fc.boolean(),
})
