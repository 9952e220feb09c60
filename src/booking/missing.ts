import type { Finding } from "../contract/check.ts"

/** The flag that fills a field: what a message says when the field is missing. */
export interface MissingFlag {
  path: string
  flag: string
}

/** The flag for a problem's field, or `--set` with its path when it has no flag of its own. */
export function flagOf(problem: Finding, flags: readonly MissingFlag[]): string | undefined {
  if (problem.keyword !== "required") return undefined
  return flags.find(({ path }) => path === problem.path)?.flag ?? `--set ${problem.path}=…`
}
