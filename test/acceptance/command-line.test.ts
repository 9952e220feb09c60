import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { desk, getCommandLine } from "./freight.ts"
import { bash, withFreightOnPath } from "./shell.ts"

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

describe("the command line", () => {
  it("gives a usage error as one JSON object under --json", async () => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["--json", "bok"])
    expect(code).toBe(2)
    expect(stdout).toBe("")
    expect(JSON.parse(stderr).error).toMatchObject({ kind: "usage", retry: "never" })
  })

  it.each([
    [["connectors", "--format", "yaml"], "--format takes"],
    [["connectors", "--json", "--format", "csv"], "contradict"],
    [["connectors", "--timeout", "soon"], "--timeout takes seconds"],
    [["rate-shop", ...LANE, "--sort", "size"], "--sort takes"],
    [["rate-shop", ...LANE, "--cheapest", "--fastest"], "contradict"],
    [["track", "X", "--watch", "--no-remember"], "contradict"],
    [["shipments", "list", "--limit", "201"], "1 to 200"],
    [["rate-shop", "--from", "Nowhere"], "--from"],
    [["rate-shop", "--from", "Alexandria NSW 2015"], "--to"],
    [["rate-shop", ...LANE, "--set", "dangerusGoods=true"], "dangerousGoods"],
    [["rate-shop", ...LANE, "--set", "isDocument=maybe"], "true or false"],
    [["rate-shop", "--package", "40x30@5"], "--package"],
    [["book"], "--file"],
  ])("freight %j is refused before anything is sent", async (args, words) => {
    const { freight } = await desk()
    const { code, stderr } = await freight([...args, "--sandbox"])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it("works in a sandbox of its own without any set-up, and remembers it", async () => {
    const { freight } = await desk()
    const { code, stdout } = await freight(["rate-shop", "--sandbox", ...LANE])
    expect(code).toBe(0)
    const carriers = stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/ +/)[1])
    expect(new Set(carriers)).toEqual(new Set(["A", "B", "C"]))
  })

  it("picks fields for JSON, NDJSON and CSV", async () => {
    const { freight } = await desk()
    const fields = ["connectors", "--sandbox", "--fields", "carrier,id"]
    const csv = await freight([...fields, "--format", "csv"])
    expect(csv.stdout.split("\n")[0]).toBe("carrier,id")
    const [first] = (await freight([...fields, "--json"])).items()
    expect(Object.keys(first ?? {})).toEqual(["carrier", "id"])
    const ndjson = await freight([...fields, "--format", "ndjson"])
    expect(JSON.parse(ndjson.stdout.split("\n")[0] ?? "")).toEqual(first)
  })

  it("ends quietly when the reader of its output goes away", async () => {
    const { env } = await desk()
    const child = spawn(...getCommandLine(["connectors", "--sandbox"]), {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    })
    child.stdout.destroy()
    let stderr = ""
    child.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    const [code] = await once(child, "close")
    expect(code).toBe(0)
    expect(stderr).toBe("")
  })

  it.each([
    "--version",
    "--help",
    "help",
    "config list",
  ])("freight %s says that the disk is full", async (words) => {
    const at = await desk()
    const { code, stderr } = await bash(
      `freight ${words} > /dev/full`,
      at.folder,
      await withFreightOnPath(at),
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: cannot write the output: the disk is full$/m)
  })
})
