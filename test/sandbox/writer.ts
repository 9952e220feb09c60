/** A process of its own that books without end, and tells each shipment once the server has acknowledged it. */
import { setTimeout as wait } from "node:timers/promises"
import { startSandbox } from "../../src/sandbox/server.ts"
import { booking } from "./requests.ts"

const [, , dir = ""] = process.argv
const sandbox = await startSandbox({ dir, clock: { now: Date.now, sleep: (ms) => wait(ms) } })
const book = async () => {
  const response = await fetch(`${sandbox.freightBaseUrl}/connector-a/shipments`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.freightApiKey}` },
    body: JSON.stringify(booking()),
  })
  const { shipmentId } = (await response.json()) as { shipmentId: string }
  process.stdout.write(`${shipmentId}\n`)
}
await Promise.all(
  Array.from({ length: 8 }, async () => {
    while (true) await book()
  }),
)
