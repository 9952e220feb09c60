import { describe, expect, it } from "vitest"
import { spreadsheetDamage } from "../../../src/orders/tracking/events.ts"

describe("spreadsheetDamage", () => {
  it.each([
    "1.2E+12",
    "1,2E+12",
    "1E+15",
    "4.20123e+11",
    "123456789.0",
    "123456789,00",
  ])("sees it in %s", (text) => {
    expect(spreadsheetDamage(text)).toContain(text)
  })

  it.each([
    "SBA00000001",
    "123456789012",
    "12E5",
    "1E12",
    "E+12",
    "DEMO-A-MOVING",
    "1.2",
    "A1.0",
    "007",
  ])("leaves %s alone", (text) => {
    expect(spreadsheetDamage(text)).toBeUndefined()
  })
})
