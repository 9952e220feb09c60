/** `freight audit --link`: a number on a bill that nothing known has, and the shipment that a person says it is. */
import { describe, expect, it } from "vitest"
import { bookToBill } from "./audits.ts"
import { csvBill, saveBill } from "./bills.ts"
import { order } from "./orders.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { take, told } from "./wizard.ts"

type Row = Record<string, unknown>

const { home, get } = await bookToBill(
  ["L-1", "L-2", "L-3", "L-4", "L-5"].map((reference) =>
    order(reference, { connector: "connector-a", service: "76" }),
  ),
)

async function audit(invoice: string, consignment: string, cents: number, ...flags: string[]) {
  const file = await saveBill(home.folder, `${invoice}.csv`, csvBill([{ consignment, cents, invoice }]))
  const { code, stderr, stdout } = await home.freight(["audit", file, ...flags, "--json"])
  const rows = code === 0 || code === 1 ? (JSON.parse(stdout) as { items: Row[] }).items : []
  return { code, stderr, row: rows[0] ?? {}, file }
}

describe("a number that nothing known has", () => {
  it("is the shipment that a person says, by any of its names, for this bill and whenever it is audited again", async () => {
    const { consignment, shipmentId, cents } = get("L-1")
    expect((await audit("K-1", "QQ-17", cents)).row).toMatchObject({
      consignmentNumber: "QQ-17",
      foundBy: null,
    })
    for (const name of [consignment, shipmentId, "L-1"]) {
      const { row, code } = await audit("K-1", "QQ-17", cents, "--link", `qq 17=${name}`, "--no-remember")
      expect([code, row]).toEqual([
        0,
        expect.objectContaining({ consignmentNumber: consignment, verdict: "agrees", foundBy: "link" }),
      ])
    }
    await audit("K-1", "QQ-17", cents, "--link", `QQ-17=${consignment}`)
    expect((await audit("K-1", "QQ-17", cents)).row).toMatchObject({
      consignmentNumber: consignment,
      verdict: "agrees",
    })
    expect((await audit("K-2", "QQ-17", cents)).row).toMatchObject({
      consignmentNumber: "QQ-17",
      foundBy: null,
    })
  })

  it("is it on every bill from then on where the person says so, until it is undone", async () => {
    const { consignment, cents } = get("L-2")
    await audit("K-3", "QQ-18", cents, "--link", `QQ-18=${consignment}`, "--always")
    expect((await audit("K-4", "QQ-18", cents)).row).toMatchObject({
      consignmentNumber: consignment,
      verdict: "billed-twice",
    })
    await audit("K-3", "QQ-18", cents, "--link", "QQ-18=", "--always")
    expect((await audit("K-4", "QQ-18", cents)).row).toMatchObject({ consignmentNumber: "QQ-18" })
  })

  it("was disputed before it was linked: that is reported, and posted on the clearing account until it is written off", async () => {
    const { consignment, cents } = get("L-3")
    const meant = ["--map", "Consignment=consignment"]
    const { file } = await audit("K-5", "SBA95000001", cents, "--raise", ...meant)
    const linked = await audit("K-5", "SBA95000001", cents, "--raise", "--link", `SBA95000001=${consignment}`)
    expect(linked.row).toMatchObject({ consignmentNumber: consignment, verdict: "agrees" })
    expect(linked.stderr).toContain("raised before it was linked to a shipment: freight disputes written-off")
    const accounts = ["--for", "xero", "--account", "429", "--clearing", "650", "--due", "30 days"]
    const posted = await home.freight(["post", file, ...accounts])
    expect(posted.stdout).toContain(`,${(cents / 100).toFixed(2)},650,`)
    expect((await home.freight(["disputes", "written-off", "SBA95000001"])).stderr).toContain("to 429")
  })

  it("is refused where the shipment, or the number, is not known", async () => {
    const { cents } = get("L-4")
    const nobody = await audit("K-6", "QQ-19", cents, "--link", "QQ-19=NOBODY")
    expect([nobody.code, nobody.stderr]).toEqual([5, expect.stringContaining("no shipment")])
    const other = await audit("K-6", "QQ-19", cents, "--link", "QQ-20=L-4")
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("none of these bills names")])
    const wrong = await audit("K-6", "QQ-19", cents, "--link", "QQ-19")
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("--link takes the number on the bill"),
    ])
    expect((await audit("K-6", "QQ-19", cents, "--always")).code).toBe(2)
  })

  it.runIf(hasTerminal)("is asked about at a terminal before it is disputed", async () => {
    const { consignment, cents } = get("L-5")
    const file = await saveBill(
      home.folder,
      "K-7.csv",
      csvBill(["SBA95000021", "SBA95000022"].map((each) => ({ consignment: each, cents, invoice: "K-7" }))),
    )
    const seat = await sitDown(["audit", file, "--raise"], home.env)
    // A note comes before its question, and what is typed between the two is lost.
    const asks = (note: string) =>
      new RegExp(`${note}[^?]*\\? Which shipment is it\\? \\(Enter: not known\\)`)
    await take(seat, [
      [asks("SBA95000021 on bill K-7 is not known here or at the API"), { type: "L-55" }, "enter"],
      [asks("there is no shipment"), { type: "L-5" }, "enter"],
      ["? Is SBA95000021 that shipment on every bill from now on? (y/N)", { type: "y" }, "enter"],
      [asks("SBA95000022 on bill K-7 is not known here or at the API"), "enter"],
    ])
    expect(await seat.exit).toBe(1)
    expect(await told(seat)).toContain("SBA95000022")
    const again = await sitDown(["audit", file, "--raise"], home.env)
    expect(await again.exit).toBe(1)
    expect(await told(again)).not.toContain("Which shipment is it?")
    expect((await audit("K-8", "SBA95000021", cents)).row).toMatchObject({
      consignmentNumber: consignment,
      verdict: "billed-twice",
    })
    const raised = (await home.freight(["disputes", "--json"])).items<Row>()
    expect(
      raised.filter(({ billNumber }) => billNumber === "K-7").map((each) => each.consignmentNumber),
    ).toEqual(["SBA95000022"])
  })
})
