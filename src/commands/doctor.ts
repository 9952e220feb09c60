import { command } from "../command/index.ts"
import { onSameService } from "../machine/index.ts"
import { type Check, compareReplies, type DeviationRow, examine, type State } from "../reports/index.ts"
import { counted } from "../base/counted.ts"
import { safeText } from "../base/safe-text.ts"
import type { Deps } from "../session/index.ts"
import { EXIT } from "../base/errors.ts"
import { type Column, type OutputStream, paint, print, type Style, widthOf, wrap } from "../output/index.ts"

const MARKS: Readonly<Record<State, { word: string; style: Style }>> = {
  ok: { word: "ok  ", style: "green" },
  warn: { word: "warn", style: "yellow" },
  fail: { word: "FAIL", style: ["bold", "red"] },
}

type CheckRow = ReturnType<typeof toCheckRow>

function toCheckRow({ check, state, message, remedy, next }: Check, globals: Deps["globals"]) {
  return {
    ...{ check, state, message },
    remedy: remedy ?? null,
    next: next ? onSameService(next, globals) : null,
  }
}

const columns = (["check", "state", "message", "remedy", "next"] as const).map(
  (key): Column<CheckRow> => ({ key, title: key.toUpperCase(), gives: "words" }),
)

const deviationColumns = (["endpoint", "path", "is", "found", "count"] as const).map(
  (key): Column<DeviationRow> => ({ key, title: key.toUpperCase() }),
)

/** Column at which the text of a finding begins. */
const MARGIN = 27

export default command({
  about: "Checks the set-up, and says how to fix what is wrong. It changes nothing and creates nothing.",
  columns,
  flags: {
    contract: {
      about:
        "list what this account's replies have that the contract has not, without names, addresses and numbers: to send to the provider",
    },
  },
  examples: ["freight doctor --sandbox", "freight doctor --sandbox --contract"],
  /** @returns 1 if something will not work; with `--contract`, if a reply breaks the contract */
  async run(deps, { contract }) {
    if (contract) {
      const { rows, read } = await compareReplies(deps)
      await print(deps, {
        rows,
        columns: deviationColumns,
        empty: `${counted(read, "reply", "replies")} read: each is what the contract says.`,
      })
      return rows.length > 0 ? EXIT.no : EXIT.done
    }
    const checks = (await examine(deps)).map((check) => toCheckRow(check, deps.globals))
    const failed = checks.some(({ state }) => state === "fail")
    await print(deps, {
      summary: { ok: !failed },
      rows: checks,
      columns,
      text: () => `${checks.map((check) => formatCheck(deps, check)).join("")}\n${summarize(checks)}\n`,
    })
    return failed ? EXIT.no : EXIT.done
  },
})

/** `2 of 13 checks failed, 1 warning` */
function summarize(checks: readonly CheckRow[]): string {
  const [failed, warned] = (["fail", "warn"] as const).map(
    (state) => checks.filter((check) => check.state === state).length,
  )
  const warnings = warned ? `, ${counted(warned, "warning")}` : ""
  return failed
    ? `${failed} of ${checks.length} checks failed${warnings}`
    : `${checks.length} checks, none failed${warnings}`
}

function formatCheck(
  { terminal: { stdout } }: Deps,
  { check, state, message, remedy, next }: CheckRow,
): string {
  const { word, style } = MARKS[state]
  const width = stdout.isTTY ? Math.max(stdout.columns - MARGIN, MARGIN) : Number.POSITIVE_INFINITY
  const messageLines = wrap(safeText(message), width, { whole: true })
  const remedyLines = state === "ok" || !remedy ? [] : wrap(safeText(remedy), width, { whole: true })
  const [first = "", ...rest] = [...messageLines, ...remedyLines]
  const begin = `${paint(stdout, style, word)}  ${check.padEnd(MARGIN - 6)}${first}`
  const commands = state === "ok" || !next ? [] : formatCommands(stdout, safeText(next))
  return `${[begin, ...rest.map((text) => " ".repeat(MARGIN) + text), ...commands].join("\n")}\n`
}

const NEXT = "next: "

/** Indent of commands under the state, if one is too long for the margin of messages. */
const NEAR_MARGIN = 6

/** The commands to run, one a line so that they can be copied, indented as far as the widest allows. */
function formatCommands(stdout: OutputStream, next: string): string[] {
  const commands = next.split(/; (?=freight )/)
  const widest = Math.max(...commands.map(widthOf)) + NEXT.length
  const fits = (margin: number) => !stdout.isTTY || margin + widest <= stdout.columns
  const margin = [MARGIN, NEAR_MARGIN].find(fits) ?? 0
  return commands.map(
    (command, at) =>
      " ".repeat(margin) + (at === 0 ? paint(stdout, "bold", NEXT) : " ".repeat(NEXT.length)) + command,
  )
}
