import { execFileSync } from "node:child_process"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { examined } from "./doctors.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { startSandboxProcess } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

const sandbox = await fileSandbox(startSandboxProcess)

describe("doctor and the files", () => {
  it.skipIf(process.platform === "win32")("fails when others may read the settings file", async () => {
    const made = await desk(sandbox)
    await made.freight(["config", "set", "timeout", "20"])
    expect((await examined(made)).found.get("settings-private")?.state).toBe("ok")
    await chmod(path.join(made.folder, "config", "config.json"), 0o644)
    const { code, found } = await examined(made)
    expect(code).toBe(1)
    expect(found.get("settings-private")).toMatchObject({
      state: "fail",
      next: expect.stringContaining("chmod 600"),
    })
  })

  it("the command that fixes a damaged settings file does, and what was in it is kept", async () => {
    const made = await desk(sandbox)
    await mkdir(path.join(made.folder, "config"))
    await writeFile(path.join(made.folder, "config", "config.json"), "{")
    const command = (await examined(made)).found.get("settings-file")?.next ?? ""
    execFileSync("sh", ["-c", command])
    expect((await examined(made)).found.get("settings-file")?.state).toBe("ok")
    expect(await readFile(path.join(made.folder, "config", "config.json.damaged"), "utf8")).toBe("{")
  })

  it("warns of what has no known outcome", async () => {
    const made = await desk(sandbox)
    await writeFile(path.join(made.folder, "b.json"), JSON.stringify(ownBooking()))
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    const book = ["book", "--file", "b.json", "--connector", "connector-c"]
    expect((await made.freight(book)).code).toBe(7)
    const { code, found } = await examined(made)
    expect(code).toBe(0)
    expect(found.get("ledger")).toMatchObject({ state: "warn", next: "freight reconcile" })
  })

  it("fails when this workstation's device is gone", async () => {
    const made = await desk(sandbox)
    expect((await made.freight(["devices", "use", "device-bench"])).code).toBe(0)
    expect((await examined(made)).found.get("freight-device")?.state).toBe("ok")
    await sandbox.control("devices", { id: "device-bench", revoked: true })
    const { code, found } = await examined(made)
    expect(code).toBe(1)
    expect(found.get("freight-device")).toMatchObject({
      state: "fail",
      next: "freight devices use --api freight",
    })
  })
})
