/** What a document is checked for before its accounts: that it is JSON, and that it keeps the contract. */

/** A check in words. */
export interface Check {
  /** As findings name it: `json/NAME`, or `contract/` and the JSON Schema keyword. */
  id: string
  /** A few words, for a list. */
  title: string
  /** A sentence or two that a clerk understands. */
  about: string
  basis: string
}

const JSON_ITSELF = "RFC 8259, JSON."
const TABLES = "The contract's field tables."
const CONVENTIONS = "The contract's conventions"

export const CHECKS: readonly Check[] = [
  {
    id: "json/syntax",
    title: "the file is JSON",
    about:
      "The file must be JSON, saved as UTF-8. Only the first place that is not is told: what follows it cannot be read.",
    basis: JSON_ITSELF,
  },
  {
    id: "json/duplicate-key",
    title: "no name twice",
    about: "When a name stands twice in an object, readers disagree on which value counts: keep one.",
    basis: JSON_ITSELF,
  },
  {
    id: "contract/required",
    title: "nothing is missing",
    about: "A field must be there. What the service fills in may be absent from a draft.",
    basis: TABLES,
  },
  {
    id: "contract/additionalProperties",
    title: "every field is known",
    about: "There is no such field. Fields of one's own belong in data.extrinsics.",
    basis: `${CONVENTIONS}, 1: objects reject what is not listed.`,
  },
  {
    id: "contract/type",
    title: "each value is of the right kind",
    about:
      "Texts stand in double quotes, numbers and true or false without; lists stand in [ ], objects in { }. null is not the same as absent.",
    basis: TABLES,
  },
  {
    id: "contract/enum",
    title: "the value is one of those allowed",
    about: "The contract lists the values of this field; upper and lower case matter.",
    basis: TABLES,
  },
  {
    id: "contract/const",
    title: "the value is the only one allowed",
    about: "The document type is INV, and nothing else.",
    basis: TABLES,
  },
  {
    id: "contract/minItems",
    title: "the invoice has lines",
    about: "An invoice has at least one line item.",
    basis: TABLES,
  },
  {
    id: "contract/maxLength",
    title: "the text is not too long",
    about: "The comments of an invoice have at most 2000 characters, those of a line at most 500.",
    basis: TABLES,
  },
  {
    id: "contract/multipleOf",
    title: "no more decimals than allowed",
    about:
      "Amounts, quantities and percentages have at most 2 decimals, unit prices at most 4. Numbers count as they are written.",
    basis: `${CONVENTIONS}, 3: granularity of numbers.`,
  },
  {
    id: "contract/format",
    title: "dates, ids and email addresses are real",
    about:
      "A date with time is written as 2026-11-20T09:30:00Z or with an offset such as +11:00, a date as 2026-11-20, an id as a UUID. An email address may be empty.",
    basis: `${CONVENTIONS}, 4 and 5: dates and email fields.`,
  },
]
