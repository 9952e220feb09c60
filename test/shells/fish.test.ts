/** The completion script in a real fish, which says itself what it would offer. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { SCRIPTS, type ShellDesk, shellDesk } from "./desk.ts"
import { GOOD, LINES, verdict } from "./lines.ts"
import { hasShell } from "./session.ts"

const SCRIPT = path.join(SCRIPTS, "freight.fish")

function completions(lines: readonly string[], { folder, env }: ShellDesk) {
  const driver = `source '${SCRIPT}'; for line in $argv; complete -C $line; printf '\\036'; end`
  const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", driver, "--", ...lines], {
    cwd: folder,
    env,
    encoding: "utf8",
  })
  const offers = stdout.split("\u001e").map((text) => text.split("\n").filter((line) => line !== ""))
  return { offers, stderr }
}

describe.skipIf(!hasShell("fish"))("in fish", () => {
  let desk: ShellDesk
  let offered: string[][]
  beforeAll(async () => {
    desk = await shellDesk()
    const { offers, stderr } = completions(
      LINES.map(({ line }) => line),
      desk,
    )
    expect(stderr).toBe("")
    offered = offers
  })

  it.each(LINES.map((line, at) => [line.line, line, at] as const))("%s", (_name, line, at) => {
    const words = (offered[at] ?? []).map((each) => each.split("\t")[0] ?? "")
    expect(verdict(words, line)).toEqual(GOOD)
  })

  it("says what each is", () => {
    const { offers } = completions(
      [
        "freight bo",
        "freight book --packaging C",
        "freight --sandbox book --connector ",
        "freight address remove \\$",
      ],
      desk,
    )
    expect(offers.slice(0, 4)).toEqual([
      ["book\tbook a consignment"],
      ["CT\tcarton", "CR\tcrate"],
      ["connector-a\tSydney, CARRIER_A_AU", "connector-b\tPerth, CARRIER_B_AU"],
      ["$(touch ran) `touch ran`\t�Red lines tabs, Perth WA 6000"],
    ])
  })

  it("runs nothing that a name holds", () => {
    expect(existsSync(path.join(desk.folder, "ran"))).toBe(false)
  })

  it("is silent where freight cannot be run", () => {
    const { offers, stderr } = completions(["freight address remove "], {
      ...desk,
      env: { HOME: desk.folder, PATH: "/usr/bin:/bin" },
    })
    expect([offers[0], stderr]).toEqual([[], ""])
  })
})
