/** What the settings file keeps under names of a person's own: addresses, packages, maps. */
import { suggest } from "../contract/suggest.ts"
import { FreightError } from "../errors.ts"

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
