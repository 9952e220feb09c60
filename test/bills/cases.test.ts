/** `freight audit` on small bills: cases.txt has each bill, and below it what the audit says. */
import { expect, it } from "vitest"
import { bookToBill, type Report } from "../acceptance/audits.ts"
import { saveBill } from "../acceptance/bills.ts"
import { errorIn } from "../acceptance/freight.ts"
import { order } from "../acceptance/orders.ts"
import { expectCases } from "../cases.ts"

const SECOND = { connector: "connector-a", service: "76" }
const { home, history, get } = await bookToBill([
  order("A-1", SECOND),
  order("CUBIC", { ...SECOND, packages: "1x100x100x100@10" }),
  order("0012345", SECOND),
  order("B-1"),
  order("B-2"),
  order("B-3"),
  order("LATE", { specialInstructions: "sandbox:slow" }),
  order("TWIN-1 1"),
  order("TWIN-11"),
  order("CANCELLED", { specialInstructions: "sandbox:cancelled" }),
  order("UNCOLLECTED", { specialInstructions: "sandbox:not-collected" }),
  order("RECEIVER", { payer: "receiver:4711" }),
  order("THIRD", { payer: "thirdparty:4712" }),
])
const ALL = history.map(({ reference }) => reference ?? "").map(get)

/**
 * Replaces the name of a booking in braces: `{B-1}` by its consignment number, and likewise `{B-1 order}`, `{B-1 id}`,
 * `{B-1 small}` and `{B-1 spaced}`.
 */
function fill(text: string): string {
  return text.replace(/\{(.+?)( order| id| small| spaced)?\}/g, (_, reference: string, kind?: string) => {
    const { consignment, orderNumber, shipmentId } = get(reference)
    if (kind === " order") return orderNumber
    if (kind === " id") return shipmentId
    if (kind === " small") return consignment.toLowerCase()
    return kind === " spaced" ? consignment.replace(/^(\D+)/, "$1 ") : consignment
  })
}

/** Numbers of this run as the names that stand for them. */
function withNames(text: string): string {
  return ALL.reduce(
    (all, { consignment, orderNumber, reference, shipmentId }) =>
      all
        .replaceAll(consignment, `{${reference}}`)
        .replaceAll(orderNumber, `{${reference} order}`)
        .replaceAll(shipmentId, `{${reference} id}`),
    text,
  )
}

/** A case is flags and ` : `, where there are any, and a bill: its rows between ` | `, of several bills between ` || `. */
async function audit(line: string): Promise<string[]> {
  const [, flags = "", bills = ""] = /^(?:(--.*?) : )?(.*)$/.exec(line) ?? []
  const files = await Promise.all(
    bills.split(" || ").map((bill, at) => {
      const rows = fill(bill).split(" | ").join("\n")
      return saveBill(home.folder, at === 0 ? "bill.csv" : `bill-${at + 1}.csv`, `${rows}\n`)
    }),
  )
  const words = fill(flags).match(/"[^"]*"|\S+/g) ?? []
  const given = words.map((word) => word.replaceAll('"', ""))
  const { code, stderr, json } = await home.freight(["audit", ...files, ...given, "--json", "--no-remember"])
  if (code !== 0 && code !== 1) {
    const { message, hint = "", errors = [] } = errorIn(stderr)
    const each = (errors as { message: string }[]).map((error) => error.message)
    return [`exit code ${code}`, message, ...each, hint].filter(Boolean).map(withNames)
  }
  const { items: consignments, totals } = json<Report>()
  const rows = consignments.map(({ consignmentNumber: consignment, verdicts, disputed, foundBy, why }) => {
    const dispute = disputed === 0 ? "" : `, ${disputed.toFixed(2)} disputed`
    const found = [null, "consignment number"].includes(foundBy) ? "" : ` (by its ${foundBy})`
    return `${consignment || "the bill"}${found}: ${verdicts.join(" and ")}${dispute}; ${why}`
  })
  const told = stderr.split("\n").filter((each) => each !== "" && !each.startsWith("asking "))
  return [`exit code ${code}, ${totals.disputed.toFixed(2)} to dispute`, ...rows, ...told].map(withNames)
}

it("audits each bill of the table", () => expectCases(import.meta.dirname, "cases.txt", audit))

it("the shipments of the table were booked as it says", () => {
  const booked = ["A-1", "CUBIC", "B-1"].map(get)
  expect(booked.map(({ cents, weightKg }) => [cents, weightKg])).toEqual([
    [7443, 11],
    [94_504, 10],
    [6390, 11],
  ])
})
