/**
 * Keywords that replies are not checked against: a reply may have new fields, and write numbers and texts differently.
 * A booking that was made must stay readable even if the format of a cut-off time has changed.
 */
export const STRICT = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
])
