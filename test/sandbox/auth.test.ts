import { describe, expect, it } from "vitest"
import { ErrorBody } from "../../src/contract/generated/replies.js"
import { as, startBench } from "./harness.ts"

describe("freight keys", () => {
  it("are a prefix and 64 hexadecimal characters", async () => {
    const { sandbox } = await startBench()
    expect(sandbox.freightApiKey).toMatch(/^[a-z_]+_[0-9a-f]{64}$/)
  })

  it("stay the same from one server to the next", async () => {
    const [one, other] = [await startBench(), await startBench()]
    expect(one.sandbox.keys).toEqual(other.sandbox.keys)
  })

  it("are refused without the header", async () => {
    const { sandbox } = await startBench()
    expect((await fetch(`${sandbox.freightBaseUrl}/connectors`)).status).toBe(401)
  })

  it("are refused when they are a print key", async () => {
    const { freight, sandbox } = await startBench()
    expect((await freight("GET", "/connectors", undefined, sandbox.directPrintApiKey)).status).toBe(401)
  })

  it("are refused when they were revoked", async () => {
    const { freight, sandbox } = await startBench()
    expect((await freight("GET", "/connectors", undefined, sandbox.keys.revokedFreight)).status).toBe(401)
  })
})

describe("direct print keys", () => {
  it("still do what their scope allows", async () => {
    const { print, sandbox } = await startBench()
    expect((await print("GET", "/devices", undefined, sandbox.keys.withoutPrintJobsWrite)).status).toBe(200)
  })

  it("are refused when they are a freight key", async () => {
    const { print, sandbox } = await startBench()
    expect((await print("GET", "/devices", undefined, sandbox.freightApiKey)).status).toBe(401)
  })

  it("are refused when they were revoked", async () => {
    const { print, sandbox } = await startBench()
    expect((await print("GET", "/devices", undefined, sandbox.keys.revokedDirectPrint)).status).toBe(401)
  })
})

describe("paths", () => {
  it.each([
    ["an unknown path", "/freight/v0/nothing"],
    ["a path without the base", "/connectors"],
    ["a path of the other API", "/direct-print/v0/connectors"],
    ["a path that cannot be decoded", "/freight/v0/shipments/%ff"],
    ["a trailing slash", "/freight/v0/connectors/"],
  ])("%s is a 404", async (_, path) => {
    const { sandbox } = await startBench()
    const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
      headers: { authorization: `Bearer ${sandbox.freightApiKey}` },
    })
    expect(response.status).toBe(404)
    expect(as(ErrorBody, await response.json()).message).toContain(path)
  })

  it("a wrong method is a 404", async () => {
    const { freight } = await startBench()
    expect((await freight("DELETE", "/shipments")).status).toBe(404)
  })
})

describe("bodies", () => {
  it("that are not JSON are a 400", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("POST", "/rates", '{"from": ')
    expect(status).toBe(400)
    expect(as(ErrorBody, body).message).toContain("JSON")
  })

  it("that are missing are a 400", async () => {
    const { freight } = await startBench()
    expect((await freight("POST", "/rates")).status).toBe(400)
  })

  it("that are not an object are a 400", async () => {
    const { freight } = await startBench()
    expect((await freight("POST", "/connector-a/shipments", "null")).status).toBe(400)
  })

  it("that are too large are a 400", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("POST", "/rates", "x".repeat(13_000_000))
    expect(status).toBe(400)
    expect(as(ErrorBody, body).message).toContain("bytes")
  })
})
