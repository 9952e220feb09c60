/** A copy of the project as it is now, to be changed and built. */
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"

const ROOT = path.resolve(import.meta.dirname, "../..")

/** Written by the build, and so not in git. */
const BUILT = [
  ...["requests.js", "replies.js"].map((name) => `src/contract/generated/${name}`),
  ...["validators.js", "validators.d.ts"].map((name) => `src/invoice/generated/${name}`),
  "src/orders/batch/plan/generated/plan.js",
  ...["holidays.js", "packed.js"].map((name) => `src/machine/places/generated/${name}`),
  // The compiler's record of files that it has checked.
  ".build/types.tsbuildinfo",
]

/** The tree in a place of its own, with what is installed. */
export async function copyTree(): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-copy-"))
  const listed = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT)
  for (const file of [...listed.output.split("\0"), ...BUILT]) {
    if (file === "" || file === "node_modules" || !existsSync(path.join(ROOT, file))) continue
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(path.join(ROOT, file), path.join(folder, file))
  }
  // Linked file by file, packages are where the compiler knows them from. What vitest keeps there comes and goes.
  const [from, to] = [path.join(ROOT, "node_modules"), path.join(folder, "node_modules")]
  mkdirSync(to)
  const packages = readdirSync(from).filter((name) => !/^\..*vite/.test(name))
  if ((await run("cp", ["-RPl", ...packages, to], from)).code !== 0) {
    rmSync(to, { recursive: true })
    symlinkSync(from, to)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Runs without what this test run set in the environment. @returns both output streams as they came */
export function run(command: string, args: readonly string[], cwd: string, input = "") {
  const { PATH = "", HOME = "", FREIGHT_TEST_POSTGRES } = process.env
  const server = FREIGHT_TEST_POSTGRES === undefined ? {} : { FREIGHT_TEST_POSTGRES }
  const env = { PATH, HOME, ...server, CI: "true", GIT_CEILING_DIRECTORIES: path.dirname(cwd) }
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: "pipe" })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, output }))
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
}
