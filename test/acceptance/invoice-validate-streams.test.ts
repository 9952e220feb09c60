/** `freight invoice validate` as a filter, at a terminal, and when it is interrupted. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"
import { stripVTControlCharacters } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import { brokenLine, line } from "../invoice/runs.ts"
import { errorIn, getCommandLine, getShellCommand } from "./freight.ts"
import { type InvoiceDesk, invoiceDesk } from "./invoices.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const RESULT = /^\{"file":".*","index":\d+,"valid":(true|false),"draft":false,"findings":\[.*\]\}$/

/** A command that goes on: what is written to it, and its lines as they come. */
function filter({ folder, env }: InvoiceDesk, args: readonly string[]) {
  const child = spawn(...getCommandLine(["invoice", "validate", ...args]), { cwd: folder, env })
  onTestFinished(() => void child.kill("SIGKILL"))
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  child.stdin.on("error", () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    line: async (): Promise<string | undefined> => (await lines.next()).value,
    ended: once(child, "close").then(([code]) => ({ code: code as number | null, stderr })),
  }
}

function shell({ folder, env }: InvoiceDesk, command: string) {
  const bound = `freight() { ${getShellCommand()}; }\n${command}`
  const { stdout, stderr, status } = spawnSync("bash", ["-c", bound], { cwd: folder, env })
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() }
}

describe("a filter", () => {
  it("tells of each line as it comes, before its input ends", async () => {
    const { child, line: next, ended } = filter(await invoiceDesk(), ["-", "--format", "ndjson"])
    for (const [index, text] of [line(1), brokenLine(2), "no JSON", line(3)].entries()) {
      child.stdin.write(`${text}\n`)
      const result = JSON.parse((await next()) ?? "")
      expect([result.index, result.valid]).toEqual([index, text.startsWith("{") && !text.includes("gift")])
    }
    child.stdin.end()
    expect(await next()).toBeUndefined()
    expect(await ended).toEqual({ code: 1, stderr: "" })
  })

  it("gives its output in the order of its input", async () => {
    const input = Array.from({ length: 5000 }, (_, number) =>
      number % 50 === 0 ? brokenLine(number) : line(number),
    )
    const { validate } = await invoiceDesk()
    const { stdout } = await validate(["-", "--format", "ndjson"], { input: input.join("\n") })
    const lines = stdout.trimEnd().split("\n")
    expect(lines).toHaveLength(5000)
    for (const [index, result] of lines.entries()) {
      expect(result).toMatch(RESULT)
      expect(result.startsWith(`{"file":"-","index":${index},"valid":${index % 50 !== 0},`)).toBe(true)
    }
  })

  it("can be spread over several processes by line", async () => {
    const made = await invoiceDesk({
      "in.ndjson": [1, 2, 3, 4].map((number) => `${line(number)}\n`).join(""),
    })
    const { code, stdout } = shell(
      made,
      "export -f freight; SHELL=$BASH split -n r/2 --filter='freight invoice validate - --format ndjson' in.ndjson",
    )
    expect(code).toBe(0)
    expect(stdout.match(/"valid":true/g)).toHaveLength(4)
  })

  it("ends quietly when nobody reads on", async () => {
    const many = Array.from({ length: 600 }, (_, number) => `${brokenLine(number)}\n`).join("")
    const made = await invoiceDesk({ "in.ndjson": many })
    for (const source of ["in.ndjson", "- < in.ndjson", "<(cat in.ndjson)"]) {
      const { code, stdout, stderr } = shell(
        made,
        `freight invoice validate ${source} --format ndjson | head -1; exit \${PIPESTATUS[0]}`,
      )
      expect(stdout).toMatch(/^\{"file":.*\}\n$/)
      expect([code, stderr]).toEqual([1, ""])
    }
  })

  it("ends quietly when nobody reads on, although its input goes on", async () => {
    const { child, line: next, ended } = filter(await invoiceDesk(), ["-", "--format", "ndjson"])
    child.stdin.write(`${line(1)}\n`)
    await next()
    child.stdout.destroy()
    const writing = setInterval(() => child.stdin.write(`${line(2)}\n`), 10)
    const { code, stderr } = await ended.finally(() => clearInterval(writing))
    expect([code, stderr]).toEqual([141, ""])
  })
})

