/** Every order beside what another ledger, or a person in the portal, has booked; and what an open entry may have made of it. */
import type { ConsignmentBookingRequest, ShipmentDetail } from "../../src/contract/generated/types.ts"
import { hashDayGoods, toElsewhereRow } from "../../src/ledger/elsewhere.ts"
import type { ApiKey } from "../simulation/services.ts"
import { toDetail } from "../simulation/services.ts"
import { toBooking } from "../simulation/orders.ts"
import { type Check, combine } from "./cases.ts"
import { type Desk, NOW, SCOPES } from "./desk.ts"
import { askFor, toEntry, toIntent } from "./ledgers.ts"
import {
  type Asked,
  isOtherOrder,
  type Likeness,
  type Past,
  type Stranger,
  tell,
  tellBeside,
  type Told,
} from "./rules.ts"

interface Beside extends Stranger {
  /** A command that has read the list asks about goods without the order's number, too. */
  asksForGoods: boolean
  maker: "none" | "open" | "sending, then done"
  makerName: "w-2" | "PO-8"
  /** The maker's entry: it need not be equal to the last detail, and may be another part of the order. */
  likeness: Extract<Likeness, "equal" | "later" | "more">
}

export function* listStrangers(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  const orders = combine<Pick<Asked, "name" | "hasReference" | "again">>({
    name: ["PO-7", "PO-8", "2028.010", "w-1", ""],
    hasReference: [true, false],
    again: [false, true],
  })
  for (const order of orders) {
    const asked: Asked = { kind: "shipment", door: "batch", collects: [], ...order }
    const besides = combine<Beside>({
      name: ["PO-7", "po 07", "PO-8", "2028.01", ""],
      goods: ["same", "more", "earlier day"],
      isCancelled: [false, true],
      asksForGoods: [false, true],
      maker: ["none", "open", "sending, then done"],
      makerName: ["w-2", "PO-8"],
      likeness: ["equal", "later", "more"],
    })
    for (const beside of besides) {
      // An open entry can only have made a shipment with its own reference and goods.
      const goods = beside.likeness === "more" ? "more" : "same"
      const isMade = beside.goods === goods && beside.name === (order.hasReference ? "PO-7" : "")
      const isFirst = beside.makerName === "w-2" && beside.likeness === "equal"
      if (beside.maker === "none" ? !isFirst : !isMade) continue
      const text = `elsewhere is ${JSON.stringify(beside)}, and ${JSON.stringify(asked)} is asked for`
      yield [text, () => checkBeside(desk, key, asked, beside)]
    }
  }
}

async function checkBeside(
  desk: Desk,
  key: ApiKey,
  asked: Asked,
  { asksForGoods, maker, makerName, likeness, ...stranger }: Beside,
): Promise<string | undefined | false> {
  const intent = toIntent(asked, key)
  const row = toElsewhereRow(SCOPES.own, toListed(key, stranger, asked))
  const pasts: Past[] =
    maker === "none"
      ? []
      : [
          {
            ...{ kind: "shipment", standing: maker, sent: 60_000, settled: 60_000, name: makerName },
            ...{ likeness, account: "own", collects: [] },
          },
        ]
  const entries = pasts.map((past, n) => toEntry(past, n, asked, key))
  if (!(await desk.fill({ entries, elsewhere: [row] }))) return false
  const rules = (all: readonly Past[], question: Asked): Told => {
    const told = tell(all, question)
    if (told.is !== "sent") return told
    const is = tellBeside(stranger, question, asksForGoods)
    if (is === "sent") return told
    const [open] = all
    // Two numbers are two orders: what stands there is of the one whose outcome is not known.
    if (open && is === "equal" && isOtherOrder(open, question)) return told
    if (open?.standing === "open") return { is: "unknown", past: open }
    return open?.standing === "sending, then done" ? { is: "waits", past: open } : { is }
  }
  const dayGoodsHash = hashDayGoods(intent.request as ConsignmentBookingRequest)
  const asking = { ...intent, ...(asksForGoods && dayGoodsHash !== undefined && { dayGoodsHash }) }
  return (await askFor(desk, { pasts, entries, asked, intent: asking, rules })).wrong
}

function toListed(key: ApiKey, { name, goods, isCancelled }: Stranger, asked: Asked): ShipmentDetail {
  const order = toBooking(key, 10, { variant: goods === "more" ? 1 : 0 })
  if (!order) throw new TypeError("there is no connector")
  const { tenant } = key
  const made = { id: "elsewhere-1", tenant, key, order, at: NOW, visibleFrom: NOW }
  const shipment = { ...made, hasPickup: false, isCancelled: false, isRenumbered: false, waits: false }
  const { collectionDateTime } = toIntent(asked, key).request as ConsignmentBookingRequest
  const day = goods === "earlier day" ? "2026-11-19T10:00:00" : collectionDateTime
  return {
    ...toDetail(shipment),
    collectionDateTime: day,
    ...(isCancelled && { status: "CANCELLED" }),
    ...(name === "" ? { customerReference: undefined } : { customerReference: name }),
  } as ShipmentDetail
}
