import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { type Again, commandAlone, commandWithFile } from "../../../src/booking/wizard/after.ts"
import type { JsonObject } from "../../../src/booking/schema-fields.ts"
import { exampleBooking } from "../../../src/booking/example.ts"

const example = exampleBooking(Date.parse("2026-11-20T00:00:00Z"))
const again = (request: JsonObject = {}, more: Partial<Again> = {}): Again => ({
  request: { ...(example as unknown as JsonObject), ...request },
  connectorId: "connector-c",
  globals: ["--sandbox"],
  after: ["--wait", "--label"],
  platform: "linux",
  ...more,
})
const SAVED = [
  { name: "our dock", address: example.sender },
  { name: "perth", address: example.receiver },
]
/** The words that a shell makes of a line. */
const wordsOf = (line: string) =>
  execFileSync("sh", ["-c", `printf '%s\\n' ${line.replace(/^freight /, "")}`], { encoding: "utf8" })
    .trimEnd()
    .split("\n")

describe("the same booking again", () => {
  it("names saved addresses, and leaves out what follows by itself", () => {
    const line = commandAlone(again({ collection: { ...example.sender } }), SAVED)
    expect(line).toBe(
      "freight book --sandbox --connector connector-c --service STD --sender 'our dock' --receiver perth --package '2x40x30x20@5.5' --packaging CT --ready 2026-11-23T10:00 --close 17:00 --reference EXAMPLE-2 --wait --label",
    )
  })

  it("sets field by field what no flag can tell", () => {
    const words = wordsOf(
      commandAlone(
        again({
          payer: { type: "Receiver", accountNumber: "8", subAccount: "9" },
          timeSensitive: { deliveryWindow: { startDate: "2026-11-25", endDate: "2026-11-26" } },
          alertAddresses: [{ email: "a@b.example", alertTypes: ["X", "Y"] }],
        }),
        SAVED,
      ),
    )
    expect(words).toEqual(
      expect.arrayContaining([
        "payer.subAccount=9",
        "timeSensitive.deliveryWindow.endDate=2026-11-26",
        "alertAddresses.0.alertTypes.1=Y",
      ]),
    )
  })

  it("is read by a shell as it was meant, whatever an answer holds", () => {
    const nasty = `it's "$(touch /tmp/x)" \`id\` \\ ! # ;`
    const words = wordsOf(commandAlone(again({ customerReference: nasty }), SAVED))
    expect(words).toContain(nasty)
  })

  it("doubles quotes for PowerShell", () => {
    const line = commandAlone(again({ customerReference: "it's" }, { platform: "win32" }), SAVED)
    expect(line).toContain("--reference 'it''s'")
  })

  it("takes a file of any name", () => {
    expect(wordsOf(commandWithFile(again(), "my booking.json"))).toEqual(
      "book --sandbox --file"
        .split(" ")
        .concat("my booking.json", "--connector connector-c --wait --label".split(" ")),
    )
  })
})
