/** The pages of `freight help TOPIC` and of `freight` alone. */
import { OWN_VARIABLES, variable } from "../../machine/index.ts"
import { quoted } from "../../base/parsed.ts"
import type { Deps } from "../../session/index.ts"
import { FreightError } from "../../base/errors.ts"
import type { Terminal } from "../../output/index.ts"
import { TREE } from "../tree.ts"
import { type Block, pageText } from "./page.ts"
import { TOPICS } from "./topics.ts"

/** The output of `freight` alone: an introduction for newcomers, otherwise the commands. */
export function introductionText(deps: Deps): string {
  return pageText(isNew(deps) ? FOR_A_NEWCOMER : listGroups(), deps.terminal.stdout)
}

/**
 * @param about the words after `freight help`
 * @param getDeps called only for pages that tell of this machine
 * @returns undefined when the words name a command: `--help` after them shows its page
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
    const { PAGES } = await import("./pages.ts")
    return PAGES[found.name](await getDeps())
  }
  const commands = [
    ...TREE.flatMap(({ entries }) => entries.flatMap(({ name, alias = name }) => [name, alias])),
    "help",
  ]
  if (commands.includes(word)) return undefined
  const names = TOPICS.map(({ name }) => name)
  const { suggest } = await import("../../base/suggest.ts")
  const near = suggest(word, [...names, ...commands])
  throw new FreightError("usage", `there is no command and no topic ${quoted(word)}`, {
    hint: near ? `Did you mean ${near}?` : `The topics are: ${names.join(", ")}.`,
    next: near ? `freight help ${near}` : "freight help",
  })
}

function topicList(): Block[] {
  return [
    { text: "freight help TOPIC explains one of these, freight help COMMAND a command." },
    { heading: "Topics:", list: TOPICS.map(({ name, purpose }) => [name, purpose]) },
    { heading: "Every command, in groups:", lines: ["freight --help"] },
  ]
}

/** Nothing is saved or set. A damaged settings file counts as set. */
export function isNew({ config, env }: Deps): boolean {
  const names = OWN_VARIABLES.flatMap((each) => each.names)
  if (names.some((name) => /_(KEY|PROFILE)$/.test(name) && variable(env, name) !== undefined)) return false
  try {
    return Object.keys(config.read().profiles).length === 0
  } catch (error) {
    if (error instanceof FreightError) return false
    throw error
  }
}

const FOR_A_NEWCOMER: Block[] = [
  {
    text: "freight compares carriers' prices, books consignments, each exactly once, prints their labels and tracks them. It also checks invoices before you submit them.",
  },
  {
    heading: "Three things to try; the first two need no account:",
    list: [
      ["freight book --sandbox", "book and hold a label; nothing is real"],
      ["freight track --sandbox DEMO-A-MOVING", "see where a consignment is"],
      ["freight auth login", "sign in, and set up this workstation"],
    ],
  },
  { text: "freight --help lists every command." },
]

function listGroups(): Block[] {
  return [
    {
      list: TREE.map(({ group, entries }) => [
        group.replace(/:$/, ""),
        entries.map(({ name }) => name).join(", "),
      ]),
    },
    { text: "freight --help says what each does, freight help COMMAND how, with examples." },
  ]
}
