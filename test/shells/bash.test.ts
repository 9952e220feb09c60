/** The completion script in a real bash: its function is called, and keys are typed at a terminal. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { SCRIPTS, type ShellDesk, shellDesk } from "./desk.ts"
import { GOOD, LINES, TYPED, verdict } from "./lines.ts"
import { hasShell, session } from "./session.ts"

const SCRIPT = path.join(SCRIPTS, "freight.bash")

/** Reads quote and line, each ended by NUL; writes each offer with NUL after it, and a record separator. */
const DRIVER = `
source "$0"
while IFS= read -r -d '' quote && IFS= read -r -d '' line; do
  COMP_LINE=$line COMP_POINT=\${#line}
  _freight
  for offer in "\${COMPREPLY[@]}"; do eval "printf '%s\\0' $quote$offer$quote"; done
  printf '\\036'
done`

const SET_UP = `PS1=; source '${SCRIPT}'; tell() { echo "$READLINE_LINE" >"$TOLD"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\\C-xs": tell'; bind 'set bell-style none'; echo ready >"$TOLD"`

describe.skipIf(!hasShell("bash"))("in bash", () => {
  let desk: ShellDesk
  beforeAll(async () => {
    desk = await shellDesk()
  })

  const lines = LINES.filter(({ files }) => !files)
  let offered: string[][]
  beforeAll(() => {
    const input = lines.map(({ line }) => `${/ (["'])[^"']*$/.exec(line)?.[1] ?? ""}\0${line}\0`).join("")
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", DRIVER, SCRIPT], {
      cwd: desk.folder,
      env: desk.env,
      input,
      encoding: "utf8",
    })
    expect(stderr).toBe("")
    offered = stdout.split("\u001e").map((text) => text.split("\0").slice(0, -1))
  })

  it.each(lines.map((line, at) => [line.line, line, at] as const))("%s", (_name, line, at) => {
    expect(verdict(offered[at] ?? [], line)).toEqual(GOOD)
  })

  it("runs nothing that a name holds", () => {
    expect(existsSync(path.join(desk.folder, "ran"))).toBe(false)
  })

  it("has what is newest first", () => {
    const at = lines.findIndex(({ line }) => line.endsWith(" shipment:"))
    expect(offered[at]).toEqual(["2", "1"])
  })

  it("completes at the terminal, quotes and all", async () => {
    const { type } = await session("bash --norc --noprofile -i", SET_UP, desk)
    const seen: [string, string][] = []
    for (const [keys] of TYPED) seen.push([keys, await type(keys)])
    expect(seen).toEqual(TYPED)
  })

  it("completes a name that would be a command when it was not quoted", async () => {
    const { type } = await session("bash --norc --noprofile -i", SET_UP, desk)
    expect(await type("freight address remove \\$\t")).toBe(
      "freight address remove \\$\\(touch\\ ran\\)\\ \\`touch\\ ran\\` ",
    )
    expect(await type('freight address remove "\\$\t')).toBe(
      'freight address remove "\\$(touch ran) \\`touch ran\\`" ',
    )
    expect(existsSync(path.join(desk.folder, "ran"))).toBe(false)
  })

  it("is silent where freight cannot be run", () => {
    const { stdout, stderr } = spawnSync("/bin/bash", ["--norc", "-c", DRIVER, SCRIPT], {
      env: { PATH: "/nowhere" },
      input: "\0freight address remove \0",
      encoding: "utf8",
    })
    expect([stdout, stderr]).toEqual(["\u001e", ""])
  })
})
