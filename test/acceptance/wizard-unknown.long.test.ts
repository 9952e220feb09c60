/** The wizard and a booking whose outcome is unknown. */
import { describe, expect, it } from "vitest"
import { hasTerminal } from "./pty.ts"
import { AFTER, readyDesk, TO_BOOK, take, told } from "./wizard.ts"

describe.runIf(hasTerminal)("a booking whose reply never came", () => {
  it("is handed to reconcile, is never sent again by --resume, and is gone on with once it is found", async () => {
    const { sit, sandbox, file, shipments, freight } = await readyDesk()
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    const first = await sit(["--file", file])
    await take(first, TO_BOOK)
    expect(await first.exit).toBe(7)
    expect(await first.screen()).toContain("next: freight reconcile")

    const second = await sit(["--resume"])
    expect(await second.exit).toBe(7)
    expect(await second.screen()).toContain("nothing was sent now")
    expect(await shipments()).toBe(1)

    expect((await freight(["reconcile"])).code).toBe(0)
    const third = await sit(["--resume"])
    await take(third, AFTER)
    expect(await third.exit).toBe(0)
    expect(await told(third)).toContain("It was not sent again.")
    expect(await shipments()).toBe(1)
  })

  it("is sent under the same key once it was released", async () => {
    const { sit, sandbox, file, shipments, freight } = await readyDesk()
    await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    const first = await sit(["--file", file])
    await take(first, TO_BOOK)
    expect(await first.exit).toBe(7)
    const [open] = (await freight(["history", "--json"])).items<{ key: string }>()
    const key = open?.key ?? ""
    expect(key).toMatch(/^wizard-/)
    expect((await freight(["reconcile", "--release", key])).code).toBe(0)

    const second = await sit(["--resume"])
    await take(second, [...TO_BOOK.slice(2), ...AFTER])
    expect(await second.exit).toBe(0)
    expect(await shipments()).toBe(1)
    expect((await freight(["history", "--json"])).items<{ key: string }>().map((each) => each.key)).toContain(
      key,
    )
  })

  it("by Ctrl-C in the middle of it is not sent again either", async () => {
    const { sit, sandbox, file, shipments } = await readyDesk()
    await sandbox.control("faults", { fault: "hang-after-commit:x1@POST/shipments" })
    const first = await sit(["--file", file])
    await take(first, TO_BOOK)
    await first.see("Booking")
    while ((await shipments()) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    first.press("ctrl-c")
    expect(await first.exit).toBe(7)
    const second = await sit(["--resume"])
    expect(await second.exit).toBe(7)
    expect(await shipments()).toBe(1)
  })
})
