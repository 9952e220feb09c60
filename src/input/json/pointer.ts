/** JSON Pointers (RFC 6901). */

/** `["a/b", 0]` → `/a~1b/0`; no segments → `""`, the whole document. */
export function toPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
}

/**
 * The segments of a pointer, unescaped; array indexes stay strings.
 * @throws RangeError when the text is not a JSON Pointer
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return []
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer))
    throw new RangeError(`not a JSON pointer: ${pointer}`)
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
}

/** The value at the segments; undefined if there is none. */
export function getValueAt(root: unknown, segments: readonly string[]): unknown {
  let value = root
  for (const segment of segments) value = Object(value)[segment]
  return value
}

/** Whether the place of a pointer is, or lies in, one of these. */
export function isIn(place: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false
  let at = place
  while (at !== "" && !places.has(at)) at = at.slice(0, at.lastIndexOf("/"))
  return places.has(at)
}
