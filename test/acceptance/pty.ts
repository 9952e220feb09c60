/** Runs the built binary at a terminal: standard input, output and error are one, as at a desk. */
import { spawn, spawnSync } from "node:child_process"
import { BINARY } from "./freight.ts"

/** Debian's `script` makes the terminal. */
export const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

/** Waits for a text on the screen, then types. */
export interface Step {
  see: string
  type: string
}

/** @returns the exit code and all that was shown, escape sequences included */
export function atTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  steps: readonly Step[],
): Promise<{ code: number | null; screen: string }> {
  const words = [process.execPath, BINARY, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["--quiet", "--return", "--command", words.join(" "), "/dev/null"], {
      env: { ...env, SHELL: "/bin/sh", TERM: "xterm" },
      stdio: "pipe",
    })
    const left = [...steps]
    let screen = ""
    let seen = 0
    child.stdout.on("data", (chunk: Buffer) => {
      screen += chunk.toString()
      const [next] = left
      const at = next ? screen.indexOf(next.see, seen) : -1
      if (!next || at < 0) return
      left.shift()
      seen = at + next.see.length
      child.stdin.write(next.type)
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, screen }))
  })
}
