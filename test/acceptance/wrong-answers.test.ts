/** Messages and exit codes that were once wrong or missing. */
import { readdir } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { desk, errorIn } from "./freight.ts"
import { ownBooking } from "./bookings.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

/** A desk with another tenant's key. */
const deskOf = (key: string) => desk({ ...sandbox, freightApiKey: sandbox.keys[key] ?? "" })
const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

describe("two accounts of one carrier", () => {
  it("are distinguished in the table of rates, where there are two", async () => {
    const two = await (await deskOf("secondTenantFreight")).freight(["rate-shop", ...LANE])
    expect(two.stdout).toContain("second-a-perth")
    const one = await (await desk(sandbox)).freight(["rate-shop", ...LANE])
    expect(one.stdout).not.toContain("connector-a")
  })
})

describe("a booking whose pickup failed", () => {
  it("names the command that books the pickup alone", async () => {
    const { freight, folder } = await deskOf("secondTenantFreight")
    const { writeFile } = await import("node:fs/promises")
    await writeFile(`${folder}/booking.json`, JSON.stringify(ownBooking()))
    const { code, stdout, stderr } = await freight(
      "book --file booking.json --connector second-b-pickup-fails --service GEN --json".split(" "),
    )
    expect(code).toBe(0)
    const { shipmentId } = JSON.parse(stdout)
    expect(stderr).toContain(`freight pickup book ${shipmentId}`)
  })
})

describe("labels of which some were saved", () => {
  it("do not end with 2, which says that nothing was done", async () => {
    const { freight, folder } = await desk(sandbox)
    const { code, stderr } = await freight(["label", "demo-shipment", ".", "--json"])
    expect(code).toBe(8)
    expect(errorIn(stderr)).toMatchObject({
      message: '1 of 2 labels were saved; then: "." is not an id',
      errors: [{ message: '"." is not an id', kind: "usage", retry: "never" }],
    })
    expect(await readdir(folder)).toContain("DEMO.pdf")
  })
})

describe("tracking with a carrier whose account is switched off", () => {
  it("is not found: exit 5", async () => {
    const { freight } = await deskOf("inactiveCarrierFreight")
    const { code, stderr } = await freight(["track", "DEMO-B-MOVING", "--carrier", "CARRIER_B_AU"])
    expect(code).toBe(5)
    expect(stderr).toContain("No active connector for that carrier")
  })
})
