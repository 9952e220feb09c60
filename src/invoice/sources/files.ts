/** Finds the files to check by the words of a command line. */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { grouped } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { reasonOf } from "../../base/system.ts"

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

export const DOCUMENTS = /\.(json|ndjson|jsonl)(\.gz)?$/i
const LEFT_OUT = /^(\..*|node_modules)$/

/** Whether a real path is seen for the first time. The same invoice twice would look like two that share a number. */
type IsNew = (realPath: string) => boolean

/**
 * The files for the words, each once even if links lead to it, in the order of the words; in a folder by name. A folder
 * gives the .json, .ndjson and .jsonl files in it and below it, also packed ones (.json.gz), except in hidden folders
 * and node_modules. Files are looked up lazily.
 * @param besides a file that is left out: one that the run itself writes
 * @param documents names of the files that count in a folder, if others than these
 * @param mostSeen maximum number of files and folders looked at, without following links to folders; no limit if
 * omitted
 * @throws FreightError `input` for more than `mostSeen`
 */
export async function findInputs(
  words: readonly string[],
  besides?: string,
  documents = DOCUMENTS,
  mostSeen?: number,
): Promise<Iterable<Input>> {
  const list = createLister(mostSeen)
  return listFilesOf(await expandPatterns(words, list, mostSeen === undefined), besides, documents, list)
}

type List = (folder: string) => Dirent[]

function createLister(most = Number.POSITIVE_INFINITY): List {
  let seen = 0
  return (folder) => {
    if (seen > most) throw tooMany(most)
    const entries = readdirSync(folder, { withFileTypes: true })
    seen += entries.length
    if (seen > most) throw tooMany(most)
    return entries
  }
}

function tooMany(most: number): FreightError {
  return new FreightError("input", `the names given lead to more than ${grouped(most)} files and folders`, {
    hint: "Name the files themselves, or a folder with fewer.",
  })
}

/** Whether there are at least two; gives all inputs again. */
export function lookAhead(inputs: Iterable<Input>): { inputs: Iterable<Input>; areSeveral: boolean } {
  const rest = inputs[Symbol.iterator]()
  const taken = [rest.next(), rest.next()]
  function* all(): Generator<Input> {
    for (let next = taken.shift(); next && !next.done; next = taken.shift() ?? rest.next()) yield next.value
  }
  return { inputs: all(), areSeveral: !taken[1]?.done }
}

function* listFilesOf(
  words: readonly string[],
  besides: string | undefined,
  documents: RegExp,
  list: List,
): Generator<Input> {
  const seen = new Set(besides === undefined ? [] : [getFileId(besides)])
  const isNew = (realPath: string) => seen.size < seen.add(realPath).size
  for (const word of words)
    if (word === STDIN) {
      if (isNew(STDIN)) yield { file: word, stream: true }
    } else if (isPattern(word)) yield { file: word, unreadable: "no file matches this pattern" }
    else for (const inputs of listFilesAt(word, isNew, documents, list)) yield* inputs
}

/** An ID that is equal for all names of one file, including links. */
export function getFileId(file: string): string {
  return isStdin(file) ? STDIN : findRealPath(file)
}

/** A file, or those in a folder, in batches. A missing file counts: reading it reports the error. */
function* listFilesAt(name: string, isNew: IsNew, documents: RegExp, list: List): Generator<Input[]> {
  const stats = getStats(name)
  if (stats?.isDirectory()) return yield* listFolder(name, isNew, documents, list)
  if (!isNew(getFileId(name))) return
  if (!stats && name.includes(UNREADABLE)) return yield [{ file: name, unreadable: NOT_UTF8 }]
  yield [stats && !stats.isFile() ? { file: name, stream: true } : { file: name }]
}

