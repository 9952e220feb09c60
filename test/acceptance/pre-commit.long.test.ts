/** The pre-commit framework itself installs the hook from a clean clone, and runs it. `FREIGHT_TEST_PRE_COMMIT` names its program. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { copyTree } from "../docs/tree-copy.ts"
import { minimalDraft, textOf } from "../invoice/samples.ts"

const PRE_COMMIT = process.env.FREIGHT_TEST_PRE_COMMIT

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@freight.example"]
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8" }).trim()
}

/** Makes a repository of a folder, with all that git does not ignore. @returns its commit */
function commitAll(folder: string): string {
  git(folder, "init", "--quiet")
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--no-verify", "--message", "all")
  return git(folder, "rev-parse", "HEAD")
}

describe.runIf(PRE_COMMIT)("pre-commit", () => {
  // npm installs what the build needs, and builds: a minute, and more on a busy machine.
  it("installs the hook from git, and fails for an invoice that is not valid", {
    timeout: 900_000,
  }, async () => {
    const { folder: clone, remove } = await copyTree()
    onTestFinished(remove)
    rmSync(path.join(clone, "node_modules"), { recursive: true, force: true })
    const rev = commitAll(clone)

    const folder = mkdtempSync(path.join(tmpdir(), "freight-pre-commit-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const work = path.join(folder, "work")
    mkdirSync(path.join(work, "invoices"), { recursive: true })
    const config = { repos: [{ repo: clone, rev, hooks: [{ id: "freight-invoice" }] }] }
    writeFileSync(path.join(work, ".pre-commit-config.yaml"), JSON.stringify(config))
    writeFileSync(path.join(work, "invoices/INV-1.json"), textOf(minimalDraft()))
    commitAll(work)

    const run = () => {
      const env = { ...process.env, PRE_COMMIT_HOME: path.join(folder, "home") }
      return spawnSync(PRE_COMMIT ?? "", ["run", "--all-files"], { cwd: work, encoding: "utf8", env })
    }
    const valid = run()
    expect(valid.status, valid.stdout + valid.stderr).toBe(0)
    writeFileSync(path.join(work, "invoices/INV-2.json"), "{")
    git(work, "add", "--all")
    const broken = run()
    expect(broken.status).toBe(1)
    expect(broken.stdout).toContain("invoices/INV-2.json:1:2  error  json/syntax")
  })
})
