/** What to check: from the words of a command line to the names of files. */
import { type Dirent, readdirSync, statSync } from "node:fs"
import path from "node:path"
import { fileTrouble } from "../terminal/files.ts"
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

/**
 * The files behind the words, each once, in the order of the words; in a folder by name. A folder gives the .json,
 * .ndjson and .jsonl files in it and below it, besides hidden folders and node_modules. Files are looked up as they
 * are asked for; nothing is thrown.
 * @param besides a file that is left out: one that the run itself writes
 */
export function* inputsOf(words: readonly string[], besides?: string): Generator<Input> {
  const [first = ""] = words
  // A file or folder alone gives nothing twice.
  const alone = words.length === 1 && besides === undefined && !isPattern(first)
  const seen = new Set(besides === undefined ? [] : [fileId(besides)])
  // The same invoice twice would look like two that share a number.
  const isNew = ({ file }: Input) => seen.size < seen.add(fileId(file)).size
  for (const word of words) for (const inputs of filesOf(word)) yield* alone ? inputs : inputs.filter(isNew)
}

/** The same for two names of one file; links are not followed. */
export function fileId(file: string): string {
  return isStdin(file) ? STDIN : path.resolve(file)
}

/** Some at a time: a folder is read when it is come to. */
function* filesOf(word: string): Generator<Input[]> {
  if (word === STDIN) return yield [{ file: word, stream: true }]
  if (statOf(word) || !isPattern(word)) return yield* filesAt(word)
  let none = true
  for (const match of matches(word)) {
    none = false
    yield* filesAt(match)
  }
  if (none) yield [{ file: word, trouble: "no file matches this pattern" }]
}

/** A file, or those in a folder. What is not there is found out by whoever reads it. */
function* filesAt(name: string): Generator<Input[]> {
  const stats = statOf(name)
  if (!stats || stats.isFile()) return yield [{ file: name }]
  if (!stats.isDirectory()) return yield [{ file: name, stream: true }]
  let none = true
  for (const inputs of filesBelow(path.join(name, "/"))) {
    if (inputs.length > 0) none = false
    yield inputs
  }
  if (none) yield [{ file: name, isEmpty: true }]
}

/** @param folder ends with a separator */
function* filesBelow(folder: string): Generator<Input[]> {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return yield [{ file: folder, trouble: fileTrouble(error) }]
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
    // Linked folders are left out: links can go round in circles.
    if (entry?.isDirectory()) {
      if (LEFT_OUT.test(name)) continue
      yield files
      files = []
      yield* filesBelow(`${prefix}${name}${path.sep}`)
    } else if (DOCUMENTS.test(name) && !name.startsWith(".")) {
      const file = prefix + name
      if (!entry || (entry.isSymbolicLink() && leadsToFile(file))) files.push({ file })
    }
  }
  yield files
}

/** Or nowhere, which whoever reads it tells. */
function leadsToFile(link: string): boolean {
  return statOf(link)?.isFile() ?? true
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
