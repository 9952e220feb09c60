import { execFileSync } from "node:child_process"
import { createWriteStream } from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findShapeSoFar } from "../../src/invoice/documents.ts"
import { cutIntoPieces } from "../../src/invoice/sources/reading.ts"
import { openStream } from "../../src/output/terminal/open-stream.ts"
import { chunksOf, folderOf } from "./runs.ts"

const never = () => new Promise<void>(() => {})

interface Cut {
  file?: string
  size?: number
  wait?: (signal: AbortSignal) => Promise<void>
}

function cutting(chunks: AsyncIterable<Uint8Array>, { file = "-", size = 64, wait = never }: Cut = {}) {
  return cutIntoPieces(chunks, { findShape: (bytes) => findShapeSoFar(file, bytes), wait, size })
}

/** The pieces as text; what is checked as a whole is marked. */
async function piecesIn(chunks: AsyncIterable<Uint8Array>, cut?: Cut): Promise<string[]> {
  const pieces: string[] = []
  for await (const { bytes, whole } of cutting(chunks, cut))
    pieces.push((whole ? "whole " : "") + bytes.toString())
  return pieces
}

describe("a stream of lines", () => {
  it("is cut behind the last line that fits into a piece", async () => {
    const pieces = await piecesIn(chunksOf('{"a":1}\n{"b":2}\n{"c":3}\n'), { size: 20 })
    expect(pieces).toEqual(['{"a":1}\n{"b":2}\n', '{"c":3}\n'])
  })

  it("loses nothing, whatever the chunks, the lines and the pieces are", async () => {
    const text = fc.oneof(
      fc.constantFrom("{}", "", "é", "🙂🙂", '{"a":"🙂"}', " ", "x".repeat(70)),
      fc.string({ unit: "grapheme", maxLength: 30 }).map((each) => each.replaceAll("\n", "")),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, fc.constantFrom("\n", "\r\n")), { maxLength: 30 }),
        fc.boolean(),
        fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 4, max: 100 }),
        async (lines, ended, steps, size) => {
          const all = Buffer.from(lines.map(([each, end]) => each + end).join("") + (ended ? "" : "last"))
          const pieces: Buffer[] = []
          for await (const { bytes } of cutting(chunked(all, steps), { file: "x.ndjson", size }))
            pieces.push(Buffer.from(bytes))
          for (const piece of pieces.slice(0, -1)) expect(piece.at(-1)).toBe(10)
          expect(Buffer.concat(pieces)).toEqual(all)
        },
      ),
    )
  })

  it("may have a line much longer than a piece, and goes on in small pieces after it", async () => {
    const long = `{"a":"${"x".repeat(1000)}"}\n`
    const lines = ['{"a":1}\n', long, ...Array.from({ length: 20 }, () => '{"b":2}\n')]
    const pieces = await piecesIn(chunksOf(...lines), { size: 16 })
    expect(pieces.join("")).toBe(lines.join(""))
    expect(pieces.at(-1)?.length).toBeLessThanOrEqual(16)
  })

  it("may begin with a line longer than a piece", async () => {
    const long = `{"a":"${"x".repeat(1000)}"}\n`
    expect((await piecesIn(chunksOf(long, "{}\n"), { size: 16 })).join("")).toBe(`${long}{}\n`)
  })

  it("hands on what has come when lines have waited", async () => {
    let goOn = () => {}
    const more = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* slowly() {
      yield Buffer.from('{"a":1}\n{"b":')
      await more
      yield Buffer.from("2}\n")
    }
    const pieces = cutting(slowly(), { wait: async () => {} })
    const first = await pieces.next()
    expect(first.value?.bytes.toString()).toBe('{"a":1}\n')
    goOn()
    const second = await pieces.next()
    expect(second.value?.bytes.toString()).toBe('{"b":2}\n')
  })

  it("waits no longer when it has ended", async () => {
    let waits: AbortSignal | undefined
    const wait = (signal: AbortSignal) => {
      waits = signal
      return never()
    }
    await piecesIn(chunksOf("{}\n", "{}\n"), { wait })
    expect(waits?.aborted).toBe(true)
  })

  it("that breaks off gives the whole lines before the error", async () => {
    const pieces = cutting(chunksOf("{}\n{}\n{", new Error("gone")))
    const { value } = await pieces.next()
    expect(value?.bytes.toString()).toBe("{}\n{}\n")
    await expect(pieces.next()).rejects.toThrow("gone")
  })

  it("is known by its name from the first byte", async () => {
    expect(await piecesIn(chunksOf("x\n{}\n"), { file: "in.JSONL" })).toEqual(["x\n{}\n"])
  })

  it.each([
    ["a whole object on the first line", '{"a":1}\n'],
    ["a whole object behind a byte order mark and blank lines", '\ufeff\r\n \n{"a":1}\r\n'],
    ["a broken first line and a whole second one", '{"a":1\n{"b":2}\n'],
  ])("is known by its content: %s", async (_what, text) => {
    expect(await piecesIn(chunksOf(text))).toEqual([text])
    expect(await piecesIn(chunked(Buffer.from(text), [1]))).toEqual([text])
  })
})

describe("what is not lines", () => {
  it.each([
    ["nothing", ""],
    ["a document on several lines", '{\n  "a": 1\n}\n'],
    ["a document on one line that never ends", '{"a":1}'],
    ["a list", '[{"a":1},\n{"b":2}\n]\n'],
    ["a list on one line", '[{"a":1},{"b":2}]\n'],
    ["UTF-16", Buffer.from('{"a":1}\n{"b":2}\n', "utf16le").toString("latin1")],
    ["two broken lines", '{"a":1\n{"b":2\n'],
    ["no JSON at all", "Dear Sir,\nwe enclose\n"],
  ])("is handed on as a whole: %s", async (_what, text) => {
    expect(await piecesIn(chunksOf(text), { size: 4 })).toEqual([`whole ${text}`])
    expect(await piecesIn(chunked(Buffer.from(text), [1]))).toEqual([`whole ${text}`])
  })

  it("is not checked when it breaks off", async () => {
    await expect(piecesIn(chunksOf('{\n"a":', new Error("gone")))).rejects.toThrow("gone")
  })
})

describe("a pipe", () => {
  it("is read to its end", async () => {
    const pipe = path.join(folderOf(), "pipe.ndjson")
    execFileSync("mkfifo", [pipe])
    const chunks = await openStream(pipe, new AbortController().signal)
    createWriteStream(pipe).end('{"a":1}\n')
    expect(await piecesIn(chunks, { file: pipe })).toEqual(['{"a":1}\n'])
  })

  it("that has no writer is closed when the signal is aborted", async () => {
    const pipe = path.join(folderOf(), "pipe")
    execFileSync("mkfifo", [pipe])
    const interrupt = new AbortController()
    const pieces = piecesIn(await openStream(pipe, interrupt.signal))
    interrupt.abort()
    await expect(pieces).rejects.toThrow("aborted")
  })
})

async function* chunked(bytes: Buffer, steps: readonly number[]) {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const step = (steps[turn % steps.length] ?? 0) + (turn % steps.length === 0 ? 1 : 0)
    yield bytes.subarray(at, at + step)
    at += step
  }
}
