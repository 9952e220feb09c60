/** A sandbox with consignments of all carriers, the books of a desk that booked them, and the carriers' bills. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { BillKey } from "../../src/bills/verdicts.ts"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { desk } from "./freight.ts"
import { type Order, order, saveOrders } from "./orders.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

const SERVICES: readonly (readonly [connector: string, service: string])[] = [
  ["connector-a", "76"],
  ["connector-b", "GEN"],
  ["connector-c", "STD"],
  ["connector-a", "75"],
  ["connector-b", "EXP"],
  ["connector-c", "EXP"],
  ["connector-b", "PRM"],
]
const PLACES = [
  ["Fremantle", "WA", "6160"],
  ["Hobart", "TAS", "7000"],
  ["Wagga Wagga", "NSW", "2650"],
  ["Richmond", "VIC", "3121"],
  ["Cairns", "QLD", "4870"],
] as const
/** How many of a hundred consignments of each are never rightly billed. */
const UNBILLED_EACH = 2

/** The n-th of many orders: carriers, services, places and weights vary, and a few are not to be billed. */
function orderNumber(n: number): Order {
  const [connector, service] = SERVICES[n % SERVICES.length] ?? ["", ""]
  const [suburb, state, postcode] = PLACES[n % PLACES.length] ?? PLACES[0]
  const kind = Math.floor((n % 100) / UNBILLED_EACH)
  return order(`PO-${n + 1}`, {
    connector,
    service,
    "receiver.suburb": suburb,
    "receiver.state": state,
    "receiver.postcode": postcode,
    packages: `${1 + (n % 3)}x40x30x20@${1 + (n % 23) / 2}`,
    ...(kind === 0 && { specialInstructions: "sandbox:cancelled" }),
    ...(kind === 1 && { specialInstructions: "sandbox:not-collected" }),
    ...(kind === 2 && { "payer.type": "Receiver", "payer.accountNumber": "R-77" }),
  })
}

export interface Rehearsal {
  readonly sandbox: RunningSandbox
  readonly home: Awaited<ReturnType<typeof desk>>
  /** Runs `sandbox bill` on the same sandbox. */
  bill(...words: string[]): ReturnType<Rehearsal["home"]["freight"]>
  key(file: string): Promise<BillKey>
  stop(): Promise<void>
}

/** Books `count` consignments, and moves the sandbox's clock to when all is delivered. @throws when one is not booked */
export async function rehearse(count: number): Promise<Rehearsal> {
  const sandbox = await startSandboxProcess()
  const home = await desk(sandbox)
  const file = await saveOrders(
    home.folder,
    Array.from({ length: count }, (_, n) => orderNumber(n)),
  )
  const ran = await home.binary(["batch", "book", file, "--json"])
  const { booked } = ran.json<Summary>()
  if (booked !== count) throw new Error(`${booked} of ${count} are booked: ${ran.stderr.slice(-2000)}`)
  const bill = (...words: string[]) =>
    home.freight(["sandbox", "bill", ...words], { env: { FREIGHT_STATE_DIR: sandbox.state } })
  await bill("--delivered", "-o", "right.csv")
  return {
    sandbox,
    home,
    bill,
    key: async (name) => JSON.parse(await readFile(path.join(home.folder, `${name}.key`), "utf8")),
    stop: () => sandbox.stop(),
  }
}
