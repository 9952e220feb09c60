import type { Command } from "commander"
import type { Check, State } from "../config/doctor.ts"
import { onSameService } from "../config/next.ts"
import { safeText } from "../contract/safe-text.ts"
import { counted } from "../contract/counted.ts"
import type { Deps } from "../deps.ts"
import { EXIT } from "../errors.ts"
import { paint, type Style } from "../terminal/style.ts"
import { print } from "../terminal/view.ts"
import type { OutputStream } from "../terminal/terminal.ts"
import { widthOf, wrap } from "../terminal/width.ts"
import { examine } from "./shared/examine.ts"

export function define(command: Command): void {
  command.description(
    "Checks the set-up, and says how to fix what is wrong. It changes nothing and creates nothing.",
  )
}

export const examples = ["freight doctor --sandbox", "freight doctor --sandbox --json"]

const MARKS: Readonly<Record<State, { word: string; style: Style }>> = {
  ok: { word: "ok  ", style: "green" },
  warn: { word: "warn", style: "yellow" },
  fail: { word: "FAIL", style: ["bold", "red"] },
}

/** Where messages begin. */
const MARGIN = 27

/** @returns 1 when something will not work */
export async function run(deps: Deps): Promise<number> {
  const checks = (await examine(deps)).map((check) => ({
    ...check,
    ...(check.next && { next: onSameService(check.next, deps.globals) }),
  }))
  const failed = checks.some(({ state }) => state === "fail")
  await print(deps, {
    json: { ok: !failed, checks },
    rows: checks,
    columns: ["check", "state", "message", "remedy", "next"].map((key) => ({
      key,
      title: key.toUpperCase(),
      gives: "words",
    })),
    text: () => `${checks.map((check) => lines(deps, check)).join("")}\n${summary(checks)}\n`,
  })
  return failed ? EXIT.no : EXIT.done
}

/** `2 of 13 checks failed, 1 warning` */
function summary(checks: readonly Check[]): string {
  const [failed, warned] = (["fail", "warn"] as const).map(
    (state) => checks.filter((check) => check.state === state).length,
  )
  const warnings = warned ? `, ${counted(warned, "warning")}` : ""
  return failed
    ? `${failed} of ${checks.length} checks failed${warnings}`
    : `${checks.length} checks, none failed${warnings}`
}

function lines({ terminal: { stdout } }: Deps, { check, state, message, remedy, next }: Check): string {
  const { word, style } = MARKS[state]
  const width = stdout.isTTY ? Math.max(stdout.columns - MARGIN, MARGIN) : Number.POSITIVE_INFINITY
  const said = wrap(safeText(message), width, { whole: true })
  const todo = state === "ok" || !remedy ? [] : wrap(safeText(remedy), width, { whole: true })
  const [first = "", ...rest] = [...said, ...todo]
  const begin = `${paint(stdout, style, word)}  ${check.padEnd(MARGIN - 6)}${first}`
  const commands = state === "ok" || !next ? [] : commandLines(stdout, safeText(next))
  return `${[begin, ...rest.map((text) => " ".repeat(MARGIN) + text), ...commands].join("\n")}\n`
}

const NEXT = "next: "
/** Under the word of the state, where a command is too long for the margin of messages. */
const NEAR_MARGIN = 6

/** What to run, in lines that can be copied: a line for each command, as far in as the widest of them fits. */
function commandLines(stdout: OutputStream, next: string): string[] {
  const commands = next.split(/; (?=freight )/)
  const widest = Math.max(...commands.map(widthOf)) + NEXT.length
  const fits = (margin: number) => !stdout.isTTY || margin + widest <= stdout.columns
  const margin = [MARGIN, NEAR_MARGIN].find(fits) ?? 0
  return commands.map(
    (command, at) =>
      " ".repeat(margin) + (at === 0 ? paint(stdout, "bold", NEXT) : " ".repeat(NEXT.length)) + command,
  )
}
