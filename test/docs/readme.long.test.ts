/** The commands of the README and of docs/recipes.md: each `bash` block runs as it stands, by bash, in an empty folder; a recipe has the files that it speaks of. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdir, readdir, readFile, writeFile, rename } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { desk, ROOT } from "../acceptance/freight.ts"
import { csvBill } from "../acceptance/bills.ts"
import { bookedBy } from "../acceptance/kills.ts"
import { csvOf, order, saveOrders } from "../acceptance/orders.ts"
import { ownSandbox } from "../acceptance/own-sandbox.ts"
import { bash, type Shelled, withFreightOnPath } from "../acceptance/shell.ts"
import { minimalDraft, textOf } from "../invoice/samples.ts"
import { checkNight, FAULTS } from "./nights.ts"

const PAGES = new Map(
  ["README.md", ...readdirSync(path.join(ROOT, "docs")).map((name) => `docs/${name}`)]
    .filter((name) => name.endsWith(".md"))
    .map((name) => [name, readFileSync(path.join(ROOT, name), "utf8")]),
)
const TRIED = `${PAGES.get("README.md")}\n${PAGES.get("docs/recipes.md")}`
const BLOCKS = new Map(
  TRIED.split(/^##+ /m).flatMap((section): [string, string][] => {
    const [title = ""] = section.split("\n", 1)
    return Array.from(section.matchAll(/^```bash\n([\s\S]*?)^```$/gm), ([, script = ""]) => [title, script])
  }),
)

/** The script below a heading, the folder and account that it runs with, and its bookings. */
interface Recipe {
  folder: string
  /** Runs it once more. */
  run(): Promise<Shelled>
  freight: Awaited<ReturnType<typeof desk>>["freight"]
  fault(text: string): Promise<unknown>
  /** How often each reference is in the sandbox's own books. */
  booked(): Promise<Record<string, number>>
}

/** An account of one's own, in the environment as scripts have it. */
async function recipe(title: string): Promise<Recipe> {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  const env = await withFreightOnPath(made)
  // Nobody waits a minute here.
  await writeFile(path.join(made.folder, "bin/sleep"), "#!/bin/sh\nexit 0\n", { mode: 0o755 })
  return {
    folder: made.folder,
    freight: made.freight,
    run: () => bash(BLOCKS.get(title) ?? "", made.folder, env),
    fault: (fault) => sandbox.control("faults", { fault }),
    booked: async () =>
      Object.fromEntries(
        [...bookedBy(await sandbox.control("books"))].map(([reference, ids]) => [reference, ids.length]),
      ),
  }
}

/** Without an account, in an empty folder. */
async function tour(title: string) {
  const made = await desk()
  const env = await withFreightOnPath(made)
  return {
    ...made,
    async run() {
      // Exit code 1 of an audit says that there is something to dispute.
      const script = BLOCKS.get(title)?.replace(/^freight audit .*\.csv .*$/gm, "$& || test $? = 1")
      const ran = await bash(`set -e\n${script}`, made.folder, env)
      expect(ran.code, ran.stderr).toBe(0)
      return ran
    },
  }
}

/** Carrier B's labels are there at once, those of STD come later. */
async function saveBooking(
  folder: string,
  file: string,
  customerReference: string,
  serviceCode = "GEN",
): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  const booking = { ...exampleBooking(Date.now()), customerReference, serviceCode }
  await writeFile(path.join(folder, file), JSON.stringify(booking))
}

function isPdf(file: string): boolean {
  return existsSync(file) && readFileSync(file).subarray(0, 5).toString() === "%PDF-"
}

