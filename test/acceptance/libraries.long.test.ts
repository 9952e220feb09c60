/** The libraries as a program gets them: packed, installed in an empty folder without a network, imported and compiled. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { ROOT } from "./freight.ts"

const run = promisify(execFile)

const CONSUMER = `
import {
  type Finding,
  loadPlaces,
  type Places,
  type Severity,
  type ValidateOptions,
  type Validation,
  validateInvoice,
} from "freight-cli/invoice"

export const places: Promise<Places> = loadPlaces()

const options: ValidateOptions = { draft: true, strict: true, accounting: true, rules: { "accounting/bsb": "off" } }
const result: Validation = validateInvoice("{}", options)
const first: Finding | undefined = result.findings[0]
export const severity: Severity | undefined = first?.severity
export const place: [number, number] = [first?.line ?? 0, first?.column ?? 0]
export const hint: string | undefined = first?.hint
validateInvoice(new Uint8Array())
validateInvoice({ docType: "INV" })
// @ts-expect-error a number is no document
validateInvoice(5)
// @ts-expect-error there is no such option
validateInvoice("{}", { strcit: true })
// @ts-expect-error there is no such severity
validateInvoice("{}", { rules: { "accounting/bsb": "quiet" } })
// @ts-expect-error findings have no such part
first?.offset
`

const PROGRAM = `
import {
  type BookedOrder,
  type Booking,
  FreightError,
  type Freight,
  type ListedOrder,
  openFreight,
  type OpenOptions,
  type Package,
} from "freight-cli"
import { type AuditBooking, auditBill, type AuditResult, type Verdict } from "freight-cli/audit"
import { type RunningSandbox, startSandbox } from "freight-cli/sandbox"

const booking: AuditBooking = { shipmentId: "1", carrier: "CARRIER_A_AU", serviceCode: "76", bookedAt: "2026-11-23" }
export const judge = async (bill: Uint8Array): Promise<Verdict | undefined> => {
  const result: AuditResult = await auditBill(bill, { bookings: [booking] }, { tolerance: { percent: 2 } })
  return result.items[0]?.verdict
}
const box: Package = { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }
const order: ListedOrder = {
  customerReference: "PO-1",
  receiver: { companyName: "B", address1: "1 Port St", suburb: "Fremantle", state: "WA", postcode: "6160" },
  packages: [box],
  serviceCode: "cheapest",
  maxPrice: 80,
}
export async function book(options: OpenOptions): Promise<string | null> {
  const freight: Freight = openFreight({ sandbox: true, ...options })
  const one: Booking = await freight.book(order, { key: "PO-1" })
  const all: BookedOrder[] = await freight.bookAll([order], { onBooked: ({ state }) => state === "unknown" })
  const rates = await freight.rates({ from: place, to: place, packages: [box], dangerousGoods: false })
  const single = await freight.rates(
    { from: place, to: place, packages: [box], dangerousGoods: false },
    { connector: "connector-b" },
  )
  const price: number | null | undefined = rates.items[0]?.price ?? single.items[0]?.price
  const jobs = await freight.print(one.shipmentId, { copies: price ?? 1 })
  await freight.print(await freight.label(one.shipmentId))
  await freight.close()
  return all[0]?.consignmentNumber ?? jobs.items[0]?.shipmentId ?? null
}
const place = { suburb: "Fremantle", state: "WA", postcode: "6160", residential: false }
export const explain = (error: unknown): string =>
  error instanceof FreightError ? [error.kind, error.retry, error.next ?? ""].join() : "?"
export const start = (): Promise<RunningSandbox> => startSandbox({ seed: 1, faults: ["502:0.1"], clock: { now: () => 0 } })
// @ts-expect-error each order of a list has its reference
openFreight().bookAll([{ ...order, customerReference: undefined }])
// @ts-expect-error there is no such packaging
openFreight().book({ ...order, packagingCode: "XX" })
// @ts-expect-error there is no such option
openFreight({ profil: "x" })
export const follow = async (booked: Booking) => {
  // @ts-expect-error its carrier may give the number later
  await openFreight().track(booked.consignmentNumber)
  await openFreight().track(booked.consignmentNumber ?? booked.shipmentId)
}
// @ts-expect-error what a call is about is not an option of it
openFreight().book(order, { file: "x.json" })
// @ts-expect-error a key is a text
openFreight().book(order, { key: null })
`

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    lib: ["es2022"],
    types: [],
    noEmit: true,
    skipLibCheck: false,
  },
  files: ["consumer.ts", "program.ts"],
}

const RESOLUTIONS = [
  ["node16", { module: "node16", moduleResolution: "node16" }],
  ["nodenext", { module: "nodenext" }],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }],
] as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "freight-library-"))
  await writeFile(path.join(folder, "package.json"), '{"name":"consumer","private":true,"type":"module"}\n')
  // Pack the existing build. A new build would remove files that other tests are using.
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT })
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`], {
    cwd: folder,
  })
})

/** The output of a program in that folder. */
async function printed(program: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder })
  return JSON.parse(stdout)
}

