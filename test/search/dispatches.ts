/**
 * Every order of steps of two desks that hand an order out, killed between any two writes, while its number comes and
 * changes. One of them has the shop's export, which names the items of the order.
 */
import {
  addKnownOrders,
  type DispatchDeps,
  dispatchOrders,
  type ShopOrder,
} from "../../src/orders/dispatched/dispatch.ts"
import type { Item } from "../../src/orders/dispatched/shops.ts"
import { entry } from "../ledger/samples.ts"
import type { Check } from "./cases.ts"
import type { Desk } from "./desk.ts"

const DESKS = ["front", "dock"] as const
const KILLS = ["no kill", "killed before the file", "killed after the file"] as const
const CHANGES = ["the number comes", "the number changes", "the shipment is cancelled"] as const

type Step = { desk: (typeof DESKS)[number]; kill: (typeof KILLS)[number] } | (typeof CHANGES)[number]

const STEPS: readonly Step[] = [...DESKS.flatMap((desk) => KILLS.map((kill) => ({ desk, kill }))), ...CHANGES]
const LENGTH = 4

const ITEMS: readonly Item[] = ["01", "2"].map((id) => ({ "order-item-id": id, quantity: "1" }))

class Killed extends Error {}

function* listSequences(length: number): Generator<readonly Step[]> {
  if (length === 0) yield []
  else for (const before of listSequences(length - 1)) for (const step of STEPS) yield [...before, step]
}

export function* listDispatches({
  database,
  store,
}: Pick<Desk, "database" | "store">): Generator<readonly [string, Check]> {
  for (const steps of listSequences(LENGTH)) {
    const text = steps
      .map((step) => (typeof step === "string" ? step : `${step.desk}, ${step.kill}`))
      .join("; ")
    yield [text, () => check({ database, store }, steps)]
  }
}

async function check(
  { database, store }: Pick<Desk, "database" | "store">,
  steps: readonly Step[],
): Promise<string | undefined> {
  await database.run("delete from dispatches")
  const order: ShopOrder = {
    entry: entry({
      state: "done",
      facts: { carrier: "CARRIER_B_AU", serviceCode: "GEN", shipmentId: "shp-1" },
    }),
    orderId: "PO-1",
  }
  const now = { number: undefined as string | undefined, isCancelled: false }
  const files = new Map<string, string>()
  const unfinished = new Map<string, string>()
  /** Lines of the files that the shop has imported, in order. */
  const imported: string[] = []
  let made = 0
  /** The desk with the export ran while the order waited. */
  let isKept = false

  const run = async (desk: string, kill: (typeof KILLS)[number]) => {
    const file = unfinished.get(desk) ?? `${desk}-${++made}.txt`
    unfinished.set(desk, file)
    const before = files.get(file)
    const deps: DispatchDeps = {
      store,
      sender: { workstation: desk, person: "ann" },
      ids: { uuid: () => `batch ${++made}` },
      readText: async (name) => files.get(name),
      confirmOverwrite: async () => {},
      nameCarriers: async () => new Map(),
      outputs: {
        check: () => {},
        async write(name, text) {
          if (kill === "killed before the file") throw new Killed()
          files.set(name, String(text))
          if (kill === "killed after the file") throw new Killed()
        },
      },
    }
    const found = new Map([["shp-1", now]])
    const hasExport = desk === "front"
    if (hasExport && now.number === undefined && !now.isCancelled) isKept = true
    const given = hasExport ? { ...order, items: ITEMS } : order
    const orders = await addKnownOrders({ store }, [given], "amazon")
    let told: readonly string[] = []
    try {
      const job = { shop: "amazon", file, force: false, again: new Set<string>(), found } as const
      const { rows } = await dispatchOrders(deps, orders, job)
      told = rows.map(({ event, number }) => `${event} ${number}`)
    } catch (error) {
      if (error instanceof Killed) return undefined
      throw error
    }
    unfinished.delete(desk)
    const text = files.get(file)
    if (before !== undefined && text !== before) return `${file} is another one after a kill`
    const lines = text?.trimEnd().split("\n").slice(1) ?? []
    const items = lines.map((line) => line.split("\t").slice(1, 3).join(" ")).join(", ")
    const whole = ["01 1, 2 1", ...(isKept || hasExport ? [] : [" "])]
    if (lines.length > 0 && !whole.includes(items)) return `${file} has the items ${items}`
    const numbers = told.map((each) => (each.startsWith("cancelled") ? "NULL" : (each.split(" ")[1] ?? "")))
    const inFile = new Set(lines.map((line) => line.split("\t")[6] ?? ""))
    if (String([...inFile]) !== String(numbers)) return `${file} says ${[...inFile]} and not ${numbers}`
    imported.push(...told)
    return undefined
  }

  for (const step of steps) {
    if (step === "the number comes") now.number ??= "N"
    else if (step === "the number changes") now.number &&= `${now.number}x`
    else if (step === "the shipment is cancelled") now.isCancelled = true
    else {
      const wrong = await run(step.desk, step.kill)
      if (wrong !== undefined) return wrong
    }
  }
  for (const desk of [...DESKS, ...DESKS]) {
    const wrong = await run(desk, "no kill")
    if (wrong !== undefined) return wrong
  }
  return judge(imported, now)
}

/** Told once, each change once, and the last that the shop hears is what is so. */
function judge(
  imported: readonly string[],
  { number, isCancelled }: { number: string | undefined; isCancelled: boolean },
): string | undefined {
  const all = imported.join(", ")
  if (new Set(imported).size < imported.length) return `told twice: ${all}`
  if (imported.filter((line) => line.startsWith("sent ")).length > 1) return `sent twice: ${all}`
  if (imported.length > 0 && !imported[0]?.startsWith("sent ")) return `changed before it was sent: ${all}`
  if (isCancelled)
    return imported.length > 0 && !imported.at(-1)?.startsWith("cancelled")
      ? `not taken back: ${all}`
      : undefined
  if (number === undefined) return imported.length > 0 ? `handed out without a number: ${all}` : undefined
  return imported.at(-1)?.split(" ")[1] === number ? undefined : `lost ${number}: ${all}`
}