describe("Ctrl-C", () => {
  /** Under ndjson, standard error has JSON lines alone. */
  function expectInterrupted({ code, stderr }: { code: number | null; stderr: string }) {
    expect([code, errorIn(stderr)]).toMatchObject([130, { kind: "interrupted", code: "INTERRUPTED" }])
  }

  it("ends a filter that waits", async () => {
    const { child, line: next, ended } = filter(await invoiceDesk(), ["-", "--format", "ndjson"])
    child.stdin.write(`${line(1)}\n`)
    await next()
    child.kill("SIGINT")
    expectInterrupted(await ended)
  })

  it("ends the wait for a pipe that nobody writes to, and leaves no report", async () => {
    const made = await invoiceDesk()
    execFileSync("mkfifo", [path.join(made.folder, "pipe.ndjson")])
    const { child, ended } = filter(made, ["pipe.ndjson", "-o", "report.txt"])
    // A writer can open the pipe once the command has.
    const writer = createWriteStream(path.join(made.folder, "pipe.ndjson"))
    await once(writer, "open")
    child.kill("SIGINT")
    expect(await ended).toEqual({ code: 130, stderr: "interrupted\n" })
    writer.destroy()
    expect(readdirSync(made.folder)).toEqual(["pipe.ndjson", "state"])
    expect(readdirSync(path.join(made.folder, "state/unfinished"))).toEqual([])
  })

  for (const jobs of ["1", "2"])
    it(`ends a long run of ${jobs} threads`, async () => {
      const some = Array.from({ length: 3000 }, (_, number) => `${brokenLine(number)}\n`).join("")
      const made = await invoiceDesk({ "in.ndjson": some })
      // The same lines again and again, by other names of their file.
      for (let copy = 0; copy < 30; copy++)
        execFileSync("ln", ["in.ndjson", `copy${copy}.ndjson`], { cwd: made.folder })
      const { child, line: next, ended } = filter(made, [".", "--format", "ndjson", "--jobs", jobs])
      await next()
      child.kill("SIGINT")
      while ((await next()) !== undefined);
      expectInterrupted(await ended)
    })
})

describe.runIf(hasTerminal)("at a terminal", () => {
  const files = { "a.json": brokenLine(1), "b.json": line(2).replace('"quantity":1', '"quantity":1.005') }

  async function screenOf(args: readonly string[], more: Record<string, string> = {}) {
    const { folder, env } = await invoiceDesk(files)
    const names = args.map((arg) => (arg in files ? path.join(folder, arg) : arg))
    const { code, screen } = await atTerminal(["invoice", "validate", ...names], { ...env, ...more }, [])
    return { code, screen: screen.replaceAll("\r\n", "\n").replaceAll(`${folder}/`, "") }
  }

  it("colours what is wrong, with a mark under its place", async () => {
    const { code, screen } = await screenOf(["a.json"])
    expect(code).toBe(1)
    expect(screen).toContain("\u001b[31merror\u001b[39m")
    expect(stripVTControlCharacters(screen)).toMatch(/"gift".*\n *\^\n/)
  })

  it("has no colour under --no-color, NO_COLOR and TERM=dumb", async () => {
    for (const { screen } of [
      await screenOf(["a.json", "--no-color"]),
      await screenOf(["a.json"], { NO_COLOR: "1" }),
    ])
      expect(screen).toBe(stripVTControlCharacters(screen))
  })

  it("keeps to 80 columns, and to ASCII where the terminal has no more", async () => {
    const { screen } = await screenOf(["a.json", "b.json"], { LANG: "C" })
    const plain = stripVTControlCharacters(screen)
    expect(plain).toMatch(/^[\n -~]*$/)
    expect(plain).toContain("-> ")
    const lines = plain.split("\n").filter((each) => !each.includes("/"))
    expect(Math.max(...lines.map((each) => each.length))).toBeLessThanOrEqual(80)
  })

  it("says so when standard input is the keyboard", async () => {
    const { code, screen } = await screenOf(["-"])
    expect([code, screen]).toEqual([
      2,
      expect.stringContaining("standard input is the keyboard: pipe something in, or name files"),
    ])
  })
})

describe("a report", () => {
  it("is there when the command has ended, and not before", async () => {
    const made = await invoiceDesk()
    const { child, ended } = filter(made, ["-", "--format", "ndjson", "-o", "report.ndjson"])
    child.stdin.write(`${line(1)}\n`)
    const drafts = path.join(made.folder, "state/unfinished")
    while (!existsSync(drafts) || readdirSync(drafts).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(existsSync(path.join(made.folder, "report.ndjson"))).toBe(false)
    child.stdin.end()
    await ended
    expect(readFileSync(path.join(made.folder, "report.ndjson"), "utf8").trimEnd()).toMatch(RESULT)
  })
})
