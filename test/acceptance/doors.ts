/** Every door by which an order can be booked, with its number as its key, as its row's reference or as its reference alone. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { FreightError, openFreight } from "../../src/app/library.ts"
import type { BookedOrder, Freight, ListedOrder } from "../../src/app/library.ts"
import { writeWorkbook } from "../../src/output/terminal/workbook.ts"
import { assistant } from "./assistants.ts"
import { type desk, errorIn } from "./freight.ts"
import { csvOf, nestedOrder, type Order, order } from "./orders.ts"
import { answering, explain } from "./seats.ts"

export const LISTS = ["csv", "xlsx", "plan", "mcp", "program list"] as const
const HANDS = ["file", "flags", "api", "wizard", "program"] as const
export const DOORS = [...LISTS, ...HANDS.flatMap((hand) => [hand, `${hand} --key`] as const)]
export type Door = (typeof DOORS)[number]

/** An order of a shop of its own. */
export interface Numbered {
  shop: string
  number: string
}

/** The exit code of a door, and everything it printed. */
export interface Said {
  code: number | null
  text: string
}

/**
 * @param more flags of the command that books
 * @returns books orders by a door; each that is not a list is a command of its own
 */
export function openDoors(made: Awaited<ReturnType<typeof desk>>, more: readonly string[] = []) {
  let files = 0
  const save = async (content: string | Uint8Array, name: string) => {
    const file = `${++files}-${name}`
    await writeFile(path.join(made.folder, file), content)
    return file
  }
  const toRow = ({ shop, number }: Numbered) => order(number, { "receiver.companyName": shop })
  const run = async (words: readonly string[], options: Parameters<typeof made.freight>[1] = {}) => {
    const { code, stdout, stderr } = await made.freight(words, options)
    // Under ndjson the error is a line of JSON, too.
    const error = stderr.includes('{"error":') ? explain(errorIn(stderr)) : ""
    return { code, text: `${stdout}\n${stderr}\n${error}` }
  }
  const saveJson = (value: unknown) => save(JSON.stringify(value), "booking.json")
  const batch = async (file: string) =>
    run(["batch", "book", file, "--no-rate", "--format", "ndjson", ...more])

  const byList: Record<(typeof LISTS)[number], (rows: readonly Order[]) => Promise<Said>> = {
    csv: async (rows) => batch(await save(csvOf(rows), "orders.csv")),
    async xlsx(rows) {
      const columns = Object.keys(rows[0] ?? {})
      const cells = rows.map((row) => columns.map((column) => row[column]))
      const headings = columns.map((heading) => ({ heading, isText: true }))
      const parts: Uint8Array[] = []
      for await (const part of writeWorkbook(headings, cells)) parts.push(part)
      return batch(await save(Buffer.concat(parts), "orders.xlsx"))
    },
    async plan(rows) {
      const plan = await save("", "plan.json")
      const file = await save(csvOf(rows), "orders.csv")
      const planned = await run(["batch", "plan", file, "-o", plan, "--force", ...more])
      const { code, text } = await run(["batch", "book", "--plan", plan, "--skip-invalid"])
      return { code: planned.code || code, text: `${planned.text}\n${text}` }
    },
    async "program list"(rows) {
      const orders = rows.map((row) => {
        const { reference: customerReference, service: serviceCode, ...rest } = nestedOrder(row)
        return { ...rest, customerReference, serviceCode } as unknown as ListedOrder
      })
      return saying((freight) => freight.bookAll(orders, { withoutRate: true }))
    },
    async mcp(rows) {
      const { call, end } = await assistant(made)
      const seen = await call("plan_booking", { bookings: rows.map(nestedOrder) })
      const { planHash } = seen.data
      const booked =
        planHash === undefined ? seen : await call("book_plan", { planHash, idempotencyKey: `k-${files++}` })
      await end()
      return { code: seen.isError || booked.isError ? 1 : 0, text: `${seen.text}\n${booked.text}` }
    },
  }

  /** As the command line says it: the error that was thrown, or what is said of the orders. */
  const saying = async (work: (freight: Freight) => Promise<object>): Promise<Said> => {
    const notes: string[] = []
    const freight = openFreight({ env: made.env, onNote: (line) => notes.push(line) })
    try {
      const booked = await work(freight)
      const wrong = [booked].flat().flatMap((each) => (each as Partial<BookedOrder>).error ?? [])
      const text = [...notes, JSON.stringify(booked), ...wrong.map((error) => `error: ${error}`)].join("\n")
      return { code: wrong.length === 0 ? 0 : 1, text }
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      return { code: error.exitCode, text: [...notes, explain(error)].join("\n") }
    }
  }

  const byHand = async (hand: (typeof HANDS)[number], row: Order, isKeyed: boolean): Promise<Said> => {
    const { reference = "", connector = "", service: serviceCode = "", packages = "" } = row
    const { connector: _, service: __, reference: ___, ...rest } = nestedOrder(row)
    const named = isKeyed ? {} : { customerReference: reference }
    const request = { ...rest, ...named, serviceCode, payer: { type: "Sender" }, dangerousGoods: false }
    const key = isKeyed ? ["--key", reference] : []
    const book = ["book", "--connector", connector, ...key, ...more]
    switch (hand) {
      case "file":
        return run([...book, "--no-rate", "--file", await saveJson(request)])
      case "flags":
        return run([
          ...[...book, "--no-rate", "--service", serviceCode, "--package", packages],
          ...["--packaging", row.packagingCode ?? "", "--ready", row.collectionDateTime ?? ""],
          ...["--close", "17:00", "--sender", await saveJson(rest.sender)],
          ...["--receiver", await saveJson(rest.receiver), ...(isKeyed ? [] : ["--reference", reference])],
        ])
      case "program": {
        const order = { ...request, connector } as unknown as ListedOrder
        const options = { withoutRate: true, ...(isKeyed && { key: reference }) }
        return saying((freight) => freight.book(order, options))
      }
      case "api": {
        const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
        const body = await saveJson({ ...request, items, collection: rest.sender })
        return run(["api", "POST", `/${connector}/shipments`, "--file", body, ...key, ...more])
      }
      case "wizard": {
        const { serviceCode: _, ...open } = request
        const host = { converse: async () => answering("General Freight") }
        const label = `${files}-label.pdf`
        return run([...book, "--file", await saveJson(open), "--label", label], { columns: 80, host })
      }
    }
  }

  /** @returns what was said of each */
  return async (door: Door, orders: readonly Numbered[]): Promise<Said[]> => {
    const rows = orders.map(toRow)
    const list = LISTS.find((each) => each === door)
    if (list) {
      const said = await byList[list](rows)
      return rows.map(() => said)
    }
    const hand = HANDS.find((each) => door.startsWith(each)) ?? "file"
    const all: Said[] = []
    for (const row of rows) all.push(await byHand(hand, row, door.endsWith("--key")))
    return all
  }
}

