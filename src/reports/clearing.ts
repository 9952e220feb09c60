/** The balance of the clearing account, by bill and dispute. */
import { counted } from "../base/counted.ts"
import { groupBy } from "../base/grouping.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import {
  type ClearingRow,
  describeHeld,
  describeToMove,
  DISPUTED_CONSIGNMENT,
  nameBillOf,
  readBalances,
  readHeld,
  sumHeld,
  toClearingRow,
} from "../bills/index.ts"
import { command } from "../command/index.ts"
import { type Column, money, print } from "../output/index.ts"
import { formatAud, formatGst } from "./basis.ts"

const COLUMNS: readonly Column<ClearingRow>[] = [
  DISPUTED_CONSIGNMENT,
  { key: "bill", title: "BILL", rank: 2, value: nameBillOf },
  { key: "postedOn", title: "POSTED", rank: 6, gives: "nothing" },
  { key: "state", title: "STATE", rank: 5, isState: true, show: ({ state }) => state.replace("-", " ") },
  { ...money("stands"), title: "THERE", rank: 3 },
  { ...money("open"), title: "DISPUTED", rank: 9 },
  { ...money("coming"), title: "COMING", rank: 10 },
  {
    ...money("toMove"),
    title: "TO MOVE",
    rank: 4,
    show: ({ toMove, currency }) => (toMove === 0 ? "" : formatMoney(Math.abs(toMove), currency)),
  },
  { key: "from", title: "FROM", rank: 7 },
  { key: "to", title: "TO", rank: 8 },
  {
    key: "gst",
    title: "GST",
    rank: 11,
    gives: "nothing",
    value: ({ gstBasis }) => gstBasis,
    show: ({ gstBasis }) => formatGst(gstBasis),
  },
  { key: "supplier", title: "SUPPLIER", hidden: true },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "id", title: "ID", hidden: true },
  { key: "account", title: "ACCOUNT", hidden: true },
  { ...money("standsExGst"), title: "THERE WITHOUT GST", hidden: true },
]

export default command({
  about:
    "Lists the balance of the clearing account by bill and dispute, and the transfers still to make. After them only open disputes are on the account. It reads the ledger and asks no server.",
  columns: COLUMNS,
  examples: ["freight report clearing --sandbox", "freight report clearing --sandbox --json"],
  async run(deps) {
    const { store } = await deps.readLedger()
    const balances = await readBalances(store.database)
    const rows = balances.map(toClearingRow)
    const held = sumHeld(
      await readHeld(store.database),
      rows.map(({ id }) => id),
    )
    await print(deps, {
      rows,
      columns: COLUMNS,
      /** Disputed amounts with GST: withheld from payments, and paid. */
      summary: {
        withheldIncGst: amountOf(held.withheldCents),
        toComeBackIncGst: amountOf(held.toComeBackCents),
      },
      empty: "The clearing account is empty.",
    })
    if (deps.output.format !== "table") return
    const balance = describeBalance(rows)
    const said = describeHeld(held)
    const lines = [
      ...(balance ? [balance] : []),
      ...(said === "" ? [] : [`Of the disputed amounts on it, ${said}.`]),
      ...describeToMove(balances),
    ]
    for (const line of lines) await deps.note(line)
  },
})

/** For people: the balance that the account should have in the books. Undefined if it is empty. */
export function describeBalance(rows: readonly ClearingRow[]): string | undefined {
  const sums = groupBy(rows, ({ account }) => account)
  const cents = (some: readonly ClearingRow[]) =>
    amountOf(some.reduce((sum, { standsExGst }) => sum + Math.round(standsExGst * 100), 0))
  const each = Array.from(
    sums,
    ([account, some]) =>
      `${formatAud(cents(some))} on ${account ?? "the clearing account"}, for ${counted(some.length, "dispute")}`,
  )
  return each.length === 0 ? undefined : `In the books, without GST, there should be ${each.join("; ")}.`
}
