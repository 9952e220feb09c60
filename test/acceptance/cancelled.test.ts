/** Bookings that a carrier cancelled by phone are recorded, left out everywhere, and never booked again automatically. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { scripted } from "../orders/wizard/scripted.ts"
import { errorOf } from "./batches.ts"
import { desk, type Ran } from "./freight.ts"
import { nestedOrder, ORDER_DAY, type Order, order, PACKAGES, saveOrders } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"
import { answering } from "./seats.ts"

/** Soon enough for a manifest. */
const NEAR = exampleBooking(Date.now()).collectionDateTime
const A = { connector: "connector-a", service: "76" }

async function openOffice() {
  const sandbox = await ownSandbox()
  const here = await desk(sandbox)
  return {
    ...here,
    sandbox,
    async book(rows: readonly Order[], ...flags: string[]) {
      await saveOrders(here.folder, rows)
      return here.freight(["batch", "book", "orders.csv", "--json", ...flags])
    },
    cancel: (...words: string[]) => here.freight(["cancel", ...words, "--json"]),
    made: () => requestsTo(sandbox, "POST /{connectorId}/shipments"),
    /** Runs the command that a text names, as it is printed. */
    paste: (text: string) => here.freight(readWords(text)),
  }
}

/** The words of a command that is printed. */
function readWords(text: string): string[] {
  return [...text.replace(/^freight /, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  )
}

function stateOf(ran: Ran): Record<string, unknown> {
  return ran.json<Record<string, unknown>>()
}

it.each([
  ["shipments show", ["shipments", "show"]],
  ["shipments list", ["shipments", "list", "--all"]],
  ["manifest", ["manifest", "--date", NEAR.slice(0, 10)]],
])("%s shows what the API has where the ledger cannot be read, and warns that it lacks the rest", async (_, words) => {
  const { book, freight, folder } = await openOffice()
  await book([order("SO-1", { ...A, collectionDateTime: NEAR })])
  const [booked] = (await freight(["history", "--json"])).items<{ shipmentId: string }>()
  const broken = path.join(folder, "broken.db")
  await writeFile(broken, "this is not a ledger")
  const id = words.includes("show") ? [booked?.shipmentId ?? ""] : []
  const shown = await freight([...words, ...id], {
    columns: 120,
    env: { FREIGHT_LEDGER: broken },
  })
  expect([shown.code, shown.stderr]).toEqual([0, expect.stringMatching(/warning: what .*: the ledger /)])
  expect(shown.stdout).toMatch(/SBA\d+/)
})

describe("freight cancel --confirmed", () => {
  it("writes down who has cancelled it, and the row that is still in the file is not booked again", async () => {
    const { book, cancel, freight, made } = await openOffice()
    const rows = [order("SO-1", A), order("SO-2", A)]
    expect((await book(rows)).code).toBe(0)
    const noted = await cancel("SO-1", "--confirmed", "Kim, 13 20 50")
    expect([noted.code, stateOf(noted)]).toEqual([
      0,
      expect.objectContaining({ reference: "SO-1", state: "cancelled", confirmedBy: "Kim, 13 20 50" }),
    ])
    const tonight = await book(rows)
    expect([tonight.code, stateOf(tonight)]).toMatchObject([
      0,
      { booked: 1, recorded: 1, leftOut: 1, failed: 0 },
    ])
    expect(tonight.stderr).toContain("1 order is left out, as the carrier has cancelled it: SO-1.")
    expect(await made()).toBe(2)
    const { items: results } = stateOf(await freight(["batch", "status", "orders.csv", "--json"])) as {
      items: { state: string; error: string | null }[]
    }
    expect(results).toMatchObject([
      {
        state: "left-out",
        error: expect.stringMatching(
          /^was booked on .* \(SBA\d+\) and cancelled on .*, confirmed by Kim, 13 20 50: --again-for SO-1 --replaces books it again$/,
        ),
      },
      { state: "booked" },
    ])
  })

  it("keeps what was written first, and says so", async () => {
    const { book, cancel } = await openOffice()
    await book([order("SO-1", A)])
    await cancel("SO-1", "--confirmed", "Kim")
    const again = await cancel("SO-1", "--confirmed", "Lee")
    expect([again.code, stateOf(again)]).toMatchObject([0, { state: "cancelled", confirmedBy: "Kim" }])
    expect(again.stderr).toMatch(/^Recorded before at test-desk: cancelled on .*, confirmed by Kim\.$/m)
  })

  it("is undone, with who says so and why", async () => {
    const { book, cancel } = await openOffice()
    const rows = [order("SO-1", A)]
    await book(rows)
    await cancel("SO-1", "--confirmed", "Kim")
    const back = await cancel("SO-1", "--undo", "--why", "Kim rang back: it is on the truck")
    expect([back.code, stateOf(back)]).toMatchObject([
      0,
      { state: "booked", confirmedBy: "Kim", why: "Kim rang back: it is on the truck" },
    ])
    expect(stateOf(await book(rows))).toMatchObject({ booked: 1, recorded: 1, leftOut: 0 })
    const twice = await cancel("SO-1", "--undo", "--why", "again")
    expect([twice.code, errorOf(twice).message]).toEqual([1, expect.stringContaining("is not cancelled")])
  })

  it.each<[string, string[], number, string]>([
    ["nobody", ["SO-1", "--confirmed"], 2, "--confirmed says who at the carrier has cancelled it"],
    ["no booking", ["--confirmed", "Kim"], 2, "no shipment|which booking"],
    ["another name", ["SO-9", "--confirmed", "Kim"], 5, "SO-9"],
    ["no reason", ["SO-1", "--undo"], 2, "--why"],
    ["what stands for a name", ["SO-1", "--confirmed", "NAME"], 2, "NAME is a placeholder"],
  ])("refuses to write down %s", async (_, words, code, message) => {
    const { book, cancel } = await openOffice()
    await book([order("SO-1", A)])
    const refused = await cancel(...words)
    expect([refused.code, errorOf(refused).message]).toEqual([code, expect.stringMatching(message)])
  })

  it("asks a person at a terminal who said it", async () => {
    const { book, freight } = await openOffice()
    await book([order("SO-1", A)])
    const conversation = scripted([["Who at CARRIER_A_AU has cancelled SBA", " Kim "]])
    const noted = await freight(["cancel", "SO-1", "--confirmed"], {
      columns: 100,
      host: { converse: async () => conversation },
    })
    expect([noted.code, noted.stdout]).toEqual([0, expect.stringContaining("Kim")])
  })

  it("warns where tracking saw it after it was booked, and records the carrier's word anyway", async () => {
    const { book, cancel, freight, sandbox } = await openOffice()
    await book([order("SO-1", { ...A, collectionDateTime: NEAR }), order("SO-2", A)])
    await sandbox.control("clock", { advanceMs: 30 * 86_400_000 })
    expect((await freight(["track", "SO-1"])).code).toBe(0)
    const noted = await cancel("SO-1", "--confirmed", "Kim")
    expect([noted.code, noted.stderr]).toEqual([
      0,
      expect.stringMatching(
        /warning: tracking saw it as Delivered on .*: if the carrier has it after all, take this back: freight cancel SBA\d+ with --undo and --why/,
      ),
    ])
    expect((await cancel("SO-2", "--confirmed", "Kim")).stderr).not.toContain("tracking saw")
  })

  it("is said in the conversation with the way to another booking in its place", async () => {
    const talk = async (isCancelled: boolean) => {
      const { book, cancel, freight } = await openOffice()
      await book([order("SO-1", A)])
      if (isCancelled) await cancel("SO-1", "--confirmed", "Kim")
      const said: string[] = []
      await freight(["book", "--like", "SO-1"], {
        columns: 80,
        host: { converse: async () => answering("Road Express", said) },
      })
      return said.join("\n")
    }
    expect(await talk(false)).toMatch(
      /SO-1 was booked on .* To change it, call the carrier: freight cancel (SBA\d+) says who to call; once it has cancelled, freight cancel \1 --confirmed; then begin again with --key SO-1 --replaces\. An equal/,
    )
    expect(await talk(true)).toMatch(
      /confirmed by Kim with these goods.* To book it again in its place, begin again with --key SO-1 --replaces\. An equal/,
    )
  })

  it("is neither collected nor given away by its order's name", async () => {
    const { book, cancel, freight, sandbox } = await openOffice()
    await book([order("SO-1", A), order("SO-2", A)])
    const { consignmentNumber } = stateOf(await cancel("SO-1", "--confirmed", "Kim"))
    const pickups = await freight(["pickup", "book", "SO-1", "SO-2", "--dry-run"])
    expect([pickups.code, pickups.stderr]).toEqual([
      0,
      expect.stringMatching(/is cancelled: it is not collected\n(.*\n)*.*1 shipment at /),
    ])
    const both = await freight(["pickup", "book", "SO-1", "SO-2", "--json"])
    expect([both.code, errorOf(both)]).toMatchObject([
      1,
      {
        kind: "refused",
        errors: [{ message: "SO-1: it is cancelled, so it is not collected" }],
        hint: expect.stringContaining("--undo"),
      },
    ])
    expect(both.items()).toMatchObject([{ status: "BOOKED" }])
    const one = await freight(["pickup", "book", String(consignmentNumber), "--dry-run"])
    expect(one.stderr).toContain("the shipment is cancelled on")
    const real = await freight(["pickup", "book", "SO-1", "--json"])
    expect([real.code, errorOf(real)]).toMatchObject([
      1,
      {
        kind: "refused",
        message: expect.stringMatching(/^the shipment is cancelled on .* by Kim: nothing was/),
      },
    ])
    const asked = await freight(["pickup", "book", "SO-1"], {
      columns: 100,
      host: { converse: async () => scripted([["confirmed by Kim. Book a pickup for it?", false]]) },
    })
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("you said no: nothing was sent")])
    expect(await requestsTo(sandbox, "POST /{connectorId}/pickups")).toBe(1)
    const shown = await freight(["cancel", "SO-1"])
    expect([shown.code, shown.stderr]).toEqual([
      0,
      expect.stringContaining("confirmed by Kim: nothing is to be done."),
    ])
    const evidence = await freight(["evidence", "SO-1"])
    expect(evidence.stdout).toMatch(/confirmed by Kim; recorded by .* at test-desk/)
  })

  it("is said to be cancelled, by whom and when, wherever its shipment is shown", async () => {
    const { book, cancel, freight } = await openOffice()
    await book([order("SO-1", A)])
    const number = String(stateOf(await cancel("SO-1", "--confirmed", "Kim")).consignmentNumber)
    const said = /cancelled on .*, confirmed by Kim/
    const cancelled = { confirmedBy: "Kim", at: expect.any(String), by: { workstation: "test-desk" } }
    expect((await freight(["shipments", "show", "SO-1"])).stdout).toMatch(/^Status +cancelled on .* by Kim$/m)
    const shown = await freight(["shipments", "show", "SO-1", "--json"])
    expect(shown.json()).toMatchObject({ shipment: { status: "CONSIGNED" }, freight: { cancelled } })
    for (const name of ["SO-1", number])
      for (const words of [["track"], ["label", "--dir", "labels"]])
        expect((await freight([...words, name])).stderr).toMatch(said)
    expect((await freight(["track", "SO-1"])).stdout).toMatch(/^SBA\d+: .+; cancelled on .* by Kim$/m)
    const labels = await freight(["label", "SO-1", "--merge", "all.pdf", "--json"])
    const tracked = await freight(["track", "SO-1", "--json"])
    expect([labels.items(), tracked.items()]).toMatchObject([[{ cancelled }], [{ freight: { cancelled } }]])
    expect((await freight(["history"])).stdout).toMatch(/ cancelled /)
    const [kept] = (await freight(["history", "--json"])).items<Record<string, unknown>>()
    expect(kept).toMatchObject({ state: "done", cancelledAt: expect.any(String), cancelledBy: "Kim" })
    await freight(["cancel", "SO-1", "--undo", "--why", "Kim rang back"])
    const stands = await freight(["shipments", "show", "SO-1", "--json"])
    expect(stands.json()).toMatchObject({ freight: { cancelled: null } })
    expect(stands.stderr).not.toContain("cancelled")
  })

  it("is said in the conversation before anything is asked about its key", async () => {
    const { book, cancel, freight, made } = await openOffice()
    await book([order("SO-1", A)])
    await cancel("SO-1", "--confirmed", "Kim")
    const begun = await freight(["book", "--key", "SO-1", "--reference", "SO-1"], {
      columns: 100,
      host: { converse: async () => scripted([]) },
    })
    expect([begun.code, begun.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: SO-1 was booked on [^;]* and cancelled on [^;]* by Kim; its key/),
    ])
    expect(await made()).toBe(1)
  })

  it("asks about equal goods under another number or none, and does not send what has its number", async () => {
    const { book, cancel, freight, made } = await openOffice()
    await book([order("SO-1", A)])
    await cancel("SO-1", "--confirmed", "Kim")
    const respelled = await book([order("so 1", { ...A, "receiver.companyName": "Receiver of SO-1" })])
    expect([respelled.code, stateOf(respelled)]).toMatchObject([1, { duplicate: 1 }])
    expect(errorOf(respelled).errors?.[0]?.message).toContain("cancelled on")
    const again = await freight(["history", "--kind", "shipment", "--json"])
    expect(again.code).toBe(0)
    expect(await made()).toBe(1)
  })
})

