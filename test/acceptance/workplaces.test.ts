/** The pre-commit hook and the GitHub Action, as far as they go without the network. */
import { spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { draw } from "../drawn.ts"
import { line } from "../invoice/runs.ts"
import { minimalDraft, textOf } from "../invoice/samples.ts"
import { withChange } from "../invoice/writer.ts"
import { desk } from "./freight.ts"

const ROOT = path.resolve(import.meta.dirname, "../..")

interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  const texts = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk) => (texts.stdout += chunk))
  child.stderr.on("data", (chunk) => (texts.stderr += chunk))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, ...texts }))
  })
}

/** A folder with files, and an environment that has nothing of the tester's but the programs. */
async function workplace(files: Readonly<Record<string, string>>) {
  const { folder, env } = await desk()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return { folder, env: { PATH: process.env.PATH ?? "", HOME: folder, ...env } }
}

const gift = (number: string) =>
  textOf(
    withChange(withChange(minimalDraft(), ["data", "purpose"], "gift"), ["data", "invoiceNumber"], number),
  )
const FILES = {
  "invoices/a.json": textOf(minimalDraft()),
  "invoices/b [1].json": gift("INV-2"),
  "invoices/lines.ndjson": `${line(3)}\n${line(4)}\n`,
  "package.json": "{}",
}

describe("the pre-commit hook", () => {
  interface Hook {
    id: string
    entry: string
    language: string
    files: string
    exclude: string
    require_serial: boolean
  }
  const [hook]: [Hook] = parse(readFileSync(path.join(ROOT, ".pre-commit-hooks.yaml"), "utf8"))

  /** Runs the entry with file names, as the framework does. */
  async function commit(names: readonly string[], args: readonly string[] = [], files = FILES) {
    const { folder, env } = await workplace(files)
    const [program, ...words] = hook.entry.split(" ")
    expect(program).toBe("freight")
    const all = [path.join(ROOT, "bin/freight.js"), ...words, ...args, ...names]
    return { folder, ...(await run(process.execPath, all, { cwd: folder, env })) }
  }

  it("is installed with npm, and is one process", () => {
    const { bin } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"))
    expect([Object.keys(bin), hook.language, hook.require_serial]).toEqual([["freight"], "node", true])
  })

  it.each([
    ["invoices/INV-1.json", true],
    ["outbox/2026/invoice-17.ndjson", true],
    ["invoice.json", true],
    ["acme.invoice.jsonl.gz", true],
    ["package.json", false],
    ["invoices/readme.md", false],
    [".vscode/invoice.schema.json", false],
    ["src/invoice.ts", false],
  ])("looks at %s: %s", (name, expected) => {
    const matches = new RegExp(hook.files).test(name) && !new RegExp(hook.exclude).test(name)
    expect(matches).toBe(expected)
  })

  it("passes where all are valid", async () => {
    expect((await commit(["invoices/a.json", "invoices/lines.ndjson"])).code).toBe(0)
  })

  it("fails where one is not, and says which, also of a name that looks like a pattern", async () => {
    const { code, stdout } = await commit(["invoices/a.json", "invoices/b [1].json"])
    expect(code).toBe(1)
    expect(stdout).toContain("invoices/b [1].json:")
  })

  it("sees a number that two files have", async () => {
    const files = { ...FILES, "invoices/c.json": FILES["invoices/a.json"] }
    const { code, stdout } = await commit(["invoices/a.json", "invoices/c.json"], ["--strict"], files)
    expect([code, stdout.includes("accounting/duplicate-invoice")]).toEqual([1, true])
  })

  it("registers nothing, whatever the profile says", async () => {
    const { folder, env } = await workplace(FILES)
    const words = [path.join(ROOT, "bin/freight.js"), "config", "set", "register", "yes"]
    expect((await run(process.execPath, words, { cwd: folder, env })).code).toBe(0)
    const all = [path.join(ROOT, "bin/freight.js"), ...hook.entry.split(" ").slice(1), "invoices/a.json"]
    for (let turn = 0; turn < 2; turn++) {
      const { code, stdout, stderr } = await run(process.execPath, all, { cwd: folder, env })
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(/register/)])
    }
  })

  it("fixes with the arguments --fix and --yes", async () => {
    const files = {
      ...FILES,
      "invoices/a.json": FILES["invoices/a.json"].replace('"standard"', '"Standard"'),
    }
    const { code, folder } = await commit(["invoices/a.json"], ["--fix", "--yes"], files)
    expect(code).toBe(0)
    expect(readFileSync(path.join(folder, "invoices/a.json"), "utf8")).toBe(FILES["invoices/a.json"])
  })

  // The framework takes all that npm pack prints as the name of what it installs.
  it("has npm pack print a name alone, although the package is built then", async () => {
    const { folder, env } = await workplace({
      ".npmrc": readFileSync(path.join(ROOT, ".npmrc"), "utf8"),
      "package.json": JSON.stringify({
        name: "built",
        version: "1.0.0",
        scripts: { prepare: "echo building" },
      }),
    })
    // It would ask a registry whether it is the newest.
    const offline = { ...env, npm_config_offline: "true", npm_config_update_notifier: "false" }
    const ran = await run("npm", ["pack", "--loglevel=error"], { cwd: folder, env: offline })
    expect(ran).toEqual({ code: 0, stdout: "built-1.0.0.tgz\n", stderr: "" })
  })
})

