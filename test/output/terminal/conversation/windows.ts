/** The lines of a screen, for a test to read. */
export function screenOf(...lines: string[]): string {
  return lines.join("\n")
}
