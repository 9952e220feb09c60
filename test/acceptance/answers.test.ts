/** Flags that freight prints as answers are used unchanged and all at once. Then the file can be read. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { order } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const SAMPLE = order("-")
const SENDER = ["companyName", "address1", "suburb", "state", "postcode", "email"].map(
  (part) => [part, SAMPLE[`sender.${part}`]] as const,
)
const READY = SAMPLE.collectionDateTime ?? ""
const FLAGS = ["--packaging", "CT", "--service", "cheapest", "--ready", READY, "--close", "17:00"]
const BOOK = ["batch", "book", "in.csv", "--sender", "sender.json", "--dry-run"]
const ADDRESS = "Wattle Stores,8 Market Street,Fremantle,WA,6160"
const HEAD = "Reference,Company,Address1,Suburb,State,Postcode"

interface Case {
  what: string
  words: readonly string[]
  lines: readonly string[]
  /** The messages of the errors. */
  says: readonly string[]
  /** The answers, word by word. */
  answers: readonly string[]
}

const CASES: readonly Case[] = [
  {
    what: "names the column that holds the weight, and not the count that is there",
    words: [...BOOK, ...FLAGS],
    lines: [`${HEAD},Ctns,Heft kg ea,Length,Width,Height`, `A-1,${ADDRESS},2,5,40,30,20`],
    says: ['the weight (kg) of the package is missing: freight does not use the column "Heft kg ea"'],
    answers: ["--map", "Heft kg ea=package.weightKg"],
  },
  {
    what: "names each of two columns of weights once",
    words: [...BOOK, ...FLAGS],
    lines: [`${HEAD},Ctns,Weight,Kgs,Length,Width,Height`, `A-1,${ADDRESS},2,5,10,40,30,20`],
    says: ["both mean the weight of each package", "may be of each package, or of all packages of its row"],
    answers: ["--map", "Kgs=", "--map", "Weight=package.weightKg"],
  },
  {
    what: "names the column that may hold the height",
    words: [...BOOK, ...FLAGS],
    lines: [`${HEAD},Weight,Length,Width,Updown`, `A-1,${ADDRESS},5,40,30,20`],
    says: ['the height (cm) of the package is missing: freight does not use the column "Updown"'],
    answers: ["--map", "Updown=package.heightCm"],
  },
  {
    what: "offers --fix-places where a suburb is plainly misspelt",
    words: [...BOOK, ...FLAGS],
    lines: [
      `${HEAD},Weight,Length,Width,Height`,
      "A-1,Wattle Stores,8 Market Street,Hobbart,TAS,7000,5,40,30,20",
    ],
    says: ["--fix-places writes Hobart TAS 7000"],
    answers: ["--fix-places"],
  },
  {
    what: "gives the flags of the fields that no row has in one line",
    words: BOOK,
    lines: [HEAD, `A-1,${ADDRESS}`],
    says: ["service is missing", "the list of packages is missing", "the packaging is missing"],
    answers: [
      ...["--package", "SIZE", "--packaging", "CODE"],
      ...["--ready", "tomorrow 10am", "--close", "17:00", "--service", "cheapest"],
    ],
  },
  {
    what: "asks at once what the amounts of a bill are, and which of two columns has the consignments",
    words: ["audit", "in.csv", "--no-remember"],
    lines: [
      "Billing Account,Paper,Charge Description,Reversal,Zonk Levy,Charge Amount",
      "ACC00001,SBC00000001,Freight,(11.00),2.00,10.00",
      "ACC00001,SBC00000002,Freight,,2.00,10.00",
      "ACC00002,SBC00000003,Freight,,2.00,10.00",
    ],
    says: ["may be charged on top of", "may name the consignments"],
    answers: [
      ...["--map", "Reversal=other", "--map", "Zonk Levy=other"],
      ...["--map", "Paper=consignment", "--map", "Billing Account="],
    ],
  },
  {
    what: "does not offer amounts as signs, which it would refuse",
    words: ["audit", "in.csv", "--no-remember"],
    lines: ["Consignment,Amount ex GST,GST,Reversal", "SBC00000001,10.00,1.00,(11.00)"],
    says: ["may say the sign or type of amounts"],
    answers: ["--map", "Reversal="],
  },
  {
    what: "does not offer a field that another column is",
    words: ["audit", "in.csv", "--no-remember"],
    lines: [
      "Consignment,Amount,Charge Description,Type",
      "SBC00000001,10.00,Freight,Adjustment",
      "SBC00000002,10.00,Freight,Void",
    ],
    says: [
      "can mean the name of the charge or the service or the sign of the amounts: --map Type=service (the service) or",
    ],
    answers: ["--map", "Type=service"],
  },
  {
    what: "leaves one of two columns out that mean one field, and answers what else is open",
    words: ["audit", "in.csv", "--no-remember"],
    lines: ["Consignment,Weight,Kg,Zonk Levy,Charge", "SBC00000001,2,3,2.00,10.00"],
    says: ["both mean the weight", "may be charged on top of"],
    answers: ["--map", "Kg=", "--map", "Zonk Levy=other"],
  },
  {
    what: "asks at once which quantity of an invoice counts, and what an unknown column says",
    words: [
      "invoice",
      "new",
      "--from",
      "in.csv",
      "--supplier-id",
      "S-1",
      "--supplier-name",
      "Us",
      "--abn",
      "51824753556",
      "--bill-to",
      "Wattle Homes, 1 Harbour Street, Sydney NSW 2000",
      "--number",
      "I-1",
      "--po",
      "P-1",
      "-o",
      "made.json",
    ],
    lines: ["Description,Qty,Quantity,Price,Reversal", "Lamp,2,3,10.00,(13.00)", "Shade,1,2,10.00,"],
    says: ["is one of several quantities", "may say the sign or type of amounts"],
    answers: ["--map", "Reversal=", "--map", "Qty=quantity", "--map", "Quantity="],
  },
]

