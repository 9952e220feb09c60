/** Where the values of a JSON text stand. */
import { duplicateKeys } from "./duplicates.ts"
import { type Place, placesIn } from "./place.ts"
import { segmentsOf } from "./pointer.ts"
import type { JsonProblem } from "./problem.ts"
import { isObject, type JsonNode, scan } from "./scan.ts"
import { stringAt } from "./tokens.ts"

export class JsonTree {
  readonly #text: string
  readonly #root: JsonNode
  readonly #placeOf: (offset: number) => Place
  /** The members by name of each object that was asked about. */
  readonly #members = new Map<JsonNode, Map<string, JsonNode>>()

  /** @throws JsonFault when the text is not JSON */
  constructor(text: string) {
    this.#text = text
    this.#root = scan(text)
    this.#placeOf = placesIn(text)
  }

  locate(pointer: string, property?: string): Place | undefined {
    const node = this.#find(pointer)
    const member = node && property !== undefined ? this.#child(node, property) : undefined
    return node && this.#placeOf(member?.name ?? node.start)
  }

  sourceOf(pointer: string): string | undefined {
    const node = this.#find(pointer)
    return node && this.#text.slice(node.start, node.end)
  }

  duplicateKeys(): JsonProblem[] {
    return duplicateKeys(this.#text, this.#root, this.#placeOf)
  }

  #find(pointer: string): JsonNode | undefined {
    let node: JsonNode | undefined = this.#root
    for (const segment of segmentsOf(pointer)) node = node && this.#child(node, segment)
    return node
  }

  #child(node: JsonNode, segment: string): JsonNode | undefined {
    if (isObject(this.#text, node)) return this.#membersOf(node).get(segment)
    return /^(0|[1-9]\d*)$/.test(segment) ? node.children[Number(segment)] : undefined
  }

  /** Of a repeated name the last one counts, as in the value. */
  #membersOf(node: JsonNode): Map<string, JsonNode> {
    const known = this.#members.get(node)
    if (known) return known
    const members = new Map<string, JsonNode>()
    for (const child of node.children)
      if (child.name !== undefined) members.set(stringAt(this.#text, child.name), child)
    this.#members.set(node, members)
    return members
  }
}
