// The bytes that are allocated for one invoice, and for one row of a batch. V8 is told to compile nothing in the background
// and to collect no garbage, so that its heap grows only by allocations and two runs differ by a few bytes.
import { fromSource } from "../../scripts/from-source.mjs"
import { invoiceText } from "../bench/invoices.mjs"
import { order } from "../bench/orders.mjs"

/** Before them, what is made once is made. */
const FIRST = 30
const COUNT = 100

const invoice = await fromSource("src/invoice/library.ts", async ({ validateInvoice }) => {
  const text = invoiceText(1, { lines: 2, pretty: true })
  const validate = (times) => {
    for (let count = 0; count < times; count++) validateInvoice(text)
  }
  validate(FIRST)
  return (await allocatedBy(() => validate(COUNT))) / COUNT
})
const row = await fromSource("test/orders/batch/batches.ts", async ({ rowsOf }) => {
  const [few, many] = [ordersText(FIRST), ordersText(FIRST + COUNT)]
  for (const text of [few, many]) await rowsOf(text)
  return ((await allocatedBy(() => rowsOf(many))) - (await allocatedBy(() => rowsOf(few)))) / COUNT
})
process.stdout.write(JSON.stringify({ invoice, row }))

async function allocatedBy(act) {
  const before = process.memoryUsage().heapUsed
  await act()
  return process.memoryUsage().heapUsed - before
}

function ordersText(count) {
  const orders = Array.from({ length: count }, (_, n) => order(n))
  return [Object.keys(order(0)), ...orders.map(Object.values)].map((cells) => `${cells.join(",")}\n`).join("")
}
