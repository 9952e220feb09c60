/** What `freight` alone prints: a first look for newcomers, otherwise the commands. */
import { variable } from "../config/settings.ts"
import { OWN_VARIABLES } from "../config/known.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { TREE } from "../tree.ts"
import type { Block } from "./page.ts"

export function introduction(deps: Deps): Block[] {
  return isNew(deps) ? FOR_A_NEWCOMER : forTheDesk()
}

/** Nothing is saved or set. A damaged settings file belongs to someone. */
function isNew({ config, env }: Deps): boolean {
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
      ["freight auth login", "sign in, and set up this desk"],
    ],
  },
  { text: "freight --help lists every command." },
]

function forTheDesk(): Block[] {
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
