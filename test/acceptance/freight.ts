/** Runs the built binary as a user would: its own process, its own folders, real standard streams. */
import { spawn } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { SandboxReach } from "./sandbox.ts"

export const ROOT = path.resolve(import.meta.dirname, "../..")
export const BINARY = path.join(ROOT, "bin/freight.js")

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
  /** Standard output as bytes. */
  bytes: Buffer
  json: <T = Record<string, unknown>>() => T
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string | Uint8Array
  cwd?: string
}

/** The error of a command under `--json`: the last line of its standard error. */
export function errorIn(stderr: string) {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error
}

/** A machine of one's own: empty state and configuration, and a working folder. */
export async function desk(reach?: SandboxReach): Promise<{
  folder: string
  state: string
  env: Record<string, string>
  freight(args: readonly string[], options?: RunOptions): Promise<Ran>
}> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-desk-"))
  const state = path.join(folder, "state")
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    FREIGHT_STATE_DIR: state,
    FREIGHT_CONFIG_DIR: path.join(folder, "config"),
    FREIGHT_WORKSTATION: "test-desk",
    ...(reach && {
      FREIGHT_BASE_URL: reach.freightBaseUrl,
      FREIGHT_API_KEY: reach.freightApiKey,
      DIRECT_PRINT_BASE_URL: reach.directPrintBaseUrl,
      DIRECT_PRINT_API_KEY: reach.directPrintApiKey,
    }),
  }
  return {
    folder,
    state,
    env,
    freight: (args, options = {}) => run(args, { cwd: folder, ...options, env: { ...env, ...options.env } }),
  }
}

function run(args: readonly string[], { env, input, cwd }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BINARY, ...args], { env: env ?? {}, cwd, stdio: "pipe" })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
    child.on("error", reject)
    child.on("close", (code) => {
      const bytes = Buffer.concat(out)
      const stdout = bytes.toString()
      resolve({ code, stdout, stderr: Buffer.concat(err).toString(), bytes, json: () => JSON.parse(stdout) })
    })
    child.stdin.on("error", () => {})
    child.stdin.end(input ?? "")
  })
}
