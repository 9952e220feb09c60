/** Reconcile reads a list that is long, and that grows while it is read. */
import { describe, expect, it } from "vitest"
import { booking } from "../sandbox/requests.ts"
import { type Desk, startDesk } from "./lost.ts"
import { HOUR, PO } from "./setup.ts"

/** So few that each has its reply in time. */
const AT_ONCE = 25

async function others({ api }: Desk, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - made) }, () =>
        api.createShipment("connector-a", booking({ serviceCode: "75" })),
      ),
    )
}

/** What reconcile finds, and the offsets at which it read the list; `between` happens after each page. */
async function reading(desk: Desk, between = async () => {}) {
  const offsets: (number | undefined)[] = []
  const settled = await desk.reconcile({
    async listShipments(page) {
      const list = await desk.api.listShipments(page)
      offsets.push(page?.offset)
      await between()
      return list
    },
  })
  return { settled, offsets }
}

describe("reconcile, on a long list", () => {
  it("reads on until the intent's time", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await others(desk, 450)
    const { settled, offsets } = await reading(desk)
    expect(settled).toMatchObject([{ outcome: "settled" }])
    expect(offsets).toEqual([0, 200, 400])
  })

  it("reads no further back than that", async () => {
    const desk = await startDesk()
    await others(desk, 450)
    desk.ledger.clock.advance(24 * HOUR)
    await desk.lose(false, PO)
    const { settled, offsets } = await reading(desk)
    expect(settled).toMatchObject([{ outcome: "none" }])
    expect(offsets).toEqual([0])
  })

  it("counts a shipment once that new ones push onto the next page", async () => {
    const desk = await startDesk()
    await others(desk, 230)
    await desk.lose(true, PO)
    await others(desk, 199)
    const { settled } = await reading(desk, () => others(desk, 1))
    expect(settled).toMatchObject([{ outcome: "settled", matches: [expect.any(String)] }])
  })

  it("misses none while many new ones come", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await others(desk, 420)
    const { settled } = await reading(desk, () => others(desk, 70))
    expect(settled).toMatchObject([{ outcome: "settled" }])
  })
})
