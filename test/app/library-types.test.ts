/** The types that the libraries publish, as the build emits them. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { CALLS } from "../../src/app/library-given.ts"
import { createBookingFileSchema } from "../../src/orders/booking/file-schema.ts"
import { ensureBuilt, ROOT } from "../acceptance/freight.ts"

const NAMES = {
  index: `Address Allowances BookAllOptions BookOptions BookedOrder Booking BookingAddress Carrier Connector
    ConsignmentBookingRequest ErrorCode ErrorDetail ErrorKind Freight FreightError Items LabelOptions List ListedOrder
    OpenOptions Order OrderAllowances OrderState Package Payer Pickup PickupBookingRequest PickupOptions Place PrintJob
    PrintOptions PrintedLabel PrintedPdf Rate RateRequest RatedService Rates ReturnOrder ServicePreferences Settled
    Shipment ShipmentName ShipmentsOptions Signal TrackOptions Tracked TrackingEvent TrackingInfo TrackingPod openFreight`,
  audit: "AuditBooking AuditOptions AuditResult AuditedConsignment Evidence Verdict auditBill",
  sandbox: "RunningSandbox StartOptions startSandbox",
  invoice: `Edit Finding Fix KnownSupplier Places Severity ValidateOptions Validation loadPlaces validateInvoice`,
}

/** Variables that the examples of docs/library.md use without declaring them. */
const GIVEN = `
/** @type {Uint8Array} */ export let bill
/** @type {import("freight-cli/audit").AuditBooking[]} */ export let bookings
`

let types: Record<keyof typeof NAMES, string>
beforeAll(async () => {
  ensureBuilt()
  const read = Object.keys(NAMES).map(async (name) => [
    name,
    await readFile(path.join(ROOT, "dist", `${name}.d.ts`), "utf8"),
  ])
  types = Object.fromEntries(await Promise.all(read))
})

/** The members of a published interface: each with its docstring, where it has one. */
function readMembers(name: string): ReadonlyMap<string, string> {
  const [, body = ""] =
    new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(types.index) ?? []
  const members = body.matchAll(/(?: {2}\/\*\*([\s\S]*?)\*\/\n)? {2}(\w+)\??: [^\n]*/g)
  return new Map(Array.from(members, ([, docs = "", member = ""]) => [member, docs.trim()]))
}

describe("the emitted types", () => {
  it.each(Object.keys(NAMES) as (keyof typeof NAMES)[])("have every name that is promised: %s", (library) => {
    const text = types[library]
    const declared = Array.from(
      text.matchAll(/^export (?:declare )?(?:interface|type|class|function) (\w+)/gm),
      ([, name]) => name,
    )
    const again = Array.from(text.matchAll(/^export type \{([^}]*)\}/gm), ([, names = ""]) =>
      names.split(","),
    )
    const names = [...declared, ...again.flat().map((name) => name?.trim())].filter(Boolean)
    expect(names.sort()).toEqual(NAMES[library].split(/\s+/).sort())
    expect(text.startsWith("/**\n")).toBe(true)
  })

  it("an order takes all that a booking file does, each with what is said of it", () => {
    const members = readMembers("Order")
    const { properties, $defs } = createBookingFileSchema()
    const { $schema: _, ...ofFile } = properties
    expect(Object.keys(ofFile).filter((name) => !members.get(name))).toEqual([])
    const place = readMembers("Place")
    expect(Object.keys($defs.BookingPlace?.properties ?? {}).filter((name) => !place.get(name))).toEqual([])
  })

  it.each([
    ["book", "BookOptions"],
    ["bookAll", "BookAllOptions"],
    ["track", "TrackOptions"],
    ["label", "LabelOptions"],
    ["pickup", "PickupOptions"],
    ["print", "PrintOptions"],
    ["shipments", "ShipmentsOptions"],
  ] as const)("the options of %s are those that it reads, each with what is said of it", (call, name) => {
    const members = readMembers(name)
    const options = Object.keys(CALLS[call].options)
    expect([...members.keys()].filter((each) => each !== "onBooked").sort()).toEqual(options.sort())
    expect([...members].filter(([, docs]) => docs === "")).toEqual([])
  })

  it("fit the programs of docs/library.md", async () => {
    const page = await readFile(path.join(ROOT, "docs/library.md"), "utf8")
    const programs = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, text = ""]) => text)
    expect(programs).toHaveLength(3)
    const folder = await mkdtemp(path.join(tmpdir(), "freight-types-"))
    try {
      await writeFile(path.join(folder, "given.js"), GIVEN)
      for (const [at, text] of programs.entries()) {
        const given = text.includes("auditBill(bill") ? 'import { bill, bookings } from "./given.js"\n' : ""
        await writeFile(path.join(folder, `program-${at}.js`), given + text)
      }
      const paths = Object.keys(NAMES).map((name) => [
        name === "index" ? "freight-cli" : `freight-cli/${name}`,
        [path.join(ROOT, "dist", `${name}.d.ts`)],
      ])
      const compilerOptions = {
        ...{ strict: true, noImplicitAny: false, allowJs: true, checkJs: true, noEmit: true },
        ...{ target: "es2022", module: "nodenext", moduleDetection: "force", types: ["node"] },
        ...{ typeRoots: [path.join(ROOT, "node_modules/@types")], paths: Object.fromEntries(paths) },
      }
      await writeFile(path.join(folder, "package.json"), '{"type":"module"}')
      await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }))
      const { stdout } = await promisify(execFile)(path.join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], {
        cwd: folder,
      }).catch((failed: { stdout: string }) => failed)
      expect(stdout).toBe("")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
