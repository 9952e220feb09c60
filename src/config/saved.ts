/** What the settings file keeps under names of a person's own: addresses, packages, parties, maps. */
import { type Parsed, parsed, refused } from "../contract/parsed.ts"
import { suggest } from "../contract/suggest.ts"
import { FreightError } from "../errors.ts"

/**
 * Reads a name that is to be saved: free, and not to be taken for a file's.
 * @param what `an address`
 * @param taken names that are no longer free
 */
export function parseNewName(what: string, name: string, taken: readonly string[] = []): Parsed<string> {
  if (taken.includes(name)) return refused(`${what} '${name}' already exists`)
  if (/^[\p{L}\p{N}][\p{L}\p{N} &'._-]{0,63}$/u.test(name) && !/\.json$/i.test(name) && name === name.trim())
    return parsed(name)
  return refused(
    `${what}'s name begins with a letter or digit, has at most 64 characters, and does not look like a file's: no '/', no '.json'`,
  )
}

/** `Port Street Fittings` → `port-street-fittings` */
export function suggestName(text: string, otherwise: string): string {
  const words = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
  return words.replace(/^-+|-+$/g, "") || otherwise
}

interface Kind {
  /** `address` */
  what: string
  /** Names that are listed at most. */
  most?: number
  /** The hint if none is saved. */
  none?: string
  /** A sentence that always helps. */
  more?: string
  /** The command that lists them. */
  next: string
}

/** The error for a name that is not saved: what was meant, or what there is. */
export function notSaved(
  names: readonly string[],
  name: string,
  { what, most = names.length, none = "None is saved yet.", more, next }: Kind,
): FreightError {
  const near = suggest(name, names)
  const listed = `${names.slice(0, most).join(", ")}${names.length > most ? ", …" : ""}`
  const hint = [near && `Did you mean '${near}'?`, names.length > 0 ? `Saved are: ${listed}.` : none, more]
  return new FreightError("input", `there is no saved ${what} '${name}'`, {
    hint: hint.filter(Boolean).join(" "),
    next,
  })
}

/**
 * What is saved without these names.
 * @throws what `missing` makes for the first that is not there
 */
export function withoutNames<T>(
  saved: Readonly<Record<string, T>>,
  gone: ReadonlySet<string>,
  missing: (names: readonly string[], name: string) => FreightError,
): Record<string, T> {
  for (const name of gone) if (!Object.hasOwn(saved, name)) throw missing(Object.keys(saved), name)
  return Object.fromEntries(Object.entries(saved).filter(([name]) => !gone.has(name)))
}
