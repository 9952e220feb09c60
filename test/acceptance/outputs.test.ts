/** Every command checks its output flags before it does anything. */
import { open as openFile, readFile, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import pg from "pg"
import { beforeAll, describe, expect, it } from "vitest"
import { type Entry, TREE } from "../../src/app/tree.ts"
import type { CommandDefinition, Flag } from "../../src/command/command.ts"
import { toFlagName } from "../../src/base/command-line.ts"
import { ClosedPipe, FreightError } from "../../src/base/errors.ts"
import type { Host } from "../../src/app/main.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { itemsOf } from "../../src/contract/packages.ts"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"

const IS_POSIX = path.sep === "/"

/** All commands that do something, by their words. */
async function loadAll(entries: readonly Entry[], above = ""): Promise<[string, CommandDefinition][]> {
  const found: [string, CommandDefinition][] = []
  for (const { name, load, children = [] } of entries) {
    const words = `${above} ${name}`.trim()
    if (load) found.push([words, await load()])
    found.push(...(await loadAll(children, words)))
  }
  return found
}

let commands: [string, CommandDefinition][]
beforeAll(async () => {
  commands = await loadAll(TREE.flatMap(({ entries }) => entries))
})

/** A command line that gets as far as the check: arguments and flags that are needed have any value. */
function toLine(
  name: string,
  { args = [], flags = {} }: CommandDefinition,
  given: readonly string[],
  flag: Flag,
) {
  const needed = args.filter(
    ({ takes, unless, isAsked }) => takes.startsWith("<") || unless !== undefined || isAsked,
  )
  const words = needed.map(
    ({ takes, choices }) => choices?.[0] ?? (takes.includes("file") ? "rows.csv" : "x"),
  )
  const required = Object.entries(flags).flatMap(([each, { isRequired, choices }]) =>
    isRequired ? [toFlagName(each), choices?.[0] ?? "2020-01-01"] : [],
  )
  const [need] = [flag.needs ?? []].flat()
  const takes = need === undefined ? undefined : flags[need]?.takes
  const needs = need === undefined ? [] : [toFlagName(need), ...(takes ? ["x"] : [])]
  return [...name.split(" "), ...words, ...required, ...needs, ...given]
}

/** Commands whose fields are not known in advance, or that print a template. `freight mcp` has no output format. */
const OPEN = ["api", "batch template", "invoice show", "invoice schema", "mcp"]

interface Named {
  name: string
  definition: CommandDefinition
  flag: Flag
  option: string
  writes: string
}

function listWriting(): Named[] {
  return commands.flatMap(([name, definition]) =>
    Object.entries(definition.flags ?? {}).flatMap(([option, flag]) => {
      const writes = typeof flag.writes === "function" ? flag.writes({}) : flag.writes
      return writes === undefined ? [] : [{ name, definition, flag, option: toFlagName(option), writes }]
    }),
  )
}

/** A file extension that the command accepts where it takes the format from the name. */
function endingOf({ name, writes }: Named): string {
  if (writes === "pdf" || name === "disputes letter") return ".pdf"
  return name === "invoice show" ? ".html" : ".csv"
}

describe("every command with an output", () => {
  it("declares of each file and folder that it names whether that is read or written", () => {
    const undeclared = commands.flatMap(([name, { args = [], flags = {} }]) => [
      ...args
        .filter(({ takes, isInput }) => /file|dir|folder/.test(takes) && !isInput)
        .map(({ takes }) => `${name} ${takes}`),
      ...Object.entries(flags)
        .filter(
          ([, { takes = "", isInput, writes }]) =>
            /^[<[](file|dir|folder)/.test(takes) && !isInput && !writes,
        )
        .map(([flag]) => `${name} ${toFlagName(flag)}`),
    ])
    expect(undeclared).toEqual([])
    expect(listWriting().length).toBeGreaterThan(20)
  })

  it("has --force where it writes files", () => {
    const without = listWriting().filter(
      ({ definition, writes }) => writes !== "folder" && definition.flags?.force === undefined,
    )
    expect(without.map(({ name }) => name)).toEqual([])
  })

  it("keeps a file that freight did not write, before anything is asked or done", async () => {
    const { folder, freight } = await desk({
      freightBaseUrl: "http://127.0.0.1:9/v1",
      freightApiKey: "key-that-reaches-nothing",
      directPrintBaseUrl: "http://127.0.0.1:9/v1",
      directPrintApiKey: "key-that-reaches-nothing",
    } as never)
    await writeFile(path.join(folder, "rows.csv"), "reference\nA-1\n")
    const kept: string[] = []
    for (const each of listWriting().filter(({ writes }) => writes !== "folder" && writes !== "place")) {
      const file = `strangers${endingOf(each)}`
      await writeFile(path.join(folder, file), "a stranger's")
      const line = toLine(each.name, each.definition, [each.option, file], each.flag)
      const { code, stderr } = await freight(line)
      const text = await readFile(path.join(folder, file), "utf8")
      kept.push(
        `${each.name} ${each.option}: ${code} ${text} ${/already exists/.test(stderr) ? "told" : stderr}`,
      )
    }
    expect(kept.filter((each) => !each.endsWith(": 2 a stranger's told"))).toEqual([])
  })

  it("refuses a place where nothing can be written", async () => {
    const { folder, freight } = await desk()
    await writeFile(path.join(folder, "rows.csv"), "reference\nA-1\n")
    await writeFile(path.join(folder, "file"), "")
    const wrong: string[] = []
    for (const each of listWriting()) {
      const place = path.join("file", `below${each.writes === "folder" ? "" : endingOf(each)}`)
      const line = toLine(each.name, each.definition, [each.option, place], each.flag)
      const { code, stderr } = await freight(line)
      if (code !== 2 || !stderr.includes("a part of that path is a file"))
        wrong.push(`${line.join(" ")}: ${code} ${stderr}`)
    }
    expect(wrong).toEqual([])
  })

  it("refuses two outputs under one name", async () => {
    const { folder, freight } = await desk()
    await writeFile(path.join(folder, "rows.csv"), "reference\nA-1\n")
    if (IS_POSIX) await symlink("one.csv", path.join(folder, "link.csv"))
    await writeFile(path.join(folder, "one.csv"), "")
    const lines = [
      ["audit", "rows.csv", "-o", "one.csv", "--disputes", "./one.csv"],
      ["audit", "rows.csv", "-o", "-", "--disputes", "-"],
      ["batch", "book", "rows.csv", "--merge", "out", "--labels", "out"],
      ["batch", "book", "rows.csv", "--results", "one.csv", "--dispatched", path.join(folder, "one.csv")],
      ["batch", "book", "rows.csv", "--dispatched", "rows.results.csv"],
      ["batch", "book", "--plan", "a.plan.json", "--dispatched", "a.plan.results.csv"],
      ...(IS_POSIX ? [["audit", "rows.csv", "-o", "one.csv", "--disputes", "link.csv"]] : []),
    ]
    for (const line of lines) {
      const { code, stderr } = await freight(line)
      expect({ line, code, stderr }).toEqual({
        line,
        code: 2,
        stderr: expect.stringMatching(/both (name|go to)/),
      })
    }
  })

  it("refuses an output that would take the place of what is read, also with --force", async () => {
    const { folder, freight } = await desk()
    for (const name of ["rows.csv", "in.json"]) await writeFile(path.join(folder, name), "read")
    const lines = [
      ["audit", "rows.csv", "-o", "rows.csv"],
      ["audit", "rows.csv", "--disputes", "rows.csv"],
      ["post", "rows.csv", "-o", "./rows.csv"],
      ["post", "x.csv", "--rules", "rows.csv", "-o", "rows.csv"],
      ["batch", "plan", "rows.csv", "-o", "rows.csv"],
      ["batch", "book", "rows.csv", "--results", "rows.csv"],
      ["batch", "book", "rows.csv", "--dispatched", "rows.csv"],
      ["invoice", "validate", "in.json", "-o", "in.json"],
      ["invoice", "list", "in.json", "-o", path.join(folder, "in.json")],
      ["invoice", "show", "in.json", "-o", "in.json"],
      ["invoice", "new", "--lines-from", "rows.csv", "-o", "rows.csv"],
      ["dispatched", "--for", "csv", "--orders", "rows.csv", "-o", "rows.csv"],
      ["api", "GET", "connectors", "--file", "in.json", "-o", "in.json"],
    ]
    for (const line of lines) {
      const { code, stderr } = await freight([...line, "--force"])
      expect({ line, code, stderr }).toEqual({
        line,
        code: 2,
        stderr: expect.stringContaining("which is read"),
      })
    }
    expect(await readFile(path.join(folder, "rows.csv"), "utf8")).toBe("read")
    expect(await readFile(path.join(folder, "in.json"), "utf8")).toBe("read")
  })
})

describe("--fields", () => {
  it("that a command never prints is refused before it asks anything", async () => {
    const { folder, freight } = await desk()
    await writeFile(path.join(folder, "rows.csv"), "reference\nA-1\n")
    const wrong: string[] = []
    for (const [name, definition] of commands.filter(([each]) => !OPEN.includes(each))) {
      const line = toLine(name, definition, ["--fields", "nope"], { about: "" })
      const { code, stderr } = await freight(line)
      if (code !== 2 || !/no field "nope" here|has no fields/.test(stderr))
        wrong.push(`${line.join(" ")}: ${code} ${stderr}`)
    }
    expect(wrong).toEqual([])
  })

  it("misspelt in book books nothing", async () => {
    const own = await ownSandbox()
    const { folder, freight } = await desk(own)
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const { code, stderr } = await freight(["book", "--file", "booking.json", "--fields", "shipmentID"])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "shipmentId"?')])
    expect((await freight(["shipments", "list", "--json"])).json<{ items: unknown[] }>().items).toHaveLength(
      1,
    )
  })

  it("misspelt in api books nothing, and a field of the reply is taken", async () => {
    const own = await ownSandbox()
    const { folder, freight } = await desk(own)
    const booking = ownBooking()
    const whole = { ...booking, items: itemsOf(booking.packages ?? []) }
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(whole))
    const post = ["api", "POST", "connector-c/shipments", "--file", "booking.json", "--format", "csv"]
    const { code, stderr } = await freight([...post, "--fields", "shipmentID"])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "shipmentId"?')])
    const { counts } = (await own.control("books")) as { counts: { shipments: number } }
    expect(counts.shipments).toBe(0)
    const made = await freight([...post, "--fields", "shipmentId"])
    expect(made.stdout, made.stderr).toMatch(/^shipmentId\n[0-9a-f-]{36}\n$/)
  })

  it("misspelt is refused where the list is empty as well, and a field of the answer is taken", async () => {
    const { freight } = await desk(await ownSandbox())
    expect((await freight(["shipments", "list", "--fields", "nope"])).code).toBe(2)
    expect((await freight(["history", "--fields", "key,nope"])).code).toBe(2)
    const { code, stdout } = await freight([
      "shipments",
      "list",
      "--fields",
      "id,toSuburb",
      "--format",
      "csv",
    ])
    expect([code, stdout]).toEqual([0, "id,toSuburb\ndemo-shipment,Fremantle\n"])
  })
})

describe("a workbook", () => {
  it("never goes to a terminal, whatever else is written to a file", async () => {
    const { freight } = await desk()
    for (const line of [
      ["label", "demo-shipment", "-o", "label.pdf"],
      ["shipments", "list"],
      ["sandbox", "bill", "-o", "bill.csv"],
      ["audit", "x.csv", "-o", "-"],
    ]) {
      const { code, stderr } = await freight([...line, "--sandbox", "--format", "xlsx"], { columns: 80 })
      expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining("not for a terminal")])
    }
  })
})

