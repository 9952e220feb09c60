/** The commands of freight that people and programs run at a desk, as far as the ledger is concerned. */
import { FreightError } from "../../src/base/errors.ts"
import type { Account } from "../../src/ledger/accounts/account.ts"
import { release, settleByHand } from "../../src/ledger/by-hand.ts"
import { createOnce, type Intent, type LedgerDeps } from "../../src/ledger/create.ts"
import { lookForElsewhere } from "../../src/ledger/look.ts"
import { reconcile, type ReconcileDeps } from "../../src/ledger/reconcile.ts"
import type { Order } from "../simulation/orders.ts"
import { type Ports, type Program, type Result, toResult } from "./process.ts"

/** How an order is sent. */
export type Way =
  /** `book` at a terminal: a person is asked before it is sent. */
  | "by hand"
  /** Rows of a file, several at a time. */
  | "batch"
  /** `api`, or a script: nobody is asked. */
  | "api"

export interface Setting {
  orders: readonly Order[]
  account: () => Account
}

/**
 * Sends orders, as their way has it.
 * @param indexes of the setting's orders
 * @param options `looks`: for what was booked elsewhere, first
 */
export function send(
  { orders, account }: Setting,
  name: string,
  way: Way,
  indexes: readonly number[],
  { desk = name, looks = false }: { desk?: string; looks?: boolean } = {},
): Program {
  return {
    name,
    desk,
    async run(ports) {
      await openLedger(ports)
      if (looks)
        await lookForElsewhere(
          { ...ports, owner: account() },
          ports.api,
          { atOnce: 1, settles: true },
          async () => {},
        )
      const one = async (index: number): Promise<Result> => {
        const order = orders[index]
        if (!order) throw new TypeError(`there is no order ${index}`)
        return sendOne(ports, account(), way, index, order)
      }
      return Promise.all(indexes.map(one))
    },
  }
}

/** As `openLedger` of `open.ts` does: what could not be recorded earlier is taken in first. */
async function openLedger({ outbox, store }: Ports): Promise<void> {
  await outbox.takeIn(store)
}

async function sendOne(ports: Ports, owner: Account, way: Way, index: number, order: Order): Promise<Result> {
  const { store, clock, leases, outbox, signal, name } = ports
  let token = ""
  const deps: LedgerDeps = {
    store: {
      ...store,
      newToken() {
        token = store.newToken()
        return token
      },
    },
    ...{ owner, clock, leases, outbox, signal, sender: { workstation: name, person: "" } },
    spending: { isOpen: way === "by hand", confirm: async () => {} },
  }
  try {
    const { recorded, entry, response } = await createOnce(
      deps,
      { ...toIntent(order, ports), question: "Book it?" },
      (lease) => ports.post(index, token, lease),
      ({ shipmentId }) => (shipmentId === undefined ? {} : { shipmentId }),
    )
    const { shipmentId } = recorded ? entry.facts : response
    return {
      ...{ order: index, outcome: recorded ? "recorded" : "made" },
      ...(shipmentId !== undefined && { shipmentId }),
    }
  } catch (error) {
    return toResult(index, error)
  }
}

function toIntent(
  { kind, number, isNumberGenerated, again, shipments, intent }: Order,
  { api }: Ports,
): Intent {
  const given = {
    ...intent,
    again,
    isKeyGenerated: isNumberGenerated,
    ...(number !== undefined && { key: number }),
  }
  if (kind !== "pickup") return { ...given, kind }
  const getShipment = async (id: string) => (await api.getShipment(id)).shipment
  return { ...given, kind, collects: { shipments: shipments.map(({ id }) => id), getShipment } }
}

function toReader({ account }: Setting, { store, clock, signal }: Ports): ReconcileDeps {
  const { fingerprint, scope } = account()
  return { store, clock, signal, account: fingerprint, owner: { scope }, scopes: [scope] }
}

/** Any other command: it takes in what the desk has kept. */
export function open(name: string, desk = name): Program {
  return {
    name,
    desk,
    async run(ports) {
      await openLedger(ports)
      return []
    },
  }
}

/** `freight reconcile`. */
export function look(setting: Setting, name: string, desk = name): Program {
  return {
    name,
    desk,
    async run(ports) {
      await openLedger(ports)
      await reconcile(toReader(setting, ports), async () => ports.api)
      return []
    },
  }
}

/**
 * `freight reconcile --release` for all that is open.
 * @param asks the person asks the carrier first, and names the shipment where there is one (`--settle`)
 */
export function settleOpen(setting: Setting, name: string, asks: boolean, desk = name): Program {
  return {
    name,
    desk,
    async run(ports) {
      await openLedger(ports)
      const { store, api } = ports
      const deps = toReader(setting, ports)
      for (const entry of await store.open(deps.scopes)) {
        const made = asks ? await ports.askCarrier() : []
        const tokens = await store.database.all("select claim_token from sends where id = ?", [entry.id])
        const own = made.find(({ token }) => token === tokens[0]?.claim_token)
        try {
          const name = entry.kind === "shipment" ? own?.shipment : undefined
          if (own) await settleByHand(deps, entry.id, name ?? undefined, api)
          else await release(deps, entry.id)
        } catch (error) {
          if (!(error instanceof FreightError)) throw error
        }
      }
      return []
    },
  }
}