function pagesOf(file: string): number {
  return readFileSync(file, "latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

const RECIPES: Record<string, () => Promise<void>> = {
  Ship: async () => {
    const { folder, freight, run } = await tour("Ship")
    expect((await run()).stdout).toMatch(/CARRIER_A_AU.*Delivered|DELIVERED/)
    expect(isPdf(path.join(folder, "label.pdf"))).toBe(true)
    const rows = await freight(["history", "--sandbox", "--json"])
    expect(rows.items<{ kind: string; state: string }>()).toMatchObject(
      ["label-print", "pickup", "shipment"].map((kind) => ({ kind, state: "done" })),
    )
  },

  "A morning's orders": async () => {
    const { folder, freight, run } = await tour("A morning's orders")
    expect((await run()).stdout).toContain("AUD")
    expect(isPdf(path.join(folder, "labels.pdf"))).toBe(true)
    expect(await readFile(path.join(folder, "orders.results.csv"), "utf8")).toMatch(/booked/)
    const { items } = await freight(["history", "--sandbox", "--kind", "shipment", "--json"])
    const booked = items().length
    expect(booked).toBeGreaterThan(0)
    const again = await freight(["batch", "book", "orders.csv", "--sandbox"])
    expect(again.code, again.stderr).toBe(0)
    const after = await freight(["history", "--sandbox", "--kind", "shipment", "--json"])
    expect(after.items()).toHaveLength(booked)
  },

  "From a shop": async () => {
    const { folder, freight, run } = await tour("From a shop")
    const orders = readFileSync(path.join(ROOT, "test/orders/batch/rows/files/shopify.csv"), "utf8").split(
      "\n",
    )
    await writeFile(
      path.join(folder, "YOURORDERS.csv"),
      orders.filter((line) => !line.startsWith("#1003")).join("\n"),
    )
    await run()
    const { items } = await freight(["history", "--sandbox", "--kind", "shipment", "--json"])
    expect(items()).toHaveLength(3)
  },

  Invoices: async () => {
    const { folder, freight, run } = await tour("Invoices")
    const { stdout } = await run()
    expect(stdout).toContain("INV-1.json: valid")
    expect(isPdf(path.join(folder, "INV-1.pdf"))).toBe(true)
    const printed = await freight(["history", "--sandbox", "--kind", "pdf-print", "--json"])
    expect(printed.items()).toMatchObject([{ state: "done" }])
    const again = await freight(["invoice", "validate", "INV-1.json", "--register"])
    expect([again.code, again.stdout + again.stderr]).toEqual([0, expect.stringContaining("registered")])
  },

  "Your carrier's bill": async () => {
    const { folder, freight, run } = await tour("Your carrier's bill")
    const orders = Array.from({ length: 10 }, (_, n) => JSON.stringify(order(`ORDER-${n}`)))
    await writeFile(path.join(folder, "orders.ndjson"), orders.join("\n"))
    expect(await freight(["batch", "book", "orders.ndjson", "--sandbox"])).toMatchObject({ code: 0 })
    const { stdout } = await run()
    expect(stdout).toMatch(/To dispute: [23] consignments/)
    const letters = await readdir(path.join(folder, "letters"))
    expect(letters.length).toBeGreaterThan(0)
    for (const each of letters) expect(isPdf(path.join(folder, "letters", each))).toBe(true)
    const all = (await freight(["disputes", "--all", "--sandbox", "--json"])).items<{ state: string }>()
    expect(all.map(({ state }) => state)).toEqual(all.map(() => "credited"))
  },

  Scripts: async () => {
    const { stdout } = await (await tour("Scripts")).run()
    const [, shown = ""] = /^```json\n([\s\S]*?)^```$/m.exec(PAGES.get("README.md") ?? "") ?? []
    const answer = (text: string) => ({ ...JSON.parse(text), quoteId: "" })
    expect(answer(stdout)).toEqual(answer(shown))
  },

  "Book one order, and be sure": async () => {
    const { folder, run, fault, booked } = await recipe("Book one order, and be sure")
    await saveBooking(folder, "order.json", "ORDER-17", "STD")
    // Turned away as often as freight tries by itself; then made, and the reply is lost.
    await fault("429:x4@POST/shipments")
    await fault("drop-after-commit:x1@POST/shipments")
    const { code, stdout, stderr } = await run()
    expect(code, stderr).toBe(0)
    expect(stderr).toContain("is limiting requests (429)")
    expect(stderr).toContain("its outcome is unknown")
    expect(stdout).toContain("settled")
    expect(isPdf(path.join(folder, "ORDER-17.pdf"))).toBe(true)
    expect(await run()).toMatchObject({ code: 0 })
    expect(await booked()).toEqual({ "ORDER-17": 1 })
  },

  "What needs someone, by mail each morning": async () => {
    const { folder, freight, run } = await recipe("What needs someone, by mail each morning")
    const mail = '#!/bin/sh\n{ echo "$@"; cat; } >> mails.txt\n'
    await writeFile(path.join(folder, "bin/mail"), mail, { mode: 0o755 })
    expect(await run()).toMatchObject({ code: 0, stderr: "" })
    expect(existsSync(path.join(folder, "mails.txt"))).toBe(false)
    await saveBooking(folder, "order.json", "ORDER-19 sandbox:auto-pickup-failed")
    await freight(["book", "--file", "order.json", "--connector", "connector-b"])
    expect((await run()).code).toBe(0)
    const mails = await readFile(path.join(folder, "mails.txt"), "utf8")
    expect(mails).toContain("-s freight today dispatch@harbour-lighting.example")
    expect(mails).toMatch(/pickup failed: ORDER-19 .*\n.*\n {2}freight pickup book SBB\d+\n/)
  },

  "Tell the shop what has moved": async () => {
    const { folder, freight, run } = await recipe("Tell the shop what has moved")
    await saveBooking(folder, "order.json", "ORDER-20", "76")
    await freight(["book", "--file", "order.json", "--connector", "connector-a"])
    expect(await run()).toMatchObject({ code: 0 })
    expect(await run()).toMatchObject({ code: 0 })
    expect(await readFile(path.join(folder, "moved.txt"), "utf8")).toBe("ORDER-20\tBooked\n")
    expect(await readFile(path.join(folder, "changes.ndjson"), "utf8")).toBe("")
  },

  "The month's spending, as a page": async () => {
    const { folder, freight, run } = await recipe("The month's spending, as a page")
    await saveBooking(folder, "order.json", "ORDER-21")
    await freight(["book", "--file", "order.json", "--connector", "connector-b"])
    expect(await run()).toMatchObject({ code: 0 })
    expect(await readFile(path.join(folder, "spend.html"), "utf8")).toContain("<svg")
    expect(await readFile(path.join(folder, "carriers.csv"), "utf8")).toContain("CARRIER_B_AU,GEN")
  },

  "Book the cheapest rate": async () => {
    const { folder, run, booked } = await recipe("Book the cheapest rate")
    await saveBooking(folder, "order.json", "ORDER-18", "STD")
    const first = await run()
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout).toMatch(/^[\w-]+\tS\w+\n$/)
    await run()
    expect(await booked()).toEqual({ "ORDER-18": 1 })
  },

  "A list of orders, one after the other": async () => {
    const { folder, run, booked } = await recipe("A list of orders, one after the other")
    for (const n of [1, 2]) await saveBooking(folder, `orders/${n}.json`, `ORDER-${n}`)
    await writeFile(
      path.join(folder, "orders.txt"),
      "ORDER-1,orders/1.json\nORDER-3,orders/3.json\nORDER-2,orders/2.json",
    )
    for (let time = 0; time < 2; time++) await run()
    expect(await booked()).toEqual({ "ORDER-1": 1, "ORDER-2": 1 })
    expect((await readdir(path.join(folder, "labels"))).sort()).toEqual(["ORDER-1.pdf", "ORDER-2.pdf"])
    const failed = await readFile(path.join(folder, "failed.txt"), "utf8")
    expect(failed).toBe("ORDER-3: exit 2\n".repeat(2))
  },

  // More of them, and the one in Python: night.long.test.ts.
  "A whole night": () => checkNight("bash", { faults: FAULTS, orders: 2, stopsAfter: 2, toAll: false }),

  "Eight at a time": async () => {
    const { folder, run, booked } = await recipe("Eight at a time")
    const references = Array.from({ length: 10 }, (_, n) => `ORDER-${n}`)
    for (const each of references) await saveBooking(folder, `orders/${each}.json`, each)
    for (let time = 0; time < 2; time++) {
      const { code, stderr } = await run()
      expect(code, stderr).toBe(0)
      const lines = (await readFile(path.join(folder, "booked.ndjson"), "utf8")).trim().split("\n")
      expect(new Set(lines.map((line) => JSON.parse(line).shipmentId)).size).toBe(10)
      for (const each of references)
        await rename(
          path.join(folder, `orders/${each}.json`),
          path.join(folder, `orders/moved-${each}.json`),
        ).catch(() => {})
    }
    expect(await booked()).toEqual(Object.fromEntries(references.map((each) => [each, 1])))
  },

  "From a shop's export": async () => {
    const { folder, run, booked } = await recipe("From a shop's export")
    const orders = [order("PO-1"), order("PO-2", { "receiver.postcode": "9" }), order("PO-3")]
    await writeFile(path.join(folder, "export.json"), JSON.stringify({ orders }))
    expect((await run()).code).toBe(1)
    expect(await readFile(path.join(folder, "not-booked.txt"), "utf8")).toMatch(
      /^PO-2: receiver\.postcode.*\n$/,
    )
    expect(await booked()).toEqual({ "PO-1": 1, "PO-3": 1 })
    await writeFile(
      path.join(folder, "export.json"),
      JSON.stringify({ orders: ["PO-1", "PO-2", "PO-3"].map((each) => order(each)) }),
    )
    for (let time = 0; time < 2; time++) {
      const { code, stderr } = await run()
      expect(code, stderr).toBe(0)
      expect(await readFile(path.join(folder, "not-booked.txt"), "utf8")).toBe("")
    }
    expect(await booked()).toEqual({ "PO-1": 1, "PO-2": 1, "PO-3": 1 })
  },

  "Plan in the evening, approve, book in the morning": async () => {
    const { folder, run, booked } = await recipe("Plan in the evening, approve, book in the morning")
    const open = { connector: "", service: "" }
    await saveOrders(folder, [order("PO-1", open), order("PO-2", open)])
    const { code, stderr } = await run()
    expect(code, stderr).toBe(0)
    const shown = await readFile(path.join(folder, "to-approve.csv"), "utf8")
    expect(shown).toMatch(/^"PO-1","STD",62.52,"C\/STD at/)
    expect((await run()).code).toBe(0)
    expect((await readdir(path.join(folder, "labels"))).sort()).toEqual(["PO-1.pdf", "PO-2.pdf"])
    expect(await booked()).toEqual({ "PO-1": 1, "PO-2": 1 })
  },

  "Today's labels in one PDF": async () => {
    const { folder, run, freight } = await recipe("Today's labels in one PDF")
    for (const each of ["ORDER-1", "ORDER-2"]) {
      await saveBooking(folder, `${each}.json`, each)
      expect((await freight(["book", "--file", `${each}.json`])).code).toBe(0)
    }
    const { code, stderr } = await run()
    expect(code, stderr).toBe(0)
    expect(pagesOf(path.join(folder, "labels.pdf"))).toBeGreaterThanOrEqual(2)
  },

  "Entries that are not settled": async () => {
    const { folder, run, freight, fault, booked } = await recipe("Entries that are not settled")
    await fault("drop-after-commit:x1@POST/shipments")
    await fault("drop-before:x1@POST/shipments")
    for (const each of ["ORDER-1", "ORDER-2"]) {
      await saveBooking(folder, `${each}.json`, each)
      expect((await freight(["book", "--file", `${each}.json`, "--key", each])).code).toBe(7)
    }
    expect((await run()).code).toBe(0)
    const { items } = JSON.parse(await readFile(path.join(folder, "settled.json"), "utf8"))
    expect(items).toMatchObject([
      { key: "ORDER-1", outcome: "settled" },
      { key: "ORDER-2", outcome: "none" },
    ])
    const open = await readFile(path.join(folder, "open.csv"), "utf8")
    expect(open).toContain("ORDER-2")
    expect(open).not.toContain("ORDER-1")
    expect(await booked()).toEqual({ "ORDER-1": 1 })
  },

  "Invoices in a pipeline": async () => {
    const { folder, run } = await recipe("Invoices in a pipeline")
    await mkdir(path.join(folder, "outbox"))
    const draft = minimalDraft()
    await writeFile(path.join(folder, "outbox/INV-1.json"), textOf(draft))
    expect(await run()).toMatchObject({ code: 0 })
    await writeFile(path.join(folder, "outbox/INV-2.json"), textOf({ ...draft, data: {} }))
    expect(await run()).toMatchObject({ code: 1 })
    expect(await readFile(path.join(folder, "invoices.xml"), "utf8")).toMatch(/<testsuite[\s\S]*INV-2\.json/)
    await writeFile(path.join(folder, "outbox/INV-3.json"), "{")
    expect(await run()).toMatchObject({ code: 1 })
  },

  "The month's end": async () => {
    const { folder, run, freight } = await recipe("The month's end")
    await writeFile(path.join(folder, "orders.csv"), csvOf([order("PO-1"), order("PO-2")]))
    expect((await freight(["batch", "book", "orders.csv"])).code).toBe(0)
    const booked = (await freight(["history", "--json"])).items<{
      reference: string
      consignmentNumber: string
    }>()
    const { consignmentNumber = "" } = booked.find(({ reference }) => reference === "PO-1") ?? {}
    await mkdir(path.join(folder, "bills"))
    await writeFile(
      path.join(folder, "bills/carrier.csv"),
      csvBill([
        { consignment: consignmentNumber ?? "", cents: 99_999 },
        { consignment: "SBB90000001", cents: 5000 },
      ]),
    )
    const ran = await run()
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("disputes.csv is for the carrier")])
    expect(await readFile(path.join(folder, "disputes.csv"), "utf8")).toContain("not ours")
    expect(await readFile(path.join(folder, "audit.html"), "utf8")).toContain(consignmentNumber)
    const accruals = await readFile(path.join(folder, "accruals.csv"), "utf8")
    expect([accruals.includes("PO-2"), accruals.includes("PO-1,")]).toEqual([true, false])
    await writeFile(path.join(folder, "bills/broken.json"), "{")
    expect(await run()).toMatchObject({ code: 1 })
  },
}

const hasJq = !spawnSync("jq", ["--version"]).error

describe("the README and docs/", () => {
  it("has one block of commands below each heading that has any, and each is tried here", () => {
    expect(TRIED.match(/^```bash$/gm)).toHaveLength(BLOCKS.size)
    expect(Object.keys(RECIPES).sort()).toEqual([...BLOCKS.keys()].sort())
  })

  for (const [title, tried] of Object.entries(RECIPES))
    it.skipIf(!hasJq && BLOCKS.get(title)?.includes("jq "))(title, tried)

  it("names each dependency, with its reason", () => {
    const { dependencies = {}, devDependencies } = JSON.parse(
      readFileSync(path.join(ROOT, "package.json"), "utf8"),
    )
    const named = Array.from(
      (PAGES.get("docs/dependencies.md") ?? "").matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm),
      ([, names = ""]) => names.split(", "),
    )
    expect(named.flat()).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...devDependencies })))
  })

  it("the README can be read in ten minutes", () => {
    expect(PAGES.get("README.md")?.split(/\s+/).length).toBeLessThan(1_500)
  })
})
