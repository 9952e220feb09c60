/**
 * File patterns, for shells that leave them as they are: `*`, `**`, `?`, `[a-z]` and `{json,ndjson}`.
 *
 * Not tinyglobby: for it `{a,*}.json` has hidden files too, `?` is half an emoji, names in parentheses are patterns,
 * links below `**` are followed, and the order of `{b,a}` is lost.
 */
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs"
import path from "node:path"

const ANY_DEPTH = /^(?!\.|node_modules$)/
const NOTHING = /(?!)/

export function isPattern(word: string): boolean {
  return /[*?[{]/.test(word)
}

/**
 * The files and folders that a pattern names, each once, by name. As in a shell, `*` leaves out names that begin with
 * a dot; `**` leaves out node_modules too.
 */
export function* matches(pattern: string): Generator<string> {
  const seen = new Set<string>()
  for (const plain of withoutBraces(pattern)) {
    const { root, segments, isFolderWanted } = splitPattern(plain)
    for (const found of below(root, segments)) {
      if (seen.has(found) || (isFolderWanted && !isFolder(found, true))) continue
      seen.add(found)
      yield found
    }
  }
}

/**
 * A pattern without braces, taken apart.
 * @returns `root`: as the platform has it, such as `/`, `C:\` or `\\server\share\`; empty for the working folder.
 * `segments`: a name or a pattern for each level below it
 */
export function splitPattern(pattern: string, { parse, sep }: path.PlatformPath = path) {
  const { root } = parse(pattern)
  const names = pattern.slice(root.length).split(sep === "\\" ? /[\\/]/ : sep)
  const segments = names.filter((name) => name !== "" && name !== ".")
  return { root, segments, isFolderWanted: names.length > 1 && names.at(-1) === "" }
}

function* below(folder: string, segments: readonly string[]): Generator<string> {
  const [segment, ...rest] = segments
  if (segment === undefined) {
    // A name that is not UTF-8 is found, although it cannot be opened: whoever opens it reports the error.
    if (existsSync(folder) || folder.includes("\ufffd")) yield folder
  } else if (segment === "**") {
    yield* below(folder, rest)
    for (const name of namesIn(folder, ANY_DEPTH))
      if (isFolder(path.join(folder, name), false)) yield* below(path.join(folder, name), segments)
  } else if (isPattern(segment)) {
    for (const name of namesIn(folder, patternOf(segment)))
      if (rest.length === 0 || isFolder(path.join(folder, name), true))
        yield* below(path.join(folder, name), rest)
  } else yield* below(path.join(folder, segment), rest)
}

function namesIn(folder: string, wanted: RegExp): string[] {
  try {
    return readdirSync(folder || ".")
      .filter((name) => wanted.test(name))
      .sort()
  } catch {
    return []
  }
}

/** @param linked whether a link to a folder counts; below `**` it does not, since links can go round in circles */
function isFolder(name: string, linked: boolean): boolean {
  try {
    return (linked ? statSync(name) : lstatSync(name)).isDirectory()
  } catch {
    return false
  }
}

/** One name, as an expression. */
function patternOf(segment: string): RegExp {
  const source = segment.replace(/\*+|\?|\[([!^]?)([^\]]+)\]|[\\^$.|+()[\]{}]/g, (found, not, set) => {
    if (found.startsWith("*")) return ".*"
    if (found === "?") return "."
    if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[\\^[]/g, "\\$&")}]`
    return `\\${found}`
  })
  try {
    return new RegExp(`^${segment.startsWith(".") ? "" : "(?!\\.)"}${source}$`, "su")
  } catch {
    // A range that runs backwards, as in [z-a].
    return NOTHING
  }
}

/** `{a,b}.json` is `a.json` and `b.json`; braces without a comma stand for themselves. */
function withoutBraces(pattern: string): string[] {
  for (let open = pattern.indexOf("{"); open >= 0; open = pattern.indexOf("{", open + 1)) {
    const cuts = cutsOf(pattern, open)
    if (!cuts) continue
    const [head, tail] = [pattern.slice(0, open), pattern.slice((cuts.at(-1) ?? open) + 1)]
    return cuts
      .slice(1)
      .flatMap((cut, part) => withoutBraces(`${head}${pattern.slice((cuts[part] ?? open) + 1, cut)}${tail}`))
  }
  return [pattern]
}

/** Where the brace at `open`, its commas and the brace that closes it are; undefined without a comma or an end. */
function cutsOf(pattern: string, open: number): number[] | undefined {
  const cuts = [open]
  let depth = 0
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === "{") depth++
    else if (pattern[at] === "," && depth === 1) cuts.push(at)
    else if (pattern[at] === "}" && --depth === 0) return cuts.length > 1 ? [...cuts, at] : undefined
  }
  return undefined
}
