import { describe, expect, it } from "vitest"
import { ConnectorListResponse } from "../../src/contract/generated/replies.js"
import { KEYS } from "../../src/sandbox/tenants.ts"
import { as, startBench } from "./harness.ts"

describe("GET /connectors", () => {
  it("lists one connector for each carrier of the main tenant", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", "/connectors")
    expect(status).toBe(200)
    expect(as(ConnectorListResponse, body).connectors.map(({ carrier }) => carrier)).toEqual([
      "CARRIER_A_AU",
      "CARRIER_B_AU",
      "CARRIER_C_AU",
    ])
  })

  it("gives every connector its static catalogue", async () => {
    const { freight } = await startBench()
    const { connectors } = as(ConnectorListResponse, (await freight("GET", "/connectors")).body)
    expect(connectors.every(({ services }) => services.length > 0)).toBe(true)
  })

  it("leaves out inactive connectors", async () => {
    const { freight, sandbox } = await startBench()
    const { body } = await freight("GET", "/connectors", undefined, sandbox.keys.secondTenantFreight)
    const ids = as(ConnectorListResponse, body).connectors.map(({ id }) => id)
    expect(ids).toContain("second-b-pickup-fails")
    expect(ids).not.toContain("second-b-inactive")
  })

  it("keeps tenants apart, one of them with two connectors of one carrier", async () => {
    const { freight, sandbox } = await startBench()
    const { body } = await freight("GET", "/connectors", undefined, sandbox.keys.secondTenantFreight)
    const carriers = as(ConnectorListResponse, body).connectors.map(({ carrier }) => carrier)
    expect(carriers.filter((carrier) => carrier === "CARRIER_A_AU").length).toBeGreaterThan(1)
  })

  it.each([
    "freight2",
    "freight3",
    "freightLimited",
  ])("are the same for %s of the main tenant", async (name) => {
    const { freight, sandbox } = await startBench()
    const own = await freight("GET", "/connectors")
    expect((await freight("GET", "/connectors", undefined, sandbox.keys[name])).body).toEqual(own.body)
  })

  it("never gives one to two tenants", () => {
    const tenants = new Set(Array.from(KEYS.values(), ({ tenant }) => tenant))
    const ids = Array.from(tenants, ({ connectors }) => connectors.map(({ id }) => id)).flat()
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("has one service code on connectors of two carriers", async () => {
    const { freight } = await startBench()
    const { connectors } = as(ConnectorListResponse, (await freight("GET", "/connectors")).body)
    const withExpress = connectors.filter(({ services }) =>
      services.some(({ serviceCode }) => serviceCode === "EXP"),
    )
    expect(withExpress.map(({ carrier }) => carrier)).toEqual(["CARRIER_B_AU", "CARRIER_C_AU"])
  })
})
