/** Saved packages: sizes and weights that a booking names instead of writing them out. */
import type { Package } from "../contract/generated/types.ts"
import { describeConversion, parsePackage } from "../contract/packages.ts"
import { valueOrThrow } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"
import type { ConfigFile } from "./file.ts"
import { findSaved } from "./saved.ts"

/** `3xsmall`: how many, and of what. A name begins with a letter, which no size does. */
const NAMED = /^(?:(\d+)\s*[x×]\s*)?([\p{L}][\p{L}\p{N}_-]{0,31})$/iu

/** A package that is to be saved: one. @throws FreightError `usage` for several packages or an invalid size */
export function parseSavedPackage(text: string): Package {
  const line = valueOrThrow(parsePackage(text), "the package")
  if (line.count !== 1)
    throw new FreightError("usage", "a saved package is one: give its size without a count")
  return line
}

/**
 * A package as `parsePackage` reads it: `3xsmall` becomes three of the saved size.
 * @throws FreightError `input` for a name that is not saved
 */
export function expandPackage(store: ConfigFile, text: string): string {
  const [, count = "1", name] = NAMED.exec(text.trim()) ?? []
  if (name === undefined) return text
  return findSaved(store, "packages", name).replace(/^1x/, `${count}x`)
}

/** The packages that `--package` gives, saved ones by name. @throws FreightError `usage` or `input` */
export async function readPackages(
  { config, note }: { config: ConfigFile; note(text: string): Promise<void> },
  texts: readonly string[],
): Promise<Package[]> {
  const lines: Package[] = []
  for (const text of texts) {
    const line = valueOrThrow(parsePackage(expandPackage(config, text)), "--package")
    const converted = describeConversion(text, [line])
    if (converted !== undefined) await note(`${converted}.`)
    lines.push(line)
  }
  return lines
}
