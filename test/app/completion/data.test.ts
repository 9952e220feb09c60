import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { findOnMachine } from "../../../src/app/completion/data.ts"
import type { DataKind } from "../../../src/app/completion/values.ts"
import type { Carrier } from "../../../src/contract/generated/types.ts"
import { openConfigFile } from "../../../src/machine/config/file.ts"
import { openSettings, serviceFolder } from "../../../src/machine/config/resolve.ts"
import { systemSqlite } from "../../../src/machine/builtin-sqlite.ts"
import { writeKey } from "../../../src/ledger/accounts/keys.ts"
import { entry, ledgerFileIn, openFile, put, serviceKey, storeIn } from "../../ledger/setup.ts"
import { openQuotes } from "../../../src/machine/memory/quotes.ts"
import { openSeen } from "../../../src/machine/memory/seen.ts"

const NOW = Date.parse("2026-11-21T10:00:00Z")
const HOUR = 3_600_000
const clock = { now: () => NOW, sleep: async () => {} }

let folder: string
let env: Record<string, string>
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "freight-data-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  env = { FREIGHT_STATE_DIR: path.join(folder, "state"), FREIGHT_CONFIG_DIR: path.join(folder, "config") }
})

/** @param line the kind, then the words that were typed */
async function ask(line: string, typed?: string): Promise<string[]> {
  const ids = { uuid: () => "", random: () => 0 }
  const [kind, ...words] = line.split(" ")
  const machine = { env, platform: "linux", clock, ids, sqlite: systemSqlite }
  const found = await findOnMachine(kind as DataKind, words, machine, typed)
  return found.map(({ value, about }) => (about ? `${value}\t${about}` : value))
}

async function configured(config: unknown): Promise<void> {
  await mkdir(path.join(folder, "config"), { recursive: true })
  await writeFile(
    path.join(folder, "config", "config.json"),
    typeof config === "string" ? config : JSON.stringify(config),
  )
}

const seen = (service = "sandbox") => openSeen(path.join(folder, "state", service, "seen"))
const quotes = () => openQuotes(path.join(folder, "state", "sandbox", "quotes"))

function quote(quoteId: string, quotedAt: number) {
  const place = { postcode: "2015", state: "NSW", residential: false }
  const rate = (rateId: string, serviceCode: string, price: number) => ({
    ...{ rateId, serviceCode, price, description: `Service ${serviceCode}`, currency: "AUD" },
    ...{ eta: "2026-11-25T17:00:00", bookingCutoff: "", collectionCutoff: "" },
  })
  const given = (connectorId: string, carrier: Carrier, only: ReturnType<typeof rate>) => ({
    ...{ connectorId, carrier, success: true, rates: [only] },
  })
  return {
    quoteId,
    quotedAt,
    request: {
      from: { ...place, suburb: "Alexandria" },
      to: { ...place, suburb: "Fremantle" },
      packages: [],
      dangerousGoods: false,
    },
    results: [
      given("connector-a", "CARRIER_A_AU", rate(`${quoteId}-1`, "75", 42.1)),
      given("connector-b", "CARRIER_B_AU", rate(`${quoteId}-2`, "GEN", 31)),
      {
        ...{ connectorId: "connector-c", carrier: "CARRIER_C_AU" as const, success: false },
        error: { message: "no" },
      },
    ],
  }
}

const connector = (id: string, name: string, carrier: Carrier, serviceCode: string, description: string) => ({
  ...{ id, name, carrier, services: [{ serviceCode, description }] },
})
const CONNECTORS = [
  connector("connector-a", "Sydney", "CARRIER_A_AU", "75", "Overnight"),
  connector("connector-b", "Perth", "CARRIER_B_AU", "GEN", "General"),
]

