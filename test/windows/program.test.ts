/** freight.exe, as `scripts/windows-program.mjs` makes it: `FREIGHT_TEST_WINDOWS_EXECUTABLE` names it. */
import { spawnSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { ROOT } from "../acceptance/freight.ts"
import { did, setUpWindows } from "./setup.ts"
import { HAS_WINDOWS, PROGRAM } from "./windows.ts"

describe.skipIf(!HAS_WINDOWS || PROGRAM === undefined)("freight.exe", () => {
  const place = setUpWindows()
  const folder = path.dirname(PROGRAM ?? "")

  it("runs where there is no Node, and writes nothing of its own", async () => {
    const desk = place.windows.desk()
    const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"))
    expect(await did(desk, ["--version"])).toMatchObject({ stdout: `${version}\n`, stderr: "" })
    expect((await did(desk, ["book", "--help"])).stdout).toContain("Usage: freight book [flags]")
  })

  it("has no signature, for it would be Node's", () => {
    const bytes = readFileSync(PROGRAM ?? "")
    const directories = bytes.readUInt32LE(0x3c) + 24 + 112
    expect(bytes.readBigUInt64LE(directories + 4 * 8)).toBe(0n)
  })

  it("is packed with its papers and without folders of whoever made it", () => {
    const { stdout } = spawnSync("zip", ["-sf", `${folder}.zip`], { encoding: "utf8" })
    const name = path.basename(folder)
    for (const file of [
      "freight.exe",
      "README.md",
      "CHANGELOG.md",
      "LICENSE",
      "LICENSE-node",
      "THIRD-PARTY-NOTICES.md",
      "docs/README.md",
    ])
      expect(stdout).toContain(` ${name}/${file}\n`)
    expect(statSync(`${folder}.zip`).size).toBeLessThan(50e6)
    expect(readFileSync(path.join(folder, "LICENSE-node"), "utf8")).toContain("Node.js is licensed for use")
    expect(readFileSync(path.join(folder, "THIRD-PARTY-NOTICES.md"), "utf8")).toContain("undici")
    expect(readFileSync(PROGRAM ?? "").includes(Buffer.from(ROOT))).toBe(false)
  })
})
