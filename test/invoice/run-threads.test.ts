/** One thread or several: what is told is the same, in the same order. The threads run the program that is shipped. */
import path from "node:path"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { brokenLine, chunksOf, clockOf, folderOf, line, partsOf, short, toldOf } from "./runs.ts"

const MEGABYTE = 2 ** 20
/** A line that is longer than what one thread takes at a time. */
const LONG = line("long", { comments: "x".repeat(1999), extrinsics: { much: "é".repeat(1.2 * MEGABYTE) } })

/** Good, broken, blank and endless lines, some with CRLF, more than one thread is given of a file. */
function manyLines(): string {
  const lines: string[] = []
  for (let number = 0; number < 6000; number++) {
    if (number % 700 === 3) lines.push("")
    if (number % 1500 === 4) lines.push("no JSON")
    if (number === 2500) lines.push(LONG)
    lines.push(number % 97 === 5 ? brokenLine(number) : `${line(number)}${number % 11 === 0 ? "\r" : ""}`)
  }
  return lines.join("\n")
}

/** Chunks of an odd size, so that characters and line endings are cut. */
async function* inChunks(text: string, size = 65_521) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe("threads", () => {
  const text = manyLines()

  it("tell of a large file of lines what one thread tells", async () => {
    const file = path.join(folderOf({ "in.ndjson": text }), "in.ndjson")
    const alone = await toldOf([file], { repeated: "warning" })
    expect(alone.summary.documents).toBe(6005)
    expect(alone.summary.invalid).toBe(66)
    expect(await toldOf([file], { jobs: 4, repeated: "warning" })).toEqual(alone)
  })

  it("are not used for a stream, of which the same is told", async () => {
    const file = path.join(folderOf({ "in.ndjson": text }), "in.ndjson")
    const expected = short((await toldOf([file])).results)
    const { results } = await toldOf(["-"], { jobs: 3, stdin: inChunks(text) })
    expect(short(results)).toEqual(expected)
  })

  it("keep the order of files, large ones and streams", async () => {
    const folder = folderOf({ "a.json": line(1), "b.ndjson": text, "c.json": brokenLine(2) })
    const words = ["a.json", "b.ndjson", "c.json"].map((name) => path.join(folder, name))
    const { results } = await toldOf([...words, "-"], {
      jobs: 3,
      stdin: chunksOf(`${line(3)}\n`),
    })
    const files = results.map(({ file }) => path.basename(file))
    expect(files.filter((file, at) => file !== files[at - 1])).toEqual(["a.json", "b.ndjson", "c.json", "-"])
  })

  it("find the same invoice twice wherever the two are", async () => {
    const twice = `${text}\n${line(17)}\n`
    const folder = folderOf({ "a.json": line(4001), "b.ndjson": twice })
    const words = ["a.json", "b.ndjson"].map((name) => path.join(folder, name))
    for (const jobs of [1, 4]) {
      const { results } = await toldOf(words, { jobs, repeated: "warning" })
      const found = results.flatMap(({ findings }) =>
        findings.filter(({ rule }) => rule === "accounting/duplicate-invoice"),
      )
      const column = line(17).indexOf('"INV-17"') + 1
      expect(found.map(({ line, column }) => [line, column])).toEqual([
        [twice.split("\n").indexOf(line(4001)) + 1, column],
        [twice.split("\n").length - 1, column],
      ])
      expect(found[0]?.message).toMatch(/is also in .*a\.json$/)
      expect(found[1]?.message).toMatch(/is also in .*b\.ndjson, index 18$/)
    }
  })
})

describe("a run that is given up", () => {
  const reason = new FreightError("interrupted", "interrupted")

  it("ends with the signal's reason", async () => {
    const signal = AbortSignal.abort(reason)
    await expect(toldOf([folderOf({ "a.json": line(1) })], { signal })).rejects.toBe(reason)
  })

  for (const jobs of [1, 2])
    it(`ends in the middle of a large file, with ${jobs} of the threads at work`, async () => {
      const file = path.join(folderOf({ "in.ndjson": manyLines() }), "in.ndjson")
      const interrupt = new AbortController()
      const parts = partsOf([file], { jobs, signal: interrupt.signal })
      const documents = async () => {
        let number = 0
        for await (const some of parts) {
          for (const part of some) number += part.documents
          if (number > 0) interrupt.abort(reason)
        }
        return number
      }
      await expect(documents()).rejects.toBe(reason)
    })

  it("leaves a stream that goes on", async () => {
    let left: AbortSignal | undefined
    async function* endless(until: AbortSignal) {
      left = until
      for (let number = 0; !until.aborted; number++) yield Buffer.from(`${line(number)}\n`)
    }
    for await (const some of partsOf(["-"], { stdin: endless, clock: clockOf(async () => {}) }))
      if (some.some(({ documents }) => documents > 0)) break
    expect(left?.aborted).toBe(true)
  })
})

describe("a stream that comes slowly", () => {
  it("has its first results before it ends", async () => {
    let goOn = () => {}
    async function* slowly() {
      for (let number = 0; number < 3; number++) {
        const told = new Promise<void>((resolve) => {
          goOn = resolve
        })
        yield Buffer.from(`${line(number)}\n`)
        await told
      }
    }
    const numbers: number[] = []
    for await (const some of partsOf(["-"], { stdin: slowly(), clock: clockOf(async () => {}) }))
      for (const part of some)
        if (part.documents > 0) {
          numbers.push(part.first)
          goOn()
        }
    expect(numbers).toEqual([0, 1, 2])
  })
})
