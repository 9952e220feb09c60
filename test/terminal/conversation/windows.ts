/** Questions drawn in a window of any size, whose size can change. */
import { render } from "@inquirer/testing"
import { onTestFinished } from "vitest"
import type { Window } from "../../../src/terminal/conversation/window.ts"

interface TestWindow extends Window {
  resize(columns: number, rows: number): void
}

export function windowOf({
  columns = 80,
  rows = 24,
  colour = false,
  unicode = true,
  keepsAnswers = true,
}: Partial<Omit<Window, "onResize" | "before">> = {}): TestWindow {
  const listeners = new Set<() => void>()
  const size = { columns, rows }
  return {
    get columns() {
      return size.columns
    },
    get rows() {
      return size.rows
    },
    colour,
    unicode,
    keepsAnswers,
    before: () => [],
    onResize(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    resize(toColumns, toRows) {
      size.columns = toColumns
      size.rows = toRows
      for (const listener of listeners) listener()
    },
  }
}

/** The lines of a screen, for a test to read. */
export function screenOf(...lines: string[]): string {
  return lines.join("\n")
}

/** Draws a question, and leaves it when the test ends. */
export const draw: typeof render = async (prompt, config) => {
  const over = new AbortController()
  const drawn = await render(prompt, config, { signal: over.signal })
  drawn.answer.catch(() => {})
  onTestFinished(() => over.abort())
  return drawn
}
