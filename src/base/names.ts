/** Finds the shipment, booking or pickup that a person means by one of its names. */

export interface Named {
  /** Its own id, which is unique. */
  id: string
  /** Its other names: consignment number, order number, reference, key. */
  names: readonly string[]
}

/** Shorter texts are not treated as the beginning of a name. */
const MIN_PREFIX_LENGTH = 6

/**
 * Finds the items that a name matches: the one with that id; otherwise those with exactly this name; otherwise, from
 * six characters on, those with a name that begins with it. Case does not count.
 */
export function matchName<Thing extends Named>(name: string, things: readonly Thing[]): Thing[] {
  const wanted = name.toLowerCase()
  const same = (text: string) => text.toLowerCase() === wanted
  const own = things.filter(({ id }) => id === name)
  if (own.length > 0) return own
  const exact = things.filter(({ id, names }) => same(id) || names.some(same))
  if (exact.length > 0 || !isPrefix(name)) return exact
  return things.filter(({ id, names }) =>
    [id, ...names].some((text) => text.toLowerCase().startsWith(wanted)),
  )
}

export function hasName(name: string, { id, names }: Named): boolean {
  return [id, ...names].some((text) => text.toLowerCase() === name.toLowerCase())
}

/** Whether a text is long enough to be the beginning of a name. */
export function isPrefix(name: string): boolean {
  return name.length >= MIN_PREFIX_LENGTH
}

/** A UUID's first eight characters, which every command accepts; any other id unchanged. */
export function shortId(id: string): string {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(id) ? id.slice(0, 8) : id
}
