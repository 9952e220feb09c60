/** Invoices of practice: sound ones get no finding, and wrong ones one at the field that is wrong. */
import { expect, it } from "vitest"
import { examine } from "../../../src/invoice/examine.ts"
import { loadAddressJudge } from "../../../src/invoice/places.ts"
import { expectCases } from "../../cases.ts"
import { makeInvoice } from "./setup.ts"

it("tells sound invoices from those that are wrong by one thing", async () => {
  const places = await loadAddressJudge()
  const misjudged: string[] = []
  await expectCases(import.meta.dirname, "practice.txt", (line) => {
    const [, verdict, field = "", title, words = ""] =
      /^(sound|wrong)(?: ([\w.]+))?: (.*?) \| (.*)$/.exec(line) ?? []
    const text = JSON.stringify(makeInvoice(words))
    const findings = examine(text, {
      stage: "auto",
      accounting: true,
      strict: false,
      rules: {},
      places,
      today: "2026-11-20",
    })
    const path = `/${field.replaceAll(".", "/")}`
    const isAtField = findings.some(({ pointer, property }) => {
      const at = property === undefined ? pointer : `${pointer}/${property}`
      return [path, `/data${path}`].some((place) => at === place || at.startsWith(`${place}/`))
    })
    const isRight = verdict === "wrong" ? isAtField : findings.length === 0
    if (!isRight) misjudged.push(`${verdict}: ${title}`)
    return findings.map(
      ({ rule, pointer, property, message }) =>
        `${rule} ${pointer}${property ? ` ${property}` : ""}: ${message}`,
    )
  })
  expect(misjudged).toEqual([])
})
