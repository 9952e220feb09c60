/** What is said of limits that the contract does not have today, but its schema may have tomorrow. */
import { type Breach, type Clause, quoted } from "./breach.ts"
import { explainMissingField } from "./words-fields.ts"

export const LIMIT_CLAUSES: Readonly<Record<string, (breach: Breach) => Clause>> = {
  minimum: ({ source, params }) => ({
    clause: `${source()} is less than ${params.limit}`,
    hint: `write ${params.limit} or more`,
  }),
  maximum: ({ source, params }) => ({
    clause: `${source()} is more than ${params.limit}`,
    hint: `write ${params.limit} or less`,
  }),
  exclusiveMinimum: ({ source, params }) => ({
    clause: `${source()} is not more than ${params.limit}`,
    hint: `write more than ${params.limit}`,
  }),
  exclusiveMaximum: ({ source, params }) => ({
    clause: `${source()} is not less than ${params.limit}`,
    hint: `write less than ${params.limit}`,
  }),
  minLength: ({ value, params }) => ({
    clause: `${quoted(String(value))} is shorter than ${params.limit} characters`,
    hint: "write it in full",
  }),
  pattern: ({ value, params }) => ({
    clause: `${quoted(String(value))} does not have the form that is asked for`,
    hint: `it must match the pattern ${params.pattern}`,
  }),
  maxItems: ({ params }) => ({
    clause: `there are more than ${params.limit} entries`,
    hint: `keep ${params.limit} at most`,
  }),
  uniqueItems: ({ params }) => ({
    clause: `entries ${Number(params.j) + 1} and ${Number(params.i) + 1} are the same`,
    hint: "keep one of them",
  }),
  minProperties: ({ params }) => ({
    clause: `fewer than ${params.limit} fields are given`,
    hint: "add what is missing",
  }),
  maxProperties: ({ params }) => ({
    clause: `more than ${params.limit} fields are given`,
    hint: "leave out what is not needed",
  }),
  dependentRequired: explainMissingField,
}
