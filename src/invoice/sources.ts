/** What to check: from the words of a command line to the names of files. */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { reasonOf } from "../system.ts"
import { isPattern, matches } from "./sources-glob.ts"

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
  trouble?: string
  /** A folder without any such file. */
  isEmpty?: true
}

const DOCUMENTS = /\.(json|ndjson|jsonl)$/i
const LEFT_OUT = /^(\..*|node_modules)$/

/** Whether a real path is seen for the first time. The same invoice twice would look like two that share a number. */
type IsNew = (realPath: string) => boolean

/**
 * The files behind the words, each once even if links lead to it, in the order of the words; in a folder by name. A
 * folder gives the .json, .ndjson and .jsonl files in it and below it, besides hidden folders and node_modules. Files
 * are looked up as they are asked for; nothing is thrown.
 * @param besides a file that is left out: one that the run itself writes
 */
export function* inputsOf(words: readonly string[], besides?: string): Generator<Input> {
  const seen = new Set(besides === undefined ? [] : [fileId(besides)])
  const isNew = (realPath: string) => seen.size < seen.add(realPath).size
  for (const word of words) for (const inputs of filesOf(word, isNew)) yield* inputs
}

/** The same for two names of one file, also where one is a link to the other. */
export function fileId(file: string): string {
  return isStdin(file) ? STDIN : findRealPath(file)
}

/** Some at a time: a folder is read when it is come to. */
function* filesOf(word: string, isNew: IsNew): Generator<Input[]> {
  if (word === STDIN) {
    if (isNew(fileId(word))) yield [{ file: word, stream: true }]
    return
  }
  if (!isPattern(word) || statOf(word)) return yield* filesAt(word, isNew)
  let none = true
  for (const match of matches(word)) {
    none = false
    yield* filesAt(match, isNew)
  }
  if (none) yield [{ file: word, trouble: "no file matches this pattern" }]
}

/** A file, or those in a folder. What is not there is found out by whoever reads it. */
function* filesAt(name: string, isNew: IsNew): Generator<Input[]> {
  const stats = statOf(name)
  if (stats?.isDirectory()) return yield* filesInFolder(name, isNew)
  if (!isNew(fileId(name))) return
  if (!stats && name.includes(UNREADABLE)) return yield [{ file: name, trouble: NOT_UTF8 }]
  yield [stats && !stats.isFile() ? { file: name, stream: true } : { file: name }]
}

function* filesInFolder(name: string, isNew: IsNew): Generator<Input[]> {
  let none = true
  const isFound: IsNew = (realPath) => {
    none = false
    return isNew(realPath)
  }
  const folder = path.join(name, "/")
  for (const inputs of filesBelow(folder, path.join(findRealPath(name), "/"), isFound)) {
    if (inputs.length > 0) none = false
    yield inputs
  }
  if (none) yield [{ file: name, isEmpty: true }]
}

/**
 * Without a system call for a plain file: its real path is that of its folder and its name.
 * @param folder ends with a separator, as does its real path
 */
function* filesBelow(folder: string, realFolder: string, isNew: IsNew): Generator<Input[]> {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return yield [{ file: folder, trouble: reasonOf(error) }]
  }
  const prefix = folder === `.${path.sep}` ? "" : folder
  // Few of many files are not plain ones, and names alone are sorted much sooner.
  const others = new Map<string, Dirent>()
  const names: string[] = []
  for (const entry of entries) {
    names.push(entry.name)
    if (!entry.isFile()) others.set(entry.name, entry)
  }
  let files: Input[] = []
  for (const name of names.sort()) {
    const entry = others.get(name)
    const file = prefix + name
    // Linked folders are left out: links can go round in circles.
    if (entry?.isDirectory()) {
      if (LEFT_OUT.test(name)) continue
      yield files
      files = []
      if (isUnreadable(file)) files.push({ file, trouble: NOT_UTF8 })
      else yield* filesBelow(`${file}${path.sep}`, `${realFolder}${name}${path.sep}`, isNew)
    } else if (DOCUMENTS.test(name) && !name.startsWith(".")) {
      if (entry && !(entry.isSymbolicLink() && leadsToFile(file))) continue
      if (isUnreadable(file)) files.push({ file, trouble: NOT_UTF8 })
      else if (isNew(entry ? findRealPath(file) : realFolder + name)) files.push({ file })
    }
  }
  yield files
}

/** Broken links count as files; opening them reports the error. */
function leadsToFile(link: string): boolean {
  return statOf(link)?.isFile() ?? true
}

/** What Node puts in the place of bytes that are not UTF-8. Such a name does not lead back to its file. */
const UNREADABLE = "\ufffd"
const NOT_UTF8 =
  "its name is not UTF-8 (shown here with \ufffd), so it cannot be opened: rename it, for example with convmv"

function isUnreadable(file: string): boolean {
  return file.includes(UNREADABLE) && !statOf(file)
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

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The paths in a list of files: one a line, or each ended by a NUL as `find -print0` writes them. */
export function pathsIn(list: Uint8Array): string[] {
  const text = new TextDecoder().decode(list)
  const paths = text.includes("\0") ? text.split("\0") : text.split(/\r?\n/)
  return paths.filter((name) => name !== "")
}
