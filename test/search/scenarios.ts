/** The scenarios, the smallest first. */
import { toBooking } from "../simulation/orders.ts"
import type { Doing, Scenario } from "./scenes.ts"

const sends = (way: "by hand" | "batch" | "api", ...orders: number[]): Doing => ({ does: "send", way, orders })
const NO_TROUBLE = { faults: 0, stops: 0, renewals: 0 }

export const scenarios: readonly Scenario[] = [
  {
    name: "two desks, one key, no faults",
    orders: (key) => [toBooking(key, 1, { number: "PO-1" })],
    doings: [sends("by hand", 0), sends("api", 0)],
    budget: NO_TROUBLE,
  },
]
