/** Columns of bills that only a person can place: asked about, answered by one line, kept for the supplier's next bill. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { bookToBill, type Report } from "./audits.ts"
import { saveBill } from "./bills.ts"
import { errorIn } from "./freight.ts"
import { order } from "./orders.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const { home, get } = await bookToBill([order("M-1"), order("M-2")])
const NORTHERN = "53 004 085 616"
const OWN = "51824753556"

/** A bill with a column that only a person knows. */
function bill(above: readonly string[] = [], number = "B-1"): string {
  const rows = ["M-1", "M-2"].map((reference) => {
    const { consignment, cents } = get(reference)
    return `${consignment},${(cents / 100).toFixed(2)},4.00`
  })
  return [...above, `Invoice No: ${number}`, "Whatsit,Freight,Kerb drop", ...rows, ""].join("\n")
}

const KERB = ["--map", "Whatsit=consignment", "--map", "Kerb drop="]

async function audit(text: string, ...flags: string[]) {
  const file = await saveBill(home.folder, "kerb.csv", text)
  const ran = await home.freight(["audit", file, "--json", "--no-remember", ...flags])
  const verdicts = ran.code === 0 ? ran.json<Report>().items.map(({ verdict }) => verdict) : []
  return { ...ran, verdicts }
}

const forget = async (name: string) => home.freight(["batch", "maps", "--remove", name])

describe("freight audit --save-map", () => {
  it("keeps what columns are, which --use-map uses", async () => {
    expect((await audit(bill())).code).toBe(2)
    const saved = await audit(bill(), ...KERB, "--save-map", "northern")
    expect([saved.code, saved.verdicts, saved.stderr]).toEqual([
      0,
      ["agrees", "agrees"],
      expect.stringContaining(
        `Saved as "northern": --use-map northern is the same as --map Whatsit=consignment --map "Kerb drop="`,
      ),
    ])
    expect((await audit(bill(), "--use-map", "northern")).verdicts).toEqual(["agrees", "agrees"])
    await forget("northern")
  })

  it("keeps where number and day stand that were given, for the supplier's next bill", async () => {
    const month = (number: string, day: string) =>
      bill([`ABN ${NORTHERN}`, `Our document ${number},,${day}`], "").replace("Invoice No: \n", "")
    const given = ["--number", "N-881", "--date", "2026-11-07"]
    const saved = await audit(month("N-881", "07/11/2026"), ...KERB, ...given, "--save-map", "places")
    expect(saved.stderr).toContain("It keeps where the number and the day of the bill are")
    const next = await audit(month("N-902", "14/11/2026"))
    expect(next.json<Report>().bills).toEqual([
      expect.objectContaining({ billNumber: "N-902", billDate: "2026-11-14" }),
    ])
    const labelled = [`ABN ${NORTHERN}`, "Our document N-2,,14/11/2026", "Invoice date: 21/11/2026"]
    const own = await audit(bill(labelled, "N-903"))
    expect(own.json<Report>().bills).toEqual([
      expect.objectContaining({ billNumber: "N-903", billDate: "2026-11-21" }),
    ])
    await forget("places")
  })

  it("is found by the supplier's name and ABN, and never by our own ABN", async () => {
    const above = [
      "Northern Freight Lines Pty Ltd",
      `ABN ${NORTHERN}`,
      `Bill to: Us ABN ${OWN}`,
      "Supplier: Northern Freight Lines",
    ]
    const saved = await audit(bill(above), ...KERB, "--save-map", "north")
    expect(saved.stderr).toContain("Bills of Northern Freight Lines, 53004085616 are read by it")
    for (const mark of [[`ABN: ${NORTHERN}`], ["Tax invoice of Northern Freight Lines"]]) {
      const ran = await audit(bill(mark, "B-2"))
      expect([ran.code, ran.verdicts]).toEqual([0, ["agrees", "agrees"]])
      expect(ran.stderr).toContain('kerb.csv is read by the map "north", which was saved for this supplier.')
    }
    expect((await audit(bill([`ABN ${OWN}`], "B-3"))).code).toBe(2)
    const block = ["Bill to:", "Us Pty Ltd", "1 Port Street", `ABN ${OWN}`, "", `ABN ${NORTHERN}`]
    const { stderr } = await audit(bill(block, "B-3"), ...KERB, "--use-map", "north", "--save-map", "block")
    expect(stderr).toMatch(/\. Bills of 53004085616 are read by it\n/)
    await forget("block")
    await forget("north")
  })

  it("knows the ABN of a saved supplier of invoices as our own", async () => {
    await home.freight(["party", "add", "us", "--supplier-id", "S-1", "--supplier-name", "Us", "--abn", OWN])
    await audit(bill([`ABN ${OWN}`, `ABN ${NORTHERN}`]), ...KERB, "--save-map", "ours")
    expect((await audit(bill([`ABN ${OWN}`], "B-3"))).code).toBe(2)
    expect((await audit(bill([`ABN ${NORTHERN}`], "B-3"))).code).toBe(0)
    await forget("ours")
  })

  it("is asked about where two fit", async () => {
    const settings = path.join(home.folder, "config/config.json")
    const kept = { map: ["Whatsit=consignment", "Kerb drop="], suppliers: ["53004085616"] }
    const config = JSON.parse(await readFile(settings, "utf8"))
    await writeFile(settings, JSON.stringify({ ...config, maps: { one: kept, two: kept } }))
    const ran = await audit(bill([`ABN ${NORTHERN}`], "B-4"))
    expect([ran.code, errorIn(ran.stderr).message]).toEqual([2, expect.stringContaining("one, two")])
    expect((await audit(bill([`ABN ${NORTHERN}`], "B-4"), "--use-map", "two")).code).toBe(0)
    await forget("one")
    await forget("two")
  })
})

