/** The tree as the scripts have it, against the tree, the schemas and the table of values. */
import { beforeAll, describe, expect, it } from "vitest"
import schema from "../../schemas/freight.schema.json" with { type: "json" }
import { applySets } from "../../src/booking/set.ts"
import { REPORT_FORMATS } from "../../src/invoice/reporters/index.ts"
import { type Model, wordLists } from "../../src/shells/model.ts"
import { wholeModel } from "../../src/shells/scripts.ts"
import { VALUES } from "../../src/shells/values.ts"
import { commandNames } from "../acceptance/tree.ts"

let model: Model
beforeAll(async () => {
  model = await wholeModel()
})

/** The words that a flag of a command is completed with. */
function wordsOf(path: string, flag: string): string[] {
  const found = model.commands
    .find((each) => each.path === path)
    ?.flags.find(({ names }) => names.includes(flag))
  if (found?.value?.kind !== "words") throw new Error(`${path} ${flag} has no words`)
  return found.value.words.map(({ value }) => value)
}

describe("the model of the tree", () => {
  it("has every command", () => {
    const paths = model.commands.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(commandNames()))
  })

  it("knows how every flag and argument that takes a value is completed", () => {
    expect(model.unknown).toEqual([])
  })

  it("says what each command and flag is, in one line", () => {
    const said = model.commands.flatMap(({ flags, children }) =>
      [...flags, ...children].map(({ about }) => about),
    )
    expect(said.filter((about) => about === "" || about.length > 90 || /[\n\t]/.test(about))).toEqual([])
  })

  it("has no key in its table that nothing uses", () => {
    const used = new Set(
      model.commands.flatMap(({ flags, args }) => [...flags, ...args].map(({ value }) => value)),
    )
    const unused = Object.entries(VALUES).filter(([, value]) => value.kind !== "free" && !used.has(value))
    expect(unused.map(([key]) => key)).toEqual([])
  })

  it.each([
    ["book", "--packaging", schema.$defs.BookingFields.properties.packagingCode.enum],
    ["track", "--carrier", schema.$defs.Carrier.enum],
    ["manifest", "--carrier", schema.$defs.Carrier.enum],
    ["invoice validate", "--format", [...REPORT_FORMATS]],
    ["", "--format", ["table", "json", "ndjson", "csv"]],
    ["book", "--payer", ["sender", "receiver:", "thirdparty:"]],
    ["invoice new", "--purpose", ["standard", "creditMemo", "debitMemo"]],
  ])("%s %s has what the contract has", (path, flag, values) => {
    expect(wordsOf(path, flag).sort()).toEqual([...values].sort())
  })

  it("gives every word of a list once", () => {
    for (const [name, words] of wordLists(model)) {
      const values = words.map(({ value }) => value)
      expect([name, new Set(values).size]).toEqual([name, values.length])
    }
  })
})

describe("the fields of --set", () => {
  it.each([
    ["book", "ConsignmentBookingRequest"],
    ["rate-shop", "RateRequest"],
    ["pickup book", "PickupBookingRequest"],
    ["address add", "BookingAddress"],
  ])("of %s are all taken, with each value that is offered", async (path, name) => {
    const offered = wordsOf(path, "--set")
    const whole = offered.filter((word) => !word.endsWith("="))
    // A number or a text fits where a field is open; what is of another type says so, and not that it is unknown.
    const open = offered.filter((word) => word.endsWith("=")).map((word) => `${word}1`)
    expect(whole.length).toBeGreaterThan(0)
    await expect(applySets({}, whole, name)).resolves.toBeDefined()
    for (const set of open)
      await applySets({}, [set], name).catch((error: Error) =>
        expect(error.message).toMatch(/takes true or false/),
      )
  })

  it("are those of the contract, down to the last", () => {
    const fields = wordsOf("book", "--set")
    expect(fields).toEqual(
      expect.arrayContaining([
        "serviceCode=",
        "receiver.suburb=",
        "packages.0.lengthCm=",
        "payer.type=ThirdParty",
        "payer.thirdPartyAddress.postcode=",
        "extendedWarranty.class=B",
        "dangerousGoods=true",
        "bexAlerts.0.alertType=DELIVERED",
        "pallets.poolA.exchangeIn=",
        "receiver.state=TAS",
      ]),
    )
  })
})
