/** Lines as a user types them into bash, with the built `freight` on the PATH. */
import { spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { type desk, getShellCommand } from "./freight.ts"

type Desk = Awaited<ReturnType<typeof desk>>

/** The desk's environment, with `freight` as a command of it. */
export async function withFreightOnPath({ folder, env }: Desk): Promise<Record<string, string>> {
  const bin = path.join(folder, "bin")
  await mkdir(bin, { recursive: true })
  await writeFile(path.join(bin, "freight"), `#!/bin/sh\nexec ${getShellCommand()}\n`, {
    mode: 0o755,
  })
  return { ...env, PATH: `${bin}${path.delimiter}${env.PATH}` }
}

export interface Shelled {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a script by bash, with nothing on its standard input. */
export function bash(script: string, cwd: string, env: Record<string, string>): Promise<Shelled> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })
}
