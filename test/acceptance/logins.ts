/** Signing in with a key from standard input, and what is saved then. */
import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import type { desk } from "./freight.ts"
import type { SandboxReach } from "./sandbox.ts"

type Desk = Awaited<ReturnType<typeof desk>>

/** Everything that stands in the settings folder. */
export async function saved({ folder }: Desk): Promise<string> {
  const config = path.join(folder, "config")
  const names = await readdir(config).catch(() => [])
  return (await Promise.all(names.map((name) => readFile(path.join(config, name), "utf8")))).join("\n")
}

export function login(sandbox: SandboxReach, made: Desk, key: string, ...more: string[]) {
  const args = ["auth", "login", "--api-key-stdin", "--base-url", sandbox.freightBaseUrl, ...more]
  return made.freight(args, { input: `${key}\n` })
}

export function printLogin(sandbox: SandboxReach, made: Desk, key: string, ...more: string[]) {
  const args = ["auth", "login", "--api-key-stdin", "--api", "direct-print", ...more]
  return made.freight([...args, "--base-url", sandbox.directPrintBaseUrl], { input: key })
}
