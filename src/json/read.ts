/** JSON with positions. `JSON.parse` makes the value; where things stand is found out only when it is asked for. */
import { safeText } from "../contract/safe-text.ts"
import { isTooDeep } from "../limits.ts"
import { JsonSyntaxError } from "./errors.ts"
import {
  countNames,
  countProperties,
  isPlainNumber,
  mayHaveInexactNumbers,
  type WrittenNumbers,
} from "./losses.ts"
import { parsePointer, toPointer } from "./pointer.ts"
import {
  createPositionFinder,
  formatPosition,
  type JsonError,
  type Position,
  toSyntaxError,
} from "./position.ts"
import { scanJson } from "./scan.ts"
import { OPENING_BRACE, OPENING_BRACKET, readString, skipString, type Span } from "./skip.ts"
import { NONE, type ValueIndex } from "./value-index.ts"

export { decodeJsonBytes } from "./bytes.ts"
export type { JsonError } from "./position.ts"

export interface JsonDocument {
  /** What was read. */
  readonly text: string
  /** As `JSON.parse` gives it: of a repeated name the last one counts. Undefined when the text is not JSON. */
  readonly value: unknown
  /** The first syntax error; undefined when the text is JSON. */
  readonly syntaxError: JsonError | undefined
  /** How the numbers are written that a double may not hold exactly; undefined when there are none. */
  readonly numbers: WrittenNumbers | undefined
  /** The syntax error; or each repetition of a name within one object, in the text's order. */
  findErrors(): readonly JsonError[]
  /**
   * Where the value at a JSON pointer starts, or, given a property that the object there has, where that property's
   * name starts. Undefined when the text holds no such value.
   * @throws RangeError when `pointer` is not a JSON pointer
   */
  locate(pointer: string, property?: string): Position | undefined
  /** The value at a JSON pointer as it is written: `1.50` stays `1.50`. Otherwise as `locate`. */
  sourceOf(pointer: string): string | undefined
  /** Where the value, or the name of the property, starts and ends in `text`. Otherwise as `locate`, but undefined for a missing property. */
  findSpan(pointer: string, property?: string): Span | undefined
  /** The JSON pointer of the value that starts at an offset of `text`; undefined where none does. */
  findPointer(start: number): string | undefined
  /** Where an offset of `text` stands. */
  findPosition(offset: number): Position
}

export interface ReadOptions {
  /** Where offsets of the text stand, when it is part of a larger one. */
  findPosition?: (offset: number) => Position
  /** Judges all numbers by their text, also where the quick look says that there is no need. For tests. */
  exhaustive?: boolean
}

const NO_ERRORS: readonly JsonError[] = []
const ROOT = 0

/**
 * Reads one JSON text (RFC 8259), without a byte order mark. Never throws: what is wrong is in `findErrors`.
 * Nesting deeper than `DEEPEST` counts as a syntax error. A lone `\ud800` is good JSON, and stays as it is.
 */
