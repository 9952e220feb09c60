/** JSON with positions. `JSON.parse` makes the value; where things stand is found out only when it is asked for. */
import { safeText } from "../contract/safe-text.ts"
import { JsonSyntaxError } from "./errors.ts"
import {
  countNames,
  countProperties,
  isPlainNumber,
  mayHaveInexactNumbers,
  type WrittenNumbers,
} from "./losses.ts"
import { getValueAt, parsePointer, toPointer } from "./pointer.ts"
import {
  countUpTo,
  createPositionFinder,
  formatPosition,
  type JsonError,
  type Position,
  toSyntaxError,
} from "./position.ts"
import { DEEPEST, readString, scanJson } from "./scan.ts"
import { NONE, type ValueIndex } from "./value-index.ts"

export { decodeJsonBytes } from "./bytes.ts"
export type { JsonError } from "./position.ts"

export interface JsonDocument {
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
    const value = JSON.parse(text)
    const properties = countProperties(value, DEEPEST)
    if (!Number.isNaN(properties)) return new ParsedDocument(text, value, properties, options)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const syntaxError = findSyntaxError(text, options.findPosition ?? createPositionFinder(text))
  return {
    value: undefined,
    syntaxError,
    numbers: undefined,
    findErrors: () => [syntaxError],
    locate: () => undefined,
    sourceOf: () => undefined,
  }
}

function findSyntaxError(text: string, findPosition: (offset: number) => Position): JsonError {
  try {
    scanJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return toSyntaxError(findPosition(error.offset), error.message, error.hint)
  }
  throw new Error("JSON.parse and the syntax check disagree about a text")
}

class ParsedDocument implements JsonDocument {
  readonly value: unknown
  readonly syntaxError = undefined
  readonly numbers: WrittenNumbers | undefined
  private readonly text: string
  private readonly mayHaveRepeats: boolean
  private knownIndex: ValueIndex | undefined
  private findPosition: ReadOptions["findPosition"]
  /** What is in each array and object that was asked about: elements by index, members by name. */
  private readonly children = new Map<number, ReadonlyMap<string, number> | readonly number[]>()

  constructor(
    text: string,
    value: unknown,
    properties: number,
    { findPosition, exhaustive = false }: ReadOptions,
  ) {
    this.value = value
    this.text = text
    this.findPosition = findPosition
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
        const place = formatPosition(this.positionAt(first))
        errors.push({
          rule: "json/duplicate-key",
          message: `the name "${shown}" is repeated in this object; it stands first on ${place}`,
          hint: "keep one of the two",
          ...this.positionAt(name),
          pointer: toPointer(this.pathTo(holder)),
          property,
        })
      }
    }
    return errors
  }

  locate(pointer: string, property?: string): Position | undefined {
    const value = this.find(parsePointer(pointer))
    if (value === undefined) return undefined
    const member = property === undefined ? undefined : this.child(value, property)
    const name = member === undefined ? NONE : this.index.name(member)
    return this.positionAt(name === NONE ? this.index.start(value) : name)
  }

  sourceOf(pointer: string): string | undefined {
    const value = this.find(parsePointer(pointer))
    return value === undefined ? undefined : this.source(value)
  }

  private get index(): ValueIndex {
    this.knownIndex ??= scanJson(this.text)
    return this.knownIndex
  }

  private positionAt(offset: number): Position {
    this.findPosition ??= createPositionFinder(this.text)
    return this.findPosition(offset)
  }

  /** @param all whether plain numbers are listed too, or only those that may have lost something */
  private findWrittenNumbers(all: boolean): WrittenNumbers {
    const found = new Map<object, Map<string, string>>()
    const holders = new Map<number, object | undefined>()
    for (let value = 0; value < this.index.count; value++) {
      const code = this.text.charCodeAt(this.index.start(value))
      if (code !== 0x2d && !(code >= 0x30 && code <= 0x39)) continue
      const source = this.source(value)
      const parent = this.index.parent(value)
      if (parent === NONE || (!all && isPlainNumber(source))) continue
      if (!holders.has(parent)) holders.set(parent, this.getContainer(parent))
      const holder = holders.get(parent)
      const key = this.segmentOf(value)
      // Of a repeated name the last one counts, and what an earlier one held is not in the document.
      if (!holder || this.child(parent, key) !== value) continue
      const members = found.get(holder) ?? new Map<string, string>()
      found.set(holder, members.set(key, source))
    }
    return found
  }

  /** The array or object in the document's value; undefined where a repeated name replaced it. */
  private getContainer(value: number): object | undefined {
    const path = this.pathTo(value)
    return this.find(path) === value ? Object(getValueAt(this.value, path)) : undefined
  }

  private source(value: number): string {
    return this.text.slice(this.index.start(value), this.index.end(value))
  }

  private find(path: readonly string[]): number | undefined {
    let value: number | undefined = ROOT
    for (const segment of path) value = value === undefined ? undefined : this.child(value, segment)
    return value
  }

  private child(value: number, segment: string): number | undefined {
    const children = this.childrenOf(value)
    if ("get" in children) return children.get(segment)
    return /^(0|[1-9]\d*)$/.test(segment) ? children[Number(segment)] : undefined
  }

  /** Of a repeated name the last one counts, as in the value. */
  private childrenOf(value: number): ReadonlyMap<string, number> | readonly number[] {
    const known = this.children.get(value)
    if (known) return known
    const elements: number[] = []
    const members = new Map<string, number>()
    const end = this.index.next(value)
    for (let child = value + 1; child < end; child = this.index.next(child)) {
      const name = this.index.name(child)
      if (name === NONE) elements.push(child)
      else members.set(readString(this.text, name), child)
    }
    const children = members.size > 0 ? members : elements
    this.children.set(value, children)
    return children
  }

  /** The segments of the pointer to a value. */
  private pathTo(value: number): string[] {
    const path: string[] = []
    for (let at = value; at > ROOT; at = this.index.parent(at)) path.unshift(this.segmentOf(at))
    return path
  }

  /** The member's name or the element's index. */
  private segmentOf(value: number): string {
    const name = this.index.name(value)
    if (name !== NONE) return readString(this.text, name)
    const elements = this.childrenOf(this.index.parent(value)) as readonly number[]
    return String(countUpTo(elements, value) - 1)
  }
}