function* listFolder(name: string, isNew: IsNew, documents: RegExp, list: List): Generator<Input[]> {
  let none = true
  const isFound: IsNew = (realPath) => {
    none = false
    return isNew(realPath)
  }
  const folder = path.join(name, "/")
  const realFolder = path.join(findRealPath(name), "/")
  for (const inputs of listFilesBelow(folder, realFolder, isFound, documents, list)) {
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
  list: List,
): Generator<Input[]> {
  let entries: Dirent[]
  try {
    entries = list(folder)
  } catch (error) {
    if (error instanceof FreightError) throw error
    return yield [{ file: folder, unreadable: reasonOf(error) }]
  }
  const prefix = folder === `.${path.sep}` ? "" : folder
  let files: Input[] = []
  for (const entry of entries.sort((one, other) => compareNames(one.name, other.name))) {
    const { name } = entry
    const file = prefix + name
    // Linked folders are left out: links can go round in circles.
    if (entry.isDirectory()) {
      if (LEFT_OUT.test(name)) continue
      yield files
      files = []
      if (isUnreadable(file)) files.push({ file, unreadable: NOT_UTF8 })
      else
        yield* listFilesBelow(`${file}${path.sep}`, `${realFolder}${name}${path.sep}`, isNew, documents, list)
    } else if (documents.test(name) && !name.startsWith(".")) {
      if (!entry.isFile() && !(entry.isSymbolicLink() && isLinkToFile(file))) continue
      if (isUnreadable(file)) files.push({ file, unreadable: NOT_UTF8 })
      else if (isNew(entry.isFile() ? realFolder + name : findRealPath(file))) files.push({ file })
    }
  }
  yield files
}

/** As people count: `INV-9.json` before `INV-10.json`. */
function compareNames(one: string, other: string): number {
  return COUNTED.compare(one, other) || (one < other ? -1 : 1)
}

const COUNTED = new Intl.Collator("en", { numeric: true })

/** Broken links count as files; opening them reports the error. */
function isLinkToFile(link: string): boolean {
  return getStats(link)?.isFile() ?? true
}

/** The character that Node puts in the place of bytes that are not UTF-8. Such a name does not lead back to its file. */
const UNREADABLE = "\ufffd"
const NOT_UTF8 =
  "its name is not UTF-8 (shown here with \ufffd), so it cannot be opened: rename it, for example with convmv"

function isUnreadable(file: string): boolean {
  return file.includes(UNREADABLE) && !getStats(file)
}

/** The path with links resolved; for a missing file, the path that it would have. */
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

/** `*`, `**`, `?`, `[a-z]` and `{json,ndjson}`, for shells that leave patterns as they are. */
const PATTERN = /[*?[{]/
/** Special characters in tinyglobby but not in a shell: they are taken literally. */
const NOT_PATTERN = /(?<!\[)!|[()|+@"\\]/g

/** A name that begins with a dot. */
const HIDDEN = /(^|[/{,])\./

/** The words with each pattern replaced by the files and folders that it matches, by name; one without a match stays. */
async function expandPatterns(
  words: readonly string[],
  list: List,
  followsLinks: boolean,
): Promise<string[]> {
  const expanded: string[] = []
  for (const word of words) {
    const matches = isPattern(word) ? await findMatches(word, list, followsLinks) : []
    expanded.push(...(matches.length > 0 ? matches : [word]))
  }
  return expanded
}

/** A file is not a pattern, whatever its name. */
export function isPattern(word: string): boolean {
  return PATTERN.test(word) && !getStats(word)
}

async function findMatches(word: string, list: List, followsLinks: boolean): Promise<string[]> {
  const { globSync } = await import("tinyglobby")
  const { folder, pattern } = splitPattern(word)
  let tooManyError: FreightError | undefined
  // Its errors are not passed on.
  const readFolder = (name: string): Dirent[] => {
    try {
      return list(name)
    } catch (error) {
      if (error instanceof FreightError) tooManyError = error
      throw error
    }
  }
  const matches = globSync(pattern.replace(NOT_PATTERN, "\\$&"), {
    cwd: folder,
    expandDirectories: false,
    extglob: false,
    onlyFiles: false,
    onlyDirectories: pattern.endsWith("/"),
    followSymbolicLinks: followsLinks,
    fs: { readdirSync: readFolder as unknown as typeof readdirSync },
    ignore: [
      ...(pattern.includes("**") ? ["**/node_modules/**"] : []),
      // For tinyglobby `{*.json,*.ndjson}` has hidden files too.
      ...(HIDDEN.test(pattern) ? [] : ["**/.*", "**/.*/**"]),
    ],
  })
  if (tooManyError) throw tooManyError
  return matches.map((match) => path.join(folder, match).replace(/[\\/]$/, "")).sort()
}

/** @returns the folder at which the pattern starts, with its separator, and the pattern below it, with slashes */
export function splitPattern(word: string, { parse, sep }: path.PlatformPath = path) {
  const plain = word.slice(0, word.search(PATTERN))
  const end = Math.max(parse(word).root.length, plain.lastIndexOf("/") + 1, plain.lastIndexOf(sep) + 1)
  return { folder: word.slice(0, end), pattern: word.slice(end).replaceAll(sep, "/") }
}
