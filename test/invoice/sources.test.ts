import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { findInputs, splitPaths } from "../../src/invoice/sources/files.ts"
import { folderOf } from "./runs.ts"

/** The inputs behind words that are seen from a folder, with names as seen from there. */
async function named(folder: string, words: readonly string[], besides?: string): Promise<string[]> {
  const within = (word: string) => (word === "-" ? word : `${folder}/${word}`)
  const inputs = await findInputs(words.map(within), besides === undefined ? undefined : within(besides))
  return Array.from(inputs, ({ file, stream, unreadable, isEmpty }) =>
    [file.replace(`${folder}/`, ""), stream && "stream", unreadable, isEmpty && "empty"]
      .filter(Boolean)
      .join(": "),
  )
}

describe("a folder", () => {
  it("gives the documents in it and below it, by name", async () => {
    const folder = folderOf({ "b.json": "", "a.ndjson": "", "c/z.jsonl": "", "c/a/x.json": "", "d.JSON": "" })
    expect(await named(folder, ["."])).toEqual(["a.ndjson", "b.json", "c/a/x.json", "c/z.jsonl", "d.JSON"])
  })

  it("gives no other files, nothing hidden, and nothing of node_modules", async () => {
    const folder = folderOf({
      "a.json": "",
      "notes.txt": "",
      "a.json.bak": "",
      ".b.json": "",
      ".git/c.json": "",
      "node_modules/d/package.json": "",
    })
    expect(await named(folder, ["."])).toEqual(["a.json"])
  })

  it("of more files than may be looked at is refused, also below it and by a pattern", async () => {
    const folder = folderOf({ "a.json": "", "b.txt": "", "c/d.json": "", "c/e.txt": "" })
    const find = async (word: string, most: number) =>
      Array.from(await findInputs([`${folder}/${word}`], undefined, undefined, most), ({ file }) => file)
    for (const word of [".", "**/*.json"]) {
      expect(await find(word, 5)).not.toEqual([])
      await expect(find(word, 4)).rejects.toThrow("more than 4 files and folders")
    }
  })

  it("that is a link is not followed by a pattern where files may not be looked at without end", async () => {
    const folder = folderOf({ "in/a.json": "", "elsewhere/b.json": "" })
    symlinkSync("../elsewhere", path.join(folder, "in/link"))
    const find = async (most?: number) =>
      Array.from(await findInputs([`${folder}/in/*/*.json`], undefined, undefined, most), ({ file }) => file)
    expect(await find()).toEqual([`${folder}/in/link/b.json`])
    expect(await find(9)).toEqual([`${folder}/in/*/*.json`])
  })

  it("that is hidden is looked into when it is named", async () => {
    const folder = folderOf({ ".outbox/a.json": "" })
    expect(await named(folder, [".outbox"])).toEqual([".outbox/a.json"])
  })

  it("without documents is handed on as empty", async () => {
    const folder = folderOf({ "in/notes.txt": "" })
    expect(await named(folder, ["in"])).toEqual(["in: empty"])
  })

  it("gives a linked file, and no linked folder: links can go round in circles", async () => {
    const folder = folderOf({ "in/a.json": "", "b.json": "" })
    symlinkSync("../b.json", path.join(folder, "in/link.json"))
    symlinkSync(".", path.join(folder, "in/loop.json"))
    expect(await named(folder, ["in"])).toEqual(["in/a.json", "in/link.json"])
  })

  it("gives each real file once, however many links lead to it", async () => {
    const folder = folderOf({ "b.json": "", "in/c.json": "" })
    symlinkSync("b.json", path.join(folder, "a.json"))
    symlinkSync("a.json", path.join(folder, "d.json"))
    symlinkSync("in/c.json", path.join(folder, "z.json"))
    expect(await named(folder, ["."])).toEqual(["a.json", "in/c.json"])
  })

  it("gives each real file once when the folder itself is a link", async () => {
    const folder = folderOf({ "in/a.json": "" })
    symlinkSync("a.json", path.join(folder, "in/b.json"))
    symlinkSync("in", path.join(folder, "link"))
    expect(await named(folder, ["link"])).toEqual(["link/a.json"])
    expect(await named(folder, ["in", "link"])).toEqual(["in/a.json"])
    expect(await named(folder, ["link/a.json", "in"])).toEqual(["link/a.json"])
  })

  // Other systems refuse such names.
  it.runIf(process.platform === "linux")(
    "says which file or folder has a name that is not UTF-8",
    async () => {
      const folder = folderOf({ "a.json": "", "in/b.json": "" })
      const bytes = (name: string) => Buffer.from(`${folder}/${name}`, "latin1")
      writeFileSync(bytes("caf\xe9.json"), "{}")
      writeFileSync(bytes("caf\xe9.txt"), "{}")
      mkdirSync(bytes("\xfcber"))
      const why = /: its name is not UTF-8 \(shown here with \ufffd\), so it cannot be opened: rename it/
      const found = await named(folder, ["."])
      expect(found.map((each) => each.replace(/: its name.*/, ""))).toEqual([
        "a.json",
        "caf\ufffd.json",
        "in/b.json",
        "\ufffdber",
      ])
      expect(found.filter((each) => why.test(each))).toHaveLength(2)
      expect(await named(folder, ["c*.json", "caf\ufffd.json"])).toEqual([expect.stringMatching(why)])
    },
  )

  it("gives a file whose name has the replacement character itself", async () => {
    const folder = folderOf({ "\ufffd.json": "" })
    expect(await named(folder, ["."])).toEqual(["\ufffd.json"])
  })

  it("gives a link that leads nowhere, so that it is named when it cannot be read", async () => {
    const folder = folderOf()
    symlinkSync("gone.json", path.join(folder, "a.json"))
    expect(await named(folder, ["."])).toEqual(["a.json"])
  })

  it("does not wait at a pipe that happens to be in it", async () => {
    const folder = folderOf({ "a.json": "" })
    execFileSync("mkfifo", [path.join(folder, "b.json")])
    expect(await named(folder, ["."])).toEqual(["a.json"])
  })

  it("that is the only unreadable one of a folder is reported beside the rest", async () => {
    const folder = folderOf({ "a.json": "", "z.json": "" })
    mkdirSync(path.join(folder, "locked"))
    chmodSync(path.join(folder, "locked"), 0)
    const found = await named(folder, ["."])
    // The superuser may read it all the same.
    expect([
      ["a.json", "locked/: you may not read or write it", "z.json"],
      ["a.json", "z.json"],
    ]).toContainEqual(found)
  })
})