describe("the GitHub Action", () => {
  interface Step {
    name: string
    if?: string
    shell: string
    env?: Record<string, string>
    run: string
  }
  interface Action {
    inputs: Record<string, { description: string; default?: string; required?: boolean }>
    outputs: Record<string, { description: string; value: string }>
    runs: { using: string; steps: Partial<Step>[] }
  }
  const action: Action = parse(readFileSync(path.join(ROOT, "action.yml"), "utf8"))
  const scripts = action.runs.steps.filter((step): step is Step => step.run !== undefined)
  const [sources, build, check] = scripts as [Step, Step, Step]

  /** Runs a step as the runner does, which keeps what it writes as its outputs. */
  async function runStep(
    step: Step,
    { folder, env }: Awaited<ReturnType<typeof workplace>>,
    inputs: Readonly<Record<string, string>>,
    actionPath = ROOT,
  ): Promise<Ran & { outputs: Record<string, string> }> {
    expect(step.shell).toBe("bash")
    const fill = (text: string) =>
      text.replace(
        /\$\{\{ inputs\.([\w-]+) \}\}/g,
        (_, name) => inputs[name] ?? action.inputs[name]?.default ?? "",
      )
    const given = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)] as const)
    const script = path.join(folder, "step.sh")
    const outputs = path.join(folder, "outputs.txt")
    const temporary = path.join(folder, "runner-temp")
    mkdirSync(temporary)
    writeFileSync(script, step.run)
    writeFileSync(outputs, "")
    const variables = {
      ...env,
      ...Object.fromEntries(given),
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: actionPath,
      GITHUB_WORKSPACE: folder,
      GITHUB_OUTPUT: outputs,
      RUNNER_TEMP: temporary,
    }
    const args = ["--noprofile", "--norc", "-eo", "pipefail", script]
    const cwd = path.join(folder, inputs["working-directory"] ?? ".")
    const ran = await run("bash", args, { cwd, env: variables })
    const lines = readFileSync(outputs, "utf8").split("\n").filter(Boolean)
    return { ...ran, outputs: Object.fromEntries(lines.map((each) => each.split("=", 2))) }
  }

  async function checked(
    inputs: Readonly<Record<string, string>>,
    files: Readonly<Record<string, string>> = FILES,
  ) {
    const place = await workplace(files)
    return { folder: place.folder, ...(await runStep(check, place, inputs)) }
  }

  it("is composite, describes each input, and passes each by a variable of the step", () => {
    expect(action.runs.using).toBe("composite")
    const inputs = Object.keys(action.inputs).filter((name) => name !== "working-directory")
    expect(Object.values(check.env ?? {})).toEqual(inputs.map((name) => `\${{ inputs.${name} }}`))
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)])
      expect(description).toMatch(/\.$/)
    for (const { run: script } of scripts) expect(script).not.toContain("${{")
  })

  it("builds freight from its own folder, also where a job installs no development packages", async () => {
    const lock = { name: "built", version: "1.0.0", lockfileVersion: 3, packages: { "": { name: "built" } } }
    const place = await workplace({
      "the action/package.json": JSON.stringify({
        name: "built",
        version: "1.0.0",
        scripts: { prepare: "echo built > built.txt" },
      }),
      "the action/package-lock.json": JSON.stringify(lock),
    })
    const env = { ...place.env, NODE_ENV: "production" }
    const actionPath = path.join(place.folder, "the action")
    const { code } = await runStep(build, { ...place, env }, {}, actionPath)
    expect(code).toBe(0)
    expect(readdirSync(actionPath)).toContain("built.txt")
    expect(build.run).toContain("--include=dev")
    expect(build.if).toContain("cache-hit != 'true'")
  })

  it("takes a kept build for the same sources alone", async () => {
    const hashOf = async (text: string) => {
      const place = await workplace({
        "the action/src/a.ts": text,
        "the action/dist/a.js": `built ${text}`,
      })
      return (await runStep(sources, place, {}, path.join(place.folder, "the action"))).outputs.hash
    }
    const hash = await hashOf("one")
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect([await hashOf("one"), await hashOf("other")]).toEqual([
      hash,
      expect.not.stringMatching(hash ?? ""),
    ])
  })

  it("says how many are valid, and where the report is", async () => {
    const marked = await checked({ paths: "invoices" })
    expect(marked.outputs).toEqual({ valid: "3", invalid: "1" })
    const written = await checked({ paths: "b [1].json", "working-directory": "invoices", output: "r.txt" })
    expect(written.outputs).toEqual({
      ...{ valid: "0", invalid: "1" },
      report: path.join(written.folder, "invoices/r.txt"),
    })
    expect((await checked({ paths: "none.json" })).outputs.report).toBeUndefined()
  })

  it.each([
    "draft",
    "complete",
    "strict",
    "accounting",
    "allow-empty",
  ])("takes true and false for %s, and nothing else", async (name) => {
    const { code, stdout } = await checked({ paths: "invoices/a.json", [name]: "yes" })
    expect([code, stdout]).toEqual([2, `::error::The input ${name} is true or false.\n`])
  })

  it("turns rules off that the input rule names, one a line", async () => {
    const rule = "accounting/summary-due=off\n\naccounting/line-tax=off\n"
    const files = { "a.json": line(1).replace('"dueAmount":', '"depositAmount":1,"dueAmount":') }
    expect((await checked({ paths: "a.json", strict: "true" }, files)).code).toBe(1)
    expect((await checked({ paths: "a.json", strict: "true", rule }, files)).code).toBe(0)
  })

  it("wants all of a draft where complete says so", async () => {
    expect((await checked({ paths: "invoices/a.json", complete: "true" })).code).toBe(1)
  })

  it("accepts no invoices where allow-empty says so", async () => {
    const files = { "none.ndjson": "" }
    expect((await checked({ paths: "none.ndjson" }, files)).code).toBe(2)
    expect((await checked({ paths: "none.ndjson", "allow-empty": "true" }, files)).code).toBe(0)
  })

  it("marks lines, and fails where an invoice is not valid", async () => {
    const { code, stdout } = await checked({ paths: "invoices" })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^::error file=invoices\/b \[1\]\.json,line=\d+,col=\d+,title=contract\/enum::purpose: /,
    )
    expect(stdout).toMatch(/4 documents: 3 valid, 1 not valid\n$/)
  })

  it("marks lines of files from the checkout, also where paths start from another folder", async () => {
    const { stdout } = await checked({ paths: "b [1].json", "working-directory": "invoices" })
    expect(stdout).toMatch(/^::error file=invoices\/b \[1\]\.json,line=/)
  })

  it.each(["json", "ndjson"])("counts also where the report is %s, whose notes are JSON", async (format) => {
    const { outputs } = await checked({ paths: "invoices", format, output: "-report" })
    expect(outputs).toEqual({ valid: "3", invalid: "1", report: expect.stringMatching(/\/-report$/) })
  })

  it("passes where all are valid; paths are one a line, with blanks and patterns", async () => {
    const files = {
      ...FILES,
      "out box/c.json": textOf(withChange(minimalDraft(), ["data", "invoiceNumber"], "C")),
    }
    const { code, stdout } = await checked({ paths: "invoices/a*.json\nout box\ninvoices/*.ndjson\n" }, files)
    expect([code, stdout]).toEqual([0, "4 documents: 4 valid, 0 not valid\n"])
  })

  it.each([
    ["SARIF", "sarif", "report.sarif", '"version":"2.1.0"'],
    ["for review bots", "rdjson", "out/report.json", '"diagnostics":['],
    ["as a page", "html", "report.html", "<html"],
  ])("writes a report: %s", async (_, format, output, part) => {
    const { code, folder, stdout } = await checked({ paths: "invoices", format, output })
    expect([code, stdout]).toEqual([1, ""])
    expect(readFileSync(path.join(folder, output), "utf8")).toContain(part)
  })

  it.each([
    ["draft", { draft: "true" }, '"docType":"INV",', 0],
    ["strict", { strict: "true" }, "", 1],
    ["accounting", { strict: "true", accounting: "false" }, "", 0],
  ])("has %s for the command's flag", async (_, inputs, left, code) => {
    const warned = JSON.stringify(JSON.parse(line(1))).replace(
      '"dueAmount":',
      '"depositAmount":1,"dueAmount":',
    )
    expect((await checked({ paths: "a.json", ...inputs }, { "a.json": warned.replace(left, "") })).code).toBe(
      code,
    )
  })

  it("wants to be told what to check", async () => {
    const { code, stdout } = await checked({})
    expect([code, stdout]).toEqual([2, "::error::Name what to check in the input paths.\n"])
  })

  it.each(["", "-"])("does not put another report than marks into the log: output %j", async (output) => {
    const { code, stdout } = await checked({ paths: "invoices", format: "table", output })
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^::error::[^\n]+\n$/)])
  })

  it("runs nothing that stands in an input or a name", async () => {
    const names = [
      "$(touch pwned).json",
      "`touch pwned`.json",
      "; touch pwned;.json",
      '" && touch pwned #.json',
      "--fix.json",
    ]
    const files = Object.fromEntries(names.map((name, index) => [name, line(index)]))
    const good = await checked({ paths: names.join("\n") }, files)
    expect([good.code, good.stdout]).toEqual([
      0,
      `${names.length} documents: ${names.length} valid, 0 not valid\n`,
    ])
    const evil = ["$(touch pwned)", "true; touch pwned", "x\ntouch pwned", "--fix"]
    // A folder that is not there ends the step before it begins.
    const inputs = Object.keys(action.inputs).filter((name) => name !== "working-directory")
    const all = inputs.flatMap((name) => evil.map((bad) => [name, bad] as const))
    for (const [name, bad] of draw(all)) {
      const inputs = { paths: "invoices", format: "json", output: "report", [name]: bad }
      const { folder } = await checked(inputs)
      const made = readdirSync(folder).filter((each) => each.startsWith("pwned"))
      expect(made, `${name}: ${bad}`).toEqual([])
    }
  })
})
