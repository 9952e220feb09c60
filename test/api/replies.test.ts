import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { type Answer, HTML, json, rawServer, server, text } from "./servers.ts"
import { client, connectors, failing, failure, KEY } from "./setup.ts"

const LIMIT = 50_000
const LIMITED = { maxReplyBytes: LIMIT }
const list = (url: string) => client(url, LIMITED).api.listConnectors()

const endless: Answer = (res) => {
  res.writeHead(200, { "content-type": "application/json" })
  const more = () => {
    while (!res.destroyed && res.write(" ".repeat(16_384))) {}
  }
  res.on("drain", more)
  more()
}

describe("a reply to a read that cannot be used is a badReply", () => {
  it.each([
    [
      "HTML",
      text(HTML, "text/html; charset=utf-8"),
      /: the reply of 127\.0\.0\.1:\d+ is not JSON but a web page$/,
    ],
    ["another content type", text("{}", "text/plain"), /is not JSON but text\/plain$/],
    ["truncated JSON", text('{"connectors":[', "application/json"), /is not complete JSON \(15 bytes\)$/],
    ["an empty body", text("", "application/json"), /is not complete JSON \(0 bytes\)$/],
    [
      "JSON that nests too deep",
      text("[".repeat(2000), "application/json"),
      /nests arrays and objects more than 1,000 deep$/,
    ],
    ["an endless body", endless, /is too large$/],
    [
      "a length beyond the limit",
      text("{", "application/json", 200, { "content-length": String(LIMIT + 1) }),
      /is too large$/,
    ],
    [
      "a little gzip that unpacks to a lot",
      text(gzipSync(Buffer.alloc(LIMIT * 20)), "application/json", 200, { "content-encoding": "gzip" }),
      /is too large$/,
    ],
    [
      "broken gzip",
      text("not gzip", "application/json", 200, { "content-encoding": "gzip" }),
      /cannot be unpacked$/,
    ],
    [
      "a packing that was not asked for",
      text("{}", "application/json", 200, { "content-encoding": "br" }),
      /cannot be unpacked$/,
    ],
  ])("%s", async (_name, answer, words) => {
    const { error, requests } = await failing(answer, undefined, LIMITED)
    expect(error).toMatchObject({ kind: "badReply", exitCode: 6, retry: "safe" })
    expect(error.message).toMatch(/^GET \/connectors: /)
    expect(error.message).toMatch(words)
    expect(requests).toHaveLength(1)
  })

  it.each([200, 400])("a reply of ten million brackets, with %d, takes little memory", async (status) => {
    const { url } = await server(text("[".repeat(10_000_000), "application/json", status))
    const before = process.resourceUsage().maxRSS
    await failure(client(url).api.listConnectors())
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(150_000)
  })

  it("bytes that are not HTTP", async () => {
    const { url, requests } = await rawServer((socket) => socket.end("220 mail.example.com ESMTP\r\n"))
    const error = await failure(list(url))
    expect(error).toMatchObject({ kind: "badReply", exitCode: 6 })
    expect(error.message).toContain("answered with something that is not HTTP")
    expect(requests).toHaveLength(1)
  })

  it("a page in place of JSON asks whether the address is right", async () => {
    const { url } = await server(text(HTML, "text/html"))
    expect((await failure(list(url))).hint).toBe("Is FREIGHT_BASE_URL right?")
  })
})

describe("a reply that is not what the contract says", () => {
  it.each([
    ["a list", json([]), /does not match the contract: it is a list, not an object$/],
    ["null", json(null), /does not match the contract: it is null, not an object$/],
    ["without its list", json({}), /does not match the contract: connectors is missing$/],
    ["a text for its list", json({ connectors: "none" }), /connectors is text, not a list$/],
  ])("is unreadable, and is not asked for again, where it is %s", async (_name, answer, words) => {
    const { error, requests } = await failing(answer, undefined, LIMITED)
    expect(error).toMatchObject({ kind: "unreadable", exitCode: 1, retry: "never" })
    expect(error.message).toMatch(words)
    expect(requests).toHaveLength(1)
  })

  it("loses only the row that is wrong, and says so", async () => {
    const [good] = connectors.connectors
    const { url } = await server(json({ connectors: [good, { ...good, id: 5 }, null] }))
    const warnings: string[] = []
    const warn = async (text: string) => void warnings.push(text)
    expect(await client(url, { warn }).api.listConnectors()).toEqual({ connectors: [good] })
    expect(warnings).toEqual([
      "2 of 3 connectors could not be read: connectors[1].id is a number, not text; and 1 more. freight doctor --contract prints a report for the provider.",
    ])
  })

  it("keeps a connector whose wrong fields it can do without", async () => {
    const { url } = await server(
      json({ connectors: [{ id: "c-1", carrier: "CARRIER_X", name: null, services: "all", colour: "red" }] }),
    )
    const { connectors: read } = await client(url).api.listConnectors()
    expect(read).toEqual([{ id: "c-1", carrier: "CARRIER_X", name: "c-1", services: [], colour: "red" }])
  })

  it("is reported soon where a million rows are wrong", async () => {
    const body = `{"connectors":[{}${",{}".repeat(1_000_000)}]}`
    const { url } = await server(text(body, "application/json"))
    const error = await failure(client(url).api.listConnectors())
    expect(error.kind).toBe("unreadable")
    expect(error.message).toContain("connectors[0].id is missing")
  })
})

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("%d is not followed, and the key stays", async (status) => {
    const other = await server(json(connectors))
    const { error, requests } = await failing(
      text("", "text/plain", status, { location: `${other.url}/connectors` }),
      undefined,
      LIMITED,
    )
    expect(error).toMatchObject({ kind: "badReply", exitCode: 6, status })
    expect(error.message).toContain(`redirects to ${new URL(other.url).host}; freight follows no redirects`)
    expect([requests.length, other.requests.length]).toEqual([1, 0])
  })

  it("to nowhere is not a crash", async () => {
    const { url } = await server(text("", "text/plain", 302, { location: "http://[" }))
    expect((await failure(list(url))).message).toContain("redirects to nowhere")
  })
})

