/** Words that people guess, and what commander would say in words of its own. */
import { carrierName } from "../../src/carriers/names.ts"
import type { Carrier } from "../../src/contract/generated/types.ts"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { desk, errorIn } from "./freight.ts"

const LINES = [
  "login",
  "whoami",
  "init",
  "quote --from x",
  "--sandbox price --to y",
  "ship",
  "list",
  "status PO-1",
  "version",
  "void SO-17",
  "batch orders.csv --dry-run",
  "invoice outbox/a.json",
  "print label.pdf",
  "book booking.json",
  "trak",
  "shipments lst",
  "history --kind invoice",
  "history --csv",
  "history --snce 7d",
  "history --limit 4",
  "track --carrier",
  "label",
  "config set a",
  "shipments show a b",
  "trak SO-17 --new",
  "pickup bok SO-17",
  "book --recever perth --reference=PO-7 --last",
  "track --opne",
  "rate-shop --from Alexandria NSW 2015 --to Fremantle WA 6160 --package 40x30x20@5",
  "batch book orders.csv --ready tomorrow 10am --dry-run",
  "book --reference PO 7 $HOME",
  "auth whoami",
  "address show",
  "address delete Depot",
  "profile add acme",
  "pickup list",
  "pickup cancel SO-17",
  "shipments --limt 5",
  "pickup --json",
  "history --from 2026-11-01",
  "book --weight 5",
  "book --to depot",
  "completion tcsh",
  "api GET",
  "api fetch connectors",
]

it("leads from what people guess to the command that they mean, in words of its own", async () => {
  const { freight } = await desk()
  const told: string[] = []
  for (const line of LINES) {
    const { code, stderr, stdout } = await freight(line.split(" "))
    expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: "" })
    told.push(`$ freight ${line}\n${stderr}`)
  }
  await expect(told.join("\n")).toMatchFileSnapshot("pages/guesses.txt")
})

it("book says which command checks an invoice that is given to book", async () => {
  const { folder, freight } = await desk()
  const file = path.join(folder, "inv.json")
  await writeFile(file, JSON.stringify({ docType: "invoice", invoiceNumber: "INV-1" }))
  const { code, stderr } = await freight(["book", "--file", "inv.json", "--sandbox", "--json"])
  expect(code).toBe(2)
  expect(errorIn(stderr)).toMatchObject({
    kind: "input",
    next: "freight invoice validate inv.json --sandbox",
  })
})

it("an error names the flag that made a booking incomplete, and no place of the file", async () => {
  const { folder, freight } = await desk()
  const { stdout } = await freight(["book", "--example"])
  await writeFile(path.join(folder, "order.json"), stdout)
  const book = async (...flags: string[]) => {
    const { code, stderr } = await freight(["book", "--file", "order.json", "--sandbox", ...flags])
    expect(code).toBe(2)
    return stderr
  }
  expect(await book("--payer", "receiver")).toMatch(
    /payer\.accountNumber is missing: .*: give --payer receiver:ACCOUNT [^\n]*\)\n$/,
  )
  expect(await book("--set", "dangerousGoods=true")).toMatch(
    /give --set dangerousGoodsDetails='\{"unNumber":.*"contactPhone":/,
  )
  await writeFile(path.join(folder, "order.json"), stdout.replace('"type": "Sender"', '"type": "Receiver"'))
  expect(await book()).toMatch(/payer\.accountNumber is missing: .*\(line \d+, column \d+\)\n$/)
})

it("an error says whom to call for what cannot be cancelled, and with which number", async () => {
  const { freight } = await desk()
  const { code, stdout, stderr } = await freight(["cancel", "--sandbox", "demo-shipment"])
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  const { json } = await freight(["shipments", "show", "--sandbox", "demo-shipment", "--json"])
  const { shipment } = json<{ shipment: { carrier: Carrier; consignmentNumber: string } }>()
  expect(stderr).toContain(`Call ${carrierName(shipment.carrier)}`)
  expect(stderr).toContain(shipment.consignmentNumber)
  const booked = await freight([
    "pickup",
    "book",
    "--sandbox",
    "demo-shipment",
    "--yes",
    "--json",
    "--ready",
    "tomorrow 10am",
    "--allow-past",
  ])
  const [{ orderNumber, pickupId } = { orderNumber: "", pickupId: "" }] = booked.items<{
    orderNumber: string
    pickupId: string
  }>()
  const pickup = await freight(["cancel", "--sandbox", orderNumber])
  expect([pickup.code, pickup.stderr]).toEqual([
    1,
    `error: freight cannot cancel a pickup: neither API has a way to
Call ${carrierName(shipment.carrier)} (connector-a) and give pickup ${orderNumber}.
next: freight pickup show ${pickupId} --sandbox
`,
  ])
  const alone = await freight(["cancel", "--json"])
  expect(alone.code).toBe(1)
  expect(errorIn(alone.stderr)).toMatchObject({ kind: "refused", retry: "never" })
})