describe("the types", () => {
  it.each(RESOLUTIONS)("compile, and refuse what is wrong: %s", async (name, options) => {
    await writeFile(path.join(folder, "consumer.ts"), CONSUMER)
    await writeFile(path.join(folder, "program.ts"), PROGRAM)
    const config = { ...TSCONFIG, compilerOptions: { ...TSCONFIG.compilerOptions, ...options } }
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify(config))
    const { stdout } = await run(
      path.join(ROOT, "node_modules/.bin/tsc"),
      ["-p", path.join(folder, `${name}.json`)],
      { cwd: folder },
    ).catch((failed: { stdout: string }) => failed)
    expect(stdout).toBe("")
  })
})

/** The contents of files in `dist/`. */
async function sourcesIn(files: readonly string[]): Promise<string[]> {
  const chunks = JSON.parse(await readFile(path.join(ROOT, ".build/chunks.json"), "utf8"))
  return files.flatMap((file) => (chunks as Record<string, string[]>)[file] ?? [])
}

describe("freight-cli, installed", () => {
  it("exports what is promised, and loads neither API, ledger nor sandbox until something is called", async () => {
    const [names, loaded] = (await printed(`
      import { createRequire } from "node:module"
      import * as library from "freight-cli"
      const files = Object.keys(createRequire(import.meta.url).cache)
      console.log(JSON.stringify([Object.keys(library).sort(), files.map((file) => file.split("/").at(-1))]))
    `)) as [string[], string[]]
    expect(names).toEqual(["FreightError", "openFreight"])
    const sources = await sourcesIn(loaded)
    expect(sources).toContain("src/app/main.ts")
    expect(
      sources.filter((source) => /^src\/(api|ledger\/database|sandbox|commands|bills)\//.test(source)),
    ).toEqual([])
  })

  it("books against the sandbox that it brings, whose folder goes away", async () => {
    const result = await printed(`
      import { existsSync } from "node:fs"
      import { openFreight } from "freight-cli"
      import { startSandbox } from "freight-cli/sandbox"
      const sandbox = await startSandbox({ seed: 5, clock: { now: () => Date.parse("2026-11-20T23:00:00Z") } })
      const { freightBaseUrl, freightApiKey } = sandbox
      const freight = openFreight({
        baseUrl: { freight: freightBaseUrl },
        keys: { freight: freightApiKey },
        clock: sandbox,
        env: { FREIGHT_STATE_DIR: "state", FREIGHT_CONFIG_DIR: "config" },
      })
      const at = { companyName: "A", address1: "1 Long St", suburb: "Alexandria", state: "NSW", postcode: "2015" }
      const [order] = await freight.bookAll([{
        customerReference: "PO-1",
        sender: at,
        receiver: { ...at, companyName: "B" },
        packages: [{ count: 1, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
        packagingCode: "CT",
        serviceCode: "cheapest",
        collectionDateTime: "2026-11-23T10:00:00",
        collectionCloseTime: "1700",
      }])
      const books = await (await fetch(sandbox.controlUrl + "/books?only=counts")).json()
      await freight.close()
      await sandbox.close()
      console.log(JSON.stringify([order.state, order.error, books.counts.shipments]))
    `)
    expect(result).toEqual(["booked", null, 1])
  })

  it("audits a bill, and loads neither API nor ledger for it", async () => {
    const [verdicts, loaded] = (await printed(`
      import { createRequire } from "node:module"
      import { auditBill } from "freight-cli/audit"
      const bookings = [{
        ...{ shipmentId: "s-1", carrier: "CARRIER_C_AU", serviceCode: "STD", bookedAt: "2026-11-20T00:00:00Z" },
        ...{ consignmentNumber: "SBC00000001", quote: { amount: 20, gstBasis: "excluded" }, hasPickup: true },
      }]
      const bill = "Consignment,Amount ex GST\\nSBC00000001,25.00\\n"
      const { items } = await auditBill(bill, { bookings })
      const files = Object.keys(createRequire(import.meta.url).cache)
      const verdicts = items.map(({ verdict, disputed }) => [verdict, disputed])
      console.log(JSON.stringify([verdicts, files.map((file) => file.split("/").at(-1))]))
    `)) as [unknown, string[]]
    expect(verdicts).toEqual([["over", 5]])
    const sources = await sourcesIn(loaded)
    expect(sources).toContain("src/bills/audit/given.ts")
    expect(
      sources.filter((source) =>
        /^(src\/(commands|sandbox|orders)\/|node_modules\/(undici|pg|libsql)\/)/.test(source),
      ),
    ).toEqual([])
  })

  it("refuses an option that there is not", async () => {
    const message = await printed(`
      import { startSandbox } from "freight-cli/sandbox"
      console.log(JSON.stringify(await startSandbox({ prot: 1 }).catch(String)))
    `)
    expect(message).toBe('FreightError: startSandbox: there is no option "prot"')
  })
})

describe("freight-cli/invoice, installed", () => {
  it("needs none of what is installed beside it", async () => {
    const source = await readFile(path.join(folder, "node_modules/freight-cli/dist/invoice.js"), "utf8")
    const imports = source.matchAll(/(?:^|[;}\s])import\s*[^;"'`()]*["']([^"']+)["']/g)
    const imported = Array.from(imports, ([, name]) => name)
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([])
  })

  it("checks a document", async () => {
    await writeFile(path.join(folder, "invoice.json"), textOf(minimalInvoice()))
    const result = await printed(`
      import { readFileSync } from "node:fs"
      import { validateInvoice } from "freight-cli/invoice"
      console.log(JSON.stringify(validateInvoice(readFileSync("invoice.json"))))
    `)
    expect(result).toEqual({ valid: true, findings: [] })
  })

  it("says what is wrong with one, and exports nothing besides", async () => {
    const result = await printed(`
      import * as library from "freight-cli/invoice"
      const { valid, findings } = library.validateInvoice('{"metadata": {}, "data": {', { draft: true })
      console.log(JSON.stringify([Object.keys(library), valid, findings.map(({ rule }) => rule)]))
    `)
    expect(result).toEqual([["loadPlaces", "validateInvoice"], false, ["json/syntax"]])
  })

  it("compares addresses with the places that it loads", async () => {
    const document = minimalInvoice() as unknown as { data: Record<string, unknown> }
    document.data.billTo = {
      ...Object(document.data.billTo),
      city: "Fremantle",
      state: "WA",
      postalCode: "6000",
    }
    await writeFile(path.join(folder, "address.json"), textOf(document))
    const result = await printed(`
      import { readFileSync } from "node:fs"
      import { loadPlaces, validateInvoice } from "freight-cli/invoice"
      const text = readFileSync("address.json", "utf8")
      const rules = (options) => validateInvoice(text, options).findings.map(({ rule }) => rule)
      console.log(JSON.stringify([rules({}), rules({ places: await loadPlaces() })]))
    `)
    expect(result).toEqual([[], ["accounting/address-postcode"]])
  })

  it("has the schemas beside it", async () => {
    const title = await printed(`
      import schema from "freight-cli/schemas/invoice.schema.json" with { type: "json" }
      console.log(JSON.stringify(schema.title))
    `)
    expect(title).toBe("Invoice")
  })

  it("has the command too", async () => {
    const { stdout } = await run(path.join(folder, "node_modules/.bin/freight"), [
      "invoice",
      "validate",
      path.join(folder, "invoice.json"),
    ])
    expect(stdout).toMatch(/: valid\n$/)
  })
})
