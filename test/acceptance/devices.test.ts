import { describe, expect, it } from "vitest"
import type { DeskChoice, KnownDevice } from "../../src/orders/printing/devices.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

type Device = KnownDevice & { deviceId: string }

describe("devices list", () => {
  it("shows every active device once, and what this workstation uses it for", async () => {
    const { freight } = await desk(sandbox)
    await freight(["devices", "use", "device-bench", "--api", "freight"])
    const { code, json } = await freight(["devices", "list", "--json"])
    expect(code).toBe(0)
    const { items: devices } = json<{ items: Device[] }>()
    expect(devices.map(({ deviceId: id, apis, usedFor }) => ({ id, apis, usedFor }))).toEqual([
      { id: "device-dispatch", apis: ["freight", "direct-print"], usedFor: [] },
      { id: "device-bench", apis: ["freight", "direct-print"], usedFor: ["freight"] },
    ])
  })

  it("says in a table what each prints", async () => {
    const { freight } = await desk(sandbox)
    const { stdout } = await freight(["devices", "list"])
    expect(stdout).toMatch(/Dispatch desk +device-dispatch +labels, PDF files .*Zebra ZD421/)
  })

  it("leaves out an API that is not set up", async () => {
    const { freight } = await desk(sandbox)
    const { code, stderr, json } = await freight(["devices", "list", "--json"], {
      env: { DIRECT_PRINT_API_KEY: "" },
    })
    expect(code).toBe(0)
    expect(stderr).toBe("")
    expect(json<{ items: KnownDevice[] }>().items[0]?.apis).toEqual(["freight"])
  })

  it("exits 4 when no API is set up", async () => {
    const { freight } = await desk()
    expect((await freight(["devices", "list"])).code).toBe(4)
  })
})

describe("devices use", () => {
  it("keeps the device per workstation, so that a shared home serves many desks", async () => {
    const { freight } = await desk(sandbox)
    const at = (workstation: string) => ({ env: { FREIGHT_WORKSTATION: workstation } })
    await freight(["devices", "use", "device-bench"], at("bench"))
    await freight(["devices", "use", "device-dispatch"], at("dispatch"))
    const used = async (workstation: string) => {
      const { json } = await freight(["devices", "list", "--json"], at(workstation))
      return json<{ items: Device[] }>()
        .items.filter(({ usedFor }) => usedFor.length > 0)
        .map(({ deviceId }) => deviceId)
    }
    expect([await used("bench"), await used("dispatch"), await used("dock")]).toEqual([
      ["device-bench"],
      ["device-dispatch"],
      [],
    ])
  })

  it("keeps it apart from the sandbox's", async () => {
    const { freight } = await desk(sandbox)
    await freight(["devices", "use", "device-bench", "--sandbox"])
    const { json } = await freight(["devices", "forget", "--json"])
    expect(json<{ items: DeskChoice[] }>().items).toEqual([])
  })
})

describe("devices forget", () => {
  it("gives what was kept, and asks no server", async () => {
    const { freight } = await desk(sandbox)
    await freight(["devices", "use", "device-bench"])
    const { code, json } = await freight(["devices", "forget", "--json", "--api", "freight"], {
      env: { FREIGHT_API_KEY: "" },
    })
    expect(code).toBe(0)
    expect(json<{ items: DeskChoice[] }>().items).toEqual([
      {
        profile: "default",
        api: "freight",
        workstation: "test-desk",
        deviceId: "device-bench",
        label: "Packing bench 2",
      },
    ])
  })
})