describe("an order that is booked in the place of one that its carrier has cancelled", () => {
  const corrected = { ...A, "receiver.address1": "80 Market Street" }

  /** Books an order from a file, under its own words. */
  async function openKeyed() {
    const office = await openOffice()
    const { connector = "", service = "", packages: _, reference: _own, ...flat } = order("SO-1", A)
    const words = ["book", "--file", "-", "--no-rate", "--connector", connector, "--service", service]
    return {
      ...office,
      send: (changes: object, ...more: string[]) =>
        office.freight([...words, ...more], {
          input: JSON.stringify({
            ...nestedOrder(flat),
            packages: PACKAGES,
            payer: { type: "Sender" },
            dangerousGoods: false,
            ...changes,
          }),
        }),
    }
  }

  it("is booked by the way that the refusal names, each command as it is printed", async () => {
    const { book, folder, freight, made, paste } = await openOffice()
    await book([order("SO-1", A), order("SO-2", A)])
    await saveOrders(folder, [order("SO-1", corrected), order("SO-2", A)])
    const refused = await freight(["batch", "book", "orders.csv", "--yes"])
    const WAY =
      /SO-1: To change it, call the carrier: (freight cancel SBA\d+) says who to call; once it has cancelled, (\1 --confirmed); then (freight batch book orders\.csv --yes --again-for SO-1 --replaces)\.\nnext: \1\n/
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(WAY)])
    const [, ring = "", confirm = "", again = ""] = WAY.exec(refused.stderr) ?? []
    const called = await paste(ring)
    expect([called.code, called.stderr]).toEqual([
      1,
      expect.stringContaining(`who has cancelled it: ${confirm}\n`),
    ])
    const early = await paste(again)
    expect([early.code, early.stderr]).toEqual([
      2,
      expect.stringMatching(/SO-1 was booked on .*, and is not cancelled, so nothing takes its place\./),
    ])
    const asked = await freight(readWords(confirm), {
      columns: 100,
      host: { converse: async () => scripted([["has cancelled SBA", "Kim"]]) },
    })
    expect(asked.code, asked.stderr).toBe(0)
    expect((await paste(again)).code).toBe(0)
    expect((await paste(again)).code).toBe(0)
    expect(stateOf(await book([order("SO-1", corrected), order("SO-2", A)]))).toMatchObject({
      recorded: 2,
      leftOut: 0,
    })
    expect(await made()).toBe(3)
    const tracked = await freight(["track", "SO-1", "--json"])
    expect(tracked.stderr).not.toContain("matches")
  })

  it("is booked by book under its key, too", async () => {
    const { cancel, made, send: sendAny } = await openKeyed()
    const send = (changes: object, ...more: string[]) => sendAny(changes, "--json", "--key", "SO-1", ...more)
    const sent = await send({})
    expect(sent.code, sent.stderr).toBe(0)
    const early = await send({ specialInstructions: "ring" }, "--replaces")
    expect([early.code, errorOf(early).message]).toEqual([1, expect.stringContaining("is not cancelled")])
    await cancel("SO-1", "--confirmed", "Kim")
    const taken = await send({ specialInstructions: "ring" })
    expect([taken.code, errorOf(taken).message]).toEqual([1, expect.stringContaining("its key stays taken")])
    const told = await sendAny({ specialInstructions: "ring" }, "--key", "SO-1")
    expect(told.stderr).toContain("the same command with --key SO-1 --replaces.")
    const other = await sendAny({}, "--key", "SO-9", "--replaces")
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Book it without --replaces.")])
    expect((await send({ specialInstructions: "ring" }, "--replaces")).code).toBe(0)
    expect((await send({ specialInstructions: "ring" }, "--replaces")).code).toBe(0)
    expect(await made()).toBe(2)
  })

  it.each([
    { customerReference: "WEB-78" },
    {},
  ])("has the key of its first booking at its shop and in what is advised (%j)", async (named) => {
    const { cancel, freight, folder, made, send } = await openKeyed()
    const replacing = ["--key", "K78", "--replaces"]
    const sent = await send(named, "--key", "K78")
    expect(sent.code, sent.stderr).toBe(0)
    const handOut = async (file: string) => {
      const ran = await freight(["dispatched", "--for", "csv", "--since", "7d", "-o", file])
      expect(ran.code, ran.stderr).toBe(0)
      const text = await readFile(path.join(folder, file), "utf8").catch(() => "")
      return text
        .split("\n")
        .slice(1, -1)
        .map((row) =>
          row
            .split(",")
            .filter((_, column) => column === 0 || column === 3)
            .join(" "),
        )
    }
    expect(await handOut("1.csv")).toEqual(["K78 SBA00000001"])
    const noted = await cancel("K78", "--confirmed", "Kim")
    expect(noted.stderr).toContain("To book it again: book with --key K78 --replaces.")
    expect((await send(named, ...replacing)).code).toBe(0)
    expect(await handOut("2.csv")).toEqual(["K78 SBA00000002"])
    const second = await cancel("K78#2", "--confirmed", "Kim")
    expect([stateOf(second).reference, second.stderr]).toEqual([
      "K78",
      expect.stringContaining("K78 is not booked again by itself. To book it again: book with --key K78"),
    ])
    expect((await send(named, ...replacing)).code).toBe(0)
    expect(await handOut("3.csv")).toEqual(["K78 SBA00000003"])
    const again = await send(named, "--key", "K78#2", "--replaces")
    expect(again.code, again.stderr).toBe(0)
    expect(await made()).toBe(3)
  })

  it("is booked again by the words that its return's cancellation gives", async () => {
    const { book, cancel, freight, made } = await openOffice()
    await book([order("SO-1", A)])
    const words = ["book", "--connector", "connector-a", "--service", "76", "--return-of", "SO-1"]
    const times = ["--ready", `${ORDER_DAY}T10:00:00`, "--close", "17:00", "--yes"]
    const sent = await freight([...words, ...times])
    expect(sent.code, sent.stderr).toBe(0)
    const noted = await cancel("RETURN-OF-SO-1", "--confirmed", "Kim")
    const [, flags = ""] = /book --return-of SO-1 with (--key .* --replaces)\.\n/.exec(noted.stderr) ?? []
    expect(flags, noted.stderr).toBe("--key RETURN-OF-SO-1 --replaces")
    const again = await freight([...words, ...times, ...flags.split(" ")])
    expect(again.code, again.stderr).toBe(0)
    expect(await made()).toBe(3)
  })

  it("has a third booking only where the second is cancelled and --replaces says so", async () => {
    const { book, cancel, freight, made } = await openOffice()
    const rows = [order("SO-1", A)]
    const again = ["--again-for", "SO-1"]
    await book(rows)
    await cancel("SO-1", "--confirmed", "Kim")
    expect((await book(rows, ...again)).code).toBe(0)
    const ran = await cancel("SO-1", "--confirmed", "Lee")
    expect(stateOf(ran)).toMatchObject({ reference: "SO-1", confirmedBy: "Lee" })
    expect(stateOf(await book(rows, ...again))).toMatchObject({ booked: 0, leftOut: 1 })
    expect(stateOf(await book(rows))).toMatchObject({ booked: 0, leftOut: 1 })
    expect(await made()).toBe(2)
    expect(stateOf(await book(rows, ...again, "--replaces"))).toMatchObject({ booked: 1 })
    expect(stateOf(await book(rows, ...again, "--replaces"))).toMatchObject({ booked: 1, recorded: 1 })
    expect(stateOf(await book(rows))).toMatchObject({ booked: 1, recorded: 1 })
    expect(await made()).toBe(3)
    expect((await freight(["track", "SO-1", "--json"])).stderr).not.toContain("matches")
  })

  it("is booked in no place while another consignment of the order stands, whichever is cancelled", async () => {
    const { book, cancel, made } = await openOffice()
    const rows = [order("SO-1", A)]
    const again = ["--again-for", "SO-1"]
    await book(rows)
    await book(rows, ...again)
    const [first, number] = ["SBA00000001", "SBA00000002"]
    const beside = await cancel(number, "--confirmed", "Kim")
    expect(beside.stderr).toContain(`Another booking of SO-1 is not cancelled (${first})`)
    expect(beside.stderr).not.toContain("--replaces, or")
    const refuse = async (standing: string) => {
      const ran = await book(rows, ...again, "--replaces")
      const [{ message = "" } = {}] = errorOf(ran).errors ?? []
      expect([ran.code, message]).toEqual([2, expect.stringContaining(`(${standing}), and is not cancelled`)])
      return message
    }
    expect(await refuse(first)).toContain(`If you mean ${number}, which is cancelled`)
    await cancel(number, "--undo", "--why", "it is on the truck")
    await cancel(first, "--confirmed", "Lee")
    expect(await refuse(number)).toContain(`If you mean ${first}, which is cancelled`)
    expect(await made()).toBe(2)
    await cancel(number, "--confirmed", "Lee")
    expect(stateOf(await book(rows, ...again, "--replaces"))).toMatchObject({ booked: 1 })
    expect(stateOf(await book(rows, ...again, "--replaces"))).toMatchObject({ booked: 1, recorded: 1 })
    expect(await made()).toBe(3)
  })

  it.each([
    ["a row", ["batch", "book", "orders.csv", "--again-for", "SO-1", "--replaces"]],
    ["a file", ["book", "--file", "one.json", "--key", "SO-1", "--replaces", "--no-rate"]],
  ])("is refused as %s where the cancellation is undone while a person is asked", async (_, words) => {
    const { book, cancel, folder, freight, made, sandbox } = await openOffice()
    await book([order("SO-1", A)])
    const { shipments } = (await sandbox.control("books")) as { shipments: { request: object }[] }
    await writeFile(path.join(folder, "one.json"), JSON.stringify(shipments[0]?.request))
    await cancel("SO-1", "--confirmed", "Kim")
    const asked: string[] = []
    const conversation = {
      ...scripted([]),
      async confirm(question: string) {
        asked.push(question)
        await cancel("SO-1", "--undo", "--why", "it is on the truck")
        return true
      },
    }
    const flags = words[0] === "book" ? ["--connector", A.connector] : []
    const ran = await freight([...words, ...flags], {
      columns: 200,
      host: { converse: async () => conversation },
    })
    expect([ran.code, ran.stderr + ran.stdout]).toEqual([
      1,
      expect.stringMatching(/is not cancelled(, so|:) nothing takes its place/),
    ])
    expect(asked).toEqual([expect.stringMatching(/^Book /)])
    expect(await made()).toBe(1)
  })

  it("asks a person whether it goes besides the first, which stands", async () => {
    const { book, freight, folder, made } = await openOffice()
    await book([order("SO-1", A)])
    await saveOrders(folder, [order("SO-1", corrected)])
    const ask = (answer: string) => {
      const conversation = scripted([
        ["What is this one?", answer],
        ["Book 1 consignment", true],
      ])
      const words = ["batch", "book", "orders.csv", "--again-for", "SO-1"]
      return freight(words, { columns: 200, host: { converse: async () => conversation } })
    }
    const refused = await ask("In its place")
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("call the carrier: freight cancel SBA"),
    ])
    expect(await made()).toBe(1)
    const besides = await ask("A second consignment")
    expect(besides.code, besides.stderr).toBe(0)
    expect(await made()).toBe(2)
  })
})

