import { describe, expect, it } from "vitest"
import { createDirectPrintApi } from "../../src/api/direct-print.ts"
import { HTML, json, server, text } from "./servers.ts"
import { client, failing, failure } from "./setup.ts"

const print = (url: string) => createDirectPrintApi(client(url, { api: "direct-print" }).transport)

describe("a refusal of the freight API", () => {
  it("400 gives every error with its field or code", async () => {
    const errors = [
      { message: "must be a postcode", field: "receiver.postcode" },
      { message: "account missing", code: "PAYER_ACCOUNT_REQUIRED" },
    ]
    const { error } = await failing(json({ message: "Validation failed", errors }, 400), (api) =>
      api.track({ consignment: "C1" }),
    )
    expect(error).toMatchObject({ kind: "refused", exitCode: 1, status: 400, retry: "never", errors })
    expect(error.message).toBe("GET /track was refused (400): Validation failed")
  })

  it.each([
    ["is empty", text("", "text/plain", 400)],
    ["is HTML", text(HTML, "text/html", 400)],
    ["has errors of another shape", json({ message: 7, errors: [null, 5, { field: "x" }, "no"] }, 400)],
    ["is a list", json(["no"], 400)],
  ])("400 is not a crash when its body %s", async (_name, answer) => {
    const { error } = await failing(answer)
    expect(error).toMatchObject({ kind: "refused", exitCode: 1, errors: undefined })
    expect(error.message).toBe("GET /connectors was refused (400)")
  })

  it("401 asks about the key", async () => {
    const { error } = await failing(json({ message: "Invalid API key" }, 401))
    expect(error).toMatchObject({ kind: "unauthenticated", exitCode: 4, status: 401 })
    expect(error.message).toBe("the freight API does not accept the key: Invalid API key")
    expect(error.hint).toContain("key of the freight API")
  })

  it("403 says that freight access is not active", async () => {
    const { error } = await failing(json({ message: "Forbidden" }, 403))
    expect(error).toMatchObject({ kind: "forbidden", exitCode: 4, status: 403 })
    expect(error.hint).toBe("Freight access is not active for this account.")
  })

  it("403 on printing names both causes", async () => {
    const { error } = await failing(json({ message: "Forbidden" }, 403), (api) =>
      api.printLabel("shp_1", { deviceId: "dev_1" }),
    )
    expect(error).toMatchObject({ kind: "forbidden", exitCode: 4 })
    expect(error.hint).toMatch(/Freight access is not active.*or direct print is not switched on/)
  })

  it.each([
    ["LABEL_NOT_AVAILABLE", "notReady", undefined],
    ["DEVICE_NOT_FOUND", "notFound", "freight devices use"],
  ])("404 whose errors hold %s says what to do", async (code, kind, next) => {
    const { error } = await failing(
      json({ message: "Not found.", errors: [{ message: "no", code }] }, 404),
      (api) => api.printLabel("shp_1", { deviceId: "dev_1" }),
    )
    expect(error).toMatchObject({ kind, code, next })
  })

  it("ends the server's sentence once where the outcome is unknown", async () => {
    const { error } = await failing(json({ message: "The carrier is unavailable." }, 502), (api) =>
      api.printLabel("shp_1", { deviceId: "dev_1" }),
    )
    expect(error.message).toContain(": The carrier is unavailable; its outcome is unknown")
  })

  it("404 is not found", async () => {
    const { error } = await failing(json({ message: "No such shipment" }, 404), (api) =>
      api.getShipment("shp_9"),
    )
    expect(error).toMatchObject({ kind: "notFound", exitCode: 5, status: 404 })
    expect(error.message).toBe("GET /shipments/shp_9: not found: No such shipment")
  })

  it("404 that is not the API's own asks about the address", async () => {
    const { error } = await failing(text(HTML, "text/html", 404))
    expect(error).toMatchObject({ kind: "notFound", exitCode: 5, hint: "Is FREIGHT_BASE_URL right?" })
    expect(error.message).toMatch(
      /^GET \/connectors: not found, and 127\.0\.0\.1:\d+ does not answer like the freight API$/,
    )
  })

  it.each([
    ["DEVICE_NOT_FOUND", "notFound", 5],
    ["SHIPMENT_NOT_FOUND", "notFound", 5],
    ["LABEL_NOT_AVAILABLE", "notReady", 6],
  ])("404 on printing keeps the code %s", async (code, kind, exitCode) => {
    const { error, requests } = await failing(json({ message: "no", code }, 404), (api) =>
      api.printLabel("shp_1", { deviceId: "dev_1" }),
    )
    expect(error).toMatchObject({ kind, exitCode, code })
    expect(requests).toHaveLength(1)
  })

  it("405 is a refusal", async () => {
    const { url } = await server(json({ message: "no such method" }, 405))
    expect(await failure(client(url).api.listConnectors())).toMatchObject({
      kind: "refused",
      exitCode: 1,
      status: 405,
    })
  })

  it("503 tells how long the server wants to be left alone", async () => {
    const { error } = await failing(json({ message: "maintenance" }, 503, { "retry-after": "600" }))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6, retryAfter: 600 })
  })
})

describe("a refusal of the direct print API", () => {
  it("403 has its words in `error`, and asks about scopes", async () => {
    const { url } = await server(json({ success: false, error: "Missing scope", code: "SCOPE" }, 403))
    const error = await failure(print(url).listDevices())
    expect(error).toMatchObject({ kind: "forbidden", exitCode: 4, code: "FORBIDDEN", apiCode: "SCOPE" })
    expect(error.message).toBe("GET /devices is not allowed with this key: Missing scope")
    expect(error.hint).toContain("devices:read")
  })

  it("429 has its words in `error` and its wait in the body", async () => {
    const { url } = await server(
      json({ error: "Too many", code: "RATE_LIMIT_EXCEEDED", retryAfter: 90 }, 429),
    )
    const error = await failure(print(url).createPrintJob({ deviceId: "dev_1", pdfBase64: "JVBERi0=" }))
    expect(error).toMatchObject({ kind: "rateLimited", retryAfter: 90, code: "RATE_LIMIT_EXCEEDED" })
    expect(error.message).toBe("the direct print API is limiting requests (429): Too many")
  })

  it("404 says that the device is gone", async () => {
    const { url } = await server(json({ message: "gone", code: "DEVICE_NOT_FOUND" }, 404))
    const error = await failure(print(url).createPrintJob({ deviceId: "dev_1", pdfBase64: "JVBERi0=" }))
    expect(error).toMatchObject({ kind: "notFound", code: "DEVICE_NOT_FOUND" })
    expect(error.message).toBe("there is no such print device: gone")
  })

  it("asks about its own address", async () => {
    const { url } = await server(text(HTML, "text/html", 404))
    expect((await failure(print(url).listDevices())).hint).toBe("Is DIRECT_PRINT_BASE_URL right?")
  })
})
