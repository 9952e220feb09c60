/** `freight mcp`: what an assistant can do, what it cannot, and what it never gets to see. */
import { once } from "node:events"
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { fullInvoice, minimalInvoice, textOf } from "../invoice/samples.ts"
import { draw } from "../drawn.ts"
import { altered } from "./altered.ts"
import { assistant, serveHere, startedAssistant } from "./assistants.ts"
import { fresh } from "./batches.ts"
import { csvBill } from "./bills.ts"
import { desk } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { login, printLogin } from "./logins.ts"
import { nestedOrder, order, PACKAGES } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

const HOUR = 3_600_000
const LANE = { from: "Alexandria NSW 2015", to: "Fremantle WA 6160" }

/** A booking as an assistant writes it: an order, with its parties as objects. */
function booking(reference: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { connector: _, ...flat } = order(reference, { service: "cheapest" })
  return { ...nestedOrder(flat), ...changes }
}

/** A reply without what marks the words of carriers. */
const withoutMarks = (data: unknown) =>
  JSON.parse(JSON.stringify(data), (name, value) => (name === "writtenByCarrier" ? undefined : value))

/** How often each was booked. */
async function timesBooked(...references: string[]) {
  const books = bookedBy(await sandbox.control("books"))
  return references.map((reference) => books.get(reference)?.length ?? 0)
}

describe("the tools", () => {
  it("say what they do, and which of them only read", async () => {
    const { client } = await assistant(await desk(sandbox))
    const { tools } = await client.listTools()
    const hints = tools.map(({ name, annotations = {} }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
      return [name, readOnlyHint, destructiveHint, idempotentHint, openWorldHint]
    })
    const asking = "list_connectors shop_rates track_consignments list_shipments show_shipment today"
    expect(hints).toEqual([
      ...asking.split(" ").map((name) => [name, true, undefined, undefined, true]),
      ["history", true, undefined, undefined, false],
      ["audit_bills", true, undefined, undefined, true],
      ["bills_to_pay", true, undefined, undefined, false],
      ["validate_invoices", true, undefined, undefined, false],
      ["correct_invoice", true, undefined, undefined, false],
      ["plan_booking", true, undefined, undefined, true],
      ["book_plan", false, true, true, true],
    ])
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/)
      expect(inputSchema.type).toBe("object")
    }
    // Units stand where the numbers are.
    const measures = JSON.stringify(tools).match(/"\w+(Cm|Kg)":\{[^}]*\}/g) ?? []
    expect(measures.length).toBeGreaterThan(7)
    for (const measure of measures) expect(measure).toMatch(/in (cm|kg)[.,]/)
    expect(client.getInstructions()).toContain("A booking cannot be cancelled")
  })

  it("are described for an assistant, who has no command line, no terminal and no exit codes", async () => {
    const { client } = await assistant(await desk(sandbox))
    const { tools } = await client.listTools()
    const list = (node: unknown, at: string): [string, string][] =>
      Object.entries(Object(node) as Record<string, unknown>).flatMap(([key, value]) =>
        (key === "description" || key === "title") && typeof value === "string"
          ? [[at, value] as [string, string]]
          : typeof value === "object"
            ? list(value, `${at}.${key}`)
            : [],
      )
    const texts = tools.flatMap((each) => list(each, each.name))
    expect(texts.length).toBeGreaterThan(80)
    const ofCommandLine =
      /terminal|exit code|standard (in|out)put|repeatable|(?:^|[\s(])-{1,2}[a-z]|Ctrl-|desk\b/i
    expect(texts.filter(([, text]) => ofCommandLine.test(text))).toEqual([])
  })

  it("leave out the one that books with --read-only", async () => {
    const { client, call } = await assistant(await desk(sandbox), ["--read-only"])
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain("plan_booking")
    expect(names).not.toContain("book_plan")
    await expect(call("book_plan", { planHash: "x", idempotencyKey: "k" })).rejects.toThrow(/book_plan/)
    expect(client.getInstructions()).toContain("Nothing can be booked here")
  })

  it("are served in the coming revision of the protocol as well", async () => {
    const { call } = await assistant(await desk(sandbox), [], { revision: "2026-07-28" })
    expect((await call("list_connectors")).text).toContain("connector-a")
  })

  it("work in the sandbox, without any key, and say that it is one", async () => {
    const { call, client } = await assistant(await desk(), ["--sandbox"])
    expect(client.getInstructions()).toContain("This is the sandbox")
    const { data } = await call("show_shipment", { shipment: "demo-shipment" })
    expect(data.shipment).toMatchObject({ shipmentId: "demo-shipment" })
  })
})

