/** JSON with positions. `JSON.parse` makes the value; where things stand is found out only when it is asked for. */
import { JsonFault } from "./fault.ts"
import { type Place, placesIn } from "./place.ts"
import { JsonPositions } from "./positions.ts"
import { type JsonProblem, syntaxProblem } from "./problem.ts"
import { countNames, countProperties, mayHaveInexactNumbers } from "./survey.ts"
import { checkSyntax, DEEPEST } from "./syntax.ts"
import type { WrittenNumbers } from "./written-numbers.ts"

export { decodeJsonBytes } from "./bytes.ts"
export type { JsonProblem } from "./problem.ts"

export interface JsonDocument {
  /** As `JSON.parse` gives it: of a repeated name the last one counts. Undefined when the text is not JSON. */
  readonly value: unknown
  /** The first syntax error, or nothing. */
  readonly problems: readonly JsonProblem[]
  /** How the numbers are written that a double may not hold exactly; undefined when there are none. */
  readonly numbers: WrittenNumbers | undefined
  /** Each repetition of a name within one object, in the text's order. */
  duplicateKeys(): readonly JsonProblem[]
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

const NONE: readonly JsonProblem[] = []

export interface ReadOptions {
  /** Where offsets of the text stand, when it is part of a larger one. */
  placeOf?: (offset: number) => Place
  /**
   * Whether each number is judged by its text, and repeated names are looked for, also where the quick look at the text says
   * that there is no need: slower, and without a difference, as tests see.
   */
  exhaustive?: boolean
}

/**
 * Reads one JSON text (RFC 8259), without a byte order mark. Never throws: what is wrong is in `problems`.
 * Nesting deeper than `DEEPEST` counts as a syntax error. A lone `\ud800` is good JSON, and stays as it is.
 */
export function readJson(text: string, options: ReadOptions = {}): JsonDocument {
  try {
    const value = JSON.parse(text)
    const properties = countProperties(value, DEEPEST)
    if (!Number.isNaN(properties)) return new ParsedDocument(text, value, properties, options)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return notJson(text, options.placeOf)
}

class ParsedDocument implements JsonDocument {
  readonly value: unknown
  readonly problems = NONE
  readonly numbers: WrittenNumbers | undefined
  private readonly text: string
  private readonly placeOf: ReadOptions["placeOf"]
  private readonly mayHaveRepeats: boolean
  private known: JsonPositions | undefined

  constructor(
    text: string,
    value: unknown,
    properties: number,
    { placeOf, exhaustive = false }: ReadOptions,
  ) {
    this.value = value
    this.text = text
    this.placeOf = placeOf
    this.mayHaveRepeats = exhaustive || countNames(text) > properties
    const mayBeInexact = exhaustive || mayHaveInexactNumbers(text)
    const numbers = mayBeInexact ? this.positions().writtenNumbers(value, exhaustive) : undefined
    this.numbers = numbers && numbers.size > 0 ? numbers : undefined
  }

  duplicateKeys(): readonly JsonProblem[] {
    return this.mayHaveRepeats ? this.positions().duplicateKeys() : NONE
  }

  locate(pointer: string, property?: string): Place | undefined {
    return this.positions().locate(pointer, property)
  }

  sourceOf(pointer: string): string | undefined {
    return this.positions().sourceOf(pointer)
  }

  private positions(): JsonPositions {
    this.known ??= new JsonPositions(this.text, this.placeOf ?? placesIn(this.text))
    return this.known
  }
}

/** What `JSON.parse` refused, or what is nested too deep. */
function notJson(text: string, placeOf = placesIn(text)): JsonDocument {
  return {
    value: undefined,
    problems: [firstProblem(text, placeOf)],
    numbers: undefined,
    duplicateKeys: () => NONE,
    locate: () => undefined,
    sourceOf: () => undefined,
  }
}

function firstProblem(text: string, placeOf: (offset: number) => Place): JsonProblem {
  try {
    checkSyntax(text)
  } catch (fault) {
    if (fault instanceof JsonFault) return syntaxProblem(placeOf(fault.offset), fault.message, fault.hint)
    throw fault
  }
  throw new Error("JSON.parse and the syntax check disagree about a text")
}
