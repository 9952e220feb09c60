/** Addresses, packages, parties and maps that a person saved under names. */
import { type Parsed, parsed, refused, quoted } from "../../base/parsed.ts"
import { getOwn } from "../../base/json.ts"
import { suggest } from "../../base/suggest.ts"
import { FreightError } from "../../base/errors.ts"
import type { Config, ConfigFile, ConfigStore } from "./file.ts"

/**
 * Reads a name that is to be saved.
 * @param taken names that are no longer free
 */
export function parseNewName(list: SavedList, name: string, taken: readonly string[] = []): Parsed<string> {
  const { one, pattern = ANY_NAME, rule = ANY_NAME_RULE } = WORDS[list]
  if (taken.includes(name)) return refused(`${one} ${quoted(name)} already exists`)
  return pattern.test(name) && name === name.trim() ? parsed(name) : refused(`${one}'s name ${rule}`)
}

/** @throws FreightError `usage` for a name that `parseNewName` refuses */
export function checkNewName(list: SavedList, name: string, taken?: readonly string[]): void {
  const read = parseNewName(list, name, taken)
  if (!read.ok) throw new FreightError("usage", read.reason)
}

const ANY_NAME = /^(?!.*\.json$)[\p{L}\p{N}][\p{L}\p{N} &'._-]{0,63}$/iu
const ANY_NAME_RULE = `begins with a letter or digit, has at most 64 characters, and does not look like a file's: no "/", no ".json"`

/** `Port Street Fittings` → `port-street-fittings` */
export function suggestName(text: string, otherwise: string): string {
  const words = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
  return words.replace(/^-+|(?<!-)-+$/g, "") || otherwise
}

type Lists = Pick<Config, "addresses" | "maps" | "packages" | "parties" | "profiles">
export type SavedList = keyof Lists
export type SavedValue<List extends SavedList> = NonNullable<Lists[List]>[string]

/** Makes a value from the one saved there before (undefined if none), and from the rest of the file. */
export type FollowsFrom<List extends SavedList> = (before: unknown, config: Config) => SavedValue<List>

interface Words {
  /** `saved address` */
  what: string
  one: string
  /** The rule for its names, as a pattern and in words. */
  pattern?: RegExp
  rule?: string
  /** Maximum number of names that an error lists. */
  most?: number
  none?: string
  /** A sentence that always helps. */
  more?: string
  next: string
}

const WORDS: Readonly<Record<SavedList, Words>> = {
  addresses: {
    what: "saved address",
    one: "an address",
    most: 20,
    none: "None is saved yet: freight address add NAME ADDRESS saves one.",
    more: "The name of a file ends in .json or has a / in it.",
    next: "freight address list",
  },
  packages: {
    what: "saved package",
    one: "a package",
    pattern: /^\p{L}[\p{L}\p{N}_-]{0,31}$/u,
    rule: 'begins with a letter, and has letters, digits, "-" and "_", at most 32 of them',
    more: "A size is written as 2x40x30x20@5.5.",
    next: "freight package list",
  },
  parties: { what: "saved party", one: "a party", most: 20, next: "freight party list" },
  maps: {
    what: "saved map",
    one: "a map",
    pattern: /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,31}$/u,
    rule: 'begins with a letter or digit, and has letters, digits, "-", "_" and ".", at most 32 of them',
    none: "None is saved yet: --save-map saves one.",
    next: "freight batch maps",
  },
  profiles: {
    what: "profile",
    one: "a profile",
    pattern: /^[a-z0-9][\w.-]{0,63}$/i,
    rule: 'has letters, digits, "-", "_" and ".", and at most 64 of them',
    none: "There are no profiles yet.",
    next: "freight profile list",
  },
}

/**
 * The error for a name that is not saved: a suggestion, or a list.
 * @param what `saved supplier`, if that is more specific than the list
 */
export function notSaved(
  list: SavedList,
  names: readonly string[],
  name: string,
  what = WORDS[list].what,
): FreightError {
  const { most = names.length, none = "None is saved yet.", more, next } = WORDS[list]
  const near = suggest(name, names)
  const listed = `${names.slice(0, most).join(", ")}${names.length > most ? ", …" : ""}`
  const hint = [
    near && `Did you mean ${quoted(near)}?`,
    names.length > 0 ? `Saved are: ${listed}.` : none,
    more,
  ]
  return new FreightError("input", `there is no ${what} ${quoted(name)}`, {
    hint: hint.filter(Boolean).join(" "),
    next,
  })
}

export function findSaved<List extends SavedList>(
  store: ConfigFile,
  list: List,
  name: string,
): SavedValue<List> {
  const saved: Readonly<Record<string, unknown>> = store.read()[list] ?? {}
  if (!Object.hasOwn(saved, name)) throw notSaved(list, Object.keys(saved), name)
  return saved[name] as SavedValue<List>
}

/** Saved values with their names, in their order. */
export function listSaved<T>(saved: Readonly<Record<string, T>> = {}): [name: string, value: T][] {
  return Object.entries(saved).sort(([one], [other]) => one.localeCompare(other))
}

/** @throws FreightError `usage` for a name that is taken */
export function refuseTaken(list: SavedList, name: string, taken: readonly string[]): void {
  if (!taken.includes(name)) return
  throw new FreightError("usage", `${WORDS[list].one} ${quoted(name)} already exists`, {
    hint: "Add --replace to overwrite it.",
  })
}

/**
 * Saves a value under a name.
 * @param value or how it follows from the one saved there before
 * @throws FreightError `usage` for a name that is taken, unless it is to be replaced; as `ConfigStore.update` does
 */
export async function saveUnderName<List extends SavedList>(
  store: ConfigStore,
  list: List,
  [name, value]: readonly [string, SavedValue<List> | FollowsFrom<List>],
  { replace = false }: { replace?: boolean | undefined },
): Promise<void> {
  await store.update((config) => {
    refuseTaken(list, name, replace ? [] : Object.keys(config[list] ?? {}))
    const before = getOwn(config[list] ?? {}, name)
    const next = typeof value === "function" ? (value as FollowsFrom<List>)(before, config) : value
    return { ...config, [list]: { ...config[list], [name]: next } }
  })
}

/**
 * Removes names from a list. If the profile in use is one of them, none is in use then.
 * @param keep other changes to the file, from its content before
 * @throws FreightError `input` for the first that is not there, and as `ConfigStore.update` does; nothing is removed
 * then
 */
export async function removeNames(
  store: ConfigStore,
  list: SavedList,
  gone: ReadonlySet<string>,
  keep: (config: Config) => Partial<Config> = () => ({}),
): Promise<void> {
  await store.update((config) => {
    const saved = config[list] ?? {}
    for (const name of gone) if (!Object.hasOwn(saved, name)) throw notSaved(list, Object.keys(saved), name)
    const { current, ...others } = config
    return {
      ...(current !== undefined && !(list === "profiles" && gone.has(current)) && { current }),
      ...others,
      ...keep(config),
      [list]: Object.fromEntries(Object.entries(saved).filter(([name]) => !gone.has(name))),
    }
  })
}