describe("a tool that reads", () => {
  it("takes a flag by its earlier name, which it does not show, but not by both", async () => {
    const { call, client } = await assistant(await desk(sandbox))
    const found = (await client.listTools()).tools.find(({ name }) => name === "today")
    expect(Object.keys(Object(found?.inputSchema.properties))).toEqual(["since", "hours", "leaveOut"])
    const everything = ["no-pickup", "late"]
    const kinds = async (given: Record<string, unknown>) =>
      ((await call("today", given)).data as { items: { need: string }[] }).items.map(({ need }) => need)
    expect(await kinds({ skip: everything })).toEqual(await kinds({ leaveOut: everything }))
    const both = await call("today", { skip: everything, leaveOut: ["late"] })
    expect(both).toMatchObject({ isError: true, text: expect.stringContaining("skip") })
  })

  it.each([
    ["list_connectors", {}, ["connectors"]],
    ["list_shipments", { limit: 3, offset: 1 }, ["shipments", "list", "--limit", "3", "--offset", "1"]],
    ["show_shipment", { shipment: "demo-shipment" }, ["shipments", "show", "demo-shipment"]],
    ["track_consignments", { consignments: ["DEMO-A-DELIVERED"] }, ["track", "DEMO-A-DELIVERED"]],
  ])("%s gives what the command prints", async (name, args, words) => {
    const made = await desk(sandbox)
    const { call } = await assistant(made)
    const { isError, text: said, data } = await call(name, args)
    const ran = await made.freight([...words, "--json"])
    expect(ran.code).toBe(0)
    expect([isError, withoutMarks(data), JSON.parse(said)]).toEqual([false, ran.json(), data])
  })

  it("marks what a carrier wrote where it stands", async () => {
    const { call } = await assistant(await desk(sandbox))
    const { data } = await call("track_consignments", { consignments: ["DEMO-A-DELIVERED"] })
    const text = JSON.stringify(data)
    expect(text).toContain('"writtenByCarrier":["currentStatus"],"currentStatus":')
    expect(text).toMatch(/"writtenByCarrier":\["status"(?:,"location")?(?:,"description")?\],"timestamp":/)
  })

  it("gives what could be found beside what could not", async () => {
    const { call } = await assistant(await desk(sandbox))
    const consignments = ["DEMO-A-DELIVERED", "NOBODYS-1"]
    const message = "1 of 2 consignments failed"
    expect(await call("track_consignments", { consignments })).toMatchObject({
      ...{ isError: true, text: expect.stringContaining(`error: ${message}`) },
      data: { items: [{ consignmentNumber: "DEMO-A-DELIVERED" }], error: { message } },
    })
  })

  it("tracks what is open, and leaves it news to freight track --new", async () => {
    const made = await desk(sandbox)
    const { call } = await assistant(made)
    const { planHash } = (
      await call("plan_booking", { bookings: [booking(fresh(), { connector: "connector-a" })] })
    ).data
    await call("book_plan", { planHash, idempotencyKey: "k" })
    const { data } = await call("track_consignments", { open: true })
    expect(data.items).toEqual([
      expect.objectContaining({ consignmentNumber: expect.stringMatching(/^SBA/) }),
    ])
    await call("track_consignments", { consignments: ["DEMO-A-DELIVERED"] })
    for (const words of [["--open"], ["DEMO-A-DELIVERED"]]) {
      const { stdout } = await made.freight(["track", ...words, "--new", "--format", "csv"])
      expect(stdout.trim().split("\n").length, words.join()).toBeGreaterThan(1)
    }
    expect((await call("track_consignments", {})).text).toMatch(/^error: freight track needs CONSIGNMENT/)
    expect(
      (await call("track_consignments", { open: true, consignments: ["DEMO-A-DELIVERED"] })).isError,
    ).toBe(true)
  })

  it("takes no input that its schema does not know, and says which", async () => {
    const { call } = await assistant(await desk(sandbox))
    const packages = [{ ...PACKAGES[0], weightKg: -1 }]
    const { isError, text: said } = await call("shop_rates", { ...LANE, packages, servce: "cheapest" })
    expect(isError).toBe(true)
    expect(said).toMatch(/packages\.0\.weightKg: .*servce/)
    expect(said).not.toMatch(/\n +at /)
  })

  it("reads a list that an assistant sends as JSON text, wherever the schema wants a list", async () => {
    const { call, client } = await assistant(await desk(sandbox))
    const packages = [{ ...PACKAGES[0], count: 2 }]
    const asText = JSON.stringify
    const rates = await call("shop_rates", { ...LANE, packages: asText(packages), avoid: asText(["A"]) })
    expect(rates).toMatchObject({ isError: false, data: { items: expect.any(Array) } })
    const consignments = asText(["DEMO-A-DELIVERED"])
    expect((await call("track_consignments", { consignments })).isError).toBe(false)
    const [one, two] = [booking(fresh()), booking(fresh(), { packages: asText(packages) })]
    const planned = await call("plan_booking", { bookings: asText([one, two]), include: asText(["x"]) })
    expect(planned).toMatchObject({
      isError: false,
      data: { items: [{ state: "planned" }, { state: "planned" }] },
    })
    for (const text of ["DEMO-A-DELIVERED", '{"a":1}', "[1"])
      expect((await call("track_consignments", { consignments: text })).text).toContain(
        "consignments: Invalid input: expected array, received string",
      )
    // The schema that clients get is unchanged.
    const { tools } = await client.listTools()
    const { properties } = tools.find(({ name }) => name === "plan_booking")?.inputSchema ?? {}
    expect(properties?.bookings).toMatchObject({ type: "array", minItems: 1, maxItems: 100 })
  })

  it("reads numbers that an assistant sends as text, and says what a package needs", async () => {
    const { call, client } = await assistant(await desk(sandbox))
    const { weightKg, ...size } = PACKAGES[0] as (typeof PACKAGES)[number]
    const packages = [{ ...size, count: "2", lengthCm: String(size.lengthCm), weightKg: String(weightKg) }]
    const asNumbers = [{ ...size, count: 2, weightKg }]
    const prices = async (some: unknown) => {
      const { data } = await call("shop_rates", { ...LANE, packages: some })
      return JSON.stringify(data).match(/"price":[^,]*/g)
    }
    expect(await prices(packages)).toEqual(await prices(asNumbers))
    const wrong: object[] = [{ weightKg: "5 kg" }, { weightKg: "-5" }, { weightKg: "" }, { count: "1.5" }]
    for (const each of wrong) {
      const refused = await call("shop_rates", { ...LANE, packages: [{ ...size, weightKg, ...each }] })
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining(
          "packages.0: send count, lengthCm, widthCm, heightCm and weightKg as numbers",
        ),
      })
    }
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools)).toContain(
      '"weightKg":{"description":"Weight of each in kg, not of all together.","type":"number"',
    )
  })

  it("never takes a text for a flag", async () => {
    const made = await desk(sandbox)
    const { client, call } = await assistant(made, ["--sandbox"])
    const before = await readdir(made.folder)
    const texts = "--help|--version|--exec=touch pwned|-o pwned|--profile=other|-|--|@x".split("|")
    type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; required?: string[] }
    const fill = (schema: Schema, evil: string): unknown => {
      if (schema.type === "object")
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fill(each, evil)]),
        )
      if (schema.type === "array") return [fill(schema.items ?? {}, evil)]
      if (schema.type === "integer" || schema.type === "number") return 1
      return schema.type === "boolean" ? false : evil
    }
    const calls = (await client.listTools()).tools.flatMap(({ name, inputSchema }) => {
      const { properties = {}, required = [] } = inputSchema as Schema
      const all = Object.entries(properties)
      // One at a time, beside what is required.
      return all.flatMap(([field, schema]) =>
        texts.map((evil) => {
          const given = all
            .filter(([each]) => each === field || required.includes(each))
            .map(([each, own]) => [each, fill(each === field ? schema : own, evil)] as const)
          return [name, Object.fromEntries(given)] as const
        }),
      )
    })
    for (const [name, args] of draw(calls)) {
      const { text: said, data } = await call(name, args)
      expect(said, JSON.stringify({ name, args })).not.toMatch(
        /unknown option|has no flag|fault in freight|Usage:/,
      )
      expect(data.error ?? {}, JSON.stringify({ name, args })).not.toMatchObject({ kind: "bug" })
    }
    expect(await readdir(made.folder)).toEqual(expect.arrayContaining(before))
    expect(await readdir(made.folder)).not.toContain("pwned")
  })

  it("refuses an answer that nobody could read, and says how to ask for less", async () => {
    const { call } = await assistant(await desk(sandbox))
    const many = JSON.stringify(Array.from({ length: 500 }, () => ({})))
    const { isError, text: said } = await call("validate_invoices", { text: many })
    expect(isError).toBe(true)
    expect(said).toMatch(/^error: the answer has more than 200,000 characters\nAsk for less.{0,900}$/s)
  })
})

