import { describe, expect, it, beforeAll, afterAll } from "vitest"
import { existsSync, readdirSync, readFileSync, mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { startSandboxHere, type RunningSandbox } from "../acceptance/sandbox.ts"
import { ownBooking } from "../acceptance/bookings.ts"
import { HAS_WINDOWS, share, startWindows, type Windows } from "./windows.ts"
describe.skipIf(!HAS_WINDOWS)("x", () => {
  let windows: Windows
  let sandbox: RunningSandbox
  beforeAll(async () => {
    windows = await startWindows()
    sandbox = await startSandboxHere()
  })
  afterAll(async () => { await windows.stop(); await sandbox.stop() })
  it("x", async () => {
    const desk = windows.desk(sandbox)
    const say = async (args: string[], run = {}) => {
      const t = performance.now()
      const { code, stdout, stderr } = await desk.freight(args, run)
      process.stderr.write(`\n$ ${args.join(" ")} -> ${code} (${Math.round(performance.now() - t)} ms)\n${stdout.slice(0, 600)}\n--\n${stderr.slice(0, 1500)}\n`)
      return stdout
    }
    const text = JSON.stringify({ ...ownBooking(), serviceCode: "GEN" }, null, 2)
    desk.write("booking.json", text.replaceAll("\n", "\r\n"))
    desk.write("utf16.json", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replaceAll("\n", "\r\n"), "utf16le")]))
    await say(["book", "--file", "utf16.json", "--dry-run"])
    await say(["config", "set", "connector", "connector-b"])
    await say(["config", "list"])
    await say(["book", "--file", "booking.json", "--key", "K1", "--wait", "--label", "label.pdf", "--json"])
    await say(["label", "PO-1001", "-o", "CON.pdf"])
    await say(["label", "PO-1001", "-o", "label.pdf."])
    await say(["label", "PO-1001", "-o", "label:1.pdf"])
    await say(["label", "PO-1001", "-o", "a?b.pdf"])
    await say(["label", "PO-1001", "-o", "NUL"])
    await say(["label", "PO-1001", "-o", "\\\\.\\NUL"])
    await say(["label", "PO-1001", "--dir", "out \\sub. "])
    await say(["label", "PO-1001", "--dir", "aux"])
    await say(["label", "PO-1001", "-o", "LABEL.PDF"])
    await say(["label", "PO-1001", "--dir", "x", "--label-name", "a\\{reference}"])
    const free = await windows.hold("C:\\users\\Jörg Müller 1\\label.pdf")
    await say(["label", "PO-1001", "-o", "label.pdf"])
    await say(["invoice", "validate", "label.pdf"])
    await free()
    for (const name of ["booking.json", "AppData/Roaming/freight/config/config.json", "AppData/Local/freight/state/ledger.db"]) {
      const free2 = await windows.hold(`${desk.home}\\${name.replaceAll("/", "\\")}`)
      await say(["book", "--file", "booking.json", "--key", "K1", "--json"])
      await say(["config", "set", "connector", "connector-b"])
      await free2()
    }
    const long = ["d".repeat(100), "e".repeat(100), "f".repeat(100)]
    const deep = path.join(desk.folder, ...long)
    mkdirSync(deep, { recursive: true })
    writeFileSync(path.join(deep, "b.json"), text)
    const winDeep = [desk.home, ...long].join("\\")
    await say(["book", "--file", `${winDeep}\\b.json`, "--dry-run", "--json"])
    await say(["label", "PO-1001", "-o", `${winDeep}\\l.pdf`])
    await say(["book", "--file", `${winDeep}\\b.json`, "--key", "K2", "--json"], { env: { FREIGHT_STATE_DIR: `${winDeep}\\state` } })
    await say(["doctor"], { env: { FREIGHT_STATE_DIR: `${winDeep}\\state` } })
    const unc = share("server", "share", desk.folder)
    await say(["book", "--file", `${unc}\\booking.json`, "--dry-run", "--json"])
    await say(["label", "PO-1001", "-o", `${unc}\\new\\unc.pdf`])
    await say(["history"], { env: { FREIGHT_STATE_DIR: `${unc}\\AppData\\Local\\freight\\state` } })
    await say(["history"], { env: { FREIGHT_LEDGER: "Z:\\tmp\\x\\ledger.db" } })
    await say(["history"], { env: { TZ: "Australia/Adelaide" } })
    await say(["history"], { env: { TZ: undefined } })
    await say(["completion", "powershell", "--install"])
    await say(["__complete", ":rat"])
    process.stderr.write(`${readdirSync(desk.folder).join("\n")}\n`)
    process.stderr.write(`${readdirSync(desk.folder+"/AppData/Local/freight", {recursive:true}).join("\n")}\n`)
    expect(1).toBe(1)
  })
})
