/** Completions, against the tree, the schemas and the table of values. */
import { beforeAll, describe, expect, it } from "vitest"
import schema from "../../../schemas/freight.schema.json" with { type: "json" }
import { applySets } from "../../../src/contract/fields/sets.ts"
import { readTexts } from "../../../src/invoice/new/ask.ts"
import { systemSqlite } from "../../../src/machine/builtin-sqlite.ts"
import {
  complete,
  findArgumentValue,
  findFlagValue,
  toCommand,
} from "../../../src/app/completion/complete.ts"
import { VALUES, type Value } from "../../../src/app/completion/values.ts"
import type { TreeData } from "../../../src/command/command-data.ts"
import { REPORT_FORMATS } from "../../../src/invoice/reporters/index.ts"
import { describeTree } from "../../../src/app/help/command-data.ts"
import { commandNames } from "../../acceptance/tree.ts"

const machine = {
  env: {},
  platform: "linux",
  clock: { now: () => 0, sleep: async () => {} },
  ids: { uuid: () => "", random: () => 0 },
  sqlite: systemSqlite,
}

async function answer(line: string): Promise<[word: string, about: string | undefined][]> {
  const words = line.split(" ")
  const lines = (await complete(tree, words.pop() ?? "", words, machine)).trimEnd().split("\n").slice(0, -1)
  return lines.map((each) => each.split("\t") as [string, string | undefined])
}

async function offers(line: string): Promise<string[]> {
  return (await answer(line)).map(([word]) => word)
}

/** Placeholders whose values completion cannot suggest. */
const FREE = new Set(
  [
    "a,b.c|address|amount|day|days|digits|field=value|key|line|ms|n|name|number|path|pattern|place|reference|seconds|size|spec|text|time|url",
    "percent|much|what|when|who|day|pair|sku|column|column=field|key=shipment|number=shipment|command|n=line|n=quantity",
  ].flatMap((names) => names.split("|").map((name) => `<${name}>`)),
)

let tree: TreeData
beforeAll(async () => {
  tree = await describeTree()
})

type Command = ReturnType<typeof toCommand>

function allCommands(from: Command = toCommand(tree)): Command[] {
  return [from, ...from.commands.flatMap((each) => allCommands(each))]
}

function pathOf({ command }: Command): string {
  return command.replace(/^freight ?/, "")
}

/** Every flag and argument that takes a value. */
function valued(): { name: string; takes: string; value: Value }[] {
  return allCommands().flatMap((command) => [
    ...command.flags.flatMap((flag) =>
      flag.value === null
        ? []
        : [
            {
              name: `${pathOf(command)} ${flag.name}`,
              takes: flag.value,
              value: findFlagValue(command, flag),
            },
          ],
    ),
    ...command.arguments.map((argument) => ({
      name: `${pathOf(command)} <${argument.name}>`,
      takes: argument.name,
      value: findArgumentValue(command, argument),
    })),
  ])
}

