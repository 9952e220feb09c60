import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import { DEAD_PORT } from "../ports.ts"
import { booked, client, connectors, failing, failure, NOW, rateRequest } from "./setup.ts"
import { type Answer, drip, drop, json, server, silentServer, text } from "./servers.ts"

const ok = json(connectors)

describe("a read", () => {
  it("gives the reply", async () => {
    const { url } = await server(ok)
    expect(await client(url).api.listConnectors()).toEqual(connectors)
  })

  it("carries the key and says which program asks", async () => {
    const { url, requests } = await server(ok)
    await client(url, { key: "k".repeat(64) }).api.listConnectors()
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${"k".repeat(64)}`,
      "user-agent": "freight-test/0",
    })
  })

  it("lets fields pass that the contract does not know", async () => {
    const { url } = await server(json({ ...connectors, later: { version: 2 } }))
    expect(await client(url).api.listConnectors()).toHaveProperty("later.version", 2)
  })

  it("reads a reply that was packed with gzip", async () => {
    const { gzipSync } = await import("node:zlib")
    const packed = gzipSync(JSON.stringify(connectors))
    const { url } = await server(text(packed, "application/json", 200, { "content-encoding": "gzip" }))
    expect(await client(url).api.listConnectors()).toEqual(connectors)
  })

  it("uses one connection for one call after the other", async () => {
    const ports = new Set<number | undefined>()
    const { url } = await server((res, seen) => {
      ports.add(res.socket?.remotePort)
      ok(res, seen)
    })
    const { api } = client(url)
    for (const _ of [1, 2, 3]) await api.listConnectors()
    expect(ports.size).toBe(1)
  })
})

const cut: Answer = (res) => {
  res.writeHead(200, { "content-type": "application/json", "content-length": "500" }).write("{")
  setTimeout(() => res.destroy(), 10)
}

describe("a read that fails for a moment", () => {
  it.each<[what: string, answer: Answer]>([
    ...[429, 502, 503, 504].map((status): [string, Answer] => [
      `${status}`,
      json({ message: "busy" }, status),
    ]),
    ["the connection breaks before the reply", drop],
    ["the connection breaks inside the reply", cut],
  ])("is tried again after %s", async (_what, answer) => {
    const { url, requests } = await server(answer, ok)
    expect(await client(url).api.listConnectors()).toEqual(connectors)
    expect(requests).toHaveLength(2)
  })

  it("is tried again when it is a rate request, although that is a POST", async () => {
    const reply = { quoteId: "q_1", results: [] }
    const { url, requests } = await server(json({}, 502), json(reply))
    expect(await client(url).api.rates(rateRequest)).toEqual(reply)
    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST"])
  })

  it("waits longer each time, and gives up after four tries", async () => {
    const { error, requests, waits } = await failing(json({ message: "down for lunch" }, 503))
    expect(requests).toHaveLength(4)
    expect(waits).toEqual([250, 500, 1000])
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6, status: 503, retry: "safe" })
    expect(error.message).toMatch(
      /^127\.0\.0\.1:\d+ answered GET \/connectors with 503 after 4 tries: down for lunch$/,
    )
  })

  it("spreads its waits by chance", async () => {
    const ids = { uuid: () => "", random: () => 0.5 }
    expect((await failing(json({}, 503), undefined, { ids })).waits).toEqual([375, 750, 1500])
  })

  it("is not tried again after 500", async () => {
    const { error, requests } = await failing(text("oops", "text/plain", 500))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6, status: 500 })
    expect(requests).toHaveLength(1)
  })
})

describe("a server that asks to wait", () => {
  const asking = (value: string, status = 429) =>
    json({ message: "slow down" }, status, { "retry-after": value })

  it.each<[what: string, answer: Answer, wait: number]>([
    ["the seconds it asks for", asking("7"), 7_000],
    ["the time until the date it names", asking(new Date(NOW + 12_000).toUTCString(), 503), 12_000],
    [
      "the seconds in the print API's body",
      json({ error: "Too many", code: "RATE_LIMIT_EXCEEDED", retryAfter: 9 }, 429),
      9_000,
    ],
    ...["soon", "-5", "0", "", "1e99"].map((value): [string, Answer, number] => [
      `freight's own rhythm after '${value}'`,
      asking(value),
      250,
    ]),
  ])("is given %s", async (_what, answer, wait) => {
    const { url, requests } = await server(answer, ok)
    const { api, waits } = client(url)
    await api.listConnectors()
    expect([requests.length, waits]).toEqual([2, [wait]])
  })

  it("is not waited for when it asks for more than a minute", async () => {
    const { error, requests, waits } = await failing(asking("3600"))
    expect(error).toMatchObject({ kind: "rateLimited", exitCode: 6, retryAfter: 3600, retry: "after" })
    expect([requests.length, waits.length]).toEqual([1, 0])
  })
})

