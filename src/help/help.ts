/** What `freight help`, `--help` and `freight` alone print. */
import type { Command } from "commander"
import { quoted } from "../contract/parsed.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { TREE } from "../tree.ts"
import { commandPage, topicRows } from "./command-page.ts"
import { type Block, pageText } from "./page.ts"
import { TOPICS } from "./topics.ts"

interface Wanted {
  /** A command's page, with what the command adds before and after its flags. */
  page?: Command
  before: string
  after: string
  /** The words after `freight help`. */
  about?: readonly string[]
}

interface Around {
  terminal: Terminal
  /** `freight` was typed, and nothing else. */
  isAlone: boolean
  /** Made only for pages that tell of this machine. */
  deps(): Promise<Deps>
}

/**
 * @returns undefined when the words name a command: `--help` after them shows its page
 * @throws FreightError `usage` when there is neither a topic nor a command of that name
 */
export async function helpText(
  wanted: Wanted,
  { terminal, isAlone, deps }: Around,
): Promise<string | undefined> {
  const blocks = await blocksFor(wanted, isAlone, deps)
  return blocks && pageText(blocks, terminal.stdout)
}

async function blocksFor(
  { page, about, ...texts }: Wanted,
  isAlone: boolean,
  deps: () => Promise<Deps>,
): Promise<Block[] | undefined> {
  if (about) return helpOn(about, deps)
  if (isAlone) {
    const { introduction } = await import("./introduction.ts")
    return introduction(await deps())
  }
  return page && commandPage(page, texts)
}

async function helpOn(
  [word, ...more]: readonly string[],
  deps: () => Promise<Deps>,
): Promise<Block[] | undefined> {
  if (word === undefined) return topicList()
  const found = more.length === 0 ? TOPICS.find(({ name }) => name === word) : undefined
  if (found) {
    const { topic } = await found.load()
    return topic(await deps())
  }
  const commands = [
    ...TREE.flatMap(({ entries }) => entries.flatMap(({ name, alias = name }) => [name, alias])),
    "help",
  ]
  if (commands.includes(word)) return undefined
  const names = TOPICS.map(({ name }) => name)
  const { suggest } = await import("../contract/suggest.ts")
  const near = suggest(word, [...names, ...commands])
  throw new FreightError("usage", `there is no command and no topic ${quoted(word)}`, {
    hint: near ? `Did you mean ${near}?` : `The topics are: ${names.join(", ")}.`,
    next: near ? `freight help ${near}` : "freight --help",
  })
}

function topicList(): Block[] {
  return [
    { text: "freight help TOPIC tells about one of these, freight help COMMAND about a command." },
    { heading: "Topics:", list: topicRows() },
    { heading: "Every command, in groups:", lines: ["freight --help"] },
  ]
}
