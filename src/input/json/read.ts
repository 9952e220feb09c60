/** JSON with positions. `JSON.parse` makes the value; positions are found only on request. */
import { quoted } from "../../base/parsed.ts"
import { isTooDeep } from "../../base/limits.ts"
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
import type { JsonNode } from "./node.ts"
import { listMembers, type Member, readString, skipSpace, skipString, type Span } from "./skip.ts"

export { decodeJsonBytes } from "./bytes.ts"
export type { JsonError } from "./position.ts"

export interface JsonDocument {
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
   * The start of the value at a JSON pointer, or, with a property of that object, the start of the property's name.
   * Undefined when the text has no such value.
   * @throws RangeError when `pointer` is not a JSON pointer
   */
  locate(pointer: string, property?: string): Position | undefined
  /** The value at a JSON pointer as it is written: `1.50` stays `1.50`. Otherwise as `locate`. */
  sourceOf(pointer: string): string | undefined
  /** The span of the value, or of the property's name, in `text`. Otherwise as `locate`, but undefined for a missing property. */
  findSpan(pointer: string, property?: string): Span | undefined
  /** The JSON pointer of the value that starts at an offset of `text`; undefined if there is none. */
  findPointer(start: number): string | undefined
  /** The position of an offset of `text`. */
  findPosition(offset: number): Position
}

export interface ReadOptions {
  /** Finds positions of the text within a larger one. */
  findPosition?: (offset: number) => Position
  /** Compares all numbers with their text, even if the quick look finds no reason. For tests. */
  exhaustive?: boolean
}

const NO_ERRORS: readonly JsonError[] = []

/**
 * Reads one JSON text (RFC 8259), without a byte order mark. Never throws: errors are in `findErrors`. Nesting deeper
 * than `DEEPEST` counts as a syntax error. A lone `\ud800` is valid JSON, and does not change.
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
  private knownNodes: readonly JsonNode[] | undefined
  private knownFinder: ReadOptions["findPosition"]
  /** Members of the requested arrays and objects, by their start. */
  private readonly members = new Map<number, ReadonlyMap<string, Member>>()

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
    const firsts = new Map<JsonNode, Map<string, number>>()
    for (const { name, parent } of this.nodes) {
      if (name === undefined || !parent) continue
      const known = firsts.get(parent) ?? new Map<string, number>()
      firsts.set(parent, known)
      const property = readString(this.text, name)
      const first = known.get(property)
      if (first === undefined) known.set(property, name)
      else {
        const position = this.findPosition(name)
        const place = formatPosition(this.findPosition(first), position)
        errors.push({
          rule: "json/duplicate-key",
          message: `the name ${quoted(property)} is repeated in this object; the first is ${place}`,
          hint: "keep one of the two",
          ...position,
          pointer: this.pointerTo(parent),
          property,
        })
      }
    }
    return errors
  }

  locate(pointer: string, property?: string): Position | undefined {
    const node = this.find(pointer)
    const name = node && property !== undefined ? this.findMember(node, property)?.name : undefined
    return node && this.findPosition(name ?? node.start)
  }

  sourceOf(pointer: string): string | undefined {
    const span = this.findSpan(pointer)
    return span && this.text.slice(span.start, span.end)
  }

  private get nodes(): readonly JsonNode[] {
    this.knownNodes ??= scanJson(this.text)
    return this.knownNodes
  }

  findSpan(pointer: string, property?: string): Span | undefined {
    const node = this.find(pointer)
    if (node === undefined || property === undefined) return node && { start: node.start, end: node.end }
    const name = this.findMember(node, property)?.name
    return name === undefined ? undefined : { start: name, end: skipString(this.text, name) }
  }

  findPointer(start: number): string | undefined {
    const node = this.nodes.find((each) => each.start === start)
    return node && this.pointerTo(node)
  }

  findPosition(offset: number): Position {
    this.knownFinder ??= createPositionFinder(this.text)
    return this.knownFinder(offset)
  }

  /** Goes down to a value, and past all that is not on the way: to take the whole text apart takes longer. */
  private find(pointer: string): Member | undefined {
    const { text } = this
    let found: Member | undefined = { name: undefined, start: skipSpace(text, 0), end: text.trimEnd().length }
    for (const segment of parsePointer(pointer)) found = found && this.findMember(found, segment)
    return found
  }

  private findMember({ start }: Member, segment: string): Member | undefined {
    const known = this.members.get(start) ?? listMembers(this.text, start)
    this.members.set(start, known)
    return known.get(segment)
  }

  /** @param all whether plain numbers are listed too, or only those that may have lost something */
  private findWrittenNumbers(all: boolean): WrittenNumbers {
    const { text } = this
    const found = new Map<object, Map<string, string>>()
    const holders = new Map<JsonNode, Record<string, unknown>>()
    for (const node of this.nodes) {
      const holder = node.parent && holders.get(node.parent)
      if (node.parent && !holder) continue
      const key = node.parent ? this.segmentOf(node) : ""
      // The last of repeated names counts: the document does not have the values of earlier ones.
      if (this.mayHaveRepeats && holder) found.get(holder)?.delete(key)
      if (node.children) {
        const inner = holder ? holder[key] : this.value
        if (typeof inner !== "object" || inner === null) continue
        found.delete(inner)
        holders.set(node, inner as Record<string, unknown>)
      } else if (holder && /[-\d]/.test(text.charAt(node.start))) {
        const source = text.slice(node.start, node.end)
        if (!all && isPlainNumber(source)) continue
        const members = found.get(holder) ?? new Map<string, string>()
        found.set(holder, members.set(key, source))
      }
    }
    for (const [holder, members] of found) if (members.size === 0) found.delete(holder)
    return found
  }

  private pointerTo(node: JsonNode): string {
    const path: string[] = []
    for (let at = node; at.parent; at = at.parent) path.unshift(this.segmentOf(at))
    return toPointer(path)
  }

  /** The member's name or the element's index. */
  private segmentOf({ name, ordinal }: JsonNode): string {
    return name === undefined ? String(ordinal) : readString(this.text, name)
  }
}
