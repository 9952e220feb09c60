import { symlinkSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { findInputs, splitPattern } from "../../src/invoice/sources/files.ts"
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

async function found(pattern: string): Promise<string[]> {
  const folder = folderOf(Object.fromEntries(TREE.map((name) => [name, ""])))
  return foundIn(folder, pattern)
}

async function foundIn(folder: string, pattern: string): Promise<string[]> {
  const inputs = Array.from(await findInputs([`${folder}/${pattern}`]))
  return inputs
    .filter(({ unreadable }) => unreadable === undefined)
    .map(({ file }) => file.slice(folder.length + 1))
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
    ["?: one character", "?.json", ["B.json", "a.json", "b.json", "é.json"]],
    ["[ab]: one of these", "[ab].json", ["a.json", "b.json"]],
    ["[a-c]: one of a range", "[a-c].json", ["a.json", "b.json"]],
    ["[!a]: another than these", "[!a-zB].json", ["é.json"]],
    ["[^a]: the same", "[^a-zB].json", ["é.json"]],
    ["[z-a]: a range that runs backwards matches nothing", "[z-a].json", []],
    ["[]: brackets around nothing stand for themselves", "[].json", []],
    ["{a,b}: each of these, by name", "{b,a}.{ndjson,json}", ["a.json", "b.json", "b.ndjson"]],
    ["{a,{b,c}}: each of these within these", "{a,{b,ab}}.json", ["a.json", "ab.json", "b.json"]],
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
        "in/c.json",
        "in/deep/d.json",
        "line\nfeed.json",
        "out/f.json",
        "x+y (1).json",
        "{x}.json",
        "é.json",
        "🙂.json",
      ],
    ],
    ["**: in the middle", "in/**/d.json", ["in/deep/d.json"]],
    ["**: and none at all", "in/**/c.json", ["in/c.json"]],
    ["node_modules, when it is named", "node_modules/**/*.json", ["node_modules/p/package.json"]],
    ["hidden files, when their dot is given", ".*.json", [".hidden.json"]],
    ["hidden folders, when their dot is given", "in/.*/*.json", ["in/.git/e.json"]],
    ["a folder in a pattern", "*/*.json", ["in/c.json", "out/f.json"]],
    ["folders alone, with a slash at the end", "[iox]*/", ["in/c.json", "in/deep/d.json", "out/f.json"]],
    ["the marks of expressions as themselves", "x+y (*).json", ["x+y (1).json"]],
    [
      "each name once",
      "{a*,*}.json",
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
    ["upper and lower case apart", "B*.json", ["B.json"]],
    ["nothing below a file", "a.json/*", []],
    ["nothing where there is no folder", "gone/*.json", []],
  ])("finds %s", async (_what, pattern, names) => {
    expect(await found(pattern)).toEqual(names)
  })

  it.each([
    "a|b.json",
    "!n.json",
    "p@(1).json",
    'say "go".json',
    "$1^.json",
  ])("has %s as it is", async (name) => {
    const folder = folderOf({ [name]: "", "a.json": "", "p1.json": "" })
    expect(await foundIn(folder, name.replace("json", "j*n"))).toEqual([name])
  })

  it("is taken from the working folder when it is relative", async () => {
    const inputs = await findInputs(["package*.json"])
    expect(Array.from(inputs)).toEqual([{ file: "package-lock.json" }, { file: "package.json" }])
  })

  it("may begin with ./ and ../", async () => {
    const here = path.basename(process.cwd())
    const inputs = await findInputs([`./../${here}/package.js*`])
    expect(Array.from(inputs)).toEqual([{ file: `../${here}/package.json` }])
  })

  it("follows links to folders, and ends where links go round in circles", async () => {
    const folder = folderOf({ "real/a.json": "" })
    symlinkSync("real", path.join(folder, "link"))
    symlinkSync("..", path.join(folder, "real/up"))
    expect(await foundIn(folder, "l*/*.json")).toEqual(["link/a.json"])
    expect(await foundIn(folder, "**/*.json")).toEqual(["link/a.json"])
  })
})

describe("a pattern on Windows", () => {
  it.each([
    [String.raw`C:\invoices\*.json`, "C:\\invoices\\", "*.json"],
    ["C:/invoices/2026-??/*.json", "C:/invoices/", "2026-??/*.json"],
    ["C:*.json", "C:", "*.json"],
    [String.raw`\\server\share\invoices\*.json`, "\\\\server\\share\\invoices\\", "*.json"],
    ["//server/share/*.json", "//server/share/", "*.json"],
    [String.raw`\invoices\*.json`, "\\invoices\\", "*.json"],
    [String.raw`.\in\**\*.json`, ".\\in\\", "**/*.json"],
    [String.raw`in\{a,b}\*.json`, "in\\", "{a,b}/*.json"],
  ])("%s begins in a folder, and has slashes below it", (word, folder, pattern) => {
    expect(splitPattern(word, path.win32)).toEqual({ folder, pattern })
  })
})
