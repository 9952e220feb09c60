import { describe, expect, it } from "vitest"
import { HTML, json, server, text } from "./servers.ts"
import { client, failing, pickup } from "./setup.ts"

describe("a pickup", () => {
  it("is recorded when the API answers with it, also when the carrier rejected it", async () => {
    const response = { pickupBookingId: "pic_1", status: "FAILED", orderNumber: null, connectorId: "con_1" }
    const { url } = await server(json(response, 201))
    expect(await client(url).api.createPickup("con_1", pickup)).toEqual({ recorded: true, response })
  })

  it("exists without a record when a 500 names its order number", async () => {
    const { url, requests } = await server(json({ message: "not saved", orderNumber: "PU-7" }, 500))
    const outcome = await client(url).api.createPickup("con_1", pickup)
    expect(outcome).toEqual({ recorded: false, orderNumber: "PU-7" })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ["has no order number", json({ message: "not saved" }, 500)],
    ["is empty", text("", "text/plain", 500)],
    ["is HTML", text(HTML, "text/html", 500)],
  ])("has an unknown outcome when the 500 %s", async (_name, answer) => {
    const { error, requests } = await failing(answer, (api) => api.createPickup("con_1", pickup))
    expect(error).toMatchObject({ kind: "outcomeUnknown", exitCode: 7, status: 500 })
    expect(requests).toHaveLength(1)
  })

  it("has an unknown outcome after 502, even with an order number", async () => {
    const { error } = await failing(json({ message: "carrier", orderNumber: "PU-7" }, 502), (api) =>
      api.createPickup("con_1", pickup),
    )
    expect(error).toMatchObject({ kind: "outcomeUnknown", status: 502 })
  })
})