describe("a word", () => {
  it("is a file, whatever its name ends with", async () => {
    const folder = folderOf({ "invoice.txt": "", INV: "" })
    expect(await named(folder, ["invoice.txt", "INV"])).toEqual(["invoice.txt", "INV"])
  })

  it("that names nothing is left to its reader", async () => {
    expect(await named(folderOf(), ["gone.json"])).toEqual(["gone.json"])
  })

  it("is a file before it is a pattern", async () => {
    const folder = folderOf({ "[1].json": "", "1.json": "", "a*.json": "", "ab.json": "", "{a,b}.json": "" })
    expect(await named(folder, ["[1].json", "a*.json", "{a,b}.json"])).toEqual([
      "[1].json",
      "a*.json",
      "{a,b}.json",
    ])
  })

  it("that is a pattern without a match is said to be one", async () => {
    expect(await named(folderOf(), ["*.json"])).toEqual(["*.json: no file matches this pattern"])
  })

  it("may be a pattern of folders", async () => {
    const folder = folderOf({ "in1/a.json": "", "in2/b.json": "", "in2/notes.txt": "" })
    expect(await named(folder, ["in*"])).toEqual(["in1/a.json", "in2/b.json"])
  })

  it("is standard input when it is -", async () => {
    expect(await named(folderOf(), ["-"])).toEqual(["-: stream"])
  })

  it("is a stream when it is a pipe", async () => {
    const folder = folderOf()
    execFileSync("mkfifo", [path.join(folder, "pipe")])
    expect(await named(folder, ["pipe"])).toEqual(["pipe: stream"])
  })

  it("may come in any number, and they keep their order", async () => {
    const folder = folderOf({ "b.json": "", "a.json": "", "in/c.json": "" })
    expect(await named(folder, ["in", "b.json", "-", "a.json"])).toEqual([
      "in/c.json",
      "b.json",
      "-: stream",
      "a.json",
    ])
  })
})

describe("a file", () => {
  it("comes once, however often and in whatever way it is named", async () => {
    const folder = folderOf({ "a.json": "", "in/b.json": "" })
    const words = ["a.json", "./a.json", "in/../a.json", "*.json", "in", "in/b.json", "{a,a}.json"]
    expect(await named(folder, words)).toEqual(["a.json", "in/b.json"])
  })

  it("comes once under its absolute and its relative name", async () => {
    const file = path.join(folderOf({ "a.json": "" }), "a.json")
    const words = [file, path.relative(process.cwd(), file)]
    expect(Array.from(await findInputs(words))).toEqual([{ file }])
  })

  it("that the run itself writes is left out", async () => {
    const folder = folderOf({ "a.json": "", "report.json": "" })
    expect(await named(folder, ["."], "report.json")).toEqual(["a.json"])
  })
})

describe("a list of files", () => {
  it("has one a line, with either line ending", () => {
    expect(splitPaths(Buffer.from("a b.json\nin/c.json\r\n\n'q'.json"))).toEqual([
      "a b.json",
      "in/c.json",
      "'q'.json",
    ])
  })

  it("may end each with NUL, and then they may hold line feeds", () => {
    expect(splitPaths(Buffer.from("a\nb.json\0 c.json\0"))).toEqual(["a\nb.json", " c.json"])
  })

  it("may begin with a byte order mark", () => {
    expect(splitPaths(Buffer.from("\ufeffa.json\n"))).toEqual(["a.json"])
  })

  it("may be empty", () => {
    expect(splitPaths(Buffer.from(""))).toEqual([])
  })
})