describe("a server that cannot be reached", () => {
  it("is named when it refuses connections", async () => {
    const { api, waits } = client(`http://127.0.0.1:${DEAD_PORT}`)
    const error = await failure(api.listConnectors())
    expect(error).toMatchObject({
      kind: "unavailable",
      exitCode: 6,
      hint: expect.stringContaining("FREIGHT_BASE_URL"),
    })
    expect(error.message).toBe(
      `GET /connectors: 127.0.0.1:${DEAD_PORT} refused the connection (ECONNREFUSED) after 4 tries`,
    )
    expect(waits).toHaveLength(3)
  })

  it("is named when its name has no address", async () => {
    const error = await failure(client("https://freight.invalid/v1").api.listConnectors())
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6 })
    expect(error.message).toMatch(/^GET \/connectors: no network address was found for freight\.invalid \(E/)
  })

  it("is named when it does not finish the handshake in time", async () => {
    const { port } = await silentServer()
    const { api, waits } = client(`https://127.0.0.1:${port}`, {
      timeouts: { connectMs: 30, headersMs: 2_000, bodyMs: 2_000 },
    })
    const error = await failure(api.listConnectors())
    expect(error).toMatchObject({ kind: "timeout", exitCode: 6, retry: "safe" })
    expect(error.message).toContain(`127.0.0.1:${port} could not be reached in time`)
    expect(waits).toHaveLength(3)
  })

  it("is named when it does not speak https", async () => {
    const { port } = await server(ok)
    const error = await failure(client(`https://127.0.0.1:${port}`).api.listConnectors())
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6 })
    expect(error.message).toMatch(/no secure connection could be made to 127\.0\.0\.1:\d+/)
  })
})

describe("a server that keeps one waiting", () => {
  const timeouts = { connectMs: 2_000, headersMs: 400, bodyMs: 400 }

  it.each<[what: string, answer: Answer, message: RegExp]>([
    ["does not answer", () => {}, /127\.0\.0\.1:\d+ did not answer in time/],
    [
      "stops inside the reply",
      (res) => res.writeHead(200, { "content-type": "application/json" }).write('{"connectors":'),
      /the reply of 127\.0\.0\.1:\d+ was not complete in time/,
    ],
    ["never stops to send a little", drip(200), /was not complete in time/],
  ])("is given up when it %s", async (_what, answer, message) => {
    const { error, requests } = await failing(answer, undefined, { timeouts })
    expect(error).toMatchObject({ kind: "timeout", exitCode: 6, retry: "safe" })
    expect(error.message).toMatch(message)
    expect(requests).toHaveLength(1)
  })
})

describe("Ctrl-C", () => {
  it("ends a read that is under way", async () => {
    const interrupt = new AbortController()
    const { url, requests } = await server(() => interrupt.abort())
    const error = await failure(client(url, { signal: interrupt.signal }).api.listConnectors())
    expect(error).toMatchObject({ kind: "interrupted", exitCode: 130 })
    expect(requests).toHaveLength(1)
  })

  it("ends a wait between two tries", async () => {
    const interrupt = new AbortController()
    const { url, requests } = await server((res, seen) => {
      json({}, 503)(res, seen)
      interrupt.abort()
    })
    const error = await failure(client(url, { signal: interrupt.signal }).api.listConnectors())
    expect(error.kind).toBe("interrupted")
    expect(requests).toHaveLength(1)
  })

  it("is listened for only while a request is under way", async () => {
    const { signal } = new AbortController()
    const { url } = await server(ok)
    const { api } = client(url, { signal })
    await Promise.all([api.listConnectors(), api.listConnectors()])
    expect(getEventListeners(signal, "abort")).toHaveLength(0)
  })

  it("lets nothing start any more", async () => {
    const { url, requests } = await server(json(booked, 201))
    const error = await failure(client(url, { signal: AbortSignal.abort() }).api.listConnectors())
    expect(error.kind).toBe("interrupted")
    expect(requests).toHaveLength(0)
  })
})
