/** The page of `freight --help`. */
import { GLOBAL_FLAGS_HEADING } from "../tree.ts"
import { TOPICS } from "./topics.ts"

const INTRODUCTION = `Try it now, without an account:
  freight book --sandbox
  freight rate-shop --sandbox --from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5`

/**
 * The first page: what people do, then the global flags.
 * @param page as commander makes it, with the flags above the commands
 */
export function arrangeFirstPage(page: string): string {
  const sections = page.trimEnd().split("\n\n")
  const flags = sections.filter((section) => section.startsWith(GLOBAL_FLAGS_HEADING))
  const [usage = "", about = "", ...commands] = sections.filter((section) => !flags.includes(section))
  return `${[usage, about, INTRODUCTION, ...commands, listTopics(), ...flags].join("\n\n")}\n`
}

function listTopics(): string {
  const width = Math.max(...TOPICS.map(({ name }) => name.length))
  const rows = TOPICS.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`)
  return `Topics, with freight help TOPIC:\n${rows.join("\n")}`
}