export function readJson(text: string, options: ReadOptions = {}): JsonDocument {
  try {
    if (!isTooDeep(text)) {
      const value = JSON.parse(text)
      return new ParsedDocument(text, value, countProperties(value), options)
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const findPosition = options.findPosition ?? createPositionFinder(text)
  const syntaxError = findSyntaxError(text, findPosition)
  return {
    text,
    value: undefined,
    syntaxError,
    numbers: undefined,
    findErrors: () => [syntaxError],
    locate: () => undefined,
    sourceOf: () => undefined,
    findSpan: () => undefined,
    findPointer: () => undefined,
    findPosition,
  }
}

function findSyntaxError(text: string, findPosition: (offset: number) => Position): JsonError {
  try {
    scanJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return toSyntaxError(findPosition(error.offset), error.message, error.hint, error.repair)
  }
  throw new Error("JSON.parse and the syntax check disagree about a text")
}

class ParsedDocument implements JsonDocument {
  readonly value: unknown
  readonly syntaxError = undefined
  readonly numbers: WrittenNumbers | undefined
  readonly text: string
  private readonly mayHaveRepeats: boolean
  private knownIndex: ValueIndex | undefined
  private knownFinder: ReadOptions["findPosition"]
  /** The values in the arrays and objects that were asked about, by name or index; of a repeated name the last. */
  private readonly children = new Map<number, ReadonlyMap<string, number>>()

  constructor(
    text: string,
    value: unknown,
    properties: number,
    { findPosition, exhaustive = false }: ReadOptions,
  ) {
    this.value = value
    this.text = text
    this.knownFinder = findPosition
    this.mayHaveRepeats = exhaustive || countNames(text) > properties
    const mayBeInexact = exhaustive || mayHaveInexactNumbers(text)
    const numbers = mayBeInexact ? this.findWrittenNumbers(exhaustive) : undefined
    this.numbers = numbers && numbers.size > 0 ? numbers : undefined
  }

  findErrors(): readonly JsonError[] {
    if (!this.mayHaveRepeats) return NO_ERRORS
    const errors: JsonError[] = []
    const firsts = new Map<number, Map<string, number>>()
    for (let value = 0; value < this.index.count; value++) {
      const name = this.index.name(value)
      if (name === NONE) continue
      const holder = this.index.parent(value)
      const known = firsts.get(holder) ?? new Map<string, number>()
      firsts.set(holder, known)
      const property = readString(this.text, name)
      const first = known.get(property)
      if (first === undefined) known.set(property, name)
      else {
        const shown = safeText(property, 30)
        const position = this.findPosition(name)
        const place = formatPosition(this.findPosition(first), position)
        errors.push({
          rule: "json/duplicate-key",
          message: `the name "${shown}" is repeated in this object; the first is ${place}`,
          hint: "keep one of the two",
          ...position,
          pointer: this.pointerTo(holder),
          property,
        })
      }
    }
    return errors
  }

  locate(pointer: string, property?: string): Position | undefined {
    const value = this.find(pointer)
    if (value === undefined) return undefined
    const member = property === undefined ? undefined : this.findChild(value, property)
    const name = member === undefined ? NONE : this.index.name(member)
    return this.findPosition(name === NONE ? this.index.start(value) : name)
  }

  sourceOf(pointer: string): string | undefined {
    const span = this.findSpan(pointer)
    return span && this.text.slice(span.start, span.end)
  }

  private get index(): ValueIndex {
    this.knownIndex ??= scanJson(this.text)
    return this.knownIndex
  }

  findSpan(pointer: string, property?: string): Span | undefined {
    const value = this.find(pointer)
    if (value === undefined) return undefined
    if (property === undefined) return { start: this.index.start(value), end: this.index.end(value) }
    const member = this.findChild(value, property)
    const name = member === undefined ? NONE : this.index.name(member)
    return name === NONE ? undefined : { start: name, end: skipString(this.text, name) }
  }

  findPointer(start: number): string | undefined {
    for (let value = 0; value < this.index.count; value++)
      if (this.index.start(value) === start) return this.pointerTo(value)
    return undefined
  }

  findPosition(offset: number): Position {
    this.knownFinder ??= createPositionFinder(this.text)
    return this.knownFinder(offset)
  }

  private find(pointer: string): number | undefined {
    let value: number | undefined = ROOT
    for (const segment of parsePointer(pointer))
      value = value === undefined ? undefined : this.findChild(value, segment)
    return value
  }

  private findChild(holder: number, segment: string): number | undefined {
    const known =
      this.children.get(holder) ??
      new Map(Array.from(this.index.children(holder), (value) => [this.segmentOf(value), value]))
    this.children.set(holder, known)
    return known.get(segment)
  }

  /** @param all whether plain numbers are listed too, or only those that may have lost something */
  private findWrittenNumbers(all: boolean): WrittenNumbers {
    const { index, text } = this
    const found = new Map<object, Map<string, string>>()
    /** The arrays and objects of the document, by the number of their value. */
    const holders = new Map<number, Record<string, unknown>>()
    for (let value = 0; value < index.count; value++) {
      const parent = index.parent(value)
      const holder = holders.get(parent)
      if (parent !== NONE && !holder) continue
      const key = parent === NONE ? "" : this.segmentOf(value)
      const start = index.start(value)
      const code = text.charCodeAt(start)
      // Of a repeated name the last one counts: what an earlier one held is not in the document.
      if (this.mayHaveRepeats && holder) found.get(holder)?.delete(key)
      if (code === OPENING_BRACKET || code === OPENING_BRACE) {
        const inner = holder ? holder[key] : this.value
        if (typeof inner !== "object" || inner === null) continue
        found.delete(inner)
        holders.set(value, inner as Record<string, unknown>)
      } else if (holder && (code === 0x2d || (code >= 0x30 && code <= 0x39))) {
        const source = text.slice(start, index.end(value))
        if (!all && isPlainNumber(source)) continue
        const members = found.get(holder) ?? new Map<string, string>()
        found.set(holder, members.set(key, source))
      }
    }
    for (const [holder, members] of found) if (members.size === 0) found.delete(holder)
    return found
  }

  private pointerTo(value: number): string {
    const path: string[] = []
    for (let at = value; at > ROOT; at = this.index.parent(at)) path.unshift(this.segmentOf(at))
    return toPointer(path)
  }

  /** The member's name or the element's index. */
  private segmentOf(value: number): string {
    const name = this.index.name(value)
    return name === NONE ? String(this.index.ordinal(value)) : readString(this.text, name)
  }
}
