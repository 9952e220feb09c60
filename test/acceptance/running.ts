/** A command that goes on until something happens: its lines as they come, and how it ends. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import { getCommandLine } from "./freight.ts"

interface Running {
  /** The next line of standard output; undefined when there is none any more. */
  line(): Promise<string | undefined>
  interrupt(): void
  ended: Promise<{ code: number | null; stderr: string }>
}

export function running(args: readonly string[], env: Record<string, string>): Running {
  const child = spawn(...getCommandLine(args), { env, stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  return {
    line: async () => (await lines.next()).value,
    interrupt: () => void child.kill("SIGINT"),
    ended: once(child, "close").then(([code]) => ({ code, stderr })),
  }
}