describe("a label", () => {
  const label = (url: string) => client(url).api.getLabel("shp_1")

  it("is the PDF's bytes", async () => {
    const { url, requests } = await server(text("%PDF-1.7\nlabel\n%%EOF", "application/pdf"))
    expect(Buffer.from(await label(url)).toString()).toBe("%PDF-1.7\nlabel\n%%EOF")
    expect(requests[0]?.url).toBe("/shipments/shp_1/label")
  })

  it("that is shorter than announced is fetched again, and then reported", async () => {
    const { url, requests } = await server((res) => {
      res.writeHead(200, { "content-type": "application/pdf", "content-length": "4000" }).write("%PDF-1.7\n")
      setTimeout(() => res.destroy(), 5)
    })
    const error = await failure(label(url))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6 })
    expect(error.message).toMatch(
      /^GET \/shipments\/shp_1\/label: the connection to .* broke .* after 4 tries$/,
    )
    expect(requests).toHaveLength(4)
  })

  it.each([
    ["a web page", text(HTML, "text/html"), /is not a PDF but a web page$/],
    ["JSON", json({ label: 1 }), /is not a PDF but application\/json$/],
    [
      "something that only says that it is a PDF",
      text("PDF", "application/pdf"),
      /is not a PDF but application\/pdf/,
    ],
    [
      "half a PDF",
      text("%PDF-1.7\nlab", "application/pdf"),
      /is not a complete PDF \(12 bytes, without an end\)$/,
    ],
    ["empty", text("", "application/pdf"), /is not a PDF but empty$/],
  ])("that is %s is a badReply", async (_name, answer, words) => {
    const { url } = await server(answer)
    const error = await failure(label(url))
    expect(error).toMatchObject({ kind: "badReply", exitCode: 6 })
    expect(error.message).toMatch(words)
  })

  it("says that it is not ready, and only for the code that means so", async () => {
    const { url } = await server(
      json({ message: "not yet", code: "LABEL_NOT_AVAILABLE" }, 404),
      json({ message: "no shipment" }, 404),
    )
    const { api } = client(url)
    expect(await failure(api.getLabel("shp_1"))).toMatchObject({
      kind: "notReady",
      exitCode: 6,
      code: "LABEL_NOT_AVAILABLE",
      retry: "after",
    })
    expect(await failure(api.getLabel("shp_2"))).toMatchObject({ kind: "notFound", exitCode: 5 })
  })
})

describe("text from a server", () => {
  const hostile = `\u001b]0;owned\u0007\u001b[31mred\u001b[0m\u009b2J\r\nline\u202eback ${KEY}`

  it("is shown without control characters and without the key", async () => {
    const body = {
      message: hostile,
      errors: [{ message: hostile, field: hostile, code: hostile }],
      code: hostile,
    }
    const { error } = await failing(json(body, 400), undefined, LIMITED)
    const shown = inspect(error, { depth: null })
    expect(error.kind).toBe("refused")
    expect(error.message).toBe("GET /connectors was refused (400): red line�back …cdef")
    expect(error.errors).toHaveLength(1)
    expect(JSON.stringify(error)).not.toMatch(/\\u00|\\r|\\n|\u202e/)
    expect(shown).not.toContain(KEY)
  })

  it("is shortened", async () => {
    const { url } = await server(json({ message: "x".repeat(5_000) }, 400))
    expect((await failure(list(url))).message.length).toBeLessThan(600)
  })

  it("in the names and values of a wrong shape is made harmless", async () => {
    const { error } = await failing(json({ connectors: `\u001b[2J${KEY}` }), undefined, LIMITED)
    expect(error.message).not.toContain("\u001b")
    expect(error.message).not.toContain(KEY)
  })

  it("in a content type is made harmless", async () => {
    const { url } = await rawServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: a/\u009b31mb\r\ncontent-length: 2\r\n\r\n{}"),
    )
    const error = await failure(list(url))
    expect(error.message).toMatch(/is not JSON but a\//)
    expect(error.message).not.toMatch(/\p{Cc}/u)
  })
})

describe("any request", () => {
  it("that may create something is treated as a create", async () => {
    const { url, requests } = await server(json({}, 502))
    const error = await failure(client(url).api.request("DELETE", "/shipments/1"))
    expect(error).toMatchObject({ kind: "outcomeUnknown" })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ["GET", "/shipments?limit=5"],
    ["POST", "/rates"],
    ["post", "/con_1/rates"],
  ])("%s %s creates nothing and may be sent again", async (method, path) => {
    const { url, requests } = await server(json({}, 502), json({ any: "shape" }))
    const reply = await client(url).api.request(method, path)
    expect(reply).toMatchObject({ status: 200, mediaType: "application/json" })
    expect(requests.map((seen) => seen.url)).toEqual([path, path])
  })

  it("is shown for --verbose without the key", async () => {
    const exchanges: string[] = []
    const { url } = await server(json({ message: `unknown key ${KEY}` }, 401))
    await failure(client(url, { onExchange: (text) => exchanges.push(text) }).api.listConnectors())
    expect(exchanges.join()).toMatch(/> authorization: Bearer …cdef\n/)
    expect(exchanges.join()).toContain("< 401 after 0 ms")
    expect(exchanges.join()).not.toContain(KEY)
  })
})
