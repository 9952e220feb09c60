/**
 * Typing on Windows, in the console that Wine makes of a terminal of this system. It breaks lines within colours, so the
 * look of the screen is not tested; and after a question it does not let its program exit.
 */
import { describe, expect, it } from "vitest"
import { hasTerminal } from "../acceptance/pty.ts"
import { take } from "../acceptance/wizard.ts"
import { setUpWindows } from "./setup.ts"
import { HAS_WINDOWS } from "./windows.ts"

describe.runIf(HAS_WINDOWS && hasTerminal)("in a console on Windows", () => {
  const place = setUpWindows()

  it("asks in a list, takes Enter, and keeps the answers at Ctrl-C", async () => {
    const seat = await place.windows.desk().sit(["book", "--sandbox"])
    await take(seat, [
      [/sends it\?[\s\S]*Dana Reyes[\s\S]*Ctrl-C stops/, "enter"],
      [/receives it\?[\s\S]*Lee Watson/, "ctrl-c"],
    ])
    await seat.see("Your answers are kept: freight book --resume --sandbox")
    expect(await seat.screen()).toContain("❯ Sample: Port Street Fittings · Fremantle WA 6160")
  })

  it("ends what is under way at Ctrl-C, and says so", async () => {
    const seat = await place.windows.desk().sit(["track", "--watch", "--sandbox", "DEMO-A-MOVING"])
    await take(seat, [["Consignment created", "ctrl-c"]])
    expect(await seat.exit).toBe(130)
    expect(await seat.screen()).toContain("interrupted")
  })
})
