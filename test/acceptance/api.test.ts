import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type {
  BookingResponse,
  ShipmentListResponse,
  SingleConnectorRateResponse,
} from "../../src/contract/generated/types.ts"
import { json, server } from "../api/servers.ts"
import { address, booking, rateRequest } from "../sandbox/requests.ts"
import { booked } from "./bookings.ts"
import { desk, errorIn, ROOT } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { soundPdf } from "../output/paper/odd-pdfs.ts"

const sandbox = await fileSandbox()

interface Books {
  counts: { shipments: number; pickups: number; printJobs: number }
}

async function counts(): Promise<Books["counts"]> {
  return ((await sandbox.control("books?only=counts")) as Books).counts
}

/** A desk with a body in its folder, which `post` sends. */
async function bodyDesk(body: unknown) {
  const made = await desk(sandbox)
  await writeFile(path.join(made.folder, "body.json"), JSON.stringify(body))
  const post = (to: string, ...more: string[]) =>
    made.freight(["api", "POST", to, "--file", "body.json", ...more])
  return { ...made, post }
}

const fieldsIn = (stderr: string) => errorIn(stderr).errors.map(({ field }: { field: string }) => field)

const WHEN = { pickupDate: "2030-11-25", readyTime: "10:00", closeTime: "17:00" }
/** One that no other test of this file makes. */
let made = 0
const newBooking = () => {
  const { receiver, ...rest } = booking({ collectionDateTime: "2030-11-25T10:00:00" })
  const own = { ...receiver, address1: `${++made} Market Street` }
  return { ...rest, receiver: own, customerReference: `api-${made}` }
}

describe("api, reading", () => {
  it("prints the reply's body as JSON, whatever the output is", async () => {
    const { freight } = await desk(sandbox)
    const { code, json } = await freight(["api", "GET", "/connectors"])
    expect(code).toBe(0)
    expect(json<{ connectors: { id: string }[] }>().connectors[0]?.id).toBe("connector-a")
  })

  it("takes a method in any case, and a query in the path", async () => {
    await booked(sandbox, "connector-a")
    const { freight } = await desk(sandbox)
    const { json } = await freight(["api", "get", "shipments?limit=1"])
    expect(json<ShipmentListResponse>()).toMatchObject({ limit: 1, shipments: [{}] })
  })

  it.each([
    "C:/Program Files/Git/connectors",
    "C:\\Program Files\\Git\\connectors",
    "\\connectors",
    "connectors",
  ])("understands %s", async (typed) => {
    const { freight } = await desk(sandbox)
    expect((await freight(["api", "GET", typed])).code).toBe(0)
  })

  it("takes the API's own full address, and no other", async () => {
    const { freight } = await desk(sandbox)
    expect((await freight(["api", "GET", `${sandbox.freightBaseUrl}/connectors`])).code).toBe(0)
    const other = await freight(["api", "GET", `${sandbox.directPrintBaseUrl}/devices`])
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("outside the address")])
  })

  it("calls the direct print API with its own key", async () => {
    const { freight } = await desk(sandbox)
    const { json } = await freight(["api", "GET", "devices", "--api", "direct-print"])
    expect(json<{ devices: unknown[] }>().devices).toHaveLength(2)
  })

  it("posts what only asks, from a file and from --set", async () => {
    const { post } = await bodyDesk(rateRequest())
    const services = async (...more: string[]) => {
      const { json } = await post("connector-a/rates", ...more)
      return json<SingleConnectorRateResponse>().rates.map(({ serviceCode }) => serviceCode)
    }
    expect((await services()).length).toBeGreaterThan(1)
    expect(await services("--set", 'serviceCode="76"')).toEqual(["76"])
  })

  it("gives the rows of a reply's list in other formats", async () => {
    const { freight } = await desk(sandbox)
    const args = ["api", "GET", "connectors", "--fields", "id,carrier"]
    expect((await freight([...args, "--format", "csv"])).stdout.split("\n").slice(0, 2)).toEqual([
      "id,carrier",
      "connector-a,CARRIER_A_AU",
    ])
    expect((await freight([...args, "--format", "ndjson"])).stdout.split("\n")[1]).toBe(
      '{"id":"connector-b","carrier":"CARRIER_B_AU"}',
    )
  })

  it("gives a PDF to a pipe or a file, byte for byte", async () => {
    const { shipmentId } = await booked(sandbox, "connector-a")
    const { freight, folder } = await desk(sandbox)
    const piped = await freight(["api", "GET", `shipments/${shipmentId}/label`])
    expect(piped.bytes.subarray(0, 5).toString()).toBe("%PDF-")
    const saved = await freight(["api", "GET", `shipments/${shipmentId}/label`, "-o", "label.pdf"])
    expect(saved.stdout).toBe("")
    expect(await readFile(path.join(folder, "label.pdf"))).toEqual(piped.bytes)
  })

  it.each([
    [["GET", "shipments/nope"], 5],
    [["GET", "track"], 1],
    [["GET", "no/such/thing"], 5],
  ])("%j exits %i", async (args, exit) => {
    const { freight } = await desk(sandbox)
    const { code, stdout, stderr } = await freight(["api", ...args, "--json"])
    expect(code).toBe(exit)
    expect(stdout).toBe("")
    expect(errorIn(stderr).message).toBeTruthy()
  })

  it.each([
    [["FETCH", "connectors"], "is not a method"],
    [["GET", "connectors", "--set", "a=1"], "sends no body"],
    [["GET", "connectors", "--key", "K"], "--key, --again, --allow-past"],
    [["POST", "c/shipments", "--key", " "], "--key is empty"],
    [["GET", "https://evil.example/connectors"], "outside the address"],
    [["GET", "C:/Windows/notepad.exe"], "path of this computer"],
    [["GET", "../connectors"], "lead out of the API"],
    [["GET", "/"], "empty"],
    [["POST", "rates", "--set", "from"], "--set takes"],
    [["POST", "connector-a/shipments?x=1"], 'must not contain "?"'],
    [["GET", "connectors", "--api", "both"], "direct-print"],
  ])("%j is refused before anything is sent", async (args, words) => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["api", ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})