describe("files", () => {
  async function fileDesk() {
    const made = await desk(sandbox)
    const folder = path.join(made.folder, "work")
    await mkdir(path.join(folder, "in"), { recursive: true })
    await writeFile(path.join(folder, "in", "good.json"), textOf(fullInvoice()))
    await writeFile(path.join(folder, "in", "draft.json"), textOf({ ...minimalInvoice(), data: {} }))
    await writeFile(path.join(folder, "bill.csv"), csvBill([{ consignment: "DEMO-A-BILLED", cents: 5000 }]))
    await writeFile(path.join(made.folder, "secret.json"), textOf(fullInvoice()))
    await symlink(path.join(made.folder, "secret.json"), path.join(folder, "link.json"))
    await mkdir(path.join(made.folder, "elsewhere"))
    await writeFile(path.join(made.folder, "elsewhere", "secret.json"), textOf(fullInvoice()))
    await symlink(path.join(made.folder, "elsewhere"), path.join(folder, "out"))
    return { ...made, ...(await assistant(made, ["--folder", folder])) }
  }

  it("of the folder are checked and audited: files, folders and patterns", async () => {
    const { call } = await fileDesk()
    const checked = await call("validate_invoices", { files: ["in"] })
    expect(checked).toMatchObject({ isError: false, data: { total: 2, valid: 1, invalid: 1 } })
    expect((await call("validate_invoices", { files: ["in/g*.json"] })).data).toMatchObject({ valid: 1 })
    const audited = await call("audit_bills", { files: ["bill.csv"] })
    expect(audited).toMatchObject({ isError: false, data: { totals: { toDispute: 1 } } })
    // A second look is the first again: nothing was remembered.
    expect((await call("audit_bills", { files: ["bill.csv"] })).data.totals).toEqual(audited.data.totals)
  })

  it("that are to be paid are listed, and no payment is recorded", async () => {
    const { call, freight, folder } = await fileDesk()
    const file = path.join(folder, "work", "bill.csv")
    expect((await freight(["audit", file, "--offline"])).code).toBe(0)
    expect(await call("bills_to_pay", { dueBy: "in 7 days" })).toMatchObject({
      isError: false,
      data: { items: [], toPay: 0, mayNotBePaid: [] },
    })
    const { data } = await call("bills_to_pay")
    expect(data).toMatchObject({ mayNotBePaid: [{ reasons: [{ reason: "not-posted" }] }] })
    for (const more of [{ undo: true }, { list: false }, { bill: "B-1" }, { approvedBy: "Ann" }])
      expect(await call("bills_to_pay", more)).toMatchObject({ isError: true })
  })

  it("are given as text, too, and not registered though the profile says so", async () => {
    const { call, freight } = await fileDesk()
    expect((await freight(["config", "set", "register", "yes"])).code).toBe(0)
    for (const _ of [1, 2]) {
      const { data } = await call("validate_invoices", { text: textOf(fullInvoice()), complete: true })
      expect(data).toMatchObject({ valid: 1, items: [{ findings: [] }] })
    }
    for (const args of [{}, { text: "{}", files: ["in"] }])
      expect((await call("validate_invoices", args)).text).toBe("error: give either files or text")
  })

  it("are corrected, and given back: no file is written", async () => {
    const { call } = await fileDesk()
    const { invoiceNumber } = fullInvoice().data
    const cancelled = await call("correct_invoice", { text: textOf(fullInvoice()), cancel: true })
    expect(cancelled).toMatchObject({
      isError: false,
      data: { kind: "cancellation", corrects: invoiceNumber, file: null, dueAmount: { after: 0 } },
    })
    const lines = { creditLine: ["1"], number: "CM-1" }
    const credited = await call("correct_invoice", { text: textOf(fullInvoice()), ...lines })
    expect(credited.data).toMatchObject({ kind: "credit", document: { data: { invoiceNumber: "CM-1" } } })
    expect((await call("correct_invoice", { file: "../secret.json", cancel: true })).isError).toBe(true)
  })

  it.each(
    "../secret.json in/../../secret.json /etc/passwd link.json . ../*.json .. /dev/stdin /proc/self/environ".split(
      " ",
    ),
  )("elsewhere are not read: %s", async (name) => {
    const { call } = await fileDesk()
    const refused = expect.stringContaining("is not in the folder whose files may be read")
    for (const tool of ["validate_invoices", "audit_bills"])
      expect(await call(tool, { files: [name] })).toMatchObject({ isError: true, text: refused })
  })

  it.each([
    "/**",
    "../**",
    "../*/**",
    "out/**",
    "out",
    "out/secret.json",
    "out/none.json",
    "../none.json",
    "/etc/p*",
  ])("elsewhere are neither looked for nor named: %s", async (name) => {
    const { call } = await fileDesk()
    for (const tool of ["validate_invoices", "audit_bills"]) {
      const { isError, text: said } = await call(tool, { files: [name] })
      expect([isError, said.split("\n")[0]]).toEqual([
        true,
        `error: ${name} is not in the folder whose files may be read`,
      ])
    }
  })

  it("elsewhere are not found by a pattern that a link in the folder matches", async () => {
    const { call } = await fileDesk()
    for (const pattern of ["*/secret.json", "**/s*.json", "o?t/**", "{in,out}/s*.json"])
      expect((await call("validate_invoices", { files: [pattern] })).text).toMatch(
        /no file matches this pattern/,
      )
  })

  it("that do not exist are named in the answer", async () => {
    const { call } = await fileDesk()
    expect((await call("validate_invoices", { files: ["in/none.json"] })).text).toMatch(/none\.json/)
    for (const pattern of ["x*.json", "{in,..}/s*.json"])
      expect((await call("validate_invoices", { files: [pattern] })).text).toMatch(
        /no file matches this pattern/,
      )
  })

  it("cannot be served from a folder that is not there: the server does not start", async () => {
    const { freight } = await desk(sandbox)
    const { code, stdout, stderr } = await freight(["mcp", "--folder", "nowhere"])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("--folder nowhere: there is no such folder")
  })
})

