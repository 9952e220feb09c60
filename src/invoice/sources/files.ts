/** What to check: from the words of a command line to the names of files. */
import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { reasonOf } from "../../system.ts"

/** Standard input among file names. */
export const STDIN = "-"

export function isStdin(file: string): boolean {
  return file === STDIN || file === "/dev/stdin"
}

/** A file to check; or a word that leads to none, and why. */
export interface Input {
  file: string
  /** Standard input, a pipe or a device: it can be read once, from its start to its end. */
  stream?: true
  unreadable?: string
  /** A folder without any such file. */
  isEmpty?: true
}

const DOCUMENTS = /\.(json|ndjson|jsonl)(\.gz)?$/i
const LEFT_OUT = /^(\..*|node_modules)$/

/** Whether a real path is seen for the first time. The same invoice twice would look like two that share a number. */
type IsNew = (realPath: string) => boolean

/**
 * The files behind the words, each once even if links lead to it, in the order of the words; in a folder by name. A
 * folder gives the .json, .ndjson and .jsonl files in it and below it, also packed ones (.json.gz), besides hidden folders and node_modules. Files
 * are looked up as they are asked for; nothing is thrown.
 * @param besides a file that is left out: one that the run itself writes
 * @param documents names of the files that count in a folder, where others than these do
 */
export function* findInputs(
  words: readonly string[],
  besides?: string,
  documents = DOCUMENTS,
): Generator<Input> {
  const seen = new Set(besides === undefined ? [] : [getFileId(besides)])
  const isNew = (realPath: string) => seen.size < seen.add(realPath).size
  for (const word of words) for (const inputs of listFilesOf(word, isNew, documents)) yield* inputs
}

/** The same for two names of one file, also where one is a link to the other. */
export function getFileId(file: string): string {
  return isStdin(file) ? STDIN : findRealPath(file)
}

/** In batches: a folder is read when its turn comes. */
function* listFilesOf(word: string, isNew: IsNew, documents: RegExp): Generator<Input[]> {
  if (word === STDIN) {
    if (isNew(getFileId(word))) yield [{ file: word, stream: true }]
    return
  }
  if (!isPattern(word) || getStats(word)) return yield* listFilesAt(word, isNew, documents)
  let none = true
  for (const match of findMatches(word)) {
    none = false
    yield* listFilesAt(match, isNew, documents)
  }
  if (none) yield [{ file: word, unreadable: "no file matches this pattern" }]
}

/** A file, or those in a folder. A missing file counts: reading it reports the error. */
function* listFilesAt(name: string, isNew: IsNew, documents: RegExp): Generator<Input[]> {
  const stats = getStats(name)
  if (stats?.isDirectory()) return yield* listFolder(name, isNew, documents)
  if (!isNew(getFileId(name))) return
  if (!stats && name.includes(UNREADABLE)) return yield [{ file: name, unreadable: NOT_UTF8 }]
  yield [stats && !stats.isFile() ? { file: name, stream: true } : { file: name }]
}

function* listFolder(name: string, isNew: IsNew, documents: RegExp): Generator<Input[]> {
  let none = true
  const isFound: IsNew = (realPath) => {
    none = false
    return isNew(realPath)
  }
  const folder = path.join(name, "/")
  for (const inputs of listFilesBelow(folder, path.join(findRealPath(name), "/"), isFound, documents)) {
    if (inputs.length > 0) none = false
    yield inputs
  }
  if (none) yield [{ file: name, isEmpty: true }]
}

/**
 * Without a system call for a plain file: its real path is that of its folder and its name.
 * @param folder ends with a separator, as does its real path
 */
function* listFilesBelow(
  folder: string,
  realFolder: string,
  isNew: IsNew,
  documents: RegExp,
): Generator<Input[]> {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return yield [{ file: folder, unreadable: reasonOf(error) }]
  }
  const prefix = folder === `.${path.sep}` ? "" : folder
  let files: Input[] = []
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = entry
    const file = prefix + name
    // Linked folders are left out: links can go round in circles.
    if (entry.isDirectory()) {
      if (LEFT_OUT.test(name)) continue
      yield files
      files = []
      if (isUnreadable(file)) files.push({ file, unreadable: NOT_UTF8 })
      else yield* listFilesBelow(`${file}${path.sep}`, `${realFolder}${name}${path.sep}`, isNew, documents)
    } else if (documents.test(name) && !name.startsWith(".")) {
      if (!entry.isFile() && !(entry.isSymbolicLink() && isLinkToFile(file))) continue
      if (isUnreadable(file)) files.push({ file, unreadable: NOT_UTF8 })
      else if (isNew(entry.isFile() ? realFolder + name : findRealPath(file))) files.push({ file })
    }
  }
  yield files
}

