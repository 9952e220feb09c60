/**
 * Order files as shops and people write them: `awkward/orders.txt`. Each is booked right, or asked about, and never
 * booked wrong. The file was written without sight of the reader.
 */
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { formatPackage } from "../../src/contract/packages.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { desk } from "./freight.ts"
import { order } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"

interface Case {
  name: string
  flags: string[]
  file: string
  content: string
  right: string[]
}

const SAMPLE = order("-")
const SENDER = Object.fromEntries(
  ["companyName", "address1", "suburb", "state", "postcode", "email"].map((part) => [
    part,
    SAMPLE[`sender.${part}`],
  ]),
)
const FLAGS = [
  ...["--sender", "sender.json", "--packaging", "CT", "--service", "cheapest"],
  ...["--ready", SAMPLE.collectionDateTime ?? "", "--close", "17:00"],
]

const cases = readFileSync(path.join(import.meta.dirname, "awkward/orders.txt"), "utf8")
  .split(/^== /m)
  .slice(1)
  .map(parseCase)

function parseCase(text: string): Case {
  const [head = "", right = ""] = text.split(/^right:\n/m)
  const [before = "", content = ""] = head.split(/^file: .*\n/m)
  return {
    name: before.split("\n")[0] ?? "",
    flags: /^flags: (.*)$/m.exec(before)?.[1]?.split(" ") ?? [],
    file: /^file: (.*)$/m.exec(head)?.[1] ?? "",
    content: content.replaceAll("→", "\t"),
    right: right.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : [])),
  }
}

describe("an awkward file of orders", () => {
  it.each(cases)("$name", async ({ flags, file, content, right }) => {
    const sandbox = await ownSandbox()
    const { folder, freight } = await desk(sandbox)
    await writeFile(path.join(folder, file), content)
    await writeFile(path.join(folder, "sender.json"), JSON.stringify(SENDER))
    const ran = await freight(["batch", "book", file, "--yes", ...FLAGS, ...flags])
    const books = (await sandbox.control("books")) as { shipments: { request: ConsignmentBookingRequest }[] }
    const booked = books.shipments.map(({ request }) => describeRequest(request)).sort()
    const isRight = right.some((line) => {
      const [, how, rest = ""] = /^(books|asks) (.*)$/.exec(line) ?? []
      const parts = rest.split("; ")
      return how === "books"
        ? booked.join("; ") === parts.sort().join("; ")
        : booked.length === 0 && ran.code === 2 && parts.every((part) => ran.stderr.includes(part))
    })
    expect(isRight ? right : { code: ran.code, booked, stderr: ran.stderr }).toEqual(right)
  })
})

function describeRequest({ customerReference, packages, receiver }: ConsignmentBookingRequest): string {
  const written = packages.map(formatPackage).sort().join("+")
  return `${customerReference} ${written} "${receiver.companyName}" ${receiver.postcode}`
}
