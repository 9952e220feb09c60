/** Looks up where the values of a JSON text stand. */
import { safeText } from "../contract/safe-text.ts"
import { inWords, type Place } from "./place.ts"
import { pointerOf, segmentsOf, valueAt } from "./pointer.ts"
import type { JsonProblem } from "./problem.ts"
import { stringAt } from "./tokens.ts"
import { FIELD, indexValues, NO_NAME, type ValueIndex, WIDTH } from "./value-index.ts"
import { isPlainNumber, type WrittenNumbers } from "./written-numbers.ts"

const ROOT = 0

export class JsonPositions {
  readonly #text: string
  readonly #index: ValueIndex
  readonly #placeOf: (offset: number) => Place
  /** What is in each array and object that was asked about: elements by index, members by name. */
  readonly #children = new Map<number, ReadonlyMap<string, number> | readonly number[]>()

  /** @param text one that `JSON.parse` accepts */
  constructor(text: string, placeOf: (offset: number) => Place) {
    this.#text = text
    this.#index = indexValues(text)
    this.#placeOf = placeOf
  }

  /** As `JsonDocument.locate`. */
  locate(pointer: string, property?: string): Place | undefined {
    const value = this.#find(pointer)
    if (value === undefined) return undefined
    const member = property === undefined ? undefined : this.#child(value, property)
    const name = member === undefined ? NO_NAME : this.#field(member, FIELD.name)
    return this.#placeOf(name === NO_NAME ? this.#field(value, FIELD.start) : name)
  }

  /** As `JsonDocument.sourceOf`. */
  sourceOf(pointer: string): string | undefined {
    const value = this.#find(pointer)
    return value === undefined ? undefined : this.#source(value)
  }

  /**
   * Each repetition of a name within one object, in the text's order. RFC 8259 only warns of them; here they are a
   * problem.
   */
  duplicateKeys(): JsonProblem[] {
    const problems: JsonProblem[] = []
    const firsts = new Map<number, Map<string, number>>()
    for (let value = 0; value < this.#index.count; value++) {
      const name = this.#field(value, FIELD.name)
      if (name === NO_NAME) continue
      const holder = this.#field(value, FIELD.parent)
      const known = firsts.get(holder) ?? new Map<string, number>()
      firsts.set(holder, known)
      const property = stringAt(this.#text, name)
      const first = known.get(property)
      if (first === undefined) known.set(property, name)
      else
        problems.push(
          duplicateKey(property, this.#pointerTo(holder), this.#placeOf(name), this.#placeOf(first)),
        )
    }
    return problems
  }

  /**
   * The texts of numbers, by the array or object that they are in.
   * @param document what `JSON.parse` makes of the text
   * @param all whether plain numbers are listed too, or only those that may have lost something
   */
  writtenNumbers(document: unknown, all: boolean): WrittenNumbers {
    const found = new Map<object, Map<string, string>>()
    const holders = new Map<number, object | undefined>()
    const holderOf = (parent: number) => {
      if (!holders.has(parent)) holders.set(parent, this.#containerAt(document, parent))
      return holders.get(parent)
    }
    for (let value = 0; value < this.#index.count; value++) {
      const code = this.#text.charCodeAt(this.#field(value, FIELD.start))
      if (code !== 0x2d && !(code >= 0x30 && code <= 0x39)) continue
      const source = this.#source(value)
      if (!all && isPlainNumber(source)) continue
      const parent = this.#field(value, FIELD.parent)
      const holder = holderOf(parent)
      const key = this.#segmentOf(value)
      // Of a repeated name the last one counts, and what an earlier one held is not in the document.
      if (!holder || key === undefined || this.#child(parent, key) !== value) continue
      const members = found.get(holder) ?? new Map<string, string>()
      found.set(holder, members.set(key, source))
    }
    return found
  }

  /** The array or object of the document that a number of the index stands for, unless a repeated name replaced it. */
  #containerAt(document: unknown, value: number): object | undefined {
    if (value < 0 || this.#find(this.#pointerTo(value)) !== value) return undefined
    return Object(valueAt(document, this.#pathTo(value)))
  }

  #field(value: number, field: number): number {
    return this.#index.values[value * WIDTH + field] as number
  }

  #source(value: number): string {
    return this.#text.slice(this.#field(value, FIELD.start), this.#field(value, FIELD.end))
  }

  #find(pointer: string): number | undefined {
    let value: number | undefined = ROOT
    for (const segment of segmentsOf(pointer))
      value = value === undefined ? undefined : this.#child(value, segment)
    return value
  }

  #child(value: number, segment: string): number | undefined {
    const children = this.#childrenOf(value)
    if ("get" in children) return children.get(segment)
    return /^(0|[1-9]\d*)$/.test(segment) ? children[Number(segment)] : undefined
  }

  /** Of a repeated name the last one counts, as in the value. */
  #childrenOf(value: number): ReadonlyMap<string, number> | readonly number[] {
    const known = this.#children.get(value)
    if (known) return known
    const elements: number[] = []
    const members = new Map<string, number>()
    const end = this.#field(value, FIELD.next)
    for (let child = value + 1; child < end; child = this.#field(child, FIELD.next)) {
      const name = this.#field(child, FIELD.name)
      if (name === NO_NAME) elements.push(child)
      else members.set(stringAt(this.#text, name), child)
    }
    const children = members.size > 0 ? members : elements
    this.#children.set(value, children)
    return children
  }

  /** The values from the whole down to this one, without the whole. */
  #pathTo(value: number): string[] {
    const path: string[] = []
    for (let at = value; at > ROOT; at = this.#field(at, FIELD.parent))
      path.unshift(this.#segmentOf(at) ?? "")
    return path
  }

  #pointerTo(value: number): string {
    return pointerOf(this.#pathTo(value))
  }

  /** The member's name or the element's index; none for the whole. */
  #segmentOf(value: number): string | undefined {
    if (value === ROOT) return undefined
    const name = this.#field(value, FIELD.name)
    if (name !== NO_NAME) return stringAt(this.#text, name)
    const elements = this.#childrenOf(this.#field(value, FIELD.parent)) as readonly number[]
    return String(indexIn(elements, value))
  }
}

/** The index of a number in an ascending list that has it. */
function indexIn(ascending: readonly number[], wanted: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function duplicateKey(property: string, pointer: string, place: Place, first: Place): JsonProblem {
  return {
    rule: "json/duplicate-key",
    message: `the name "${safeText(property, 30)}" is repeated in this object; it stands first on ${inWords(first)}`,
    hint: "keep one of the two",
    ...place,
    pointer,
    property,
  }
}
