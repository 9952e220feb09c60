/** Bills in the shapes of twelve carriers: what is planted in them is found as they come, to the cent, and nothing else. */
import { expect, it } from "vitest"
import { CARRIERS_BILLS } from "./carriers-bills.ts"
import { auditBill, bookedDatabase, type BillInput, tryBill } from "./desk.ts"

it.each(Object.entries(CARRIERS_BILLS))("%s", async (_, write) => {
  const { key, booked, bill, sheets } = write()
  const r = await tryBill(await bookedDatabase(booked), { bill, booked, ...(sheets ? { sheets } : {}) })
  if (r.asked || r.refused) { console.log(_, "ASK", JSON.stringify(r.asked?.map((a: any) => [a.column, a.question ?? a.text, a.choices])), r.refused?.message, r.refused?.hint, JSON.stringify((r.refused as any)?.errors ?? "")); return }
  const want = new Map(key.map((k) => [k.consignment, k]))
  let found = 0
  const bad: any[] = []
  for (const row of r.rows as any[]) {
    const d = Math.round(row.disputed * 100)
    const k = want.get(row.consignment)
    if (!k) { if (d !== 0 || !["agrees"].includes(row.verdict)) bad.push(["FALSE", row.consignment, row.verdict, row.disputed, row.why]); continue }
    const w = row.gst === "included" ? Math.round(k.cents * 1.1) : k.cents
    if (k.verdict === row.verdict && w === d) found++
    else bad.push(["MISS", row.consignment, k.verdict, k.cents, row.verdict, d, row.why])
    want.delete(row.consignment)
  }
  for (const k of want.values()) bad.push(["GONE", k])
  console.log(_, `${found}/${key.length}`, (r as any).totals?.gst, JSON.stringify((r as any).bills?.map((b: any) => [b.supplier, b.invoice, b.number, b.date])), (r as any).notes, bad.map((x) => JSON.stringify(x)).join("\n"))
})
