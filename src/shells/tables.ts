/** The model as five tables that every shell can look things up in, whatever its language. */
import { type CommandModel, type Flag, type Model, wordLists } from "./model.ts"
import type { Value, Word } from "./value.ts"

/** Labels, of which one may end or begin with `*`, and what they stand for; the first that fits counts. */
export type Rows<T> = readonly (readonly [labels: readonly string[], T])[]

export interface Tables {
  /** `pickup/book` → `pickup book`: the command that a word names below another. */
  commands: Rows<string>
  /** `pickup` → its commands. */
  children: Rows<readonly Word[]>
  /** `pickup book` → its own flags. */
  flags: Rows<readonly Word[]>
  /** Flags that every command takes. */
  globals: readonly Word[]
  /** `book --rate` → what follows the flag, as `kindText` writes it. */
  values: Rows<string>
  /** `label/0` → what the command's first argument is. */
  args: Rows<string>
  /** `packaging` → its words. */
  lists: Rows<readonly Word[]>
}

export function tablesOf(model: Model): Tables {
  const [root, ...others] = model.commands
  if (!root) throw new TypeError("the tree is empty")
  return {
    commands: model.commands.flatMap(({ path, children }) =>
      children.map(({ name, alias }) => {
        const labels = [name, ...(alias ? [alias] : [])].map((word) => `${path}/${word}`)
        return [labels, `${path} ${name}`.trim()] as const
      }),
    ),
    children: model.commands
      .filter(({ children }) => children.length > 0)
      .map(({ path, children }) => [[path], children.map(({ name, about }) => ({ value: name, about }))]),
    flags: others
      .map(
        (command) => [[command.path], flagWords(command.flags.filter((flag) => !isIn(flag, root)))] as const,
      )
      .filter(([, words]) => words.length > 0),
    globals: flagWords(root.flags),
    values: valueRows(model.commands),
    args: argRows(model.commands),
    lists: [...wordLists(model)].map(([name, words]) => [[name], words]),
  }
}

/** `words packaging`, `data addresses files`, `files`…; a `?` before it says that the flag stands alone as well. */
function kindText(value: Value): string {
  if (value.kind === "words") return `words ${value.name}`
  return value.kind === "data" ? `data ${value.data}${value.files ? " files" : ""}` : value.kind
}

function isIn({ names }: Flag, { flags }: CommandModel): boolean {
  return flags.some((each) => names.at(-1) === each.names.at(-1))
}

function flagWords(flags: readonly Flag[]): Word[] {
  return flags.map(({ names, about }) => ({ value: names.at(-1) ?? "", about }))
}

/** One row for each flag as most commands read it, after those for the commands that read it otherwise. */
function valueRows(commands: readonly CommandModel[]): Rows<string> {
  const readings = new Map<string, Map<string, string[]>>()
  for (const { path, flags } of commands)
    for (const { names, value, optional } of flags)
      for (const name of names) {
        const kind = value ? `${optional ? "?" : ""}${kindText(value)}` : ""
        const byKind = readings.get(name) ?? new Map<string, string[]>()
        readings.set(name, byKind.set(kind, [...(byKind.get(kind) ?? []), `${path} ${name}`]))
      }
  const special: [string[], string][] = []
  const usual = new Map<string, string[]>()
  for (const [name, byKind] of readings) {
    // What is read everywhere is the tool's own flag.
    const own = [...byKind].find(([, labels]) => labels.includes(` ${name}`))
    const most = own ?? [...byKind].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    for (const [kind, labels] of byKind) if (kind !== most[0]) special.push([labels, kind])
    if (most[0] !== "") usual.set(most[0], [...(usual.get(most[0]) ?? []), `* ${name}`])
  }
  return [...special, ...[...usual].map(([kind, labels]) => [labels, kind] as const)]
}

function argRows(commands: readonly CommandModel[]): Rows<string> {
  return commands.flatMap(({ path, args }) =>
    args.map(({ value, many }, at) => [[`${path}/${many ? "*" : at}`], kindText(value)] as const),
  )
}
