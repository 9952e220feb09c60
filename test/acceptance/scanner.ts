/** A scanner at a terminal: types lines into a command that reads them as they come. */
import { vi, expect } from "vitest"
import type { Clock } from "../../src/base/ports.ts"
import type { desk } from "./freight.ts"

/** A text that is typed, a time that goes by (ms), or what happens once all before it was answered. */
export type Step = string | number | (() => Promise<unknown>)

/**
 * Runs a command at a terminal whose person does these steps.
 * @param clock on which its times go by, and the command's
 */
export async function scanAt(
  freight: Awaited<ReturnType<typeof desk>>["freight"],
  args: readonly string[],
  steps: readonly Step[],
  clock?: Clock,
): Promise<{ code: number | null; out: string; err: string }> {
  let out = ""
  let err = ""
  const stream = (write: (text: string) => void) => ({
    isTTY: true,
    colour: false,
    // No line is broken.
    columns: 1000,
    write: async (chunk: string | Uint8Array) => write(String(chunk)),
  })
  async function* type() {
    let lines = 0
    for (const step of steps) {
      if (typeof step === "number") await clock?.sleep(step, new AbortController().signal)
      else if (typeof step === "string") {
        lines++
        yield Buffer.from(step)
      } else {
        await vi.waitFor(() => expect(out.split("\n").length).toBeGreaterThan(lines), { timeout: 60_000 })
        await step()
      }
    }
  }
  const terminal = {
    stdin: {
      isTTY: true,
      readAll: () => Promise.reject(new Error("the input has no end")),
      chunks: type,
    },
    stdout: stream((text) => {
      out += text
    }),
    stderr: stream((text) => {
      err += text
    }),
    unicode: true,
  }
  const { code } = await freight(args, { host: { terminal }, ...(clock && { clock }) })
  return { code, out, err }
}
