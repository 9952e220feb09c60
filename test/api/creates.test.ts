import { once } from "node:events"
import { stat } from "node:fs"
import { Worker } from "node:worker_threads"
import { describe, expect, it, onTestFinished } from "vitest"
import { DEAD_PORT } from "../ports.ts"
import type { FreightApi } from "../../src/api/freight.ts"
import { booked, booking, client, failing, failure, gate } from "./setup.ts"
import {
  type Answer,
  CERTIFICATE,
  drip,
  drop,
  HTML,
  json,
  rawServer,
  secureServer,
  server,
  silentServer,
  text,
  tunnelProxy,
} from "./servers.ts"

const book = (api: FreightApi) => api.createShipment("con_1", booking)
const create = (url: string, options = {}) => book(client(url, options).api)

const UNKNOWN = {
  kind: "outcomeUnknown",
  exitCode: 7,
  retry: "never",
  message: expect.stringMatching(/POST \/con_1\/shipments.*its outcome is unknown$/),
}

describe("a create", () => {
  it("gives the reply, and was sent once", async () => {
    const { url, requests } = await server(json(booked, 201))
    expect(await create(url)).toEqual(booked)
    expect(requests).toHaveLength(1)
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual(booking)
  })
})

/** In a thread of its own: ends each connection after its first reply, and then says so. */
const CLOSING_SERVER = `
  const { createServer } = require("node:net")
  const { parentPort, workerData: { busy, booked } } = require("node:worker_threads")
  const server = createServer((socket) => {
    let requests = 0
    socket.on("error", () => {}).on("data", () => {
      if (requests++ > 0) return socket.destroy()
      const body = JSON.stringify({ connectors: [], ...booked })
      const head = "HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\n"
      socket.write(head + "content-length: " + body.length + "\\r\\n\\r\\n" + body)
      setTimeout(() => socket.end(() => { Atomics.store(busy, 0, 1); Atomics.notify(busy, 0) }), 20)
    })
  })
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`

