/** Saved packages: sizes and weights that a booking names instead of writing them out. */
import type { Package } from "../../contract/generated/types.ts"
import { describeConversion, type FindSize, parsePackage, parsePackages } from "../../contract/index.ts"
import { getOwn } from "../../base/json.ts"
import { quoted, valueOrThrow } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { ConfigFile } from "./file.ts"
import { findSaved } from "./saved.ts"

/** A package to be saved. @throws FreightError `input` for what is not one size, `usage` for a count */
export function parseSavedPackage(text: string): Package {
  const line = valueOrThrow(parsePackage(text), "the package")
  if (line.count !== 1)
    throw new FreightError("usage", "a saved package is one: give its size without a count")
  return line
}

/** Finds the sizes of saved packages; the settings file is read once for each name. */
export function createFindSize(store: ConfigFile): FindSize {
  const known = new Map<string, string>()
  return (name) => {
    const size = known.get(name) ?? findSaved(store, "packages", name)
    known.set(name, size)
    return size
  }
}

/** A SKU in the form in which SKUs are compared. */
export function plainSku(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * One piece of each SKU as a package, by `plainSku`: from saved packages, and from `--map-package`, which goes first.
 * Undefined is a piece that is packed with another item.
 * @throws FreightError `usage` for what is not SKU=PACKAGE, and for several packages; `input` for a size that cannot be
 * read, and a name that is not saved
 */
export async function readSkuPackages(
  deps: { config: ConfigFile; note(text: string): Promise<void> },
  texts: readonly string[],
): Promise<Map<string, Package | undefined>> {
  const { packages, skus = {} } = deps.config.read()
  const found = new Map<string, Package | undefined>()
  for (const [sku, name] of Object.entries(skus)) {
    const size = getOwn(packages, name)
    if (size !== undefined)
      found.set(plainSku(sku), valueOrThrow(parsePackage(size), `the package ${quoted(name)}`))
  }
  for (const text of texts) {
    const equals = text.lastIndexOf("=")
    if (equals < 1) throw new FreightError("usage", `--map-package takes SKU=PACKAGE, not ${quoted(text)}`)
    const [sku, spec] = [text.slice(0, equals), text.slice(equals + 1).trim()]
    const [line, ...more] = spec === "" ? [] : await readPackages(deps, [spec], "--map-package")
    if (more.length > 0)
      throw new FreightError(
        "usage",
        `--map-package ${quoted(text)}: a piece is in one package, not in several`,
      )
    found.set(plainSku(sku), line)
  }
  return found
}

/**
 * The packages of `--package`, saved ones by name.
 * @throws FreightError `input` for a size that cannot be read, and a name that is not saved
 */
export async function readPackages(
  { config, note }: { config: ConfigFile; note(text: string): Promise<void> },
  texts: readonly string[],
  flag = "--package",
): Promise<Package[]> {
  const lines: Package[] = []
  for (const text of texts) {
    const read = valueOrThrow(parsePackages(text, createFindSize(config)), flag)
    const converted = describeConversion(text, read)
    if (converted !== undefined) await note(`${converted}.`)
    lines.push(...read)
  }
  return lines
}
