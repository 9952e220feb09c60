/** What each rule is about, for formats that describe the rules besides their findings. */
import { RULES } from "../accounting/rules.ts"

export interface RuleHelp {
  title: string
  /** A sentence or two. */
  about: string
}

const HELP: Readonly<Record<string, RuleHelp>> = {
  "json/syntax": {
    title: "the text is JSON",
    about: "The file must be JSON, saved as UTF-8. The message tells the first place that is not.",
  },
  "json/duplicate-key": {
    title: "a name stands once in its object",
    about: "When a name stands twice in an object, readers disagree on which value counts: keep one.",
  },
  "contract/required": {
    title: "nothing is missing",
    about: "The contract requires this field. What the service fills in may be absent from a draft.",
  },
  "contract/additionalProperties": {
    title: "every field is known",
    about: "The contract knows no such field here. Fields of your own belong into data.extrinsics.",
  },
  "contract/type": {
    title: "each value is of the right kind",
    about: "Texts stand in double quotes, numbers and true or false without; null is not the same as absent.",
  },
  "contract/enum": {
    title: "the value is one of those allowed",
    about: "The contract lists the values of this field; upper and lower case matter.",
  },
  "contract/const": {
    title: "the value is the only one allowed",
    about: "The contract knows one value for this field.",
  },
  "contract/format": {
    title: "dates, ids and email addresses are well formed",
    about:
      "A date-time is written as 2026-11-20T09:30:00Z or with an offset such as +11:00, a date as 2026-11-20, an id as a UUID. An email address may be empty.",
  },
  "contract/multipleOf": {
    title: "amounts have no more decimals than allowed",
    about: "Amounts, quantities and percentages have at most 2 decimals, unit prices at most 4.",
  },
  "contract/maxLength": {
    title: "the text is not too long",
    about: "The comments of an invoice have at most 2000 characters, those of a line at most 500.",
  },
  "contract/minItems": {
    title: "the invoice has lines",
    about: "An invoice has at least one line item.",
  },
}

/** The words for a rule; one without words of its own is described by its name. */
export function helpFor(rule: string): RuleHelp {
  const known = Object.hasOwn(HELP, rule) ? HELP[rule] : undefined
  return (
    known ?? RULES.find(({ id }) => id === rule) ?? { title: rule, about: `The rule ${rule} was broken.` }
  )
}
