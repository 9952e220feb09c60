/** The page for those who change freight: each diff applies, and what stands below it says that it is right. */
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"

const ROOT = path.resolve(import.meta.dirname, "../..")
const page = readFileSync(path.join(ROOT, "docs/changing.md"), "utf8")
const changes = Array.from(
  page.matchAll(/^## (.+)$[\s\S]*?^```diff\n([\s\S]*?)^```\n\n^```sh\n([\s\S]*?)^```/gm),
  ([, title = "", diff = "", commands = ""]) => ({ title, diff, commands }),
)

describe("docs/changing.md", () => {
  it("has a diff and commands below every heading", () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, title]) => title)
    expect(changes.map(({ title }) => title)).toEqual(headings)
  })

  // Each compiles and runs tests of its own: a few seconds, on a machine that has nothing else to do.
  it.each(changes)("$title", { timeout: 240_000 }, async ({ diff, commands }) => {
    const folder = await treeCopy()
    expect(await run("git", ["apply", "-"], folder, diff)).toEqual({ code: 0, output: "" })
    const { code, output } = await run("sh", ["-ec", commands], folder)
    expect(code, output).toBe(0)
  })
})

/** Written by the build, and so not in git. */
const BUILT = [
  ...["requests.js", "replies.js", "invoice.js"].map((name) => `src/contract/generated/${name}`),
  "src/invoice/proof/wasm.js",
]

/** The tree as it is now, in a place of its own, with what is installed. */
async function treeCopy(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-changing-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const listed = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT)
  for (const file of [...listed.output.split("\0"), ...BUILT]) {
    if (file === "" || file === "node_modules" || !existsSync(path.join(ROOT, file))) continue
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(path.join(ROOT, file), path.join(folder, file))
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"))
  return folder
}

/** Runs without what this test run set in the environment. */
function run(command: string, args: readonly string[], cwd: string, input = "") {
  const { PATH = "", HOME = "" } = process.env
  const env = { PATH, HOME, CI: "true", GIT_CEILING_DIRECTORIES: path.dirname(cwd) }
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
