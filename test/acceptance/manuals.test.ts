/** The manual pages of the build: each command has one, with its flags, and roff shows what was meant. */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { desk, ROOT } from "./freight.ts"

interface CommandData {
  command: string
  flags: { name: string; short?: string }[]
  examples: string[]
  commands: CommandData[]
}

const MAN = path.join(ROOT, "man")
const PAGES = readdirSync(MAN).sort()
const hasProgram = (name: string) => spawnSync(name, ["--version"]).error === undefined

let all: CommandData[]
let globalFlags: CommandData["flags"]
const below = (command: CommandData): CommandData[] => [command, ...command.commands.flatMap(below)]

beforeAll(async () => {
  const { freight } = await desk()
  const tree = (await freight(["help", "--json"])).json<CommandData & { globalFlags: CommandData["flags"] }>()
  all = tree.commands.flatMap(below)
  globalFlags = tree.globalFlags
})

function pageOf(command: string): string {
  return `${command.replaceAll(" ", "-")}.1`
}

function read(page: string): string {
  return readFileSync(path.join(MAN, page), "utf8")
}

describe("the manual", () => {
  it("has a page for each command, and no other; package.json names them for npm", () => {
    expect(PAGES).toEqual(["freight.1", ...all.map(({ command }) => pageOf(command))].sort())
    const { man, files } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"))
    expect(man).toEqual(PAGES.map((page) => `man/${page}`))
    expect(files).toContain("man")
  })

  it("has each flag of a command on its page, and the global ones on the first", () => {
    const roff = (name: string) => `\\fB${name.replaceAll("-", "\\-")}\\fR`
    const missing = [{ command: "freight", flags: globalFlags }, ...all].flatMap(({ command, flags }) => {
      const terms = read(pageOf(command))
        .split("\n")
        .filter((_, at, lines) => lines[at - 1] === ".TP")
      return flags
        .flatMap(({ name, short }) => (short ? [name, short] : [name]))
        .filter((name) => !terms.some((term) => term.includes(roff(name))))
        .map((name) => `${command} ${name}`)
    })
    expect(missing).toEqual([])
  })

  it("has the sections in the order of man-pages(7)", () => {
    const order = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "NOTES", "EXAMPLES"]
    order.push("EXIT STATUS", "ENVIRONMENT", "SEE ALSO")
    for (const page of PAGES) {
      const headings = Array.from(read(page).matchAll(/^\.SH (.+)$/gm), ([, heading]) => heading ?? "")
      expect(headings, page).toEqual(order.filter((each) => headings.includes(each)))
      for (const each of ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"])
        expect(headings, page).toContain(each)
    }
  })

  it("has no line that roff would take for a request, nor a bare backslash, quote or other character", () => {
    for (const page of PAGES) {
      const text = read(page).replace(/^\.(TH .*|SH [A-Z ]+|PP|TP|br|nf|fi|nh|RS 4|RE)$/gm, "")
      expect(text, page).not.toMatch(/^[.']/m)
      expect(text, page).not.toMatch(/[^\n -~]|['"`^~]/)
      expect(text.replace(/\\(f[BIR]|[e&-]|\((aq|dq|ga|ha|ti)|\[u[0-9A-F]{4,6}\])/g, ""), page).not.toContain(
        "\\",
      )
    }
  })

  it.runIf(hasProgram("groff"))(
    "is formatted by groff without a warning, with examples as they are typed",
    () => {
      const words = ["-man", "-ww", "-Tutf8", "-rLL=200n", "-P-cbou", ...PAGES]
      const { stdout, stderr } = spawnSync("groff", words, { cwd: MAN, encoding: "utf8" })
      expect(stderr).toBe("")
      const lines = new Set(stdout.split("\n").map((line) => line.trim()))
      expect(all.flatMap(({ examples }) => examples).filter((each) => !lines.has(each))).toEqual([])
    },
  )

  it.runIf(hasProgram("mandoc"))("is formatted by mandoc without a warning", () => {
    const words = ["-Tlint", "-Wwarning", ...PAGES]
    expect(spawnSync("mandoc", words, { cwd: MAN, encoding: "utf8" }).stdout).toBe("")
  })
})
