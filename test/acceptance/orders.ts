/** Files of orders for batches, as a shop's export has them. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { formatDate, nextBusinessDay } from "../../src/base/wall-clock.ts"

/** One order, by column. */
export type Order = Readonly<Record<string, string>>

const SENDER = {
  "sender.companyName": "Harbour Lighting Pty Ltd",
  "sender.address1": "14 Bourke Road",
  "sender.suburb": "Alexandria",
  "sender.state": "NSW",
  "sender.postcode": "2015",
  "sender.email": "dispatch@harbour-lighting.example",
}

const SERVICES = [
  ["connector-a", "76"],
  ["connector-b", "GEN"],
  ["connector-c", "STD"],
] as const

/** The first working day after 22 November of next year. */
export const ORDER_DAY = formatDate(
  nextBusinessDay({ year: new Date().getUTCFullYear() + 1, month: 11, day: 22 }),
)

/** An order that the sandbox takes. */
export function order(reference: string, changes: Order = {}): Order {
  return {
    reference,
    ...SENDER,
    "receiver.companyName": `Receiver of ${reference}`,
    "receiver.address1": "8 Market Street",
    "receiver.suburb": "Fremantle",
    "receiver.state": "WA",
    "receiver.postcode": "6160",
    packages: "2x40x30x20@5.5",
    packagingCode: "CT",
    connector: "connector-b",
    service: "GEN",
    collectionDateTime: `${ORDER_DAY}T10:00:00`,
    collectionCloseTime: "1700",
    ...changes,
  }
}

/** Orders over the three carriers. */
export function orders(count: number, prefix = "PO", changes: Order = {}): Order[] {
  return Array.from({ length: count }, (_, n) => {
    const [connector, service] = SERVICES[n % SERVICES.length] ?? SERVICES[0]
    return order(`${prefix}-${n + 1}`, { connector, service, ...changes })
  })
}

/** An order as an assistant or a file has it: parties and packages are objects. */
export function nestedOrder(flat: Order): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flat)) {
    const [party = "", field] = name.split(".")
    if (field === undefined) nested[name] = value
    else nested[party] = { ...(nested[party] as object), [field]: value }
  }
  return { ...nested, packages: packagesOf(flat.packages) }
}

/** Packages from text such as `2x40x30x20@5.5`. */
function packagesOf(text = "") {
  const [count = 0, lengthCm = 0, widthCm = 0, heightCm = 0, weightKg = 0] = text.split(/[x@]/).map(Number)
  return [{ count, lengthCm, widthCm, heightCm, weightKg }]
}

export const PACKAGES = packagesOf("2x40x30x20@5.5")

export function csvOf(rows: readonly Order[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))]
    .map((cells) => `${cells.map(quoted).join(",")}\n`)
    .join("")
}

/** Writes them as CSV into a folder. @returns the file's name in it */
export async function saveOrders(
  folder: string,
  rows: readonly Order[],
  name = "orders.csv",
): Promise<string> {
  await writeFile(path.join(folder, name), csvOf(rows))
  return name
}
