import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"

const HEADER =
  /^\ufeffOrder,Company,Contact,Phone,Email,Street,Address 2,Suburb,State,Postcode,Residential,Qty,Length,Width,Height,Weight,Packaging,Service,/

describe("freight batch template", () => {
  it("writes CSV to standard output, and nothing else", async () => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["batch", "template"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(HEADER)
    expect(stdout).toContain("\r\nEXAMPLE-1,")
    expect(stdout).toContain("Sender suburb")
  })

  it("has the names of the fields with --format csv", async () => {
    const { freight } = await desk()
    const { stdout } = await freight(["batch", "template", "--format", "csv"])
    expect(stdout).toMatch(/^\ufeffreference,receiver\.companyName,.*,packages,.*,sender\.suburb,/)
  })

  it.each([
    [],
    ["--format", "csv"],
    ["--format", "ndjson"],
  ])("is booked by the sandbox as it is: %s %s", async (...flags) => {
    const { freight } = await desk()
    const file = flags.at(-1) === "ndjson" ? "orders.ndjson" : "orders.csv"
    await freight(["batch", "template", ...flags, "-o", file])
    const ran = await freight(["batch", "book", file, "--sandbox", "--json"])
    expect([ran.code, ran.stderr]).toEqual([0, ""])
    expect(ran.json()).toMatchObject({ rows: 1, booked: 1 })
  })

  it("writes one object with --format ndjson, and a list as batch book reads it with --json", async () => {
    const { freight } = await desk()
    const one = (await freight(["batch", "template", "--format", "ndjson"])).json()
    expect(one).toMatchObject({ reference: "EXAMPLE-1", receiver: { state: "WA" }, packages: [{ count: 2 }] })
    expect((await freight(["batch", "template", "--json"])).json()).toEqual([one])
  })

  it("writes a file, and does not write over one", async () => {
    const { freight, folder } = await desk()
    const first = await freight(["batch", "template", "-o", "orders.csv"])
    expect(first).toMatchObject({ code: 0, stdout: "" })
    expect(first.stderr).toContain("Saved as orders.csv")
    const file = path.join(folder, "orders.csv")
    expect(await readFile(file, "utf8")).toMatch(HEADER)
    await writeFile(file, "filled in")
    const second = await freight(["batch", "template", "-o", "orders.csv"])
    expect(second.code).toBe(2)
    expect(second.stderr).toContain("already exists")
    expect(await readFile(file, "utf8")).toBe("filled in")
  })

  it("leaves out the sender when the profile has one", async () => {
    const { freight } = await desk()
    const address = [
      "companyName=Harbour",
      "address1=1 Bourke Road",
      "suburb=Alexandria",
      "state=NSW",
      "postcode=2015",
    ]
    const added = await freight([
      "address",
      "add",
      "Warehouse",
      ...address.flatMap((each) => ["--set", each]),
    ])
    expect(added.code, added.stderr).toBe(0)
    expect((await freight(["config", "set", "sender", "Warehouse"])).code).toBe(0)
    const { stdout } = await freight(["batch", "template"])
    expect(stdout).toMatch(HEADER)
    expect(stdout).not.toMatch(/sender/i)
  })

  it("explains the columns", async () => {
    const { freight } = await desk()
    const table = await freight(["batch", "template", "--columns"])
    expect(table.stdout).toMatch(/^COLUMN +WHAT IT HOLDS +NEEDED/)
    expect(table.stdout).toMatch(/receiver\.postcode +Four digits/)
    const rows = (await freight(["batch", "template", "--columns", "--json"])).items<{ column: string }>()
    expect(rows[0]).toMatchObject({
      column: "reference",
      needed: true,
      also: expect.arrayContaining(["Order", "PO"]),
    })
    const csv = await freight([
      "batch",
      "template",
      "--columns",
      "--format",
      "csv",
      "--fields",
      "column,example",
    ])
    expect(csv.stdout).toContain("\npackages,")
  })

  it("explains at a terminal those that are needed, and those about a word", async () => {
    const { freight } = await desk()
    const explain = (...words: string[]) =>
      freight(["batch", "template", "--columns", ...words], { columns: 100 })
    const needed = await explain()
    expect(needed.stdout.split("\n").length).toBeLessThan(34)
    expect(needed.stdout).not.toContain("specialInstructions")
    expect(needed.stderr).toContain("freight batch template --columns phone")
    const phones = await explain("phone")
    expect(phones.stdout).toMatch(/^receiver\.phoneNumber/m)
    expect(phones.stdout).not.toContain("serviceCode")
    expect((await explain("all")).stdout).toContain("specialInstructions")
  })
})
