/** Columns that may change what others mean: asked about at a terminal, refused in a script, answered by one line. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { errorOf, fresh } from "./batches.ts"
import { desk } from "./freight.ts"
import { order } from "./orders.ts"
import { fileSandbox, requestsTo } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const sandbox = await fileSandbox()

/** A desk with an order in a file: columns that are added stand behind the others. */
async function columnDesk(added: Readonly<Record<string, string>>) {
  const made = await desk(sandbox)
  const { packages: _, ...rest } = order(fresh())
  const measures = { Weight: "600", Length: "300", Width: "200", Height: "100" }
  const cells = { ...rest, ...measures, ...added }
  const file = path.join(made.folder, "orders.csv")
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = [Object.keys(cells), Object.values(cells)].map((row) => row.map(quote).join(","))
  await writeFile(file, `${lines.join("\n")}\n`)
  const run = (...flags: string[]) => made.freight(["batch", "book", "orders.csv", "--json", ...flags])
  return { ...made, run, file }
}

const UNITS = { "Sold by": "g", "Measured in": "mm", "Parcels left": "3" }

describe("columns that may change what others mean", () => {
  it("are refused in a script before anything is sent, all at once, and one line answers them", async () => {
    const { run } = await columnDesk(UNITS)
    const before = await requestsTo(sandbox, "POST /{connectorId}/shipments")
    const refused = await run()
    expect(refused.code, refused.stderr).toBe(2)
    const { errors } = errorOf(refused)
    expect(errors).toEqual([
      expect.objectContaining({ field: "Weight", code: "column" }),
      expect.objectContaining({ field: "Sold by", code: "column" }),
      expect.objectContaining({ field: "Measured in", code: "column" }),
      expect.objectContaining({ field: "Parcels left", code: "column" }),
    ])
    expect(JSON.stringify(errors)).toContain("Parcels left=package.count")
    const answered = await run(
      ...[
        "--map",
        "Sold by=weightUnit",
        "--map",
        "Measured in=sizeUnit",
        "--map",
        "Parcels left=package.count",
        "--map",
        "Weight=package.weightKg",
      ],
      "--dry-run",
    )
    expect(answered.code, answered.stderr).toBe(0)
    expect(answered.stderr).toContain("Weight: 600 g, read as 0.6 kg (row 2)")
    expect(answered.stderr).toContain("Length: 300 mm, read as 30 cm (row 2)")
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(before)
  })

  it("that an older map does not name are added to it by the command that is shown", async () => {
    const { run, freight, file } = await columnDesk({ Boxes: "1" })
    const saved = await run("--map", "Boxes=", "--allow-density", "--dry-run", "--save-map", "monday")
    expect(saved.code, saved.stderr).toBe(0)
    const { folder } = await columnDesk({})
    expect(folder).not.toBe(path.dirname(file))
    const more = await columnDesk({ Boxes: "1", "Weighed in": "g" })
    await freight(["batch", "maps", "--json"])
    const text = await readFile(more.file)
    await writeFile(file, text)
    const refused = await run("--use-map", "monday")
    expect(refused.code).toBe(2)
    expect(errorOf(refused).next).toBe(
      'freight batch book orders.csv --use-map monday --map "Weighed in=weightUnit" --save-map monday',
    )
    const extended = await run(
      ...["--use-map", "monday", "--map", "Weighed in=weightUnit", "--save-map", "monday"],
      ...["--allow-density", "--dry-run"],
    )
    expect(extended.code, extended.stderr).toBe(0)
    const again = await run("--use-map", "monday", "--allow-density", "--dry-run")
    expect([again.code, again.stderr.includes("read as 0.6 kg")]).toEqual([0, true])
  })

  it("two columns with one heading are distinguished by their number", async () => {
    const { run, file, folder } = await columnDesk({})
    const text = await readFile(file, "utf8")
    const [head = "", row = ""] = text.trim().split("\n")
    await writeFile(path.join(folder, "orders.csv"), `${head},Weight\n${row},6\n`)
    const refused = await run("--dry-run")
    expect([refused.code, JSON.stringify(errorOf(refused).errors)]).toEqual([
      2,
      expect.stringContaining("Weight#2="),
    ])
    const first = await run("--dry-run", "--map", "Weight#2=", "--allow-density")
    expect(first.code, first.stderr).toBe(0)
  })

  it("leave one out knowingly", async () => {
    const { run } = await columnDesk({ "Weighed in": "kg", Status: "packed" })
    const refused = await run("--dry-run", "--allow-density")
    expect(errorOf(refused).errors).toHaveLength(1)
    const left = await run("--dry-run", "--allow-density", "--map", "Status=")
    expect(left.code, left.stderr).toBe(0)
    const named = await run("--dry-run", "--allow-density", "--map", "Status=status")
    expect(named.items()).toMatchObject([
      { state: "invalid", error: expect.stringContaining("--include packed") },
    ])
    expect(named.code).toBe(1)
  })
})

describe.runIf(hasTerminal)("at a terminal", () => {
  it("the person says whether a weight is of each package or of all", async () => {
    const { env, file } = await columnDesk({ Cartons: "4" })
    const words = ["batch", "book", file, "--dry-run", "--allow-density"]
    const ran = await atTerminal(words, env, [
      { see: "Weight of each in kg, not the total", type: "\u001b[B" },
      { see: "Weight of all packages of the row", type: "\r" },
    ])
    expect(ran.code, ran.screen).toBe(0)
    expect(ran.screen).toContain("Weight: 600 kg of 4 packages, read as 150 kg each (row 2)")
    expect(ran.screen).toContain("Next time add to the command: --map Weight=package.totalWeightKg")
  })

  it("the person says once what they are, and the answer is kept with the map", async () => {
    const { env, file, freight } = await columnDesk({ "Weighed in": "g" })
    const words = [
      "batch",
      "book",
      file,
      "--save-map",
      "asked",
      "--close",
      "17:00",
      "--dry-run",
      "--allow-density",
    ]
    const ran = await atTerminal(words, env, [{ see: "What is it?", type: "\r" }])
    expect(ran.code, ran.screen).toBe(0)
    expect((await freight(["batch", "maps", "--json"])).stdout).toContain("Weighed in=weightUnit")
  })

  it.runIf(hasTerminal)(
    "the person says once how a column writes its numbers, and a script is told how to",
    async () => {
      const { env, file, run } = await columnDesk({
        Weight: "1.800",
        Length: "40,5",
        Width: "30",
        Height: "20",
      })
      const refused = await run("--dry-run")
      expect([refused.code, errorOf(refused).errors]).toMatchObject([
        2,
        [{ field: "Weight", code: "column" }],
      ])
      expect(errorOf(refused).hint).toContain("--map Weight=decimalPoint")
      const answered = await run("--dry-run", "--allow-density", "--map", "Weight=decimalPoint")
      expect(answered.code, answered.stderr).toBe(0)
      const ran = await atTerminal(["batch", "book", file, "--dry-run"], env, [
        { see: '"1.800" is 1800', type: "\r" },
      ])
      expect(ran.code, ran.screen).toBe(0)
    },
  )
})
