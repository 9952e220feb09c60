import { describe, expect, it } from "vitest"
import { json, server } from "./servers.ts"
import { client, failure, KEY } from "./setup.ts"

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
