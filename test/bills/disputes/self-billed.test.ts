/** Ledgers in which a bill was raised against itself: told, put right once by the next audit that raises, and to the cent. */
import { beforeEach, describe, expect, it } from "vitest"
import { describeSelfBilled } from "../../../src/bills/disputes/messages.ts"
import { reportDisputes } from "../../../src/reports/disputes.ts"
import { findSelfBilled } from "../../../src/bills/disputes/self-billed.ts"
import { toDisputeBalances } from "../../../src/bills/disputes/balance.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { readDisputes } from "../../../src/bills/records/disputes.ts"
import { ledgerFileIn, openFile, storeIn, temporaryDir } from "../../ledger/setup.ts"
import {
  auditing,
  bookAll,
  describeLedger,
  mistaking,
  posting,
  stepping,
  tickingClock,
} from "./two-clerks.ts"

/** ZZ1 as quoted, ZZ2 5.00 above. */
const BILL = { number: "B-1", charges: { ZZ1: 1000, ZZ2: 2500 } }
const EARLIER = { number: "A-1", day: "2026-11-20", charges: { ZZ1: 1000 } }
const NUMBERLESS = { number: "", charges: { ZZ1: 1000, ZZ2: 2500 } }
const CREDIT = { number: "C-1", day: "2026-11-30", charges: { ZZ2: -500 } }
const EVER = { since: "0000-01-01", until: "9999-12-31" }

let database: Database
beforeEach(async () => {
  database = openFile(ledgerFileIn(temporaryDir()), tickingClock())
  await bookAll(storeIn(database))
})

async function listDisputes() {
  const balances = toDisputeBalances(await readDisputes(database))
  return balances
    .map(({ dispute: { consignment, verdict, amountCents }, writtenOffCents, openCents }) =>
      [consignment, verdict, amountCents, writtenOffCents, openCents].join(" "),
    )
    .sort()
}

async function tell(): Promise<string[]> {
  return describeSelfBilled(await findSelfBilled(database, toDisputeBalances(await readDisputes(database))))
}

describe.for([BILL, NUMBERLESS])("a bill that was raised against itself (number '$number')", (bill) => {
  it("is reported, and written off by the next audit that raises, which raises what is right", async () => {
    await mistaking(bill)(database)
    expect(await listDisputes()).toEqual(["ZZ1 billed-twice 1000 0 1000", "ZZ2 billed-twice 2500 0 2500"])
    const name = bill.number === "" ? "standard input" : "bill B-1"
    expect(await tell()).toEqual([
      `2 disputes of ${name}, AUD 35.00 open, were raised by mistake: two workstations audited the bill at once, and it was taken for two bills. Audit it again to write them off and raise the right ones: freight audit "standard input" --raise`,
    ])
    await auditing(bill)(database)
    const mended = ["ZZ1 billed-twice 1000 1000 0", "ZZ2 billed-twice 2500 2500 0", "ZZ2 over 500 0 500"]
    expect(await listDisputes()).toEqual(mended)
    expect(await tell()).toEqual([])
    const [sums] = reportDisputes(await readDisputes(database), EVER).rows
    expect(sums).toMatchObject({ raised: 40, credited: 0, open: 5, denied: 0, writtenOff: 35 })
    const before = await describeLedger(database)
    expect(await auditing(bill)(database)).toMatchObject({
      raised: [],
      selfBilled: [],
      before: [{ amountCents: 500 }],
    })
    expect(await describeLedger(database)).toEqual(before)
  })
})

describe("a bill that was raised against itself", () => {
  it("is only told where nothing is raised", async () => {
    await mistaking(BILL)(database)
    const before = await listDisputes()
    const selfBilled = [{ openCents: 1000 }, { openCents: 2500 }]
    expect(await auditing(BILL, false)(database)).toMatchObject({ mistaken: [], selfBilled })
    expect(await listDisputes()).toEqual(before)
  })

  it("stays as it is where the audit cannot tell what is right", async () => {
    await mistaking(BILL)(database)
    const before = await listDisputes()
    await database.run("delete from sends")
    const selfBilled = [{ openCents: 1000 }, { openCents: 2500 }]
    expect(await auditing(BILL)(database)).toMatchObject({ mistaken: [], selfBilled })
    expect(await listDisputes()).toEqual(before)
  })

  it("keeps what was settled of it before: no more than is right is raised beside that", async () => {
    await mistaking(BILL)(database)
    await stepping("credited", "ZZ2", 300)(database)
    await auditing(BILL)(database)
    expect(await listDisputes()).toEqual([
      "ZZ1 billed-twice 1000 1000 0",
      "ZZ2 billed-twice 2500 2200 0",
      "ZZ2 over 200 0 200",
    ])
    expect(await auditing(BILL)(database)).toMatchObject({ raised: [], selfBilled: [] })
  })

  it("is put right on the clearing account, which ends at nothing when the carrier has credited", async () => {
    await mistaking(BILL)(database)
    await auditing(BILL)(database)
    expect(await posting(BILL)(database)).toMatchObject([{ clearing: 550 }])
    await auditing(CREDIT)(database)
    expect(await posting(CREDIT)(database)).toMatchObject([{ clearing: -550 }])
  })

  it("is let go on the clearing account if it was posted before: a credit finds nothing of the mistake there", async () => {
    await mistaking(BILL)(database)
    expect(await posting(BILL)(database)).toMatchObject([{ clearing: 3850 }])
    await auditing(BILL)(database)
    await auditing(CREDIT)(database)
    expect(await posting(CREDIT)(database)).toMatchObject([{ clearing: 0 }])
    expect(await posting(BILL, true)(database)).toMatchObject([{ clearing: 0 }])
  })
})

describe("what two bills charge", () => {
  it("stays disputed, though the second of them is in the ledger twice", async () => {
    await auditing(EARLIER)(database)
    const real = { ...BILL, charges: { ZZ1: 1000 } }
    await mistaking(real)(database)
    const before = await listDisputes()
    expect(await tell()).toEqual([])
    await auditing(real)(database)
    expect(await listDisputes()).toEqual(before)
  })

  it("stays disputed, whatever the numbers of the bills", async () => {
    await auditing(EARLIER)(database)
    await auditing({ ...BILL, charges: { ZZ1: 1000 } })(database)
    expect(await listDisputes()).toEqual(["ZZ1 billed-twice 1000 0 1000"])
    expect(await tell()).toEqual([])
  })
})
