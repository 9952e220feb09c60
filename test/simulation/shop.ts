/**
 * A shop that is told the numbers of its orders by files: `freight dispatched` at the desks of the team's ledger, killed
 * between any two of its writes. Whoever runs it imports each file once it is whole.
 */
import type { Entry } from "../../src/ledger/entry.ts"
import { addKnownOrders, type DispatchDeps, dispatchOrders } from "../../src/orders/dispatched/dispatch.ts"
import { readBookedSince } from "../../src/orders/dispatched/orders.ts"
import { createReader, openFreightAccount, type Round, runCommand } from "./commands.ts"
import type { Desk, Profile } from "./desks.ts"
import { count } from "./report.ts"
import { findShipment, type Service, type Shipment, type Tenant } from "./services.ts"
import { DAY } from "./time.ts"

export interface Shop {
  /** The numbers that it has of each order. */
  readonly orders: Map<string, Set<string>>
  readonly files: Map<string, string>
  /** Files whose command was killed, by desk: run again under the same name. */
  readonly unfinished: Map<string, string>
  /** The text of each file that was imported last. */
  readonly imported: Map<string, string>
}

export function createShop(): Shop {
  return { orders: new Map(), files: new Map(), unfinished: new Map(), imported: new Map() }
}

/** The carrier's number for a shipment; a few change. */
export function numberOf({ id, isRenumbered }: Shipment): string {
  return `${isRenumbered ? "M" : "N"}-${id}`
}

/** `freight dispatched --for csv --since 30d`. */
export async function handOut(round: Round, desk: Desk, profile: Profile): Promise<void> {
  const { chance, time, report } = round
  const { tenant } = profile.key
  const { service } = tenant
  // An export knows a shipment by its id alone, and two services on ports of one machine give equal ids.
  if (desk.ledger !== round.team || service.prefix === "") return
  await runCommand(round, desk, async (process) => {
    const { store } = process
    // Bookings of other keys of the account are exported, too.
    await openFreightAccount(round, process, profile)
    const { scopes } = await createReader(process, profile)
    if (!scopes) return
    const shop = findShop(round, tenant)
    const { files, unfinished } = shop
    const file = unfinished.get(desk.name) ?? `/${desk.name}-${files.size}.csv`
    unfinished.set(desk.name, file)
    const deps: DispatchDeps = {
      store,
      sender: { workstation: desk.name, person: "" },
      ids: { uuid: round.createToken },
      readText: async (name) => files.get(name),
      // Whoever is asked imports what is there before it is written over.
      confirmOverwrite: async (name) => importFile(shop, name),
      nameCarriers: async () => new Map(),
      outputs: {
        check: () => {},
        async write(name, text) {
          if (chance.of(0.1)) process.kill("before a file was written")
          files.set(name, String(text))
          if (chance.of(0.1)) process.kill("after a file was written")
        },
      },
    }
    const since = time.now() - 30 * DAY
    const given = await readBookedSince(store, scopes, "csv", since)
    const orders = await addKnownOrders({ store, scopes }, given, "csv")
    const found = new Map(orders.flatMap(({ entry }) => findNow(service, entry)))
    const job = { shop: "csv", file, force: false, again: new Set<string>(), found } as const
    const { isWritten, rows } = await dispatchOrders(deps, orders, job)
    process.check()
    if (isWritten) importFile(shop, file)
    unfinished.delete(desk.name)
    for (const { event } of rows) count(report.ends, `shop: ${event}`)
  })
}

/** The service's answer about a shipment. Most have their number at once. */
function findNow(service: Service, { facts: { shipmentId = "" } }: Entry) {
  const shipment = findShipment(service, shipmentId)
  const number = shipment && !shipment.waits ? numberOf(shipment) : undefined
  return [[shipmentId, { number, isCancelled: false }]] as const
}

function findShop({ shops }: Round, tenant: Tenant): Shop {
  const shop = shops.get(tenant) ?? createShop()
  shops.set(tenant, shop)
  return shop
}

/** As shops do: the lines of an order are put in the place of what is there, unless all of them are new. */
function importFile({ orders, files, imported }: Shop, file: string): void {
  const text = files.get(file) ?? ""
  if (imported.get(file) === text) return
  imported.set(file, text)
  const lines = text.trimEnd().split("\n").slice(1)
  const rows = lines.map((line) => {
    const [order = "", , , number = "", , event = ""] = line.split(",")
    return { order, number, event }
  })
  for (const order of new Set(rows.map((row) => row.order))) {
    const own = rows.filter((row) => row.order === order)
    const isNew = own.every(({ event }) => event === "sent" || event === "cancelled")
    const numbers = new Set(isNew ? orders.get(order) : [])
    for (const { event, number } of own)
      if (event === "cancelled") numbers.delete(number)
      else numbers.add(number)
    orders.set(order, numbers)
  }
}
