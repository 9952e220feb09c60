/** Who may ask what: keys, paths, bodies, and the connectors of each tenant. */
import { expect, it } from "vitest"
import { ConnectorListResponse, ErrorBody } from "../../src/contract/generated/replies.js"
import { KEYS } from "../../src/sandbox/tenants.ts"
import { as, startBench } from "./harness.ts"

it("keys are a prefix and 64 hexadecimal characters, and stay the same from one server to the next", async () => {
  const [one, other] = [await startBench(), await startBench()]
  expect(one.sandbox.freightApiKey).toMatch(/^[a-z_]+_[0-9a-f]{64}$/)
  expect(one.sandbox.keys).toEqual(other.sandbox.keys)
})

it.each([
  ["freight", "/freight/v0/connectors", "revokedFreight", 401],
  ["print", "/freight/v0/connectors", "directPrint", 401],
  ["no", "/freight/v0/connectors", undefined, 401],
  ["print", "/direct-print/v0/devices", "revokedDirectPrint", 401],
  ["freight", "/direct-print/v0/devices", "freight", 401],
  ["limited print", "/direct-print/v0/devices", "withoutPrintJobsWrite", 200],
])("a %s key at %s: %s is %d", async (_kind, path, name, status) => {
  const { sandbox } = await startBench()
  const key = name === "directPrint" ? sandbox.directPrintApiKey : sandbox.keys[name ?? ""]
  if (name !== undefined) expect(key).toBeDefined()
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  expect((await fetch(`http://127.0.0.1:${sandbox.port}${path}`, { headers })).status).toBe(status)
})

it.each([
  ["an unknown path", "/freight/v0/nothing"],
  ["a path without the base", "/connectors"],
  ["a path of the other API", "/direct-print/v0/connectors"],
  ["a path that cannot be decoded", "/freight/v0/shipments/%ff"],
  ["a trailing slash", "/freight/v0/connectors/"],
  ["a wrong method", "/freight/v0/shipments", "DELETE"],
])("%s is a 404", async (_, path, method = "GET") => {
  const { sandbox } = await startBench()
  const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.freightApiKey}` },
  })
  expect(response.status).toBe(404)
  expect(as(ErrorBody, await response.json()).message).toContain(path)
})

it.each([
  ["not JSON", '{"from": ', "JSON"],
  ["missing", undefined, ""],
  ["not an object", "null", ""],
  ["too large", "x".repeat(13_000_000), "bytes"],
])("a body that is %s is a 400", async (_what, sent, told) => {
  const { freight } = await startBench()
  for (const path of ["/rates", "/connector-a/shipments"]) {
    const { status, body } = await freight("POST", path, sent)
    expect([status, as(ErrorBody, body).message]).toEqual([400, expect.stringContaining(told)])
  }
})

it("connectors are a tenant's active ones, the same for each of its keys, each with its catalogue", async () => {
  const { freight, sandbox } = await startBench()
  const read = async (key?: string) => {
    const { status, body } = await freight("GET", "/connectors", undefined, key)
    expect(status).toBe(200)
    return as(ConnectorListResponse, body).connectors
  }
  const main = await read()
  expect(main.map(({ carrier }) => carrier)).toEqual(["CARRIER_A_AU", "CARRIER_B_AU", "CARRIER_C_AU"])
  expect(main.every(({ services }) => services.length > 0)).toBe(true)
  const express = main.map(({ services }) => services.some(({ serviceCode }) => serviceCode === "EXP"))
  expect(express).toEqual([false, true, true])
  for (const name of ["freight2", "freight3", "freightLimited"])
    expect(await read(sandbox.keys[name])).toEqual(main)
  const second = await read(sandbox.keys.secondTenantFreight)
  const ids = second.map(({ id }) => id)
  expect(ids).toContain("second-b-pickup-fails")
  expect(ids).not.toContain("second-b-inactive")
  // Two connectors of one carrier.
  expect(second.filter(({ carrier }) => carrier === "CARRIER_A_AU").length).toBeGreaterThan(1)
})

it("no connector is two tenants'", () => {
  const tenants = new Set(Array.from(KEYS.values(), ({ tenant }) => tenant))
  const ids = Array.from(tenants, ({ connectors }) => connectors.map(({ id }) => id)).flat()
  expect(new Set(ids).size).toBe(ids.length)
})