describe("several bills", () => {
  it("need each column of --map in one of them", async () => {
    await saveBill(home.folder, "other.csv", `Consignment,Amount\n${get("M-1").consignment},1.00\n`)
    await saveBill(home.folder, "kerb.csv", bill())
    const words = ["audit", "kerb.csv", "other.csv", "--json", "--no-remember", ...KERB]
    expect((await home.freight(words)).code).toBeLessThan(2)
    const wrong = await home.freight([...words, "--map", "Nowhere=fuel"])
    expect([wrong.code, errorIn(wrong.stderr).message]).toEqual([2, expect.stringContaining('"Nowhere"')])
  })
})

it("--header-row says where the headings are", async () => {
  const text = `A,B\n${bill().split("\n").slice(1).join("\n")}`.replace(
    "Whatsit,Freight,Kerb drop",
    "Con,Cost,Ref",
  )
  expect((await audit(text, "--header-row", "2")).code).toBeLessThan(2)
  expect((await audit(text, "--header-row", "0")).code).toBe(2)
})

describe.runIf(hasTerminal)("at a terminal", () => {
  it("the person is asked, and the bill is read by the answers", async () => {
    const text = bill().replace("Whatsit", "Consignment")
    const file = await saveBill(home.folder, "asked.csv", text)
    const ran = await atTerminal(["audit", path.join(home.folder, file), "--no-remember"], { ...home.env }, [
      { see: "What is it?", type: "\u001b[B\r" },
    ])
    expect([ran.code, ran.screen]).toEqual([0, expect.stringContaining("2 agree")])
  })
})

it("freight post reads a bill by the same map", async () => {
  await audit(bill(), ...KERB, "--save-map", "northern")
  await home.freight(["audit", "kerb.csv", "--use-map", "northern"])
  const words = [
    "post",
    "kerb.csv",
    "--for",
    "xero",
    "--account",
    "429",
    "--supplier-name",
    "N",
    "--date",
    "2026-11-20",
  ]
  const posted = await home.freight([...words, "--due", "30 days", "--gst", "0", "--use-map", "northern"])
  expect([posted.code, posted.stderr]).toEqual([0, expect.stringContaining("Posted 1 bill")])
  await forget("northern")
})
