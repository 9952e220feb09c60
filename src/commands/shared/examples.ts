/** The examples of a help page: each runs as it stands. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`
}

/** Gathers a repeatable flag's values. */
export function repeat(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}
