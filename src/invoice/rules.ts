/** Everything that invoices are checked for, in words. */
import { RULES } from "./accounting/rules.ts"
import type { Severity } from "./finding.ts"

interface RuleInWords {
  /** As findings name it. */
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

/** That a document is JSON, and that it keeps the contract: the names are those of JSON Schema keywords. */
const CHECKS: readonly RuleInWords[] = [
  {
    id: "json/syntax",
    title: "the file is JSON",
    about:
      "The file must be JSON, saved as UTF-8. Only the first error is reported, because what follows it cannot be read.",
    basis: JSON_ITSELF,
  },
  {
    id: "json/duplicate-key",
    title: "no name is repeated",
    about: "When an object has a name twice, programs disagree on which value counts. Keep one.",
    basis: JSON_ITSELF,
  },
  {
    id: "contract/required",
    title: "nothing is missing",
    about: "A required field must be there. A draft may lack the fields that the service fills in.",
    basis: TABLES,
  },
  {
    id: "contract/additionalProperties",
    title: "every field is known",
    about:
      "The contract has no such field. Put fields of your own into data.extrinsics. `$schema`, which tells an editor the schema, is a warning in a draft.",
    basis: `${CONVENTIONS}, 1: objects reject what is not listed.`,
  },
  {
    id: "contract/type",
    title: "each value is of the right kind",
    about:
      "Texts are written in double quotes; numbers, true and false are not. Lists are written in [ ], objects in { }. null does not count as left out.",
    basis: TABLES,
  },
  {
    id: "contract/enum",
    title: "the value is one of those allowed",
    about: "The contract lists the values that this field may have. Upper and lower case matter.",
    basis: TABLES,
  },
  {
    id: "contract/const",
    title: "the value is the only one allowed",
    about: "The document type must be INV.",
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
      "Amounts, quantities and discount percentages have at most 2 decimals, unit prices at most 4. Numbers are checked as they are written. Rates of tax have a rule of accounting.",
    basis: `${CONVENTIONS}, 3: granularity of numbers.`,
  },
  {
    id: "contract/format",
    title: "dates, ids and email addresses are valid",
    about:
      "A date with time is written as 2026-11-20T09:30:00Z, or with an offset such as +11:00 instead of Z. A date is written as 2026-11-20, and an id as a UUID. An email address may be empty.",
    basis: `${CONVENTIONS}, 4 and 5: dates and email fields.`,
  },
]

/** Every rule, with its default severity. */
export const ALL_RULES: readonly (RuleInWords & { severity: Severity })[] = [
  ...CHECKS.map(({ id, ...words }) => ({ id, severity: "error" as const, ...words })),
  ...RULES.map(({ id, ...words }) => ({ id, severity: "warning" as const, ...words })),
]

/** The words for a rule; one without words of its own is described by its name. */
export function getRuleWords(rule: string): Pick<RuleInWords, "title" | "about"> {
  return ALL_RULES.find(({ id }) => id === rule) ?? { title: rule, about: `The rule ${rule} was broken.` }
}
