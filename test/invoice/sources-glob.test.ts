import { symlinkSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { findMatches, splitPattern } from "../../src/invoice/sources/files.ts"
import { folderOf } from "./runs.ts"

const TREE = [
  "a.json",
  "b.json",
  "ab.json",
  "b.ndjson",
  "B.json",
  "x+y (1).json",
  "[1].json",
  "é.json",
  "🙂.json",
  "line\nfeed.json",
  ".hidden.json",
  "in/c.json",
  "in/deep/d.json",
  "in/.git/e.json",
  "out/f.json",
  "node_modules/p/package.json",
  "{x}.json",
]

function found(pattern: string): string[] {
  const folder = folderOf(Object.fromEntries(TREE.map((name) => [name, ""])))
  return Array.from(findMatches(`${folder}/${pattern}`), (name) => name.slice(folder.length + 1))
}

describe("a pattern", () => {
  it.each([
    [
      "*.json: all of a folder, but nothing hidden",
      "*.json",
      [
        "B.json",
        "[1].json",
        "a.json",
        "ab.json",
        "b.json",
        "line\nfeed.json",
        "x+y (1).json",
        "{x}.json",
        "é.json",
        "🙂.json",
      ],
    ],
    ["?: one character, of any size", "?.json", ["B.json", "a.json", "b.json", "é.json", "🙂.json"]],
    ["[ab]: one of these", "[ab].json", ["a.json", "b.json"]],
    ["[a-c]: one of a range", "[a-c].json", ["a.json", "b.json"]],
    ["[!a]: another than these", "[!a-zB].json", ["é.json", "🙂.json"]],
    ["[^a]: the same", "[^a-zB].json", ["é.json", "🙂.json"]],
    ["[z-a]: a range that runs backwards matches nothing", "[z-a].json", []],
    ["[]: brackets around nothing stand for themselves", "[].json", []],
    ["{a,b}: each of these, in this order", "{b,a}.{ndjson,json}", ["b.ndjson", "b.json", "a.json"]],
    ["{a,{b,c}}: each of these within these", "{a,{b,ab}}.json", ["a.json", "b.json", "ab.json"]],
    ["{,b}: nothing is one of these", "a{,b}.json", ["a.json", "ab.json"]],
    ["{x}: braces without a comma stand for themselves", "{x}*.json", ["{x}.json"]],
    ["{x}{a,b}: and keep no others from counting", "{x}{.json,.ndjson}", ["{x}.json"]],
    [
      "**: folders of any depth, but neither hidden ones nor node_modules",
      "**/*.json",
      [
        "B.json",
        "[1].json",
        "a.json",
        "ab.json",
        "b.json",
        "line\nfeed.json",
        "x+y (1).json",
        "{x}.json",
        "é.json",
        "🙂.json",
        "in/c.json",
        "in/deep/d.json",
        "out/f.json",
      ],
    ],
    ["**: in the middle", "in/**/d.json", ["in/deep/d.json"]],
    ["**: and none at all", "in/**/c.json", ["in/c.json"]],
    ["node_modules, when it is named", "node_modules/**/*.json", ["node_modules/p/package.json"]],
    ["hidden files, when their dot is given", ".*.json", [".hidden.json"]],
    ["hidden folders, when their dot is given", "in/.*/*.json", ["in/.git/e.json"]],
    ["a folder in a pattern", "*/*.json", ["in/c.json", "out/f.json"]],
    ["folders alone, with a slash at the end", "[io]*/", ["in", "out"]],
    ["the marks of expressions as themselves", "x+y (*).json", ["x+y (1).json"]],
    [
      "each name once",
      "{a,*}.json",
      [
        "a.json",
        "B.json",
        "[1].json",
        "ab.json",
        "b.json",
        "line\nfeed.json",
        "x+y (1).json",
        "{x}.json",
        "é.json",
        "🙂.json",
      ],
    ],
    ["upper and lower case apart", "B*.json", ["B.json"]],
    ["nothing below a file", "a.json/*", []],
    ["nothing where there is no folder", "gone/*.json", []],
  ])("finds %s", (_what, pattern, names) => {
    expect(found(pattern)).toEqual(names)
  })

  it("is taken from the working folder when it is relative", () => {
    expect(Array.from(findMatches("package*.json"))).toEqual(["package-lock.json", "package.json"])
  })

  it("may begin with ./ and ../", () => {
    const here = path.basename(process.cwd())
    expect(Array.from(findMatches(`./../${here}/package.js*`))).toEqual([`../${here}/package.json`])
  })

  it("follows a link to a folder where it is named, and none below **", () => {
    const folder = folderOf({ "real/a.json": "" })
    symlinkSync("real", path.join(folder, "link"))
    const from = (pattern: string) =>
      Array.from(findMatches(`${folder}/${pattern}`), (name) => name.slice(folder.length + 1))
    expect(from("l*/*.json")).toEqual(["link/a.json"])
    expect(from("**/*.json")).toEqual(["real/a.json"])
  })
})

describe("a pattern on Windows", () => {
  it.each([
    [String.raw`C:\invoices\*.json`, "C:\\", ["invoices", "*.json"]],
    ["C:/invoices/2026-??/*.json", "C:/", ["invoices", "2026-??", "*.json"]],
    ["C:*.json", "C:", ["*.json"]],
    [String.raw`\\server\share\invoices\*.json`, "\\\\server\\share\\", ["invoices", "*.json"]],
    ["//server/share/*.json", "//server/share/", ["*.json"]],
    [String.raw`\invoices\*.json`, "\\", ["invoices", "*.json"]],
    [String.raw`.\in\**\*.json`, "", ["in", "**", "*.json"]],
  ])("%s is taken from its drive or share", (pattern, root, segments) => {
    expect(splitPattern(pattern, path.win32)).toMatchObject({ root, segments })
  })

  it("is a name again, below the same root", () => {
    const { root, segments } = splitPattern(String.raw`\\server\share\in/a.json`, path.win32)
    expect(path.win32.join(root, ...segments)).toBe(String.raw`\\server\share\in\a.json`)
  })
})
