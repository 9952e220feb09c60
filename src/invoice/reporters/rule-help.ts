/** What each rule is about, for formats that describe the rules besides their findings. */
import { RULES } from "../accounting/rules.ts"
import { CHECKS, type Check } from "../checks.ts"

/** The words for a rule; one without words of its own is described by its name. */
export function helpFor(rule: string): Pick<Check, "title" | "about"> {
  const known = [...CHECKS, ...RULES].find(({ id }) => id === rule)
  return known ?? { title: rule, about: `The rule ${rule} was broken.` }
}
