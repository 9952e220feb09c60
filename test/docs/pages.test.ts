/** Pages name and link to files that exist, and their paragraphs are short enough to read. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = path.resolve(import.meta.dirname, "../..")
const PAGES = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "changes/README.md"],
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true })
    .map((name) => `docs/${String(name).split(path.sep).join("/")}`)
    .filter((name) => name.endsWith(".md")),
]
/** A table of the ledger has as many columns as it has. */
const MAY_BE_LONG = ["docs/ledger-tables.md"]
/** Characters of a paragraph or an item of a list. */
const MAX_PARAGRAPH_LENGTH = 800

function read(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8")
}

/** `#which-bills-count`, as GitHub makes them of headings. */
function listAnchors(text: string): string[] {
  return Array.from(
    text.matchAll(/^#+ (.*)$/gm),
    ([, heading = ""]) =>
      `#${heading
        .toLowerCase()
        .replace(/[^\p{Letter}\d _-]/gu, "")
        .replaceAll(" ", "-")}`,
  )
}

/** Files beside an executable for people to read; the package has them all, too. */
const [, PAPERS_LIST = ""] = /^const PAPERS = \[(.*)\]$/m.exec(read("scripts/sea.mjs")) ?? []
const PAPERS = Array.from(PAPERS_LIST.matchAll(/"([^"]+)"/g), ([, each = ""]) => each)

function isCarried(file: string): boolean {
  return PAPERS.some((each) => file === each || file.startsWith(`${each}/`))
}

it("the package carries the pages that the executables carry", () => {
  const { files } = JSON.parse(read("package.json")) as { files: string[] }
  expect(PAPERS).toContain("docs")
  expect(files).toEqual(expect.arrayContaining(PAPERS))
})

describe.each(PAGES)("%s", (page) => {
  const prose = read(page).replace(/^```[\s\S]*?^```/gm, "")
  const named = Array.from(
    prose.matchAll(/`((?:bin|src|scripts|test|schemas|\.ci)\/[\w./-]+)`/g),
    ([, file = ""]) => file,
  )

  it("names files that are there", () => {
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
  })

  const links = Array.from(prose.matchAll(/\]\(([\w./-]*)(#[\w-]+)?\)/g), ([, file = "", heading = ""]) => ({
    file: file === "" ? page : path.posix.join(path.posix.dirname(page), file),
    heading,
  }))

  it("links to files that are there, and to headings that they have", () => {
    const isDead = ({ file, heading }: { file: string; heading: string }) =>
      !existsSync(path.join(ROOT, file)) || (heading !== "" && !listAnchors(read(file)).includes(heading))
    expect(links.filter(isDead)).toEqual([])
  })

  it.runIf(isCarried(page))("links to files that the package and the executables carry", () => {
    expect(links.filter(({ file }) => !isCarried(file))).toEqual([])
  })

  it.skipIf(MAY_BE_LONG.includes(page))("has no paragraph that nobody reads", () => {
    const paragraphs = prose.split(/\n\n|\n(?=[-|\d])/)
    expect(paragraphs.filter(({ length }) => length > MAX_PARAGRAPH_LENGTH)).toEqual([])
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