/** Values for the placeholders that a person has to replace. */
const TO_REPLACE: Readonly<Record<string, string>> = { SIZE: "2x40x30x20@5.5", CODE: "CT" }

/** The words of flags in a text, as a shell takes them. */
function readFlags(text: string): string[] {
  return [
    ...text.matchAll(
      /--(?:map|package|packaging|ready|close|service|fix-places)\b(?: (?:"[^"]*"|\S+=[^\s;,)]*|\S+))?/g,
    ),
  ].flatMap(([found]) => {
    const [flag = "", ...rest] = found.split(" ")
    if (flag === "--fix-places") return [flag]
    return [
      flag,
      rest
        .join(" ")
        .replace(/^"(.*)"$/, "$1")
        .replace(/[.,;]$/, ""),
    ]
  })
}

async function openDesk(lines: readonly string[]) {
  const made = await desk(await ownSandbox())
  await writeFile(path.join(made.folder, "in.csv"), `${lines.join("\n")}\n`)
  await writeFile(path.join(made.folder, "sender.json"), JSON.stringify(Object.fromEntries(SENDER)))
  return made
}

describe("an answer that freight prints", () => {
  it.each(CASES)("$what", async ({ words, lines, says, answers }) => {
    const { freight } = await openDesk(lines)
    const refused = await freight(words)
    expect(refused.code, refused.stdout).toBe(2)
    for (const text of says) expect(refused.stderr).toContain(text)
    const errors = refused.stderr.slice(refused.stderr.search(/^error/m))
    const [, line = errors] = /(?:^Say what they are|For what no row says)(.*)$/m.exec(refused.stderr) ?? []
    expect(readFlags(line)).toEqual(answers)
    const read = await freight([...words, ...answers.map((word) => TO_REPLACE[word] ?? word)])
    expect(read.stderr).not.toMatch(/^error/m)
    expect(read.code).not.toBe(2)
  })
})

it("--map takes packages[0].weightKg for a part of the package that other columns have", async () => {
  const { freight } = await openDesk([
    `${HEAD},Ctns,Heft kg ea,Length,Width,Height`,
    `A-1,${ADDRESS},2,5,40,30,20`,
  ])
  const ran = await freight([...BOOK, ...FLAGS, "--map", "Heft kg ea=packages[0].weightKg", "--json"])
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringMatching(/^error/m)])
})

describe.runIf(hasTerminal)("what no row of a batch says, at a terminal", () => {
  const ask = (see: string, type: string) => ({ see, type: `${type}\r` })
  const PACKAGE = ask("Package of each order", "2x40x30x20@5.5")
  const OTHERS = [
    ask("Packaging", "CT"),
    ask("When is it ready for collection?", READY),
    ask("When do the premises close?", "17:00"),
    ask("Service", "cheapest"),
  ]

  it("is asked for once, and the flags that say it are printed", async () => {
    const { env, folder, freight } = await openDesk([HEAD, `A-1,${ADDRESS}`, `A-2,${ADDRESS}`])
    const words = [...BOOK.slice(0, 2), path.join(folder, "in.csv"), "--dry-run", "--sandbox"]
    const sender = SENDER.flatMap(([part, text]) => ["--set", `sender.${part}=${text}`])
    const ran = await atTerminal([...words, ...sender], env, [PACKAGE, ...OTHERS])
    expect(ran.code, ran.screen).toBe(0)
    const [, line = ""] = /Next time add to the command:\n(.*)/.exec(ran.screen.replace(/\r?\n/g, "\n")) ?? []
    expect(line).toContain('--package "2x40x30x20@5.5" --packaging CT --ready')
    const again = await freight([...words, ...sender, "--package", "2x40x30x20@5.5", ...FLAGS])
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringMatching(/^error/m)])
  })

  it("is asked for with the sender, and a sender without a street is asked for again", async () => {
    const { env, folder } = await openDesk([HEAD, `A-1,${ADDRESS}`])
    const ran = await atTerminal(
      [...BOOK.slice(0, 2), path.join(folder, "in.csv"), "--dry-run", "--sandbox"],
      env,
      [
        ask("Who sends them?", "Nobody"),
        { see: "Who sends them?", type: "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015\r" },
        PACKAGE,
        ...OTHERS,
      ],
    )
    expect(ran.code, ran.screen).toBe(0)
  })

  it("is asked for again where an answer is wrong", async () => {
    const { env, folder } = await openDesk([HEAD, `A-1,${ADDRESS}`])
    const words = [...BOOK.slice(0, 2), path.join(folder, "in.csv"), "--dry-run", "--sandbox"]
    const sender = SENDER.flatMap(([part, text]) => ["--set", `sender.${part}=${text}`])
    const ran = await atTerminal([...words, ...sender], env, [
      ask("Package of each order", "big"),
      { ...PACKAGE, see: "no saved package" },
      ...OTHERS,
    ])
    expect(ran.code, ran.screen).toBe(0)
  })

  it("is not asked for where something else is wrong with a row", async () => {
    const { env, folder } = await openDesk([HEAD, `,${ADDRESS}`])
    const words = [...BOOK.slice(0, 2), path.join(folder, "in.csv"), "--dry-run", "--sandbox"]
    const ran = await atTerminal([...words, "--sender", path.join(folder, "sender.json")], env, [])
    expect([ran.code, ran.screen]).toEqual([2, expect.stringContaining("reference is missing")])
  })
})
