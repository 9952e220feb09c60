/** The page of `freight --help`. */
import type { OutputStream } from "../../output/index.ts"
import { findEntry, GLOBAL_FLAGS_HEADING, PROGRAM } from "../tree.ts"
import { pageText } from "./page.ts"
import { TOPICS } from "./topics.ts"

const INTRODUCTION = `Try it now, without an account:
  freight book --sandbox
  freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5`

/**
 * The first page: common tasks, then the global flags.
 * @param page as commander makes it, with the flags above the commands
 */
export function arrangeFirstPage(page: string, stdout: Pick<OutputStream, "columns">): string {
  const sections = page.trimEnd().split("\n\n")
  const flags = sections.filter((section) => section.startsWith(GLOBAL_FLAGS_HEADING))
  const [usage = "", about = "", ...commands] = sections.filter((section) => !flags.includes(section))
  return `${[usage, about, INTRODUCTION, ...commands, listTopics(stdout), ...flags].join("\n\n")}\n`
}

/** Daily tasks, in their order. */
const DAILY: readonly (readonly [command: string, purpose?: string])[] = [
  ["today"],
  ["rate-shop"],
  ["book"],
  ["batch book", "book a file of orders, each row once"],
  ["label"],
  ["pickup book"],
  ["track"],
  ["shipments"],
  ["cancel", "say who can cancel a booking"],
  ["audit", "check carriers' bills"],
  ["invoice validate", "check invoices before you submit them"],
]

/** The first page at a terminal, in 30 lines: daily tasks, and where to find the rest. */
export function dailyPage(stdout: Pick<OutputStream, "columns" | "colour">): string {
  return pageText(
    [
      { text: "Usage: freight COMMAND [flags]" },
      { text: PROGRAM },
      { heading: "Try it now, without an account:", lines: ["freight book --sandbox"] },
      {
        heading: "Every day:",
        list: DAILY.map(([name, purpose]) => [name, purpose ?? findEntry(name.split(" "))?.purpose ?? ""]),
      },
      {
        list: [
          ["freight help COMMAND", "its flags, with examples"],
          ["freight help TOPIC", TOPICS.map(({ name }) => name).join(", ")],
          ["freight --help --all", "every command and the global flags"],
        ],
      },
    ],
    stdout,
  )
}

function listTopics({ columns }: Pick<OutputStream, "columns">): string {
  const list = TOPICS.map(({ name, purpose }) => [name, purpose] as const)
  // It is coloured with the whole page.
  return pageText([{ heading: "Topics, with freight help TOPIC:", list }], {
    columns,
    colour: false,
  }).trimEnd()
}
