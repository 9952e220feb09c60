/** Finds the page of `freight help TOPIC` and of `freight` alone. */
import { quoted } from "../contract/parsed.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { TREE } from "../tree.ts"
import { type Block, pageText } from "./page.ts"
import { TOPICS } from "./topics.ts"

export async function introductionText(deps: Deps): Promise<string> {
  const { introduction } = await import("./introduction.ts")
  return pageText(introduction(deps), deps.terminal.stdout)
}

/**
 * @param about the words after `freight help`
 * @param getDeps called only for pages that tell of this machine
 * @returns undefined when the words name a command: `--help` after them shows its page
 * @throws FreightError `usage` when there is neither a topic nor a command of that name
 */
export async function topicText(
  about: readonly string[],
  { stdout }: Terminal,
  getDeps: () => Promise<Deps>,
): Promise<string | undefined> {
  const blocks = await findTopic(about, getDeps)
  return blocks && pageText(blocks, stdout)
}

async function findTopic(
  [word, ...more]: readonly string[],
  getDeps: () => Promise<Deps>,
): Promise<Block[] | undefined> {
  if (word === undefined) return topicList()
  const found = more.length === 0 ? TOPICS.find(({ name }) => name === word) : undefined
  if (found) {
    const page = await found.load()
    return page(await getDeps())
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
    { text: "freight help TOPIC explains one of these, freight help COMMAND a command." },
    { heading: "Topics:", list: TOPICS.map(({ name, purpose }) => [name, purpose]) },
    { heading: "Every command, in groups:", lines: ["freight --help"] },
  ]
}
