/** The clearing account as it is shown. */
import type { ClearingRow } from "./on-clearing.ts"
import { formatMoney } from "../../base/money.ts"
import { type Column, money } from "../../terminal/columns.ts"

export const CLEARING_COLUMNS: readonly Column<ClearingRow>[] = [
  {
    key: "consignment",
    title: "CONSIGNMENT",
    rank: 1,
    show: ({ consignment, id }) => consignment || id.slice(0, 8),
  },
  { key: "bill", title: "BILL", rank: 2 },
  { key: "postedOn", title: "POSTED", rank: 6, gives: "nothing" },
  { key: "state", title: "STATE", rank: 5, isState: true, show: ({ state }) => state.replace("-", " ") },
  { ...money("stands"), title: "THERE", rank: 3 },
  {
    ...money("toMove"),
    title: "TO MOVE",
    rank: 4,
    show: ({ toMove, currency }) => (toMove === 0 ? "" : formatMoney(Math.abs(toMove), currency)),
  },
  { key: "from", title: "FROM", rank: 7 },
  { key: "to", title: "TO", rank: 8 },
  { key: "gst", title: "GST", rank: 9 },
  { key: "supplier", title: "SUPPLIER", hidden: true },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "id", title: "ID", hidden: true },
]
