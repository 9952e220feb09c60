/** Every way to book goes through one place: what is looked at there right before sending is looked at for all of them. */
import { beforeAll, describe, expect, it } from "vitest"
import { systemClock } from "../../src/machine/host.ts"
import type { SendStep } from "../../src/ledger/create.ts"
import { desk } from "./freight.ts"
import { type Order, ORDER_DAY, order } from "./orders.ts"
import { fileSandbox, ownSandbox } from "./own-sandbox.ts"
import { EVERY_WAY, type EveryWay, openSeat, type Seat } from "./seats.ts"

const YEARS = 3 * 366 * 24 * 3_600_000

/** A seat at which years pass between the claim and the request of the next thing that is sent. */
async function slowSeat() {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  let [ahead, isSlow] = [0, false]
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const at = (moment: SendStep) => {
    if (isSlow && moment === "after-intent") ahead = YEARS
  }
  const env = { FREIGHT_API_KEY: sandbox.freightApiKey }
  const seat = openSeat(made, "freight", env, clock, at)
  return {
    ...seat,
    folder: made.folder,
    async whileSlow<T>(work: () => Promise<T>): Promise<T> {
      ;[ahead, isSlow] = [0, true]
      const done = await work()
      ;[ahead, isSlow] = [0, false]
      return done
    },
    async references() {
      const { shipments } = (await sandbox.control("books")) as {
        shipments: { request: { customerReference: string } }[]
      }
      return shipments.map(({ request }) => request.customerReference)
    },
  }
}

const TOO_LATE = /it became too late while it waited: .*; nothing was sent/s

describe("what became too late while it waited is not sent, and is booked once it is right", () => {
  it.each(EVERY_WAY)("by %s", async (way) => {
    const seat = await slowSeat()
    const [late] = await seat.whileSlow(() => seat.book(way, "PO-1"))
    expect(late?.why).toMatch(TOO_LATE)
    expect(await seat.references()).toEqual([])
    const [booked] = await seat.book(way, "PO-1")
    expect(booked).toMatchObject({ why: "", shipment: expect.any(String) })
    expect(await seat.references()).toEqual(["PO-1"])
  })

  it("the same holds for a copy of an earlier booking", async () => {
    const seat = await slowSeat()
    await seat.book("file", "PO-1")
    const ready = String(order("PO-2").collectionDateTime)
    const words = ["book", "--like", "PO-1", "--reference", "PO-2", "--ready", ready]
    const late = await seat.whileSlow(() => seat.run(...words))
    expect([late.code, late.stderr]).toEqual([2, expect.stringMatching(TOO_LATE)])
    expect((await seat.run(...words)).code).toBe(0)
    expect((await seat.references()).sort()).toEqual(["PO-1", "PO-2"])
  })
})

interface Refusal {
  changes: Order
  says: RegExp
  /** In the wizard a person reads it before they are asked, and decides. */
  isAsked?: true
  /** The order's, if not any one will do. */
  reference?: string
  /** The earlier actions of the desk. */
  before?: (seat: Seat) => Promise<unknown>
  /** Ways that cannot say such a thing, each with its reason. */
  except?: Partial<Record<EveryWay, string>>
}

/** Refusals before anything is sent, however the order came. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  "a postcode of another state": {
    changes: { "receiver.state": "VIC" },
    says: /6160 belongs to WA, not to VIC/,
  },
  "a suburb that there is not": {
    changes: { "receiver.suburb": "Nowhereville" },
    says: /Nowhereville\W+is not a known place/,
    isAsked: true,
  },
  "a receiver that is a post box": {
    changes: { "receiver.address1": "PO Box 12" },
    says: /carriers cannot deliver to/,
    isAsked: true,
  },
  "a collection on a day that is over": {
    changes: { collectionDateTime: "2020-11-23T10:00:00" },
    says: /collectionDateTime\W+is past|has passed/,
    isAsked: true,
  },
  "a collection outside the hours of its carrier": {
    changes: {
      ...{ connector: "connector-a", service: "76" },
      ...{ collectionDateTime: `${ORDER_DAY}T18:00:00`, collectionCloseTime: "2000" },
    },
    says: /carrier A accepts 07:00 to 17:00|not at these times/,
  },
  "a weight that does not fit its size": {
    changes: { packages: "2x40x30x20@900" },
    says: /900 kg in 40 × 30 × 20 cm/,
  },
  "a connector that there is not": {
    changes: { connector: "connector-x" },
    says: /no active connector\W+connector-x|What the command line asks for is not offered/,
    isAsked: true,
  },
  "a service that its connector does not offer": {
    changes: { service: "NOPE" },
    says: /does not offer (?:the )?service\W+NOPE|service NOPE is not offered/,
    except: {
      wizard: "it offers the services that there are",
      api: "what a connector lists is not what the API takes, which is what this command is for",
    },
  },
  "freight's own example": {
    changes: {},
    reference: "EXAMPLE-2",
    says: /freight's example/,
  },
  "another order under its key": {
    changes: { packages: "3x40x30x20@5.5" },
    before: (seat) => seat.book("file", "PO-changed"),
    reference: "PO-changed",
    says: /changed since/,
  },
  "a carrier on the avoid list of the profile": {
    changes: {},
    before: (seat) => seat.run("config", "set", "avoid", "B"),
    says: /avoid list|What the command line asks for is not offered/,
    isAsked: true,
    except: { api: "the request names its service: no preference chooses it" },
  },
}

const sandbox = await fileSandbox()

async function countShipments(): Promise<number> {
  const { counts } = (await sandbox.control("books?only=counts")) as { counts: { shipments: number } }
  return counts.shipments
}

describe.each(Object.entries(REFUSALS))("%s is refused, and nothing is sent", (what, refusal) => {
  const { changes, says, before, isAsked, except = {} } = refusal
  const number = Object.keys(REFUSALS).indexOf(what)
  let made: Awaited<ReturnType<typeof desk>>
  const env = { FREIGHT_API_KEY: sandbox.freightApiKey }
  beforeAll(async () => {
    made = await desk(sandbox)
    await before?.(openSeat(made, "freight", env, systemClock))
  })

  it.each(EVERY_WAY.filter((way) => except[way] === undefined))("by %s", async (way) => {
    const count = await countShipments()
    const seat = openSeat(made, "freight", env, systemClock, () => {}, changes)
    const [answer] = await seat.book(way, refusal.reference ?? `PO-${number}-${way}`)
    const [told] = (answer?.said ?? "").split("\nBook it?")
    expect(`${told}\n${answer?.why}`).toMatch(says)
    if (way === "wizard" && isAsked) return
    expect(answer?.shipment).toBeUndefined()
    expect(await countShipments()).toBe(count)
  })
})
