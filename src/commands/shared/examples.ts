/** Gathers a repeatable flag's values. */
export function repeat(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}
