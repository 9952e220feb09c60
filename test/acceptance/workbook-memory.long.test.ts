/** Memory of the longest batch, in a workbook. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import path from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { expect, it } from "vitest"
import { MAX_ROWS } from "../../src/orders/batch/rows/rows.ts"
import { writeWorkbook } from "../../src/output/terminal/workbook.ts"
import { share } from "../drawn.ts"
import { errorOf } from "./batches.ts"
import { desk, getBinary } from "./freight.ts"
import { order } from "./orders.ts"
import { createPeakHook } from "./peak.ts"

/** A run with each commit checks a quarter of the rows, which may need a quarter of the memory. */
const ROWS = share(MAX_ROWS)
const ENOUGH_MB = 150 + (250 * ROWS) / MAX_ROWS
/** Node lets garbage grow where there is room: so it has to do with what the rows need. */
const HEAP_MB = Math.floor(80 + (200 * ROWS) / MAX_ROWS)

it("a workbook of as many rows as a batch may have is checked in less than 400 MB", async () => {
  const { folder, env } = await desk()
  const columns = Object.keys(order("PO")).map((heading) => ({ heading }))
  // The last row cannot be booked, so that all are read and none is sent.
  const rows = function* () {
    for (let n = 1; n <= ROWS; n++) yield Object.values(order(n < ROWS ? `PO-${n}` : ""))
  }
  const file = path.join(folder, "orders.xlsx")
  await pipeline(Readable.from(writeWorkbook(columns, rows())), createWriteStream(file))
  const { hook, read } = createPeakHook(folder)
  const words = ["batch", "book", "orders.xlsx", "--sandbox", "--no-rate", "--json"]
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, "--require", hook, getBinary(), ...words],
    {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    },
  )
  const [stderr] = await Promise.all([text(child.stderr), once(child, "exit")])
  expect(errorOf({ stderr }).message).toBe(
    `orders.xlsx: 1 of ${ROWS} rows cannot be booked; nothing was sent`,
  )
  expect(errorOf({ stderr }).errors?.[0]?.message).toContain(`row ${ROWS + 1}`)
  expect(read()).toBeLessThan(ENOUGH_MB)
}, 900_000)