/** Orders as NDJSON, one of each reference. */
function toRows(references: readonly string[]): string {
  const rows = references.map((customerReference) => ({ ...Object(ownBooking()), customerReference }))
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("")
}

/** Standard output whose reader goes away after some writes, or whose disk is full. */
function brokenAfter(writes: number, error: Error) {
  let left = writes
  const text: string[] = []
  const write = async (chunk: string | Uint8Array) => {
    if (left-- <= 0) throw error
    text.push(String(chunk))
  }
  return { text, stream: { isTTY: false, colour: false, columns: 80, write } }
}

/** A terminal of which one stream or both are broken. */
function terminalWith(streams: Partial<Host["terminal"]>, err: string[] = []): Host["terminal"] {
  return {
    stdin: { isTTY: false, readAll: async () => new Uint8Array(), async *chunks() {} },
    stdout: { isTTY: false, colour: false, columns: 80, write: async () => {} },
    stderr: {
      isTTY: false,
      colour: false,
      columns: 80,
      write: async (chunk) => void err.push(String(chunk)),
    },
    unicode: true,
    ...streams,
  }
}

describe("a reader that goes away", () => {
  it("does not stop a batch, which writes its results and ends with what happened", async () => {
    const own = await ownSandbox()
    const { folder, freight } = await desk(own)
    const references = Array.from({ length: 6 }, (_, at) => `GONE-${at}`)
    await writeFile(path.join(folder, "orders.ndjson"), toRows(references))
    await own.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    const err: string[] = []
    const { stream, text } = brokenAfter(1, new ClosedPipe())
    const { code } = await freight(["batch", "book", "orders.ndjson", "--format", "ndjson", "--again"], {
      host: { terminal: terminalWith({ stdout: stream }, err) },
    })
    expect([code, text.length, err.join("")]).toEqual([7, 1, expect.stringContaining("unknown")])
    const results = (await readFile(path.join(folder, "orders.results.ndjson"), "utf8")).trim().split("\n")
    expect(results.map((line) => JSON.parse(line).state).sort()).toEqual([
      ...Array(5).fill("booked"),
      "unknown",
    ])
  })

  it("of notes and results does not change what book ends with", async () => {
    const { folder, freight } = await desk(await ownSandbox())
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const broken = () => brokenAfter(0, new ClosedPipe()).stream
    const { code } = await freight(["book", "--file", "booking.json", "--label", "label.pdf", "--wait"], {
      host: { terminal: terminalWith({ stdout: broken(), stderr: broken() }) },
    })
    expect(code).toBe(0)
    expect((await readFile(path.join(folder, "label.pdf"))).subarray(0, 4).toString()).toBe("%PDF")
  })

  it.each([
    "shipments list --all",
    "history --format csv",
  ])("ends quietly what only reads: %s", async (line) => {
    const { freight } = await desk(await ownSandbox())
    const err: string[] = []
    const { stream } = brokenAfter(0, new ClosedPipe())
    const host = { terminal: terminalWith({ stdout: stream }, err) }
    expect((await freight(line.split(" "), { host })).code).toBe(0)
    expect(err).toEqual([])
  })
})

