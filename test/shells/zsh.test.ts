/** The completion script in a real zsh at a terminal: what it offers, and what comes to stand on the line. */
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { SCRIPTS, type ShellDesk, shellDesk } from "./desk.ts"
import { GOOD, LINES, TYPED, verdict } from "./lines.ts"
import { hasShell, session } from "./session.ts"

/** Every word that is offered passes through `compadd`: it is written down on its way. */
const SET_UP = `PS1=; fpath=('${SCRIPTS}' $fpath); autoload -U compinit; compinit -u -D
compadd() { if [[ " $* " != *' '-[a-zA-Z]#[OAD]' '* ]]; then local -a __found; builtin compadd -A __found "$@"; print -rl -- "\${(@Q)__found}" >>"$TOLD.offers"; fi; builtin compadd "$@"; }
tell() { print -r -- "$BUFFER" >"$TOLD"; BUFFER=; }; zle -N tell; bindkey '^Xs' tell; setopt no_auto_menu no_beep extended_glob
print ready >"$TOLD"`

describe.skipIf(!hasShell("zsh"))("in zsh", () => {
  let desk: ShellDesk
  beforeAll(async () => {
    desk = await shellDesk()
  })

  it("offers what fits", async () => {
    const { type } = await session("zsh -f -i", SET_UP, desk)
    const written = path.join(desk.folder, "..", "told.offers")
    const faults: unknown[] = []
    for (const line of LINES) {
      await type(`${line.line}\t`)
      const text = await readFile(written, "utf8").catch(() => "")
      await rm(written, { force: true })
      // Inside an open quote, another one is given as it would be typed.
      const offers = [
        ...new Set(
          text
            .replaceAll("'\\''", "'")
            .split("\n")
            .filter((each) => each !== ""),
        ),
      ]
      const found = verdict(offers, line)
      if (JSON.stringify(found) !== JSON.stringify(GOOD)) faults.push({ line: line.line, offers, ...found })
    }
    expect(faults).toEqual([])
  })

  it("completes at the terminal, quotes and all", async () => {
    const { type } = await session("zsh -f -i", SET_UP, desk)
    const seen: [string, string][] = []
    for (const [keys] of TYPED) seen.push([keys, await type(keys)])
    expect(seen).toEqual(TYPED)
  })

  it("completes a name that would be a command when it was not quoted", async () => {
    const { type } = await session("zsh -f -i", SET_UP, desk)
    expect(await type("freight address remove \\$\t")).toBe(
      "freight address remove \\$\\(touch\\ ran\\)\\ \\`touch\\ ran\\` ",
    )
    expect(existsSync(path.join(desk.folder, "ran"))).toBe(false)
  })
})
