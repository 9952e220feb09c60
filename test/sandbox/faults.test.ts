import { describe, expect, it } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import { BookingResponse, ConnectorListResponse, ErrorBody } from "../../src/contract/generated/replies.js"
import { FreightError } from "../../src/errors.ts"
import { startSandbox } from "../../src/sandbox/server.ts"
import { as, type Bench, booking, startBench, temporaryDir, testClock } from "./harness.ts"

/** A booking, raw: what comes back may be no JSON, or nothing. */
function send({ sandbox }: Bench, signal?: AbortSignal) {
  return fetch(`${sandbox.freightBaseUrl}/connector-a/shipments`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.freightApiKey}` },
    body: JSON.stringify(booking()),
    redirect: "manual",
    ...(signal && { signal }),
  })
}

async function booked({ control }: Bench) {
  return ((await control("GET", "/books?only=counts")).body as { counts: { shipments: number } }).counts
    .shipments
}

const withFault = (...faults: string[]) => startBench({ faults })

describe("faults that strike after something was committed", () => {
  it.each(["502", "drop", "hang"])("%s-after-commit:x1 is kept for a request that creates", async (kind) => {
    const bench = await withFault(`${kind}-after-commit:x1`)
    expect((await bench.freight("GET", "/connectors")).status).toBe(200)
    expect((await bench.freight("POST", "/rates", {})).status).toBe(400)
    const outcome = await send(bench, AbortSignal.timeout(300)).then(
      ({ status }) => status,
      () => "no answer",
    )
    expect(outcome).toBe(kind === "502" ? 502 : "no answer")
    expect(await booked(bench)).toBe(1)
  })

  it("strikes wherever a place is named", async () => {
    const bench = await withFault("502-after-commit@/connectors")
    expect((await bench.freight("GET", "/connectors")).status).toBe(502)
  })
})

describe("faults that strike before anything is done", () => {
  it.each(["500", "502", "503"])("%s is an error body with that status", async (kind) => {
    const { freight } = await withFault(kind)
    const { status, body } = await freight("GET", "/connectors")
    expect(status).toBe(Number(kind))
    expect(as(ErrorBody, body).message).not.toBe("")
  })

  it("html is a page with status 500", async () => {
    const response = await send(await withFault("html"))
    expect([response.status, response.headers.get("content-type")]).toEqual([500, "text/html"])
  })

  it("redirect leads to another origin, which tells whether a key came along", async () => {
    const bench = await withFault("redirect")
    const response = await send(bench)
    const location = new URL(response.headers.get("location") ?? "")
    expect(response.status).toBe(307)
    expect(location.origin).not.toBe(new URL(bench.sandbox.freightBaseUrl).origin)
    location.hostname = "127.0.0.1"
    await fetch(location, { headers: { authorization: "Bearer secret" } })
    expect((await bench.control("GET", "/books")).body).toMatchObject({
      elsewhere: [{ method: "GET", withKey: true }],
    })
  })

  it.each(["429", "500", "502", "503", "html", "redirect"])("%s books nothing", async (kind) => {
    const bench = await withFault(kind)
    await send(bench)
    expect(await booked(bench)).toBe(0)
  })

  it("drop-before breaks the connection and books nothing", async () => {
    const bench = await withFault("drop-before")
    await expect(send(bench)).rejects.toThrow()
    expect(await booked(bench)).toBe(0)
  })

  it("hang never answers and books nothing", async () => {
    const bench = await withFault("hang")
    await expect(send(bench, AbortSignal.timeout(200))).rejects.toThrow(/timeout/)
    expect(await booked(bench)).toBe(0)
  })
})

describe("faults that strike after the booking was made", () => {
  it("drop-after-commit breaks the connection", async () => {
    const bench = await withFault("drop-after-commit")
    await expect(send(bench)).rejects.toThrow()
    expect(await booked(bench)).toBe(1)
  })

  it("hang-after-commit never answers", async () => {
    const bench = await withFault("hang-after-commit")
    await expect(send(bench, AbortSignal.timeout(500))).rejects.toThrow(/timeout/)
    expect(await booked(bench)).toBe(1)
  })

  it("502-after-commit answers with a 502", async () => {
    const bench = await withFault("502-after-commit")
    expect((await send(bench)).status).toBe(502)
    expect(await booked(bench)).toBe(1)
  })

  it("truncated breaks off in the middle of the body", async () => {
    const bench = await withFault("truncated")
    const response = await send(bench)
    await expect(response.text()).rejects.toThrow()
    expect([response.status, await booked(bench)]).toEqual([201, 1])
  })

  it("garbage is no JSON", async () => {
    const bench = await withFault("garbage")
    const response = await send(bench)
    await expect(response.json()).rejects.toThrow(SyntaxError)
    expect([response.status, await booked(bench)]).toEqual([201, 1])
  })

  it("wrong-shape breaks the contract", async () => {
    const bench = await withFault("wrong-shape")
    const response = await send(bench)
    expect(findErrors(BookingResponse, await response.json())).not.toEqual([])
    expect([response.status, await booked(bench)]).toEqual([201, 1])
  })

  it("slow trickles in whole", async () => {
    const bench = await withFault("slow")
    const response = await send(bench)
    expect(as(BookingResponse, await response.json()).connectorId).toBe("connector-a")
  })

  it("big has no end", async () => {
    const response = await send(await withFault("big"))
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 20_000_000) break
    }
    expect(bytes).toBeGreaterThan(20_000_000)
  })

  it("escape puts control characters into what people read, and leaves ids alone", async () => {
    const { freight } = await withFault("escape")
    const [connector] = as(ConnectorListResponse, (await freight("GET", "/connectors")).body).connectors
    expect(connector?.name).toContain("\u001b[2J")
    expect(connector?.id).toBe("connector-a")
  })

  it("escape reaches error messages", async () => {
    const { freight } = await withFault("escape")
    const { body } = await freight("GET", "/shipments/nothing")
    expect(as(ErrorBody, body).message).toContain("\u001b")
  })
})

describe("how often a fault strikes", () => {
  async function statuses({ freight }: Bench, count: number) {
    const list: number[] = []
    for (let index = 0; index < count; index++) list.push((await freight("GET", "/connectors")).status)
    return list
  }

  it("always, without a rate", async () => {
    expect(await statuses(await withFault("503"), 3)).toEqual([503, 503, 503])
  })

  it("the next few, with a count", async () => {
    expect(await statuses(await withFault("503:x2"), 4)).toEqual([503, 503, 200, 200])
  })

  it("never, with a rate of 0", async () => {
    expect(await statuses(await withFault("503:0"), 3)).toEqual([200, 200, 200])
  })

  it("about as often as the rate says", async () => {
    const struck = (await statuses(await withFault("503:0.5"), 100)).filter((status) => status === 503)
    expect(struck.length).toBeGreaterThan(25)
    expect(struck.length).toBeLessThan(75)
  })

  it("for the same requests with the same seed", async () => {
    const options = { faults: ["503:0.5"], seed: 42 }
    expect(await statuses(await startBench(options), 20)).toEqual(
      await statuses(await startBench(options), 20),
    )
  })

  it("for other requests with another seed", async () => {
    const faults = ["503:0.5"]
    const [one, other] = [await startBench({ faults, seed: 1 }), await startBench({ faults, seed: 2 })]
    expect(await statuses(one, 20)).not.toEqual(await statuses(other, 20))
  })

  it("one after the other, when there are several", async () => {
    expect(await statuses(await withFault("503:x1", "502:x1"), 3)).toEqual([503, 502, 200])
  })
})

describe("where a fault strikes", () => {
  it("only on paths with the part that is given", async () => {
    const { freight } = await withFault("503@/shipments")
    expect([
      (await freight("GET", "/connectors")).status,
      (await freight("GET", "/shipments")).status,
    ]).toEqual([200, 503])
  })

  it("only with the method that is given", async () => {
    const { freight } = await withFault("503@POST/shipments")
    const post = await freight("POST", "/connector-a/shipments", booking())
    expect([(await freight("GET", "/shipments")).status, post.status]).toEqual([200, 503])
  })

  it("does not use up its count elsewhere", async () => {
    const { freight } = await withFault("503:x1@/shipments")
    await freight("GET", "/connectors")
    expect((await freight("GET", "/shipments")).status).toBe(503)
  })

  it("never on the control path", async () => {
    const { control } = await withFault("503")
    expect((await control("GET", "/books")).status).toBe(200)
  })
})

describe("faults that are none", () => {
  const start = (fault: string) => startSandbox({ dir: temporaryDir(), clock: testClock(), faults: [fault] })

  it("are refused with the list of those that are", async () => {
    const error = await start("explode").catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(FreightError)
    expect(error).toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/'explode'.*429.*drop-after-commit/),
    })
  })

  it.each([
    "502:2",
    "502:-1",
    "502:",
    "502:often",
    "502:x",
    "502:x-1",
  ])("are refused for their rate: %s", async (fault) => {
    await expect(start(fault)).rejects.toThrow("is not a rate")
  })
})

describe("latency", () => {
  it("comes before every answer", async () => {
    const waits: number[] = []
    const clock = { ...testClock(), sleep: async (ms: number) => void waits.push(ms) }
    const { freight } = await startBench({ clock, latencyMs: 250 })
    await freight("GET", "/connectors")
    await freight("GET", "/shipments")
    expect(waits).toEqual([250, 250])
  })
})