describe("standard output that cannot be written", () => {
  it("does not stop a batch, whose end tells of it", async () => {
    const { folder, freight } = await desk(await ownSandbox())
    await writeFile(path.join(folder, "orders.ndjson"), toRows(["FULL-1", "FULL-2", "FULL-3"]))
    const full = new FreightError("input", "cannot write the output: the disk is full")
    const err: string[] = []
    const { code } = await freight(["batch", "book", "orders.ndjson", "--format", "ndjson", "--again"], {
      host: { terminal: terminalWith({ stdout: brokenAfter(1, full).stream }, err) },
    })
    expect([code, err.join("")]).toEqual([8, expect.stringContaining("the disk is full")])
    const results = (await readFile(path.join(folder, "orders.results.ndjson"), "utf8")).trim().split("\n")
    expect(results.map((line) => JSON.parse(line).state)).toEqual(["booked", "booked", "booked"])
  })
})

describe.skipIf(!IS_POSIX)("an input that has no name of its own", () => {
  it("has no file beside it: neither results nor a plan", async () => {
    const { folder, freight } = await desk(await ownSandbox())
    const file = path.join(folder, "rows.ndjson")
    await writeFile(file, toRows(["FD-1"]))
    const open = async <T>(use: (name: string) => Promise<T>): Promise<T> => {
      const handle = await openFile(file)
      return use(`/dev/fd/${handle.fd}`).finally(() => handle.close())
    }
    const plan = await open((name) => freight(["batch", "plan", name]))
    expect([plan.code, plan.stderr]).toEqual([2, expect.stringContaining("say where to write the plan")])
    const { code, stderr, json } = await open((name) => freight(["batch", "book", name, "--json"]))
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(json<{ resultsFile: unknown }>().resultsFile).toBeNull()
  })
})

