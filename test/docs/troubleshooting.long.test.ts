/** The table of what goes wrong, in docs/troubleshooting.md: freight says those words, ends with that code, and what to run is what it names. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { secureServer, tunnelProxy } from "../api/servers.ts"
import { desk, type Ran, ROOT } from "../acceptance/freight.ts"
import { ownSandbox } from "../acceptance/own-sandbox.ts"
import { DEAD_PORT } from "../ports.ts"
import { ownBooking } from "../acceptance/bookings.ts"

const PAGE = readFileSync(path.join(ROOT, "docs/troubleshooting.md"), "utf8")
const ROWS = Array.from(
  PAGE.matchAll(/^\| `([^`]+)`.* \| (\d+) \| (?:`([^`]+)`|the same again) \| .* \|$/gm),
  ([, words = "", code, command = ""]) => ({ words, code: Number(code), command }),
)

/** A desk with a booking file and an account; faults as `freight sandbox start --fault` has them. */
async function signedIn(...faults: readonly string[]) {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(ownBooking()))
  for (const fault of faults) await sandbox.control("faults", { fault })
  return { ...made, sandbox }
}
const BOOK = ["book", "--file", "booking.json"]
const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

/** Moves what this machine remembers of rates into the past. */
function age(state: string, days: number): void {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((file) =>
    /quotes[\\/].*\.json$/.test(file),
  )
  for (const file of files.map((each) => path.join(state, each))) {
    const quote = JSON.parse(readFileSync(file, "utf8"))
    writeFileSync(file, JSON.stringify({ ...quote, quotedAt: quote.quotedAt - days * 86_400_000 }))
  }
}

const TROUBLE: Record<string, () => Promise<Ran>> = {
  "not signed in": async () => (await desk()).freight(["connectors"]),

  "the freight API does not accept the key": async () => {
    const { freight, env } = await signedIn()
    const swapped = {
      FREIGHT_API_KEY: env.DIRECT_PRINT_API_KEY ?? "",
      DIRECT_PRINT_API_KEY: env.FREIGHT_API_KEY ?? "",
    }
    const doctor = await freight(["doctor"], { env: swapped })
    expect(doctor.stdout.match(/the two keys are swapped/g)).toHaveLength(2)
    return freight(["connectors"], { env: swapped })
  },

  "cannot cancel a booking": async () => (await signedIn()).freight(["cancel", "demo-shipment"]),

  "the certificate of … is not trusted": async () => {
    const { port } = await secureServer((res) => res.end())
    const { freight } = await signedIn()
    const ran = await freight(["connectors"], { env: { FREIGHT_BASE_URL: `https://127.0.0.1:${port}` } })
    expect(ran.stderr).toContain("NODE_EXTRA_CA_CERTS")
    return ran
  },

  "refused the connection": async () => {
    const { freight } = await signedIn()
    const proxy = `127.0.0.1:${DEAD_PORT}`
    const env = { HTTPS_PROXY: `http://${proxy}`, FREIGHT_BASE_URL: "https://freight.test" }
    expect((await freight(["doctor"], { env })).stdout).toContain(`through ${proxy}`)
    return freight(["connectors"], { env })
  },

  "refused the user name or password": async () => {
    const { freight } = await signedIn()
    const { port } = await tunnelProxy(DEAD_PORT, { status: 407 })
    const env = { HTTPS_PROXY: `http://me:wrong@127.0.0.1:${port}`, FREIGHT_BASE_URL: "https://freight.test" }
    expect((await freight(["doctor"], { env })).stdout).toContain("refused the user name or password")
    return freight(["connectors"], { env })
  },

  "is limiting requests (429)": async () => {
    const ran = await (await signedIn("429:1")).freight(["connectors"])
    expect(ran.stderr).toContain("gave up after 4 tries")
    return ran
  },

  "is not ready yet": async () => {
    const { freight } = await signedIn()
    const slow = ["--reference", "PO-slow sandbox:slow", "--json"]
    const { shipmentId } = (await freight([...BOOK, ...slow])).json<{ shipmentId: string }>()
    return freight(["label", shipmentId, "--no-wait"])
  },

  "its outcome is unknown": async () => (await signedIn("drop-after-commit:x1@POST/shipments")).freight(BOOK),

  "an equal booking was made": async () => {
    const { freight } = await signedIn()
    expect((await freight(BOOK)).code).toBe(0)
    return freight(BOOK)
  },

  "there is no print device": async () => {
    const { freight, sandbox } = await signedIn()
    expect((await freight(["devices", "use", "device-bench"])).code).toBe(0)
    await sandbox.control("devices", { id: "device-bench", revoked: true })
    return freight(["print", "label", "demo-shipment"])
  },

  "from a quote more than 48 hours old": async () => {
    const { freight, state } = await signedIn()
    const cheapest = await freight(["rate-shop", ...LANE, "--cheapest", "--format", "ndjson"])
    age(state, 3)
    return freight([...BOOK, "--rate", cheapest.json<{ rateId: string }>().rateId])
  },

  "is not a rate that you were offered": async () =>
    (await signedIn()).freight([...BOOK, "--rate", "0b9f7a52-5c0e-4a51-9f0e-2f2a5d1f7c11"]),

  "cannot be used": async () => {
    const { freight, folder } = await signedIn()
    await writeFile(path.join(folder, "file"), "")
    return freight(BOOK, { env: { FREIGHT_STATE_DIR: path.join(folder, "file/state") } })
  },
}

describe("the tables of what goes wrong", () => {
  it("have these rows", () => {
    expect(ROWS.map(({ words }) => words).sort()).toEqual(Object.keys(TROUBLE).sort())
  })

  it.each(ROWS)("$words", async ({ words, code, command }) => {
    const ran = await TROUBLE[words]?.()
    expect(ran?.code, ran?.stderr).toBe(code)
    for (const part of words.split(" … ")) expect(ran?.stderr).toContain(part)
    expect(ran?.stderr).toContain(command.replace(/ ID.*/, ""))
  })
})