describe("a create after other calls", () => {
  it("does not go out on a connection that the server has closed since", async () => {
    const closed = gate()
    const { url, requests } = await rawServer((socket, count) => {
      const body = JSON.stringify(count === 1 ? { connectors: [] } : booked)
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\ncontent-type: application/json\r\n\r\n${body}`,
      )
      if (count === 1) socket.end(() => closed.open())
    })
    const { api } = client(url)
    await api.listConnectors()
    await closed.passed
    expect(await api.createShipment("con_1", booking)).toEqual(booked)
    expect(requests).toHaveLength(2)
  })

  it("does not go out on a connection that was closed while the program was busy", async () => {
    const busy = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(CLOSING_SERVER, { eval: true, workerData: { busy, booked } })
    onTestFinished(async () => void (await worker.terminate()))
    const [port] = await once(worker, "message")
    const { api } = client(`http://127.0.0.1:${port}`)
    await api.listConnectors()
    await new Promise((resolve) => setImmediate(resolve))
    // In the turn in which a file answers, nothing runs here until the server has closed it.
    await new Promise((resolve) => stat(".", resolve))
    Atomics.wait(busy, 0, 0)
    expect(await api.createShipment("con_1", booking)).toMatchObject(booked)
  })
})

/** In a thread of its own: says that a request has come, and that it was answered. */
const ANSWERING_SERVER = `
  const { createServer } = require("node:http")
  const { parentPort, workerData: { state, booked } } = require("node:worker_threads")
  const tell = (value) => { Atomics.store(state, 0, value); Atomics.notify(state, 0) }
  const server = createServer((req, res) => {
    tell(1)
    res.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(booked), () => tell(2))
  })
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`

describe("a create whose reply came while the program stood still", () => {
  it("is known, however long that was", async () => {
    const state = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(ANSWERING_SERVER, { eval: true, workerData: { state, booked } })
    onTestFinished(async () => void (await worker.terminate()))
    const [port] = await once(worker, "message")
    const timeouts = { connectMs: 2_000, headersMs: 300, bodyMs: 300 }
    const created = create(`http://127.0.0.1:${port}`, { timeouts })
    while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setImmediate(resolve))
    Atomics.wait(state, 0, 1)
    // Nobody changes it any more.
    Atomics.wait(state, 0, 2, 2 * timeouts.headersMs)
    expect(await created).toMatchObject(booked)
  })
})

describe("a create that may have left is never sent again, and its outcome is unknown", () => {
  const timeouts = { connectMs: 2_000, headersMs: 300, bodyMs: 300 }
  const commit: Answer = json(booked, 201)

  const reply = (status: number) => json({ message: "carrier down" }, status, { "retry-after": "1" })
  const broken: Answer = (res) => {
    res.writeHead(201, { "content-type": "application/json", "content-length": "900" }).write('{"order":')
    setTimeout(() => res.destroy(), 10)
  }

  it.each<[what: string, answer: Answer, words: string, status?: number]>([
    ["the connection is dropped after the commit", drop, "was sent, then: the connection to 127.0.0.1"],
    ["the reply breaks off", broken, ""],
    ["no reply comes in time", () => {}, "did not answer in time"],
    ["the reply drips for ever", drip(201), ""],
    ...[500, 502, 503, 504, 409, 422].map((status): [string, Answer, string, number] => [
      `it is answered ${status}`,
      reply(status),
      `with ${status}: carrier down; `,
      status,
    ]),
    ["the answer is HTML", text(HTML, "text/html", 201), "is not JSON but a web page", 201],
    ["it is another content type", text("ok", "text/plain", 201), "is not JSON but text/plain", 201],
    ["it is truncated JSON", text('{"o":"ORD', "application/json", 201), "is not complete JSON", 201],
    ["it is nothing", text("", "application/json", 201), "is not complete JSON (0 bytes)", 201],
    ["it nests too deep", text("[".repeat(2000), "application/json", 201), "more than 1,000 deep", 201],
    ["it is another shape", json([], 201), "does not match the contract", 201],
    [
      "it has no shipment: what it names is told, to find it again",
      json({ ...booked, shipmentId: null }, 201),
      "shipmentId is null, not text; it names orderNumber ORD-1",
      201,
    ],
  ])("when %s", async (what, answer, words, status) => {
    const isLate = answer.length === 0 || what.includes("drips")
    const { error, requests } = await failing([answer, commit], book, isLate ? { timeouts } : {})
    expect(error).toMatchObject({ ...UNKNOWN, ...(status && { status }) })
    expect(error.message).toContain(words)
    expect(error.retryAfter).toBeUndefined()
    expect(requests).toHaveLength(1)
  })

  it.each([
    ["closes the connection without a word", "", "was sent, then"],
    ["does not speak HTTP", "220 mail.example.com ESMTP\r\n", "answered with something that is not HTTP"],
  ])("when the server %s", async (_what, bytes, words) => {
    const { url, requests } = await rawServer((socket) => socket.end(bytes))
    const error = await failure(create(url))
    expect(error).toMatchObject(UNKNOWN)
    expect(error.message).toContain(words)
    expect(requests).toHaveLength(1)
  })

  it("when the answer points elsewhere", async () => {
    const other = await server(commit)
    const { url, requests } = await server(
      text("", "text/plain", 307, { location: `${other.url}/con_1/shipments` }),
    )
    const error = await failure(create(url))
    expect(error).toMatchObject({ ...UNKNOWN, status: 307 })
    expect(error.message).toContain(`redirects to ${new URL(other.url).host}`)
    expect([requests.length, other.requests.length]).toEqual([1, 0])
  })

  it("when Ctrl-C comes after it left", async () => {
    const interrupt = new AbortController()
    const { url, requests } = await server(() => interrupt.abort(), commit)
    const error = await failure(create(url, { signal: interrupt.signal }))
    expect(error).toMatchObject(UNKNOWN)
    expect(error.message).toContain("was sent, then: interrupted")
    expect(requests).toHaveLength(1)
  })
})

describe("a create that cannot have left is sent again", () => {
  it("as often as a read when the connection is refused, and then nothing was created", async () => {
    const { api, waits } = client(`http://127.0.0.1:${DEAD_PORT}`)
    const error = await failure(api.createShipment("con_1", booking))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6, retry: "safe" })
    expect(error.message).toMatch(
      /refused the connection \(ECONNREFUSED\) after 4 tries; nothing was created$/,
    )
    expect(waits).toHaveLength(3)
  })

  it("when the handshake is not finished in time", async () => {
    const { port } = await silentServer()
    const { api, waits } = client(`https://127.0.0.1:${port}`, {
      timeouts: { connectMs: 20, headersMs: 2_000, bodyMs: 2_000 },
    })
    const error = await failure(api.createShipment("con_1", booking))
    expect(error).toMatchObject({ kind: "timeout", exitCode: 6 })
    expect(error.message).toMatch(/; nothing was created$/)
    expect(waits).toHaveLength(3)
  })

  it("and succeeds when the connection stands at last", async () => {
    const { port, requests } = await secureServer(json(booked, 201))
    const proxy = await tunnelProxy(port, { status: 503 })
    const open = await tunnelProxy(port)
    const through = (to: number) => ({
      env: { HTTPS_PROXY: `http://127.0.0.1:${to}` },
      authorities: [CERTIFICATE],
    })
    expect(await failure(create("https://freight.test", through(DEAD_PORT)))).toMatchObject({
      kind: "unavailable",
    })
    expect(await failure(create("https://freight.test", through(proxy.port)))).toMatchObject({
      kind: "unavailable",
    })
    expect(await create("https://freight.test", through(open.port))).toEqual(booked)
    expect([proxy.asked.length, requests.length]).toEqual([4, 1])
  })

  it("after 429, with the wait that the server asks for", async () => {
    const { url, requests } = await server(
      json({ message: "slow" }, 429, { "retry-after": "2" }),
      json(booked, 201),
    )
    const { api, waits } = client(url)
    expect(await api.createShipment("con_1", booking)).toEqual(booked)
    expect([requests.length, waits]).toEqual([2, [2_000]])
  })

  it("after 429 only a few times", async () => {
    const { error, requests } = await failing(json({ message: "slow" }, 429), book)
    expect(error).toMatchObject({ kind: "rateLimited", exitCode: 6, status: 429, retry: "after" })
    expect(requests).toHaveLength(4)
  })

  it("a Ctrl-C while it connects ends that: nothing was created", async () => {
    const interrupt = new AbortController()
    const { port, connected } = await silentServer()
    const pending = failure(create(`https://127.0.0.1:${port}`, { signal: interrupt.signal }))
    await connected
    interrupt.abort()
    const error = await pending
    expect(error).toMatchObject({ kind: "interrupted", exitCode: 130 })
    expect(error.message).toBe("POST /con_1/shipments: interrupted; nothing was created")
  })

  it("a Ctrl-C ends that even if its connection stands afterwards", async () => {
    const interrupt = new AbortController()
    const { port, requests } = await secureServer(json({ connectors: [] }))
    const opened = gate()
    const asked = gate()
    const proxy = await tunnelProxy(port, {
      onConnect: async (attempt) => {
        asked.open()
        if (attempt === 1) await opened.passed
      },
    })
    const options = { env: { https_proxy: proxy.url }, authorities: [CERTIFICATE] }
    const pending = failure(create("https://freight.test", { ...options, signal: interrupt.signal }))
    await asked.passed
    interrupt.abort()
    expect(await pending).toMatchObject({ kind: "interrupted" })
    opened.open()
    await client("https://freight.test", options).api.listConnectors()
    expect(requests.map(({ method }) => method)).toEqual(["GET"])
  })
})

describe("a create that is refused", () => {
  const no = (status: number) => json({ message: "no" }, status)
  const cut: Answer = (res) => {
    res.writeHead(400, { "content-type": "application/json", "content-length": "900" }).write('{"message":')
    setTimeout(() => res.destroy(), 10)
  }

  it.each<[what: string, answer: Answer, told: object]>([
    ["400", no(400), { kind: "refused", exitCode: 1, status: 400 }],
    ["401", no(401), { kind: "unauthenticated", exitCode: 4, status: 401 }],
    ["403", no(403), { kind: "forbidden", exitCode: 4, status: 403 }],
    ["404", no(404), { kind: "notFound", exitCode: 5, status: 404 }],
    ["400 whose words break off", cut, { kind: "refused", exitCode: 1, status: 400 }],
  ])("with %s was not carried out, and is not sent again", async (_what, answer, told) => {
    const { error, requests } = await failing(answer, book)
    expect(error).toMatchObject(told)
    expect(requests).toHaveLength(1)
  })
})
