/** A value of a JSON text. Offsets are in UTF-16 code units. */
export interface JsonNode {
  /** Of a member whose colon is missing, where its name starts. */
  start: number
  /** 0 for an array or object that is not closed. */
  end: number
  /** Where the name of a member starts. */
  readonly name: number | undefined
  readonly parent: JsonNode | undefined
  /** How many values come before it in its array or object. */
  readonly ordinal: number
  /** Of an array or object. */
  children?: JsonNode[]
}