describe("completion", () => {
  it("has every command, and its flags before those of every command", async () => {
    const paths = allCommands().map(pathOf)
    expect(paths).toEqual(expect.arrayContaining(commandNames()))
    for (const path of paths.slice(1)) {
      const words = path.split(" ")
      expect(await offers(path)).toContain(words.at(-1))
      expect((await offers(`${path} --`)).slice(-3)).toEqual(["--timeout", "--no-color", "--help"])
    }
    expect((await offers("pickup book -"))[0]).toBe("--shipment")
  })

  it("knows how every flag and argument that takes a value is completed", () => {
    const unknown = valued().filter(({ value, takes }) => value.kind === "free" && !FREE.has(`<${takes}>`))
    expect(unknown.map(({ name, takes }) => `${name} ${takes}`)).toEqual([])
  })

  it("says what each command and flag is, in one line", async () => {
    for (const command of allCommands()) {
      const { commands } = command
      const path = pathOf(command)
      const lines = [`${path} -`.trim(), ...(commands.length > 0 ? [`${path} `.trimStart()] : [])]
      for (const [word, about] of (await Promise.all(lines.map(answer))).flat())
        expect([word, about]).toEqual([word, expect.stringMatching(/^.{1,90}$/)])
    }
  })

  it("has no key in its table that nothing uses", () => {
    const used = new Set(valued().map(({ value }) => value))
    const unused = Object.entries(VALUES).filter(([, value]) => !used.has(value))
    expect(unused.map(([key]) => key)).toEqual([])
  })

  it.each([
    ["book --packaging ", schema.$defs.BookingFields.properties.packagingCode.enum],
    ["track --carrier ", schema.$defs.Carrier.enum],
    ["manifest --carrier ", schema.$defs.Carrier.enum],
    ["invoice validate --format ", [...REPORT_FORMATS]],
    ["--format ", ["table", "json", "ndjson", "csv", "xlsx", "value"]],
    ["book --payer ", ["sender", "receiver:", "thirdparty:"]],
    [
      "invoice new --purpose ",
      ["standard", "creditMemo", "debitMemo", "lineLevelCreditMemo", "lineLevelDebitMemo"],
    ],
  ])("%s has what the contract has", async (line, values) => {
    expect((await offers(line)).sort()).toEqual([...values].sort())
  })

  it("gives every word of a list once", async () => {
    for (const { value } of valued()) {
      if (value.kind !== "words") continue
      const words = (await value.words()).map((word) => word.value)
      expect([value.name, new Set(words).size]).toEqual([value.name, words.length])
    }
  })

  it.each([
    ["book --wait --lab", "--label"],
    ["book --set payer.type=S", "payer.type=Sender"],
    ["book --packaging=C", "--packaging=CT"],
    ["book --wait 5 --rec", "--receiver"],
    ["help exit", "exit-codes"],
    ["api --api freight G", "GET"],
  ])("after %s there is %s", async (line, word) => {
    expect(await offers(line)).toContain(word)
  })

  it.each([
    ["book --reference pickup ", "free"],
    ["label x --dir ", "folders"],
    ["label -o ", "files"],
    ["book --receiver ", "data addresses files"],
    ["book -- --x", "flags"],
    ["book --label=", "files"],
    ["invoice validate x ", "files"],
    ["label a b ", "data shipments"],
    ["book --wait ", "free"],
  ])("answers '%s' with the kind %s", async (line, kind) => {
    const words = line.split(" ")
    expect(await complete(tree, words.pop() ?? "", words, machine)).toMatch(new RegExp(`^:${kind}$`, "m"))
  })
})

const isYesNo = (whole: readonly string[], set: string) => whole.includes(set.replace(/1$/, "true"))

describe("the fields of --set", () => {
  it.each([
    ["book", "ConsignmentBookingRequest"],
    ["rate-shop", "RateRequest"],
    ["pickup book", "PickupBookingRequest"],
    ["address add", "BookingAddress"],
  ])("of %s are all taken, with each value that is offered", async (path, name) => {
    const whole = await offers(`${path} --set =`)
    // A number or a text fits where a field is open; what is of another type says so, and not that it is unknown.
    const open = (await offers(`${path} --set `)).map((word) => `${word}1`)
    expect(whole.length).toBeGreaterThan(0)
    expect(applySets({}, whole, name)).toBeDefined()
    for (const set of open) {
      const apply = () => applySets({}, [set], name)
      if (set.endsWith("=1") && isYesNo(whole, set)) expect(apply).toThrow(/takes true or false/)
      else expect(apply()).toBeDefined()
    }
  })

  it("of an invoice are all taken, with each value that is offered", async () => {
    const whole = await offers("invoice new --set =")
    expect(whole).toEqual(
      expect.arrayContaining([
        "shipping.incoTerms=dap",
        "isERS=true",
        "contacts.0.role=shipTo",
        "soldTo.state=TAS",
      ]),
    )
    const texts = { purpose: "standard", set: whole }
    expect(readTexts(texts, "2026-11-20").assignments).toHaveLength(whole.length)
    const names = await offers("invoice new --set ")
    expect(names).toEqual(
      expect.arrayContaining(["asnReference.shipmentDate=", "lineItems.0.batchId=", "extrinsics="]),
    )
    expect(names).not.toContain("correlationId=")
    expect(names).not.toContain("purpose=")
  })

  it("are those of the contract, down to the last", async () => {
    const fields = [...(await offers("book --set ")), ...(await offers("book --set ="))]
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