describe("completion data", () => {
  it.each([
    ..."addresses connectors consignments devices open-keys pickups profiles quotes rates services shipments maps orders".split(
      " ",
    ),
    "setting-values config set sender",
  ])("has nothing of '%s' on a new machine", async (kind) => {
    expect(await ask(kind)).toEqual([])
  })

  it("has saved addresses with their places", async () => {
    await configured({
      addresses: {
        perth: { companyName: "Fittings", suburb: "Fremantle", state: "WA", postcode: "6160" },
        odd: 7,
      },
    })
    expect(await ask("addresses book --receiver")).toEqual(["perth\tFittings, Fremantle WA 6160", "odd"])
  })

  it("has profiles, and says which is in use", async () => {
    await configured({ current: "main", profiles: { main: {}, wholesale: {} } })
    expect(await ask("profiles")).toEqual(["main\tin use", "wholesale"])
  })

  it("has connectors that were listed, then those of the last quotes", async () => {
    await seen().keepConnectors(CONNECTORS.slice(0, 1))
    await quotes().keep(quote("q", NOW - HOUR))
    expect(await ask("connectors --sandbox")).toEqual([
      "connector-a\tSydney, CARRIER_A_AU",
      "connector-b\tCARRIER_B_AU",
      "connector-c\tCARRIER_C_AU",
    ])
  })

  it.each([
    "--connector connector-b",
    "--connector=connector-b",
    "--connector Perth",
  ])("has the services of %s alone", async (flag) => {
    await seen().keepConnectors(CONNECTORS)
    expect(await ask(`services book --sandbox ${flag}`)).toEqual(["GEN\tGeneral, Perth"])
  })

  it("has the services of all connectors when none is named", async () => {
    await seen().keepConnectors(CONNECTORS)
    await quotes().keep(quote("q", NOW - HOUR))
    expect(await ask("services book --sandbox")).toEqual(["75\tOvernight, Sydney", "GEN\tGeneral, Perth"])
  })

  it("has devices of both APIs, or of the one that is named", async () => {
    const device = (id: string) => ({ id, label: `Desk ${id}`, createdAt: "2026-11-01T00:00:00Z" })
    await seen().keepDevices("freight", [device("one"), device("two")])
    await seen().keepDevices("direct-print", [device("two"), device("three")])
    expect(await ask("devices --sandbox")).toEqual(["one\tDesk one", "two\tDesk two", "three\tDesk three"])
    expect(await ask("devices --sandbox --api direct-print")).toEqual(["two\tDesk two", "three\tDesk three"])
  })

  it("has shipments and consignments newest first", async () => {
    await seen().keepSeen("shipments", [
      { id: "s1", at: "2026-11-01T00:00:00Z", about: "PO-1", consignment: "CON1" },
    ])
    await seen().keepSeen("shipments", [{ id: "s2", at: "2026-11-02T00:00:00Z", about: "PO-2" }])
    expect(await ask("shipments label --sandbox")).toEqual(["CON1\tPO-1", "s2\tPO-2", "s1\tCON1, PO-1"])
    expect(await ask("consignments track --sandbox")).toEqual(["CON1\tPO-1"])
  })

  it("has pickups", async () => {
    await seen().keepSeen("pickups", [{ id: "p1", at: "2026-11-01T00:00:00Z", about: "for s1" }])
    expect(await ask("pickups --sandbox")).toEqual(["p1\tfor s1"])
  })

  it("has the rates of quotes that can still be booked, newest quote first", async () => {
    await quotes().keep(quote("old", NOW - 49 * HOUR))
    await quotes().keep(quote("first", NOW - 3 * HOUR))
    await quotes().keep(quote("last", NOW - HOUR))
    expect((await ask("rates book --sandbox")).map((line) => line.split("\t")[0])).toEqual([
      "last-1",
      "last-2",
      "first-1",
      "first-2",
    ])
    expect(await ask("rates book --sandbox --connector connector-b")).toEqual([
      "last-2\t31 AUD CARRIER_B_AU GEN, arrives 2026-11-25, to Fremantle",
      "first-2\t31 AUD CARRIER_B_AU GEN, arrives 2026-11-25, to Fremantle",
    ])
    expect(await ask("quotes book --sandbox")).toEqual([
      "last\tAlexandria to Fremantle, asked Sat 21 Nov 2026, 09:00",
      "first\tAlexandria to Fremantle, asked Sat 21 Nov 2026, 07:00",
    ])
  })

  it("has the rates of the last table by their numbers, with price and service", async () => {
    const inPlace = { connectorId: "connector-b", position: 0 }
    await quotes().keep({ ...quote("shown", NOW - HOUR), shown: ["shown-2", null, "shown-1", inPlace] })
    await quotes().keep(quote("later", NOW - HOUR / 2))
    expect(await ask("rates book --sandbox")).toEqual([
      expect.stringMatching(/^1\tAUD 31\.00, .+, carrier B$/),
      expect.stringMatching(/^3\tAUD 42\.10, .+, carrier \w$/),
      expect.stringMatching(/^4\tAUD 31\.00, .+, carrier B$/),
    ])
    expect(await ask("rates book --sandbox --connector connector-b")).toHaveLength(2)
  })

  it("has what the ledger does not know the outcome of, and leaves the ledger as it is", async () => {
    const state = path.join(folder, "state", "sandbox")
    await mkdir(state, { recursive: true })
    const file = ledgerFileIn(state)
    const pickup = entry({ key: "content:c0ffee", keyGiven: false, kind: "pickup" })
    await put(storeIn(openFile(file)), entry({ key: "key:PO 7" }), pickup)
    expect((await ask("open-keys reconcile --sandbox --release")).sort()).toEqual([
      "PO 7\tshipment, Harbour Supplies, Fremantle",
      `${pickup.id}\tpickup, Harbour Supplies, Fremantle`,
    ])
  })

  it("has the names of bookings, newest first, and of saved maps", async () => {
    const state = path.join(folder, "state", "sandbox")
    await mkdir(state, { recursive: true })
    await put(
      storeIn(openFile(ledgerFileIn(state))),
      entry({ key: "key:PO 7", state: "done", sentAt: "2026-11-20T00:00:00.000Z" }),
      entry({ key: "key:PO 8", state: "done", sentAt: "2026-11-20T01:00:00.000Z" }),
      entry({ key: "key:PO 9" }),
      entry({
        ...{ key: "key:wizard-1", keyGiven: false, state: "done", sentAt: "2026-11-19T00:00:00.000Z" },
        facts: { reference: "PO 6", consignmentNumber: "SBC6" },
      }),
    )
    expect((await ask("orders book --sandbox --like")).map((line) => line.split("\t")[0])).toEqual([
      "PO 8",
      "PO 7",
      "PO 6",
      "SBC6",
    ])
    await configured({ maps: { shop: { map: ["X=reference"] } } })
    expect(await ask("maps batch book --use-map")).toEqual(["shop"])
  })

  it("has of many bookings those by key, reference and consignment that begin as what is typed", async () => {
    const state = path.join(folder, "state", "sandbox")
    await mkdir(state, { recursive: true })
    const at = (day: number) => new Date(NOW - day * 24 * HOUR).toISOString()
    const store = storeIn(openFile(ledgerFileIn(state)))
    await store.database.transaction((transaction) => writeKey(transaction, serviceKey("account-1")))
    await put(
      store,
      ...Array.from({ length: 400 }, (_, n) =>
        entry({
          key: `key:ORDER-${1400 - n}`,
          state: "done",
          sentAt: at(n),
          facts: { reference: `PO-${1400 - n}`, consignmentNumber: `SBC00${1400 - n}` },
        }),
      ),
    )
    await seen().keepSeen("shipments", [{ id: "s1", at: at(0), about: "elsewhere", consignment: "CON1" }])
    const begins = async (kind: string, typed: string) =>
      (await ask(`${kind} --sandbox`, typed))
        .map((line) => line.split("\t")[0] ?? "")
        .filter((word) => word.startsWith(typed))
    for (const kind of ["consignments track", "shipments label", "shipments evidence"]) {
      expect(await begins(kind, "ORDER-1400")).toEqual(["ORDER-1400"])
      expect(await begins(kind, "po-1399")).toEqual(["po-1399"])
      expect(await begins(kind, "SBC001400")).toEqual(["SBC001400"])
      expect(await begins(kind, "CON")).toEqual(["CON1"])
      // Older than what a list has.
      expect(await begins(kind, "ORDER-1001")).toEqual(["ORDER-1001"])
      expect(await begins(kind, "SBC001001")).toEqual(["SBC001001"])
    }
    expect(await begins("orders book", "PO-1001")).toEqual(["PO-1001"])
  })

  it("makes no ledger where there is none, and asks no shared one", async () => {
    expect(await ask("open-keys reconcile --release")).toEqual([])
    env.FREIGHT_LEDGER = "postgres://db.example/freight"
    expect(await ask("open-keys reconcile --release")).toEqual([])
    await expect(readdir(path.join(folder, "state"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("has the values that a setting can have", async () => {
    await configured({ addresses: { perth: {} } })
    expect(await ask("setting-values config set businessUnit")).toEqual(["UNIT_A", "UNIT_B"])
    expect(await ask("setting-values config set --profile x collection")).toEqual(["perth"])
    expect(await ask("setting-values config set timeout")).toEqual([])
    expect(await ask("setting-values config set freightApiKey")).toEqual([])
  })

  it("goes by the service of the profile that is named", async () => {
    await configured({
      current: "one",
      profiles: {
        one: { freightBaseUrl: "https://one.example" },
        two: { freightBaseUrl: "https://two.example/v1/" },
      },
    })
    const store = openConfigFile(path.join(folder, "config"))
    const globals = { profile: "two" }
    await seen(serviceFolder(globals, openSettings(globals, env, store), "freight")).keepConnectors(
      CONNECTORS,
    )
    const known = ["connector-a\tSydney, CARRIER_A_AU", "connector-b\tPerth, CARRIER_B_AU"]
    expect(await ask("connectors book --profile two")).toEqual(known)
    expect(await ask("connectors book --profile=two")).toEqual(known)
    expect(await ask("connectors book")).toEqual([])
    expect(await ask("connectors book --profile nobody")).toEqual([])
  })

  it("offers nothing that a terminal would obey, that is not a word, or that looks like a flag or the end of the answer", async () => {
    await configured({
      addresses: {
        good: { companyName: "\u001b[31mRed\u001b[0m\tand\nblue\u202e" },
        "esc\u001b[2J": {},
        "two\nlines": {},
        "tab\tbed": {},
        "bidi\u202e": {},
        "--again": {},
        ":answer": {},
        "": {},
        [`long${"x".repeat(300)}`]: {},
      },
    })
    expect(await ask("addresses")).toEqual(["good\tRed and blue�"])
  })

  it("offers saved parties, and as supplier or customer those that are one", async () => {
    const harbour = { supplierId: "S-1", supplierName: "Harbour Lighting" }
    const wattle = { billTo: "1 Harbour Street, Sydney NSW 2000" }
    await configured({ parties: { harbour, wattle, both: { ...harbour, ...wattle } } })
    expect(await ask("suppliers")).toEqual([
      "harbour\tHarbour Lighting",
      "both\tHarbour Lighting, 1 Harbour Street, Sydney NSW 2000",
    ])
    expect((await ask("customers")).map((line) => line.split("\t")[0])).toEqual(["wattle", "both"])
    expect(await ask("parties")).toHaveLength(3)
  })

  it("cuts a meaning to the width of a menu, and a list to what anyone reads", async () => {
    const addresses = Array.from({ length: 1000 }, (_, n) => [`a${n}`, { companyName: "x".repeat(500) }])
    await configured({ addresses: Object.fromEntries(addresses) })
    const lines = await ask("addresses")
    expect(lines).toHaveLength(300)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(90)
  })

  it.each(["{", "[]", '{"addresses":7}', ""])("is silent where the settings are %s", async (text) => {
    await configured(text)
    expect(await ask("addresses")).toEqual([])
    expect(await ask("connectors")).toEqual([])
  })

  const damaged = ["null", "7", '{"a":1}', "[1,null]", '[{"id":7}]', "{"]
  it.each(damaged)("is silent where what was seen is %s", async (text) => {
    const place = path.join(folder, "state", "sandbox", "seen")
    await mkdir(place, { recursive: true })
    for (const name of ["connectors", "devices-freight", "shipments", "pickups"])
      await writeFile(path.join(place, `${name}.json`), text)
    for (const kind of ["services", "devices", "shipments", "pickups", "consignments"])
      expect(await ask(`${kind} --sandbox`)).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)("is silent where nothing may be read", async () => {
    await configured({ addresses: { perth: {} } })
    await chmod(path.join(folder, "config"), 0)
    onTestFinished(() => chmod(path.join(folder, "config"), 0o700))
    expect(await ask("addresses")).toEqual([])
  })
})