describe("the shop of an order whose shipment was cancelled on the phone", () => {
  const ORDERS = ["--orders", "orders.csv"]

  async function openShop() {
    const office = await openOffice()
    return {
      ...office,
      async handOut(name: string, ...words: string[]) {
        const { code, stderr } = await office.freight(["dispatched", "--for", "csv", "-o", name, ...words])
        const text = await readFile(path.join(office.folder, name), "utf8").catch(() => "")
        const rows = text.split("\n").slice(1, -1)
        return { code, stderr, rows: rows.map((row) => row.replace(/,[^,]*,[^,]*,(\w+),[^,]*,/, " $1 ")) }
      },
    }
  }

  it("is told the new number in place of the dead one, under the order's own number", async () => {
    const { book, cancel, handOut, freight } = await openShop()
    const rows = [order("SO-1", A)]
    await book(rows)
    const [first] = (await handOut("1.csv", ...ORDERS)).rows
    expect(first).toMatch(/^SO-1 SBA\d+ sent$/)
    await cancel("SO-1", "--confirmed", "Kim")
    await book(rows, "--again-for", "SO-1", "--replaces")
    const { code, rows: told, stderr } = await handOut("2.csv")
    expect([code, told]).toEqual([0, [expect.stringMatching(/^SO-1 SBA\d+ changed$/)]])
    const [before = "", now = ""] = [first, told[0]].map((row = "") => row.split(" ")[1])
    expect(now).not.toBe(before)
    expect(stderr).toContain(`SO-1 has another number: ${now}, not ${before}`)
    expect((await handOut("3.csv", ...ORDERS)).rows).toEqual([])
    expect((await freight(["today", "--json"])).json<{ items: unknown[] }>().items).toEqual([])
  })

  it("is told that it was cancelled, and then the new number as changed", async () => {
    const { book, cancel, handOut } = await openShop()
    const rows = [order("SO-1", A)]
    await book(rows)
    await handOut("1.csv", ...ORDERS)
    const noted = await cancel("SO-1", "--confirmed", "Kim")
    expect(noted.stderr).toContain("freight dispatched --for csv -o tracking.csv")
    expect((await handOut("2.csv")).rows).toEqual([expect.stringMatching(/^SO-1 SBA\d+ cancelled$/)])
    await book(rows, "--again-for", "SO-1", "--replaces")
    expect((await handOut("3.csv", ...ORDERS)).rows).toEqual([expect.stringMatching(/^SO-1 SBA\d+ changed$/)])
    expect((await handOut("4.csv")).rows).toEqual([])
  })

  it("is told nothing of a number that it never had", async () => {
    const { book, cancel, handOut } = await openShop()
    const rows = [order("SO-1", A)]
    await book(rows)
    await cancel("SO-1", "--confirmed", "Kim")
    expect((await handOut("1.csv", ...ORDERS)).rows).toEqual([])
    await book(rows, "--again-for", "SO-1", "--replaces")
    expect((await handOut("2.csv", "--since", "7d")).rows).toEqual([
      expect.stringMatching(/^SO-1 SBA\d+ sent$/),
    ])
  })

  it("gets a line for each of two that stand, and the one that stands where the other is cancelled then", async () => {
    const { book, cancel, handOut } = await openShop()
    const rows = [order("SO-1", A)]
    await book(rows)
    await book(rows, "--again-for", "SO-1")
    const { rows: two } = await handOut("1.csv", ...ORDERS)
    expect(two).toEqual([
      expect.stringMatching(/^SO-1 SBA\d+ sent$/),
      expect.stringMatching(/^SO-1 SBA\d+ sent$/),
    ])
    const [dead = "", live = ""] = two.map((row) => row.split(" ")[1])
    await cancel(dead, "--confirmed", "Kim")
    const without = await handOut("2.csv")
    expect(without.rows).toEqual([`SO-1 ${live} changed`])
    expect(without.stderr).toContain(`SO-1 has another number: ${live}, not ${dead}\n`)
    await cancel(dead, "--undo", "--why", "it is on the truck")
    const both = await handOut("3.csv")
    expect(both.rows).toEqual([dead, live].map((number) => `SO-1 ${number} changed`))
    expect(both.stderr).not.toContain("has another number")
  })

  it("keeps its number while the new one is not there yet", async () => {
    const { book, cancel, handOut, sandbox } = await openShop()
    await book([order("SO-1", A)])
    await handOut("1.csv", ...ORDERS)
    await cancel("SO-1", "--confirmed", "Kim")
    const slow = [order("SO-1", { specialInstructions: "sandbox:slow" })]
    await book(slow, "--again-for", "SO-1", "--replaces")
    expect(await handOut("2.csv", ...ORDERS)).toMatchObject({ code: 0, rows: [] })
    await sandbox.control("clock", { advanceMs: 2 * 86_400_000 })
    expect((await handOut("2.csv")).rows).toEqual([expect.stringMatching(/^SO-1 \w+ changed$/)])
  })
})
