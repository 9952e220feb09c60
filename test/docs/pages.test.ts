/** What the pages name and link to is there, and their paragraphs are such that one reads them. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = path.resolve(import.meta.dirname, "../..")
const PAGES = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "changes/README.md"],
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true })
    .map((name) => `docs/${String(name).split(path.sep).join("/")}`)
    .filter((name) => name.endsWith(".md")),
]
/** A table of the ledger has as many columns as it has. */
const MAY_BE_LONG = ["docs/ledger-tables.md"]
/** Characters of a paragraph or an item of a list. */
const LONGEST_PARAGRAPH = 800

function read(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8")
}

describe.each(PAGES)("%s", (page) => {
  const prose = read(page).replace(/^```[\s\S]*?^```/gm, "")
  const named = Array.from(
    prose.matchAll(/`((?:bin|src|scripts|test|schemas|\.ci)\/[\w./-]+)`/g),
    ([, file = ""]) => file,
  )

  it("names files that are there", () => {
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
  })

  it("links to files that are there", () => {
    const links = Array.from(prose.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g), ([, file = ""]) => file)
    const folder = path.join(ROOT, path.dirname(page))
    expect(links.filter((file) => !existsSync(path.join(folder, file)))).toEqual([])
  })

  it.skipIf(MAY_BE_LONG.includes(page))("has no paragraph that nobody reads", () => {
    const paragraphs = prose.split(/\n\n|\n(?=[-|\d])/)
    expect(paragraphs.filter(({ length }) => length > LONGEST_PARAGRAPH)).toEqual([])
  })
})

describe("the stages of CI", () => {
  const [, stages = ""] = /^stages=\((.+)\)$/m.exec(read(".ci/run")) ?? []

  it("are those of CONTRIBUTING.md", () => {
    const [, table = ""] = read("CONTRIBUTING.md").split("| stage |")
    const [rows = ""] = table.split("\n\n")
    const listed = Array.from(rows.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name)
    expect(listed).toEqual(stages.split(" "))
  })

  it("begin with the lines that the README gives", () => {
    for (const line of ["npm ci && npm start", "npm cit"])
      for (const file of ["README.md", ".ci/run"]) expect(read(file)).toContain(line)
  })

  it("are named where there is none of that name", () => {
    const { status, stderr } = spawnSync(path.join(ROOT, ".ci/run"), ["tests"], { encoding: "utf8" })
    expect([status, stderr]).toEqual([2, `usage: .ci/run [--all] [STAGE]; the stages are: ${stages}\n`])
  })
})

it("no page pins a version of freight without a tag", () => {
  const tags = execFileSync("git", ["tag"], { cwd: ROOT, encoding: "utf8" }).split("\n")
  const pinned = PAGES.flatMap((page) =>
    Array.from(read(page).matchAll(/(?:rev: |OWNER\/freight@)(v\d[\w.]*)/g), ([, tag = ""]) => ({
      page,
      tag,
    })),
  )
  expect(pinned.filter(({ tag }) => !tags.includes(tag))).toEqual([])
})
