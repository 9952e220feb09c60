import { describe, expect, it } from "vitest"
import { isLoopback, parseBaseUrl, proxyFor } from "../../src/api/address.ts"
import { createProxyGate } from "../../src/api/proxy-gate.ts"
import { FreightError } from "../../src/base/errors.ts"
import { DEAD_PORT } from "../ports.ts"
import { CERTIFICATE, json, rawServer, secureServer, server, tunnelProxy } from "./servers.ts"
import { client, connectors, failure } from "./setup.ts"

describe("a base address", () => {
  it.each([
    ["https://api.example.com", "https://api.example.com/"],
    ["https://api.example.com/freight/v1//", "https://api.example.com/freight/v1"],
    ["http://localhost:4010/v1", "http://localhost:4010/v1"],
    ["http://127.8.9.1:4010", "http://127.8.9.1:4010/"],
    ["http://[::1]:4010", "http://[::1]:4010/"],
  ])("may be %s", (text, href) => {
    expect(parseBaseUrl(text, "FREIGHT_BASE_URL").href).toBe(href)
  })

  it.each([
    ["", "is not a full address"],
    ["api.example.com", "is not a full address"],
    ["http://api.example.com", "must start with https://"],
    ["http://127.0.0.1.example.com", "must start with https://"],
    ["http://localhost.example.com", "must start with https://"],
    ["ftp://127.0.0.1/", "must start with https://"],
    ["file:///etc/passwd", "must start with https://"],
    ["https://user:secret@api.example.com", "contains a user name or password"],
    ["https://api.example.com/?key=secret", 'contains a "?" or "#"'],
    ["https://api.example.com/#secret", 'contains a "?" or "#"'],
  ])("may not be '%s'", (text, words) => {
    const parse = () => parseBaseUrl(text, "FREIGHT_BASE_URL")
    expect(parse).toThrow(FreightError)
    expect(parse).toThrow(expect.objectContaining({ kind: "config", exitCode: 2 }))
    expect(parse).toThrow(`FREIGHT_BASE_URL ${words}`)
    expect(parse).not.toThrow("secret")
  })
})

describe("a key", () => {
  it.each([
    "abc\r\nx-evil: 1",
    "abc def",
    "schlüssel",
    "",
    "abc\u0000",
  ])("%j is refused before anything is sent", (key) => {
    const make = () => client("https://api.example.com", { key })
    expect(make).toThrow(expect.objectContaining({ kind: "config", exitCode: 2 }))
    if (key) expect(make).not.toThrow(key)
  })
})

describe("the proxy for an address", () => {
  const url = new URL("https://api.example.com/v1")

  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: "http://one:3128" }, "http://one:3128/"],
    [{ https_proxy: "http://one:3128", HTTPS_PROXY: "http://two:3128" }, "http://one:3128/"],
    [{ HTTP_PROXY: "http://one:3128" }, "http://one:3128/"],
    [{ HTTP_PROXY: "http://one:3128", HTTPS_PROXY: "http://two:3128" }, "http://two:3128/"],
    [{ HTTPS_PROXY: "one:3128" }, "http://one:3128/"],
    [{ HTTPS_PROXY: "  ", HTTP_PROXY: "" }, undefined],
    [{ HTTPS_PROXY: "http://one", NO_PROXY: "*" }, undefined],
    [{ HTTPS_PROXY: "http://one", NO_PROXY: "other.test, Example.COM" }, undefined],
    [{ HTTPS_PROXY: "http://one", NO_PROXY: ".example.com" }, undefined],
    [{ HTTPS_PROXY: "http://one", NO_PROXY: "*.example.com" }, undefined],
    [{ HTTPS_PROXY: "http://one", no_proxy: "api.example.com:443" }, undefined],
    [{ HTTPS_PROXY: "http://one", NO_PROXY: "api.example.com:8443" }, "http://one/"],
    [{ HTTPS_PROXY: "http://one", NO_PROXY: "ample.com,,api" }, "http://one/"],
  ])("with %j is %s", (env, href) => {
    expect(proxyFor(url, env)?.href).toBe(href)
  })

  it.each([
    "http://localhost:4010",
    "http://127.0.0.1:4010",
    "https://[::1]",
  ])("is none for %s", (address) => {
    expect(
      proxyFor(new URL(address), { HTTPS_PROXY: "http://one", HTTP_PROXY: "http://one" }),
    ).toBeUndefined()
    expect(isLoopback(new URL(address))).toBe(true)
  })

  it.each(["socks5://user:secret@one:1080", "http://", "http://a b"])("may not be %s", (value) => {
    const find = () => proxyFor(url, { HTTPS_PROXY: value })
    expect(find).toThrow(expect.objectContaining({ kind: "config" }))
    expect(find).not.toThrow("secret")
  })
})