describe("booking", () => {
  interface Planned {
    planHash: string
    complete: boolean
    items: { state: string; price: number; serviceCode: string; request: object }[]
  }

  it("plans for a person to read, and sends nothing", async () => {
    const reference = fresh()
    const { call } = await assistant(await desk(sandbox))
    const { isError, text: said, data } = await call("plan_booking", { bookings: [booking(reference)] })
    expect([isError, data]).toEqual([
      false,
      expect.objectContaining({ complete: true, totals: [{ currency: "AUD", amount: 62.52 }] }),
    ])
    expect(said).toContain(`Plan hash: ${data.planHash}`)
    expect(said).toMatch(
      new RegExp(
        String.raw`1\. ${reference}: CARRIER_C_AU STD \(connector-c\), AUD 62\.52 \(GST: not stated\), arrives: 5 days; C/STD at 62\.52 to 68\.77 with GST; .*
  From: Harbour Lighting Pty Ltd, 14 Bourke Road, Alexandria NSW 2015; ready .*
  To: Receiver of ${reference}, 8 Market Street, Fremantle WA 6160
  Goods: 2 packages, 11 kg, at most 40 × 30 × 20 cm
Total: AUD 62\.52, GST not stated\.
The rates hold until .*
Nothing has been sent\.`,
      ),
    )
    expect(await timesBooked(reference)).toEqual([0])
  })

  it("takes packages in the short form of the command line", async () => {
    const { call } = await assistant(await desk(sandbox))
    const packages = ["2x40x30x20@5.5"]
    const { data } = await call("plan_booking", { bookings: [{ ...booking(fresh()), packages }] })
    expect((data as unknown as Planned).items).toMatchObject([{ request: { packages: PACKAGES } }])
    const { isError, data: rates } = await call("shop_rates", { ...LANE, packages })
    expect([isError, rates.items]).toEqual([false, expect.anything()])
    const wrong = await call("shop_rates", { ...LANE, packages: ["40x30"] })
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining("40x30")])
  })

  it("books exactly the plan, once, whatever the key and however often", async () => {
    const [one, two] = [fresh(), fresh()]
    const { call } = await assistant(await desk(sandbox))
    const bookings = [booking(one), booking(two, { service: "GEN", connector: "connector-b" })]
    const plan = (await call("plan_booking", { bookings })).data as unknown as Planned
    const first = await call("book_plan", { planHash: plan.planHash, idempotencyKey: "monday" })
    expect(first).toMatchObject({
      isError: false,
      data: { items: [{ state: "booked" }, { state: "booked" }] },
    })
    expect(first.text).toMatch(new RegExp(`^${one}: booked, shipment \\S+, .*price 62.52\n${two}: booked`))
    const shipments = (reply: typeof first) =>
      (reply.data.items as { shipmentId: string }[]).map((row) => row.shipmentId)
    for (const idempotencyKey of ["monday", "tuesday"]) {
      const again = await call("book_plan", { planHash: plan.planHash, idempotencyKey })
      expect([again.isError, shipments(again)]).toEqual([false, shipments(first)])
    }
    const { shipments: made } = (await sandbox.control("books")) as {
      shipments: { request: Record<string, unknown> }[]
    }
    expect(made.find(({ request }) => request.customerReference === one)?.request).toEqual(
      plan.items[0]?.request,
    )
    // A plan of what is booked says so, and books nothing either.
    const later = (await call("plan_booking", { bookings })).data as unknown as Planned
    expect(later.items.map(({ state }) => state)).toEqual(["booked", "booked"])
    const repeated = await call("book_plan", { planHash: later.planHash, idempotencyKey: "monday" })
    expect([repeated.isError, shipments(repeated)]).toEqual([false, shipments(first)])
    expect(await timesBooked(one, two)).toEqual([1, 1])
  })

  it("tells an order that has changed, books the others, and a second consignment only where it is asked for", async () => {
    const [same, moved] = [fresh(), fresh()]
    const { call } = await assistant(await desk(sandbox))
    const book = async (bookings: object[], more: object = {}) => {
      const plan = await call("plan_booking", { bookings, ...more })
      const { planHash } = plan.data as unknown as Planned
      return { plan, booked: await call("book_plan", { planHash, idempotencyKey: planHash }) }
    }
    const first = await book([booking(same), booking(moved)])
    const next = [
      booking(same, { collectionCloseTime: "1600" }),
      booking(moved, { packages: [{ ...PACKAGES[0], weightKg: 6 }] }),
    ]
    const second = await book(next)
    expect(second.plan.text).toMatch(
      /changed: was booked on .*weight \(booked as 5.5 kg, read today as 6 kg\)/,
    )
    expect(second.plan.text).not.toContain("It cannot be booked as it is")
    expect(second.booked.data.items).toMatchObject([
      { state: "booked", ignored: [{ field: "collectionCloseTime" }] },
      { state: "changed", shipmentId: (first.booked.data.items as { shipmentId: string }[])[1]?.shipmentId },
    ])
    for (let n = 0; n < 2; n++)
      expect((await book(next, { againFor: [moved] })).booked.data.items).toMatchObject([
        { state: "booked" },
        { state: "booked" },
      ])
    expect(await timesBooked(same, moved)).toEqual([1, 2])
  })

  it("books once though it is called twice at a time, also beside another server", async () => {
    const reference = fresh()
    const made = await desk(sandbox)
    const [one, other] = [await assistant(made), await assistant(made)]
    const calls: (() => ReturnType<typeof one.call>)[] = []
    for (const { call } of [one, other]) {
      const { planHash } = (await call("plan_booking", { bookings: [booking(reference)] })).data
      for (const idempotencyKey of ["a", "b"])
        calls.push(() => call("book_plan", { planHash, idempotencyKey }))
    }
    const replies = await Promise.all(calls.map((each) => each()))
    expect(replies.map(({ isError }) => isError)).toEqual([false, false, false, false])
    expect(
      new Set(replies.map(({ data }) => (data.items as { shipmentId: string }[])[0]?.shipmentId)).size,
    ).toBe(1)
    expect(await timesBooked(reference)).toEqual([1])
  })

  it("books nothing without a plan that was shown by this very server", async () => {
    const reference = fresh()
    const made = await desk(sandbox)
    const other = await assistant(made)
    const { planHash } = (await other.call("plan_booking", { bookings: [booking(reference)] })).data
    const { call } = await assistant(made)
    const refused = (words: string) => ({ isError: true, text: expect.stringContaining(words) })
    for (const hash of [planHash, "", "0".repeat(64)])
      expect(await call("book_plan", { planHash: hash, idempotencyKey: "k" })).toMatchObject(
        refused("this server has shown no plan with that hash; nothing was sent"),
      )
    expect(await call("book_plan", { planHash })).toMatchObject(refused("idempotencyKey"))
    expect(await timesBooked(reference)).toEqual([0])
  })

  it("refuses a key that belongs to other bookings", async () => {
    const [one, two] = [fresh(), fresh()]
    const { call } = await assistant(await desk(sandbox))
    const plan = async (reference: string) =>
      (await call("plan_booking", { bookings: [booking(reference)] })).data.planHash
    await call("book_plan", { planHash: await plan(one), idempotencyKey: "k" })
    expect(await call("book_plan", { planHash: await plan(two), idempotencyKey: "k" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("this idempotencyKey belongs to other bookings; nothing was sent"),
    })
    expect(await timesBooked(one, two)).toEqual([1, 0])
  })

  it("refuses a plan whose prices have changed since", async () => {
    const reference = fresh()
    let share = 1
    const reach = await altered(sandbox, (reply) => {
      if (reply.path.endsWith("/rates"))
        reply.body = Buffer.from(
          reply.body
            .toString()
            .replace(/"price":([\d.]+)/g, (_, price) => `"price":${(price * share).toFixed(2)}`),
        )
    })
    const clock = { now: Date.now() }
    const { call } = await assistant(await desk(reach), [], { clock })
    const { planHash } = (await call("plan_booking", { bookings: [booking(reference)] })).data
    share = 1.1
    clock.now += 49 * HOUR
    const { isError, text: said, data } = await call("book_plan", { planHash, idempotencyKey: "k" })
    expect([isError, data.error]).toEqual([true, expect.objectContaining({ kind: "refused" })])
    expect(said).toMatch(
      /1 row has changed since it was made; nothing was sent\n.*C\/STD was 62\.52 and is 68\.77/,
    )
    expect(await timesBooked(reference)).toEqual([0])
  })

  it("refuses a plan in which a booking has no service, and one over its limit", async () => {
    const [one, two] = [fresh(), fresh()]
    const { call } = await assistant(await desk(sandbox))
    const bookings = [booking(one), booking(two, { maxPrice: 1 })]
    const plan = await call("plan_booking", { bookings })
    expect([plan.isError, plan.data.complete]).toEqual([false, false])
    expect(plan.text).toMatch(/2\. T\d+: failed: no rate meets your wishes/)
    const refused = await call("book_plan", { planHash: plan.data.planHash, idempotencyKey: "k" })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("nothing was sent")])
    const over = await call("plan_booking", { bookings: [booking(one)], maxTotal: 10 })
    expect(over).toMatchObject({ isError: true, data: { error: { kind: "input" } } })
    expect(await timesBooked(one, two)).toEqual([0, 0])
  })

  it("plans as many bookings as it takes, and books them", async () => {
    const { call } = await assistant(await desk(sandbox))
    const references = Array.from({ length: 100 }, fresh)
    const {
      isError,
      data,
      text: said,
    } = await call("plan_booking", { bookings: references.map((each) => booking(each)) })
    expect([isError, data.complete, said.match(/^ {2}To: /gm)?.length]).toEqual([false, true, 100])
    const booked = await call("book_plan", { planHash: data.planHash, idempotencyKey: "all" })
    expect((booked.data.items as { reference: string }[]).map(({ reference }) => reference)).toEqual(
      references,
    )
    expect(await timesBooked(...references)).toEqual(references.map(() => 1))
    const more = [...references, "one-more"].map((each) => booking(each))
    expect((await call("plan_booking", { bookings: more })).isError).toBe(true)
  })

  it("tells every mistake of a booking, with its place", async () => {
    const { call } = await assistant(await desk(sandbox))
    const receiver = { companyName: "R", suburb: "Fremantle", state: "WA", postcode: "61" }
    const wrong = booking(fresh(), { receiver, colour: "red" })
    const { isError, text: said } = await call("plan_booking", { bookings: [wrong] })
    expect(isError).toBe(true)
    expect(said).toMatch(
      /row 1, receiver\.postcode: "61" is not a postcode.*\n.*receiver\.address1.*\n(.*\n)*.*"colour"/,
    )
  })

  it("takes a saved address by its name, and no file", async () => {
    const made = await desk(sandbox)
    await writeFile(path.join(made.folder, "party.json"), JSON.stringify(booking("x").receiver))
    const added = ["address", "add", "harbour", "--file", "party.json"]
    expect((await made.freight(added)).code).toBe(0)
    const { call } = await assistant(made)
    const saved = await call("plan_booking", { bookings: [booking(fresh(), { receiver: "harbour" })] })
    expect([saved.isError, saved.text]).toEqual([false, expect.stringContaining("To: Receiver of x, ")])
    const file = await call("plan_booking", {
      bookings: [booking(fresh(), { receiver: path.join(made.folder, "party.json") })],
    })
    expect([file.isError, file.text]).toEqual([true, expect.stringMatching(/no saved address|party\.json/)])
  })

  it("books once though the answer was lost, and though the client gave up", async () => {
    const reference = fresh()
    let loses = true
    const giveUp = new AbortController()
    const reach = await altered(sandbox, (reply) => {
      if (reply.method !== "POST" || !reply.path.endsWith("/shipments") || !loses) return
      loses = false
      reply.status = 503
      giveUp.abort()
    })
    const { call } = await assistant(await desk(reach))
    const { planHash } = (await call("plan_booking", { bookings: [booking(reference)] })).data
    const args = { planHash, idempotencyKey: "k" }
    await expect(call("book_plan", args, giveUp.signal)).rejects.toThrow()
    expect((await call("book_plan", args)).data).toMatchObject({ items: [{ state: "booked" }] })
    expect(await timesBooked(reference)).toEqual([1])
  })

  it("says that an outcome is unknown, and what to do", async () => {
    const reference = fresh()
    let isSent = false
    const reach = await altered(sandbox, (reply) => {
      isSent ||= reply.method === "POST" && reply.path.endsWith("/shipments")
      if (isSent && reply.path.includes("/shipments")) reply.status = 503
    })
    const { call } = await assistant(await desk(reach))
    const { planHash } = (await call("plan_booking", { bookings: [booking(reference)] })).data
    expect(await call("book_plan", { planHash, idempotencyKey: "k" })).toMatchObject({
      ...{ isError: true, text: expect.stringContaining("are not sent again") },
      data: {
        items: [{ reference, state: "unknown" }],
        error: { kind: "outcomeUnknown", retry: "never", next: "freight reconcile" },
      },
    })
    expect(await timesBooked(reference)).toEqual([1])
  })
})

