/** The levels of accounting rules (off, warn or error), from `--rule-level` and `--strict`. */
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import { suggest } from "../../base/suggest.ts"
import type { ExamineOptions, Severity } from "../finding.ts"

/** The severity of a rule's findings; undefined if they are not looked at. */
export function getRuleSeverity(
  rule: string,
  { accounting, strict, rules }: ExamineOptions,
): Severity | undefined {
  const level = rules[rule] ?? (strict ? "error" : "warning")
  return accounting && level !== "off" ? level : undefined
}

type Level = ExamineOptions["rules"][string]

const LEVELS: readonly Level[] = ["off", "warning", "error"]

/** The levels by rule; of a rule given twice the last one counts. */
export async function parseRuleLevels(settings: readonly string[]): Promise<Record<string, Level>> {
  const { RULES } = await import("../accounting/rules.ts")
  const ids = RULES.map(({ id }): string => id)
  return Object.fromEntries(
    settings.map((setting) => {
      const [id = "", word = "", ...more] = setting.split("=")
      if (!ids.includes(id)) throw unknownRule(setting, id, ids)
      const level = LEVELS.find((each) => each === word)
      if (!level || more.length > 0)
        throw new FreightError("usage", `--rule-level ${setting}: the level is ${LEVELS.join(", ")}`, {
          hint: `Write it as in --rule-level ${id}=off.`,
        })
      return [id, level]
    }),
  )
}

function unknownRule(setting: string, id: string, ids: readonly string[]): FreightError {
  if (/^(contract|json)\//.test(id))
    return new FreightError("usage", `--rule-level ${setting}: what breaks the contract is always an error`, {
      hint: "freight invoice rules lists the accounting rules, which can be set.",
    })
  const near = suggest(id, ids) ?? ids.find((rule) => rule.endsWith(`/${id}`))
  return new FreightError("usage", `--rule-level ${setting}: there is no rule ${quoted(id)}`, {
    hint: near ? `Did you mean ${quoted(near)}?` : "freight invoice rules lists those that can be set.",
  })
}
