/**
 * What a reply is not refused for: fields that are new, and the way its numbers and texts are written.
 * A booking that was made must not become unreadable over the form of a cut-off.
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
