/** Reads paths as people type them and as their shells rewrite them. */
import { findEndpoint } from "../contract/index.ts"
import { safeText } from "../base/safe-text.ts"
import { FreightError } from "../base/errors.ts"

/** Folders that shells for Windows use as the root. */
const SHELL_ROOT = /^(portable)?git$|^(msys|cygwin|mingw)(32|64)?$/i

/**
 * The path of a request: from `/connectors`, `connectors`, `\connectors`, the full address, or `C:/Program
 * Files/Git/connectors`, which Git's shell for Windows makes of the first.
 * @throws FreightError `usage` for an address of another server, an empty path, or an ambiguous rewritten one
 */
export function typedPath(method: string, text: string, baseUrl: string): string {
  const given = text.trim()
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(given)) return getPathBelowBase(given, baseUrl)
  const { path, query } = splitQuery(given)
  const plain = path.replaceAll("\\", "/")
  const segments = plain.split("/").filter((part) => part !== "")
  if (/^[a-z]:$/i.test(segments[0] ?? "")) {
    const own = removeShellFolders(method, segments.slice(1))
    if (!own) throw createRewrittenPathError(given)
    return `/${own.join("/")}${query}`
  }
  if (segments.length === 0)
    throw new FreightError("usage", "the path is empty: name an endpoint, such as connectors")
  return `/${plain.replace(/^\/+/, "")}${query}`
}

function getPathBelowBase(given: string, baseUrl: string): string {
  const base = new URL(baseUrl)
  const url = URL.canParse(given) ? new URL(given) : undefined
  const prefix = `${base.pathname.replace(/(?<!\/)\/+$/, "")}/`
  if (url?.origin !== base.origin || !url.pathname.startsWith(prefix))
    throw new FreightError("usage", `${safeText(given, 100)} is outside the address of this API`, {
      hint: `Your key is sent to ${base.origin}${prefix} only: give the path below it, such as connectors.`,
    })
  return `/${url.pathname.slice(prefix.length)}${url.search}`
}

/** A rewritten path without the shell's own folders; undefined if that is ambiguous. */
function removeShellFolders(method: string, segments: readonly string[]): readonly string[] | undefined {
  const tails = segments.map((_, at) => segments.slice(at))
  const afterRoot = tails.filter((_, at) => SHELL_ROOT.test(segments[at - 1] ?? ""))
  const known = (tail: readonly string[]) => findEndpoint(method, tail) !== undefined
  const likely = afterRoot.find(known)
  if (likely) return likely
  const [only, ...others] = tails.filter(known)
  return others.length === 0 ? (only ?? afterRoot.at(-1)) : undefined
}

function createRewrittenPathError(given: string): FreightError {
  return new FreightError("usage", `${safeText(given, 100)} is a path of this computer, not of the API`, {
    hint: "Your shell rewrites paths: leave out the first slash, as in connectors.",
  })
}

function splitQuery(text: string): { path: string; query: string } {
  const at = text.indexOf("?")
  return at < 0 ? { path: text, query: "" } : { path: text.slice(0, at), query: text.slice(at) }
}

/**
 * The parts of a path as a server reads them: dots resolved, codes decoded, empty parts left out.
 * @throws FreightError `usage` for invalid codes
 */
export function partsOf(path: string): string[] {
  const { pathname } = new URL(`http://api.invalid${path}`)
  try {
    return pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent)
  } catch {
    throw new FreightError(
      "usage",
      `${safeText(path, 100)} contains a % that starts no code such as %20: write %25 for a percent sign`,
    )
  }
}
