import { appendFileSync, rmSync, truncateSync } from "node:fs"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Entry, openJournal } from "../../src/sandbox/journal.ts"
import { temporaryDir } from "./harness.ts"

/** A journal with what it has read so far. */
function open(file: string) {
  const seen: unknown[] = []
  const entries: Entry[] = []
  const journal = openJournal(file, {
    event(value, entry) {
      seen.push(value)
      entries.push(entry)
    },
    reset() {
      seen.length = 0
    },
  })
  onTestFinished(() => journal.close())
  return { journal, seen, entries }
}

function journalFile() {
  return path.join(temporaryDir(), "journal.ndjson")
}

describe("a journal", () => {
  it("shows all readers the same order, whoever writes, also what was there before", () => {
    const file = journalFile()
    const [one, other] = [open(file), open(file)]
    for (let n = 0; n < 10; n++) (n % 3 === 0 ? one : other).journal.append({ n })
    const later = open(file)
    for (const { journal, seen } of [one, other, later]) {
      journal.catchUp()
      expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => ({ n })))
    }
  })

  it.each([
    ["records longer than what it reads at once", [{ n: 1 }, { text: "é".repeat(400_000) }]],
    ["many", Array.from({ length: 3000 }, (_, n) => ({ n, text: "ü".repeat(n % 300) }))],
    ["any script", [{ name: "Zoë's café ☕" }, { n: 2 }]],
  ])("reads back what it appends, and again by its entry: %s", (_what, records) => {
    const file = journalFile()
    const { journal, seen, entries } = open(file)
    for (const record of records) journal.append(record)
    expect(seen).toEqual(records)
    expect(entries.map((entry) => journal.read(entry))).toEqual(records)
    const again = open(file)
    again.journal.catchUp()
    expect(again.seen).toEqual(records)
  })

  it("reads a line that is not complete when it has been completed", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    appendFileSync(file, '\n{"n":1,"te')
    journal.catchUp()
    expect(seen).toEqual([])
    appendFileSync(file, 'xt":"x"}\n')
    journal.catchUp()
    expect(seen).toEqual([{ n: 1, text: "x" }])
  })

  it.each([
    ["line", '\n{"n":1,"te'],
    ["character", Buffer.from('\n{"text":"é').subarray(0, -1)],
  ])("does not let a torn %s swallow the next record", (_what, torn) => {
    const file = journalFile()
    const { journal, seen } = open(file)
    appendFileSync(file, torn)
    journal.append({ n: 2 })
    expect(seen).toEqual([{ n: 2 }])
  })

  it("passes over lines that are not JSON", () => {
    const file = journalFile()
    appendFileSync(file, 'garbage\n\n\u0000\u0000\n{"n":1}\n}{\n{"n":2}\n')
    const { journal, seen } = open(file)
    journal.catchUp()
    expect(seen).toEqual([{ n: 1 }, { n: 2 }])
  })

  it("begins again when the file was removed", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    journal.append({ n: 1 })
    rmSync(file)
    journal.catchUp()
    expect(seen).toEqual([])
    journal.append({ n: 2 })
    expect(seen).toEqual([{ n: 2 }])
  })

  it("begins again when the file was cut", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    journal.append({ n: 1 })
    const one = seen.length
    journal.append({ n: 2 })
    truncateSync(file, '\n{"n":1}\n'.length)
    journal.catchUp()
    expect([one, seen]).toEqual([1, [{ n: 1 }]])
  })

  it.skipIf(process.platform !== "linux")("says that the disk is full", () => {
    const { journal } = open("/dev/full")
    expect(() => journal.append({ n: 1 })).toThrow("cannot write to /dev/full: the disk is full")
  })

  it("writes nowhere after it is closed", () => {
    const seen: unknown[] = []
    const journal = openJournal(journalFile(), { event: (value) => seen.push(value), reset: () => {} })
    journal.close()
    expect(() => journal.append({ n: 1 })).toThrow()
    expect(seen).toEqual([])
  })
})