describe("through a proxy", () => {
  const to = (proxy: string, authorities = [CERTIFICATE]) =>
    client("https://freight.test/v1", { env: { HTTPS_PROXY: proxy }, authorities }).api.listConnectors()

  it("a request reaches the server inside a tunnel", async () => {
    const { port, requests } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port)
    expect(await to(proxy.url)).toEqual(connectors)
    expect(proxy.asked).toEqual([{ target: "freight.test:443", authorization: undefined }])
    expect(requests[0]?.url).toBe("/v1/connectors")
  })

  it("the proxy gets its own password, and not the key", async () => {
    const { port } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port)
    await to(`http://me:pass%40word@127.0.0.1:${proxy.port}`)
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from("me:pass@word").toString("base64")}`)
  })

  it.each([403, 502])("a proxy that answers %d is named, without its password", async (status) => {
    const { port, requests } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port, { status })
    const error = await failure(to(`http://me:s3cret@127.0.0.1:${proxy.port}`))
    expect(error).toMatchObject({
      kind: "unavailable",
      exitCode: 6,
      hint: expect.stringContaining("HTTPS_PROXY"),
    })
    expect(error.message).toContain(
      `the proxy 127.0.0.1:${proxy.port} would not connect to freight.test (status ${status})`,
    )
    expect(JSON.stringify(error)).not.toContain("s3cret")
    expect(requests).toHaveLength(0)
  })

  it.each([
    ["http://me:wrong@127.0.0.1", "refused the user name or password", "They are in HTTPS_PROXY"],
    ["http://127.0.0.1", "wants a user name and password", "Write them in HTTPS_PROXY"],
  ])("a proxy that answers %s with 407 is asked once, whoever asks", async (address, message, hint) => {
    const { port, requests } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port, { status: 407 })
    const env = { HTTPS_PROXY: `${address}:${proxy.port}` }
    const shared = { env, authorities: [CERTIFICATE], proxyGate: createProxyGate() }
    const { api } = client("https://freight.test/v1", shared)
    const { api: other } = client("https://print.test/v1", shared)
    const asked = [api, api, other].map((each) => failure(each.listConnectors()))
    const errors = [...(await Promise.all(asked)), await failure(other.listConnectors())]
    for (const error of errors) {
      expect(error).toMatchObject({ kind: "config", retry: "never", hint: expect.stringContaining(hint) })
      expect(error.message).toContain(`the proxy 127.0.0.1:${proxy.port} ${message}`)
      expect(JSON.stringify(error)).not.toContain("wrong@")
    }
    expect(proxy.asked).toHaveLength(1)
    expect(requests).toHaveLength(0)
  })

  it("a proxy that accepts the login is used by several at once", async () => {
    const { port, requests } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port)
    const env = { HTTPS_PROXY: `http://me:right@127.0.0.1:${proxy.port}` }
    const { api } = client("https://freight.test/v1", { env, authorities: [CERTIFICATE] })
    await Promise.all([api.listConnectors(), api.listConnectors(), api.listConnectors()])
    expect(requests).toHaveLength(3)
  })

  it("a proxy that refuses connections is named", async () => {
    const error = await failure(to(`http://127.0.0.1:${DEAD_PORT}`))
    expect(error.message).toContain(`127.0.0.1:${DEAD_PORT} refused the connection`)
    expect(error.hint).toContain("HTTPS_PROXY")
  })

  it("a proxy that hangs up is asked as often as any server, not without end", async () => {
    const proxy = await rawServer((socket) => socket.destroy())
    const error = await failure(to(proxy.url))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6 })
    expect(proxy.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(4).fill("CONNECT freight.test:443"),
    )
  })

  it("a proxy's password may hold any character", async () => {
    const { port } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port)
    await to(`http://me:50%@127.0.0.1:${proxy.port}`)
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from("me:50%").toString("base64")}`)
  })

  it("a proxy may itself be reached by https", async () => {
    const { port } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port, { secure: true })
    expect(await to(proxy.url)).toEqual(connectors)
    expect(proxy.asked).toHaveLength(1)
  })

  it("a proxy that never answers is given up in time", async () => {
    const proxy = await tunnelProxy(1, { onConnect: () => new Promise(() => {}) })
    const { api } = client("https://freight.test", {
      env: { HTTPS_PROXY: proxy.url },
      timeouts: { connectMs: 20, headersMs: 2_000, bodyMs: 2_000 },
    })
    const error = await failure(api.listConnectors())
    expect(error).toMatchObject({ kind: "timeout", exitCode: 6 })
    expect(error.message).toContain(`127.0.0.1:${proxy.port} could not be reached in time`)
  })

  it("a certificate that nobody vouches for is refused at once, with nothing sent", async () => {
    const { port, requests } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port)
    const error = await failure(to(proxy.url, []))
    expect(error).toMatchObject({ kind: "unavailable", hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") })
    expect(error.message).toContain(
      `a certificate on the way to freight.test, through the proxy 127.0.0.1:${proxy.port}, is not trusted`,
    )
    expect([proxy.asked.length, requests.length]).toEqual([1, 0])
  })

  it("a certificate for another name is refused", async () => {
    const { port, requests } = await secureServer(json(connectors))
    const proxy = await tunnelProxy(port)
    const options = { env: { HTTPS_PROXY: proxy.url }, authorities: [CERTIFICATE] }
    const error = await failure(client("https://other.test", options).api.listConnectors())
    expect(error.message).toContain("a certificate on the way to other.test")
    expect(requests).toHaveLength(0)
  })

  it("nothing on this machine is asked", async () => {
    const { url } = await server(json(connectors))
    const proxy = `http://127.0.0.1:${DEAD_PORT}`
    const { api } = client(url, { env: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } })
    expect(await api.listConnectors()).toEqual(connectors)
  })
})

describe("over https", () => {
  it("a request reaches a server whose authority is trusted", async () => {
    const { url, requests } = await secureServer(json(connectors))
    expect(await client(url, { authorities: [CERTIFICATE] }).api.listConnectors()).toEqual(connectors)
    expect(requests).toHaveLength(1)
  })

  it("a certificate that nobody vouches for is refused at once, with nothing sent", async () => {
    const { url, port, requests } = await secureServer(json(connectors))
    const { api, waits } = client(url)
    const error = await failure(api.listConnectors())
    expect(error.message).toContain(
      `the certificate of 127.0.0.1:${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    )
    expect([requests.length, waits.length]).toEqual([0, 0])
  })
})
