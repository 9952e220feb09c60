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
  it("reads back what it appends", () => {
    const { journal, seen } = open(journalFile())
    journal.append({ n: 1 })
    expect(seen).toEqual([{ n: 1 }])
  })

  it("reads what was there before", () => {
    const file = journalFile()
    open(file).journal.append({ n: 1 })
    const { journal, seen } = open(file)
    journal.catchUp()
    expect(seen).toEqual([{ n: 1 }])
  })

  it("shows all readers the same order, whoever writes", () => {
    const file = journalFile()
    const [one, other] = [open(file), open(file)]
    for (let n = 0; n < 10; n++) (n % 3 === 0 ? one : other).journal.append({ n })
    for (const { journal } of [one, other]) journal.catchUp()
    expect(one.seen).toEqual(Array.from({ length: 10 }, (_, n) => ({ n })))
    expect(other.seen).toEqual(one.seen)
  })

  it("reads a record again by its entry", () => {
    const { journal, entries } = open(journalFile())
    journal.append({ name: "Zoë's café ☕" })
    journal.append({ n: 2 })
    expect(entries.map((entry) => journal.read(entry))).toEqual([{ name: "Zoë's café ☕" }, { n: 2 }])
  })

  it("reads records that are longer than what it reads at once", () => {
    const file = journalFile()
    const long = { text: "é".repeat(400_000) }
    const { journal } = open(file)
    journal.append({ n: 1 })
    journal.append(long)
    const again = open(file)
    again.journal.catchUp()
    expect(again.seen).toEqual([{ n: 1 }, long])
  })

  it("reads many records", () => {
    const file = journalFile()
    const { journal } = open(file)
    const records = Array.from({ length: 3000 }, (_, n) => ({ n, text: "ü".repeat(n % 300) }))
    for (const record of records) journal.append(record)
    const again = open(file)
    again.journal.catchUp()
    expect(again.seen).toEqual(records)
  })

  it("does not read a line that is not complete", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    appendFileSync(file, '\n{"n":1,"te')
    journal.catchUp()
    expect(seen).toEqual([])
  })

  it("reads that line when it has been completed", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    appendFileSync(file, '\n{"n":1,"te')
    journal.catchUp()
    appendFileSync(file, 'xt":"x"}\n')
    journal.catchUp()
    expect(seen).toEqual([{ n: 1, text: "x" }])
  })

  it("does not let a torn line swallow the next record", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    appendFileSync(file, '\n{"n":1,"te')
    journal.append({ n: 2 })
    expect(seen).toEqual([{ n: 2 }])
  })

  it("does not let a torn character swallow the next record", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    appendFileSync(file, Buffer.from('\n{"text":"é').subarray(0, -1))
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

  it("begins anew when the file was removed", () => {
    const file = journalFile()
    const { journal, seen } = open(file)
    journal.append({ n: 1 })
    rmSync(file)
    journal.catchUp()
    expect(seen).toEqual([])
    journal.append({ n: 2 })
    expect(seen).toEqual([{ n: 2 }])
  })

  it("begins anew when the file was cut", () => {
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
