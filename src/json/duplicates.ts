/** Names that an object has more than once. RFC 8259 only warns of them; here they are a problem. */
import { safeText } from "../contract/safe-text.ts"
import { inWords, type Place } from "./place.ts"
import { pointerOf } from "./pointer.ts"
import type { JsonProblem } from "./problem.ts"
import type { JsonNode } from "./scan.ts"
import { stringAt } from "./tokens.ts"

/** Each repetition of a name, in the text's order. */
export function duplicateKeys(
  text: string,
  root: JsonNode,
  placeOf: (offset: number) => Place,
): JsonProblem[] {
  const problems: JsonProblem[] = []
  const todo = [{ node: root, pointer: "" }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { node, pointer } = next
    const firsts = new Map<string, number>()
    for (const [index, child] of node.children.entries()) {
      const segment = child.name === undefined ? index : stringAt(text, child.name)
      if (child.children.length > 0) todo.push({ node: child, pointer: pointer + pointerOf([segment]) })
      if (child.name === undefined) continue
      const property = String(segment)
      const first = firsts.get(property)
      if (first === undefined) firsts.set(property, child.name)
      else problems.push(duplicateKey(property, pointer, placeOf(child.name), placeOf(first)))
    }
  }
  return problems.sort((one, other) => one.offset - other.offset)
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