describe("a variable that is nearly one of freight's own", () => {
  it("stops what spends before anything is sent, and nothing that reads", async () => {
    const own = await ownSandbox()
    const { folder, freight } = await desk(own)
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    await writeFile(path.join(folder, "orders.ndjson"), toRows(["VAR-1"]))
    const env = { FREIGHT_SANDBX: "1" }
    for (const line of [
      ["book", "--file", "booking.json"],
      ["batch", "book", "orders.ndjson"],
      ["pickup", "book", "demo-shipment"],
      ["print", "label", "demo-shipment", "--device", "front"],
    ]) {
      const { code, stderr } = await freight(line, { env })
      expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining("is FREIGHT_SANDBOX meant?")])
    }
    const { code, json } = await freight(["shipments", "list", "--json"], { env })
    expect([code, json<{ items: unknown[] }>().items.length]).toEqual([0, 1])
    expect((await freight(["book", "--file", "booking.json", "--sandbox"], { env })).code).toBe(0)
  })
})

describe.skipIf(SERVER === undefined)("a ledger in PostgreSQL that is read-only", () => {
  it("is reported as what it is, and not as a list of shipments that cannot be read", async () => {
    const { folder, freight } = await desk(await ownSandbox())
    const env = { FREIGHT_LEDGER: await newDatabase() }
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    const book = () => freight(["book", "--file", "booking.json", "--key", "PO-1"], { env })
    expect((await freight(["ledger", "status"], { env })).code).toBe(0)
    const client = new pg.Client({ connectionString: env.FREIGHT_LEDGER })
    await client.connect()
    await client.query(
      `alter database ${new URL(env.FREIGHT_LEDGER).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    await client.end()
    const { code, stderr } = await book()
    expect([code, stderr]).toEqual([6, expect.stringContaining("cannot be used: the database is read-only")])
    expect(stderr).not.toContain("shipments cannot be read")
  })
})
