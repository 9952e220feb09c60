/**
 * JSON with positions. `JSON.parse` makes the value; a tree of places is built only when a place, the words for a
 * syntax error, or a name that is known to be repeated is asked for.
 */
import { JsonFault } from "./fault.ts"
import { BOM, type Place, placesIn } from "./place.ts"
import { type JsonProblem, syntaxProblem } from "./problem.ts"
import { DEEPEST, scan } from "./scan.ts"
import { propertiesIn, tally } from "./tally.ts"
import { JsonTree } from "./tree.ts"

export { decodeJsonBytes } from "./bytes.ts"
export type { JsonProblem } from "./problem.ts"

export interface JsonDocument {
  /** As `JSON.parse` gives it: of a repeated name the last one counts. Undefined when the text is not JSON. */
  readonly value: unknown
  /** The first syntax error, or nothing. */
  readonly problems: readonly JsonProblem[]
  /**
   * Whether each number is written as `String` writes its value, apart from noughts that may be left out: then nobody
   * need ask how.
   */
  readonly plainNumbers: boolean
  /** Each repetition of a name within one object, in the text's order. */
  duplicateKeys(): JsonProblem[]
  /**
   * Where the value at a JSON pointer starts, or, given a property that the object there has, where that property's
   * name starts. Undefined when the text holds no such value.
   * @throws RangeError when `pointer` is not a JSON pointer
   */
  locate(pointer: string, property?: string): Place | undefined
  /**
   * The value at a JSON pointer as it is written: `1.50` stays `1.50`. Undefined when the text holds no such value.
   * @throws RangeError when `pointer` is not a JSON pointer
   */
  sourceOf(pointer: string): string | undefined
}

/**
 * Reads one JSON text (RFC 8259; a byte order mark may come first). Never throws: what is wrong is in `problems`.
 * Nesting deeper than `DEEPEST` counts as a syntax error. A lone `\ud800` is good JSON, and stays as it is.
 */
export function readJson(text: string): JsonDocument {
  const { deepest, members, plainNumbers } = tally(text)
  const parsed = deepest > DEEPEST ? undefined : parse(text)
  if (!parsed) return notJson(text)
  const { value } = parsed
  let tree: JsonTree | undefined
  const places = () => {
    tree ??= new JsonTree(text)
    return tree
  }
  return {
    value,
    problems: [],
    plainNumbers,
    // A repeated name makes one property of two members, so that counting tells whether there is any.
    duplicateKeys: () => (propertiesIn(value) === members ? [] : places().duplicateKeys()),
    locate: (pointer, property) => places().locate(pointer, property),
    sourceOf: (pointer) => places().sourceOf(pointer),
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.startsWith(BOM) ? text.slice(1) : text) }
  } catch {
    return undefined
  }
}

/** What `JSON.parse` refused, or what is nested too deep for it to be asked. */
function notJson(text: string): JsonDocument {
  return {
    value: undefined,
    problems: [firstProblem(text)],
    plainNumbers: true,
    duplicateKeys: () => [],
    locate: () => undefined,
    sourceOf: () => undefined,
  }
}

function firstProblem(text: string): JsonProblem {
  try {
    scan(text)
  } catch (fault) {
    if (fault instanceof JsonFault)
      return syntaxProblem(placesIn(text)(fault.offset), fault.message, fault.hint)
    throw fault
  }
  throw new Error("JSON.parse and the scanner disagree about a text")
}