/** Broken links count as files; opening them reports the error. */
function isLinkToFile(link: string): boolean {
  return getStats(link)?.isFile() ?? true
}

/** What Node puts in the place of bytes that are not UTF-8. Such a name does not lead back to its file. */
const UNREADABLE = "\ufffd"
const NOT_UTF8 =
  "its name is not UTF-8 (shown here with \ufffd), so it cannot be opened: rename it, for example with convmv"

function isUnreadable(file: string): boolean {
  return file.includes(UNREADABLE) && !getStats(file)
}

/** The path without links in it, or, of what is not there, the path that it would have. */
function findRealPath(file: string): string {
  try {
    return realpathSync.native(file)
  } catch {
    const folder = path.dirname(path.resolve(file))
    return path.join(folder === path.resolve(file) ? folder : findRealPath(folder), path.basename(file))
  }
}

function getStats(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The paths in a list of files: one a line, or each ended by a NUL as `find -print0` writes them. */
export function splitPaths(list: Uint8Array): string[] {
  const text = new TextDecoder().decode(list)
  const paths = text.includes("\0") ? text.split("\0") : text.split(/\r?\n/)
  return paths.filter((name) => name !== "")
}

/**
 * File patterns, for shells that leave them as they are: `*`, `**`, `?`, `[a-z]` and `{json,ndjson}`.
 *
 * Not tinyglobby: for it `{a,*}.json` has hidden files too, `?` is half an emoji, names in parentheses are patterns,
 * links below `**` are followed, and the order of `{b,a}` is lost.
 */

const ANY_DEPTH = /^(?!\.|node_modules$)/
const NOTHING = /(?!)/

export function isPattern(word: string): boolean {
  return /[*?[{]/.test(word)
}

/**
 * The files and folders that a pattern names, each once, by name. As in a shell, `*` leaves out names that begin with
 * a dot; `**` leaves out node_modules too.
 */
export function* findMatches(pattern: string): Generator<string> {
  const seen = new Set<string>()
  for (const plain of expandBraces(pattern)) {
    const { root, segments, isFolderWanted } = splitPattern(plain)
    for (const found of listBelow(root, segments)) {
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

function* listBelow(folder: string, segments: readonly string[]): Generator<string> {
  const [segment, ...rest] = segments
  if (segment === undefined) {
    // A name that is not UTF-8 is listed, although it cannot be opened: opening it reports the error.
    if (existsSync(folder) || folder.includes("\ufffd")) yield folder
  } else if (segment === "**") {
    yield* listBelow(folder, rest)
    for (const name of listNames(folder, ANY_DEPTH))
      if (isFolder(path.join(folder, name), false)) yield* listBelow(path.join(folder, name), segments)
  } else if (isPattern(segment)) {
    for (const name of listNames(folder, toExpression(segment)))
      if (rest.length === 0 || isFolder(path.join(folder, name), true))
        yield* listBelow(path.join(folder, name), rest)
  } else yield* listBelow(path.join(folder, segment), rest)
}

function listNames(folder: string, wanted: RegExp): string[] {
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
function toExpression(segment: string): RegExp {
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
function expandBraces(pattern: string): string[] {
  for (let open = pattern.indexOf("{"); open >= 0; open = pattern.indexOf("{", open + 1)) {
    const cuts = findBraces(pattern, open)
    if (!cuts) continue
    const [head, tail] = [pattern.slice(0, open), pattern.slice((cuts.at(-1) ?? open) + 1)]
    return cuts
      .slice(1)
      .flatMap((cut, part) => expandBraces(`${head}${pattern.slice((cuts[part] ?? open) + 1, cut)}${tail}`))
  }
  return [pattern]
}

/** Where the brace at `open`, its commas and the brace that closes it are; undefined without a comma or an end. */
function findBraces(pattern: string, open: number): number[] | undefined {
  const cuts = [open]
  let depth = 0
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === "{") depth++
    else if (pattern[at] === "," && depth === 1) cuts.push(at)
    else if (pattern[at] === "}" && --depth === 0) return cuts.length > 1 ? [...cuts, at] : undefined
  }
  return undefined
}