describe("keys", () => {
  it("are in no reply and on no stream, wherever they are set and however it fails", async () => {
    const reach = await altered(sandbox, (reply) => {
      if (!reply.path.includes("/connectors")) return
      reply.status = 400
      reply.body = Buffer.from(
        JSON.stringify({ message: `you sent ${reach.freightApiKey} and ${reach.directPrintApiKey}` }),
      )
    })
    const password = "0pen-sesame-0pen-sesame"
    const keys = [sandbox.freightApiKey, sandbox.directPrintApiKey, password]
    const bare = { FREIGHT_API_KEY: "", DIRECT_PRINT_API_KEY: "" }
    const inProfile = await desk(reach)
    await login(sandbox, inProfile, sandbox.freightApiKey)
    await printLogin(sandbox, inProfile, sandbox.directPrintApiKey)
    const byCommand = await desk(reach)
    const printed = path.join(byCommand.folder, "key.txt")
    await writeFile(printed, `${sandbox.freightApiKey}\n`)
    const command = `"${process.execPath}" -p "fs.readFileSync('${printed}','utf8')"`
    const places = [
      { made: await desk(reach), env: {} },
      { made: inProfile, env: bare },
      { made: byCommand, env: { ...bare, FREIGHT_API_KEY_COMMAND: command } },
      { made: await desk(reach), env: { FREIGHT_API_KEY: `${sandbox.freightApiKey} ` } },
      { made: await desk(reach), env: { FREIGHT_API_KEY: sandbox.directPrintApiKey } },
      { made: await desk(reach), env: { FREIGHT_LEDGER: `postgres://freight:${password}@127.0.0.1:1/x` } },
      {
        made: await desk(reach),
        env: { FREIGHT_BASE_URL: `https://user:${sandbox.freightApiKey}@localhost` },
      },
    ]
    for (const { made, env } of places) {
      const { client, call, end, written } = await assistant(made, [], { env })
      const { tools } = await client.listTools()
      expect(tools.length).toBeGreaterThan(0)
      const calls = [
        ["list_connectors", {}],
        ["shop_rates", { ...LANE, packages: PACKAGES }],
        ["show_shipment", { shipment: "none" }],
        ["today", {}],
        ["history", {}],
        ["plan_booking", { bookings: [booking(fresh())] }],
      ] as const
      const said: string[] = []
      for (const [name, args] of calls) said.push((await call(name, args)).text)
      expect(said.some((each) => each.startsWith("error:"))).toBe(true)
      await end()
      const { out, err } = written()
      for (const key of keys) expect(out + err + said.join("\n")).not.toContain(key.slice(-20))
    }
  })
})

