/** A value of a JSON text. Offsets are in UTF-16 code units. */
export interface JsonNode {
  /** The start of its name, if it is a member without a colon. */
  start: number
  /** 0 for an array or object that is not closed. */
  end: number
  readonly name: number | undefined
  readonly parent: JsonNode | undefined
  /** How many values come before it in its array or object. */
  readonly ordinal: number
  /** Elements or members, if it is an array or object. */
  children?: JsonNode[]
}
