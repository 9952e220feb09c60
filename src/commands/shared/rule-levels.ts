/** `--rule ID=LEVEL`, as given on the command line. */
import { suggest } from "../../contract/suggest.ts"
import { FreightError } from "../../errors.ts"
import { RULES } from "../../invoice/accounting/rules.ts"
import type { ExamineOptions } from "../../invoice/finding.ts"

type Level = ExamineOptions["rules"][string]

const LEVELS: readonly Level[] = ["off", "warning", "error"]
const IDS = RULES.map(({ id }): string => id)

/** The levels by rule; of a rule given twice the last one counts. @throws FreightError `usage` for an unknown rule or level */
export function ruleLevels(settings: readonly string[]): Record<string, Level> {
  return Object.fromEntries(
    settings.map((setting) => {
      const [id = "", word = "", ...more] = setting.split("=")
      if (!IDS.includes(id)) throw unknownRule(setting, id)
      const level = LEVELS.find((each) => each === word)
      if (!level || more.length > 0)
        throw new FreightError("usage", `--rule ${setting}: the level is ${LEVELS.join(", ")}`, {
          hint: `Write it as in --rule ${id}=off.`,
        })
      return [id, level]
    }),
  )
}

function unknownRule(setting: string, id: string): FreightError {
  if (/^(contract|json)\//.test(id))
    return new FreightError("usage", `--rule ${setting}: what breaks the contract is always an error`, {
      hint: "freight invoice rules lists the accounting rules, which can be set.",
    })
  const near = suggest(id, IDS) ?? IDS.find((rule) => rule.endsWith(`/${id}`))
  return new FreightError("usage", `--rule ${setting}: there is no rule '${id}'`, {
    hint: near ? `Did you mean '${near}'?` : "freight invoice rules lists those that can be set.",
  })
}