/** How often each shop was sent something, by the sandbox's own books. */
export async function countByShop(sandbox: {
  control(path: string): Promise<unknown>
}): Promise<Map<string, number>> {
  const { shipments } = (await sandbox.control("books")) as {
    shipments: { request: { receiver: { companyName: string } } }[]
  }
  const counts = new Map<string, number>()
  for (const { request } of shipments) {
    const shop = request.receiver.companyName
    counts.set(shop, (counts.get(shop) ?? 0) + 1)
  }
  return counts
}

const toFullWidth = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0))

/** How one number is written first and then, by kind. @param n five digits */
export const SPELLINGS: Readonly<Record<string, (n: number) => readonly [first: string, second: string]>> = {
  "zeros less": (n) => [`000${n}`, `${n}`],
  "zeros more": (n) => [`${n}`, `000${n}`],
  decimals: (n) => [`${n}`, `${n}.00`],
  thousands: (n) => [`${Math.floor(n / 1000)},${String(n).slice(-3)}`, `${n}`],
  case: (n) => [`SO-${n}`, `so-${n}`],
  separators: (n) => [`SO-${n}`, `SO ${n}`],
  "no separator": (n) => [`SO${n}`, `SO-${n}`],
  "full width": (n) => [`${n}`, toFullWidth(`${n}`)],
  "blanks and line ends": (n) => [`K-${n}`, ` k-${n}\r\n`],
}
