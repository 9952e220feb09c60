/** The commands for named items of the settings file: addresses, maps, packages, parties, profiles. */

import { quoted } from "../base/parsed.ts"
import { command } from "./command.ts"
import {
  type Config,
  type FollowsFrom,
  onSameService,
  removeNames,
  type SavedList,
  type SavedValue,
  saveUnderName,
} from "../machine/index.ts"
import type { Session } from "../session/index.ts"
import { anyColumn, type Column, isForPeople, print } from "../output/index.ts"

interface SavedThings<List extends SavedList, Row> {
  /** `address` */
  noun: string
  /** The plural on help pages, if it is not the name of the list. */
  plural?: string
  /** The list in the settings file. */
  list: List
  read(deps: Session): Row[]
  columns: readonly Column<Row>[]
  /** The message for an empty list. */
  empty: string
  /** Help texts of `list` and `remove`, if they are not the usual ones. */
  about?: { list?: string; remove?: string }
  /** The name in the example of `remove`. */
  removeExample?: string
  /** The settings that keep something of the removed items, written together. */
  keepOfRemoved?(config: Config, gone: ReadonlySet<string>): Partial<Config>
  /** Describes the effects of a removal. */
  afterRemoval?(deps: Session, gone: ReadonlySet<string>): Promise<void>
}

/** The commands that list and remove saved items, and the code shared by those that save. */
export function savedThings<List extends SavedList, Row extends { name: string }>(
  things: SavedThings<List, Row>,
) {
  const {
    noun,
    list,
    plural = list,
    read,
    columns,
    empty,
    about = {},
    removeExample,
    keepOfRemoved,
    afterRemoval,
  } = things

  async function printAll(deps: Session): Promise<undefined> {
    await print(deps, { rows: read(deps), columns, empty })
  }

  async function removeNamed(deps: Session, names: readonly string[]): Promise<undefined> {
    const gone = new Set(names)
    const removed = read(deps).filter(({ name }) => gone.has(name))
    await removeNames(deps.config, list, gone, (config) => keepOfRemoved?.(config, gone) ?? {})
    await deps.note(`Removed: ${[...gone].join(", ")}.`)
    await printChanges(deps, removed, columns)
    await afterRemoval?.(deps, gone)
  }

  /** Names that a new one may not have. */
  function listTaken({ config }: Session, { replace }: Replacing): string[] {
    return replace ? [] : Object.keys(config.read()[list] ?? {})
  }

  /**
   * Saves one, says how to use it, and prints it for programs. @throws FreightError `usage` for a name that is taken
   */
  async function save(
    deps: Session,
    name: string,
    value: SavedValue<List> | FollowsFrom<List>,
    { replace, use }: Replacing & { use: string },
  ): Promise<undefined> {
    await saveUnderName(deps.config, list, [name, value], { replace })
    await deps.note(`Saved as ${quoted(name)}: ${onSameService(use, deps.globals)}`)
    const row = read(deps).find((each) => each.name === name)
    if (row) await printForPrograms(deps, row)
  }

  return {
    list: command({
      about: about.list ?? `Lists the saved ${plural}. All profiles share them.`,
      columns,
      examples: [`freight ${noun} list`, `freight ${noun} list --format csv`],
      run: printAll,
    }),
    remove: command({
      about: about.remove ?? `Removes saved ${plural}. Nothing is removed unless all of them exist.`,
      args: [{ takes: "<name...>", about: `${list}, as freight ${noun} list shows them` }],
      columns,
      examples: [`freight ${noun} remove ${removeExample}`],
      run: removeNamed,
    }),
    columns,
    printAll,
    removeNamed,
    listTaken,
    save,
    nameArgument: {
      takes: "[name]",
      about: "a short name of your own; asked for on a terminal",
      isAsked: true,
    },
    replaceFlag: { about: `replace the saved ${noun} of that name` },
  } as const
}

/** The saved value with its name, and null for each missing field. */
export type NamedRow<Saved> = { name: string } & {
  [Field in keyof Saved]-?: Exclude<Saved[Field], undefined> | null
}

/** @param absent all fields that may be saved, as null: a file that was edited by hand may lack any */
export function toNamedRow<Saved>(
  [name, saved]: readonly [string, unknown],
  absent: Readonly<Record<keyof Saved, null>>,
): NamedRow<Saved> {
  return { ...absent, ...(saved as Saved), name } as NamedRow<Saved>
}

interface Replacing {
  replace?: boolean | undefined
}

/**
 * Prints a command's changes, if a format or fields are given: a person has read a sentence.
 * @param rows each as it was where it is gone, else as it is
 */
export async function printChanges<Row>(
  deps: Pick<Session, "terminal" | "output" | "warnings">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Promise<void> {
  if (isForPeople(deps.output)) return
  await print(deps, { rows, columns })
}

/** Prints rows for programs, if a format or fields are given: a person knows them already. */
export async function printForPrograms<Row extends object>(
  deps: Pick<Session, "terminal" | "output" | "warnings">,
  row: Row,
  columns: readonly Column<Row>[] = Object.keys(row).map((key) => anyColumn(key, key)),
): Promise<void> {
  if (isForPeople(deps.output)) return
  await print(deps, { rows: [row], columns, single: true })
}