describe("the server", () => {
  const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`
  const HELLO = line({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  })
  const CALL = (id: number, name: string, args: object) =>
    line({ id, method: "tools/call", params: { name, arguments: args } })

  async function start(options: Parameters<typeof serveHere>[2] = {}) {
    const served = await serveHere(await desk(sandbox), [], options)
    onTestFinished(async () => {
      served.toServer.end()
      await served.ended
    })
    /** Its output, when its input has ended. */
    const end = async (last = "") => {
      served.toServer.end(last)
      return { code: await served.ended, stdout: served.written().out, stderr: served.written().err }
    }
    return { ...served, end }
  }

  it("answers what was asked before its input ended, then ends with 0; only messages are on standard output", async () => {
    const { end } = await start()
    const { code, stdout, stderr } = await end(
      [
        HELLO,
        "what is this?\n",
        '{"foo":1}\n',
        CALL(2, "list_connectors", {}),
        CALL(3, "history", {}),
        CALL(4, "nothing", {}),
      ].join(""),
    )
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each))
    expect([code, stderr]).toEqual([
      0,
      "warning: a message of the assistant could not be read: it is not JSON\n" +
        "warning: a message of the assistant could not be read: it is not JSON-RPC 2.0\n",
    ])
    expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id]).sort()).toEqual(
      [null, null, 1, 2, 3, 4].map((id) => ["2.0", id]),
    )
    expect(messages.flatMap(({ id, error }) => (id === null ? [error.code] : []))).toEqual([-32700, -32600])
    expect(messages.find(({ id }) => id === 2).result.structuredContent.items).toHaveLength(3)
    expect(messages.find(({ id }) => id === 4).error.message).toContain("nothing")
  })

  it("ends with 0 where nothing is asked, or nobody listens", async () => {
    const silent = await start()
    expect(await silent.end()).toMatchObject({ code: 0, stdout: "" })
    const deaf = await start()
    deaf.toClient.destroy()
    deaf.toServer.write(HELLO)
    expect(await deaf.ended).toBe(0)
  })

  it("answers -32600 to what is JSON and not a message: a batch, a null id; a reply gets no reply", async () => {
    const { end } = await start()
    const wrong = [
      '[{"jsonrpc":"2.0","id":3,"method":"ping"}]',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"1.0","id":4,"method":"ping"}',
      '{"jsonrpc":"2.0","id":5,"method":6}',
      "null",
      "7",
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    ]
    const replies = [
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}',
      '{"id":9,"result":[]}',
    ]
    const { code, stdout } = await end(
      [HELLO.trimEnd(), ...wrong, ...replies, '{"jsonrpc":"2.0","id":8,"method":"ping"}'].join("\n"),
    )
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each))
    expect(code).toBe(0)
    const refused = messages.filter(({ error }) => error)
    expect(refused.map(({ id, error }) => [id, error.code])).toEqual(
      [null, null, 4, 5, null, null, null].map((id) => [id, -32600]),
    )
    expect(messages.filter(({ result }) => result).map(({ id }) => id)).toEqual([1, 8])
  })

  it("refuses a message of more than 10 MB, also one without an end, and keeps the plans that it has shown", async () => {
    const reference = fresh()
    const { toServer, toClient, end } = await start()
    const ask = async (message: string) => {
      toServer.write(message)
      const [reply] = await once(toClient, "data")
      return JSON.parse(String(reply))
    }
    await ask(HELLO)
    const planned = await ask(CALL(2, "plan_booking", { bookings: [booking(reference)] }))
    const long = await ask(CALL(3, "history", { search: "x".repeat(11_000_000) }))
    expect(long).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("10 MB") },
    })
    const { planHash } = planned.result.structuredContent
    const booked = await ask(CALL(4, "book_plan", { planHash, idempotencyKey: "k" }))
    expect(booked).toMatchObject({ id: 4, result: { structuredContent: { items: [{ state: "booked" }] } } })
    const { code, stdout, stderr } = await end(`{"jsonrpc":"2.0","id":5,"method":"${"x".repeat(11_000_000)}`)
    expect(code).toBe(0)
    expect(
      stderr.match(/warning: a message of the assistant could not be read: it has more than 10 MB/g),
    ).toHaveLength(2)
    expect(stdout.match(/10 MB/g)).toHaveLength(2)
    expect(await timesBooked(reference)).toEqual([1])
  })

  it("ends with 130 when it is interrupted", async () => {
    const interrupt = new AbortController()
    const { toServer, toClient, ended, written } = await start({ host: { signal: interrupt.signal } })
    toServer.write(HELLO)
    await once(toClient, "data")
    interrupt.abort(new FreightError("interrupted", "interrupted"))
    expect([await ended, written().err]).toEqual([130, expect.stringContaining("interrupted")])
  })

  it("keeps the outcome of a booking during which a signal ends its process (built program)", async () => {
    const reference = fresh()
    let stop = () => {}
    const reach = await altered(sandbox, (reply) => {
      if (reply.method === "POST" && reply.path.endsWith("/shipments")) stop()
    })
    const made = await desk(reach)
    const { call, transport } = await startedAssistant(made)
    const { planHash } = (await call("plan_booking", { bookings: [booking(reference)] })).data
    stop = () => void process.kill(transport.pid ?? 0, "SIGTERM")
    await expect(call("book_plan", { planHash, idempotencyKey: "k" })).rejects.toThrow()
    expect(await timesBooked(reference)).toEqual([1])
    const history = async () => (await made.freight(["history", "--json"])).items<{ state: string }>()
    await expect.poll(async () => (await history()).map(({ state }) => state)).toEqual(["done"])
  })
})