describe("api --openapi", () => {
  it.each([
    "freight",
    "direct-print",
  ])("prints the %s API as it stands in schemas/, without a key", async (api) => {
    const { freight, folder } = await desk()
    const file = await readFile(path.join(ROOT, `schemas/openapi/${api}.yaml`), "utf8")
    expect(await freight(["api", "--openapi", "--api", api])).toMatchObject({ code: 0, stdout: file })
    expect((await freight(["api", "--openapi", "--api", api, "-o", "api.yaml"])).code).toBe(0)
    expect(await readFile(path.join(folder, "api.yaml"), "utf8")).toBe(file)
  })

  it.each([[["GET"]], [["--json"]], [["--set", "a=1"]]])("takes no %s", async (more) => {
    const { freight } = await desk()
    const { code, stdout } = await freight(["api", "--openapi", ...more])
    expect([code, stdout]).toEqual([2, ""])
  })

  it("is printed on a terminal", async () => {
    const { freight } = await desk()
    const { code, stdout } = await freight(["api", "--openapi"], { columns: 80 })
    expect([code, stdout.startsWith("# Generated")]).toEqual([0, true])
  })
})

describe("api, creating", () => {
  it("books, and the booking is in the ledger like any other", async () => {
    const { freight, post } = await bodyDesk(newBooking())
    const before = await counts()
    const { code, json } = await post("connector-a/shipments")
    expect(code).toBe(0)
    expect(json<BookingResponse>().connectorId).toBe("connector-a")
    const equal = await freight(["book", "--file", "body.json", "--connector", "connector-a", "--json"])
    expect(equal.code).toBe(1)
    expect(errorIn(equal.stderr).message).toContain(json<BookingResponse>().shipmentId)
    expect((await counts()).shipments).toBe(before.shipments + 1)
  })

  it.each([
    "/connector-a/shipments/",
    "//connector-a//shipments",
    "connector-a/%73hipments",
    "connector-a/Shipments",
    "x/../connector-a/shipments",
    "C:/Program Files/Git/connector-a/shipments",
  ])("cannot be led around the ledger by %s", async (typed) => {
    const { freight, post } = await bodyDesk(newBooking())
    await post(typed)
    expect((await freight(["history", "--json"])).items()).toHaveLength(1)
    expect((await post("connector-a/shipments")).code).toBe(1)
  })

  it("gives the result again under its key, and books again when told so", async () => {
    const { post } = await bodyDesk(newBooking())
    const first = await post("connector-a/shipments", "--key", "K")
    expect((await post("connector-a/shipments", "--key", "K")).json()).toEqual(first.json())
    expect((await post("connector-a/shipments")).code).toBe(1)
    const again = await post("connector-a/shipments", "--again")
    expect(again.json<BookingResponse>().shipmentId).not.toBe(first.json<BookingResponse>().shipmentId)
  })

  it("tells under its key what stays as it was booked, and that an order has changed", async () => {
    const body = newBooking()
    const { folder, post } = await bodyDesk(body)
    const first = await post("connector-a/shipments", "--key", "K", "--json")
    const save = (changes: object) =>
      writeFile(path.join(folder, "body.json"), JSON.stringify({ ...body, ...changes }))
    await save({ collectionCloseTime: "1600" })
    const same = await post("connector-a/shipments", "--key", "K", "--json")
    expect([same.code, same.json()]).toEqual([0, first.json()])
    expect(same.stderr).toContain("It stays as it was booked: close time (1700, now 1600).")
    await save({ receiver: { ...body.receiver, suburb: "Perth" } })
    const moved = await post("connector-a/shipments", "--key", "K", "--json")
    expect([moved.code, errorIn(moved.stderr).errors]).toMatchObject([1, [{ field: "receiver.suburb" }]])
  })

  const ALONE = { ...WHEN, collection: address(), receiver: address(), items: booking().items }
  it.each<[string, object, string[]]>([
    ["connector-a/shipments", { packagingCode: "ZZ", receiver: undefined }, ["receiver", "packagingCode"]],
    ["connector-a/shipments", { quoteId: "q-1" }, ["rateId"]],
    [
      "connector-a/shipments",
      { collectionDateTime: "2030-11-25T18:00:00" },
      ["collectionDateTime", "collectionCloseTime"],
    ],
    ["connector-a/shipments", { payer: { type: "ThirdParty", accountNumber: "1" } }, ["payer.type"]],
    ["connector-b/shipments", { serviceCode: "GEN", payer: { type: "Receiver" } }, ["payer.accountNumber"]],
    ["connector-a/pickups", ALONE, ["serviceCode"]],
  ])("keeps the rules of the command, and sends nothing: POST %s with %j", async (to, changes, fields) => {
    const { post } = await bodyDesk(changes === ALONE ? ALONE : { ...newBooking(), ...changes })
    const before = await counts()
    const { code, stderr } = await post(to, "--json")
    expect([code, fieldsIn(stderr).sort()]).toEqual([2, fields.sort()])
    expect(await counts()).toEqual(before)
  })

  it.each([
    // The word is not sent to a carrier.
    ["connector-a", { serviceCode: "cheapest" }, 2, "freight book --service cheapest"],
    [
      "connector-b",
      { foodFreight: true, serviceCode: "GEN" },
      0,
      "warning: foodFreight is for carrier A only",
    ],
    // It is sent: the sandbox refuses it.
    ["connector-a", { newField: 1 }, 1, 'warning: unknown field "newField"'],
  ])("says what freight book says: %s, %j", async (connector, changes, exit, words) => {
    const { post } = await bodyDesk({ ...newBooking(), ...changes })
    const { code, stderr } = await post(`${connector}/shipments`)
    expect([code, stderr]).toEqual([exit, expect.stringContaining(words)])
  })

  it("knows no connector that there is not", async () => {
    const { post } = await bodyDesk(newBooking())
    expect((await post("nowhere/shipments")).code).toBe(5)
  })

  it("exits 7 when the reply never came, and does not book again", async () => {
    const { post } = await bodyDesk(newBooking())
    const before = await counts()
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await post("connector-a/shipments")).code).toBe(7)
    await sandbox.control("faults", undefined, "DELETE")
    expect((await post("connector-a/shipments", "--again")).code).toBe(7)
    expect((await counts()).shipments).toBe(before.shipments + 1)
  })

  it("picks up what its own command then refuses", async () => {
    const { shipmentId } = await booked(sandbox, "connector-a")
    const { freight, post } = await bodyDesk({ ...WHEN, shipmentId })
    expect((await post("connector-a/pickups")).code).toBe(0)
    expect((await post("connector-a/pickups")).code).toBe(1)
    expect((await freight(["pickup", "book", "--shipment", shipmentId])).code).toBe(1)
  })

  it("shows a pickup that failed, and exits 1", async () => {
    const collection = address({ address2: "sandbox:pickup-failed" })
    const { post } = await bodyDesk({ ...ALONE, serviceCode: "76", collection })
    const { code, json, stderr } = await post("connector-a/pickups")
    expect(code).toBe(1)
    expect(json()).toMatchObject({ status: "FAILED" })
    expect(stderr).toContain("no vehicle")
  })

  it("shows a pickup that the service lost, and exits 8", async () => {
    const { shipmentId } = await booked(sandbox, "connector-a", { customerReference: "sandbox:pickup-500" })
    const { post } = await bodyDesk({ ...WHEN, shipmentId })
    const { code, json } = await post("connector-a/pickups")
    expect(code).toBe(8)
    expect(json()).toMatchObject({ orderNumber: expect.stringMatching(/^PU-/) })
  })

  it("prints a label that its own command then does not print again", async () => {
    const { shipmentId } = await booked(sandbox, "connector-a")
    const { freight } = await desk(sandbox)
    const args = ["api", "POST", `shipments/${shipmentId}/print`, "--set", "deviceId=device-bench"]
    expect((await freight(args)).json()).toEqual({ jobId: expect.any(String) })
    expect((await freight(["print", "label", shipmentId, "--device", "device-bench"])).code).toBe(1)
  })

  it("prints a PDF that its own command then does not print again", async () => {
    const { freight, folder } = await bodyDesk({})
    const pdf = soundPdf(`api ${Date.now()}`)
    await writeFile(path.join(folder, "a.pdf"), pdf)
    const sets = ["--set", "deviceId=device-bench", "--set", `pdfBase64=${pdf.toString("base64")}`]
    const { json } = await freight(["api", "POST", "print-jobs", "--api", "direct-print", ...sets])
    expect(json()).toEqual({ jobId: expect.any(String), status: "DELIVERED" })
    expect((await freight(["print", "pdf", "a.pdf", "--device", "device-bench"])).code).toBe(1)
  })

  it("prints no PDF that no printer prints", async () => {
    const { freight } = await bodyDesk({})
    const half = soundPdf("half").subarray(0, 200)
    const sets = ["--set", "deviceId=device-bench", "--set", `pdfBase64=${half.toString("base64")}`]
    const { code, stderr } = await freight(["api", "POST", "print-jobs", "--api", "direct-print", ...sets])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("pdfBase64 cannot be printed: it is not complete"),
    ])
  })

  it("does not try again what may have changed something", async () => {
    const { url, requests } = await server(json({ message: "down" }, 502))
    const { freight } = await desk(sandbox)
    const { code } = await freight(["api", "DELETE", "shipments/abc"], { env: { FREIGHT_BASE_URL: url } })
    expect(code).toBe(7)
    expect(requests).toHaveLength(1)
  })
})
