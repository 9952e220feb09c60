import { describe, expect, it } from "vitest"
import { deviceFor, forgetDevices, knownDevices, useDevice } from "../../../src/orders/printing/devices.ts"
import { failure } from "../../api/setup.ts"
import { BENCH, DISPATCH, printBench } from "./setup.ts"

describe("the device that prints", () => {
  it("is the one that is named", async () => {
    const { deps } = await printBench()
    await deps.devices("freight").choose(BENCH)
    expect(await deviceFor(deps, "freight", "device-x")).toMatchObject({ id: "device-x", named: true })
  })

  it("is the one that this workstation keeps", async () => {
    const { deps } = await printBench()
    await deps.devices("freight").choose(DISPATCH)
    expect((await deviceFor(deps, "freight", undefined)).id).toBe("device-dispatch")
  })

  it.each(["freight", "direct-print"] as const)("is the only one there is on %s", async (api) => {
    const { deps } = await printBench({ freight: [BENCH], directPrint: [BENCH] })
    expect((await deviceFor(deps, api, undefined)).id).toBe("device-bench")
    expect(await deps.devices(api).chosen()).toBeUndefined()
  })

  it("must be chosen where there are several, and nobody can be asked", async () => {
    const { deps } = await printBench()
    expect(await failure(deviceFor(deps, "freight", undefined))).toMatchObject({
      kind: "usage",
      hint: expect.stringContaining("device-dispatch"),
      next: "freight devices use ID --api freight",
    })
  })

  it("is asked for at a terminal, and kept", async () => {
    const { deps } = await printBench({ answers: ["device-dispatch"] })
    expect((await deviceFor(deps, "freight", undefined)).id).toBe("device-dispatch")
    expect((await deps.devices("freight").chosen())?.id).toBe("device-dispatch")
  })

  it("does not exist where there are none", async () => {
    const { deps } = await printBench({ freight: [] })
    expect(await failure(deviceFor(deps, "freight", undefined))).toMatchObject({ exitCode: 5 })
  })

  it.each(["", "  "])("cannot be %j", async (id) => {
    const { deps } = await printBench()
    expect(await failure(deviceFor(deps, "freight", id))).toMatchObject({ kind: "usage" })
  })
})

describe("the devices of both APIs", () => {
  it("are one list, each with what it prints and what it is used for here", async () => {
    const { deps } = await printBench({ freight: [BENCH, DISPATCH], directPrint: [DISPATCH] })
    await deps.devices("direct-print").choose(DISPATCH)
    expect(await knownDevices(deps, undefined)).toEqual([
      { ...BENCH, apis: ["freight"], usedFor: [] },
      { ...DISPATCH, apis: ["freight", "direct-print"], usedFor: ["direct-print"] },
    ])
  })

  it("can be those of one", async () => {
    const { deps } = await printBench({ freight: [BENCH], directPrint: [DISPATCH] })
    expect((await knownDevices(deps, "freight")).map(({ id }) => id)).toEqual(["device-bench"])
  })

  it("are those of the API that the key may list, with a word about the other", async () => {
    const { deps, warned } = await printBench({ directPrint: undefined })
    expect(await knownDevices(deps, undefined)).toHaveLength(2)
    expect(warned).toEqual([expect.stringContaining("GET /devices is not allowed")])
  })

  it("cannot be told when neither may be listed", async () => {
    const { deps } = await printBench({ freight: undefined, directPrint: undefined })
    expect(await failure(knownDevices(deps, undefined))).toMatchObject({ exitCode: 4 })
  })
})

describe("choosing a device", () => {
  it("keeps it for each API that lists it", async () => {
    const { deps } = await printBench({ freight: [BENCH], directPrint: [BENCH, DISPATCH] })
    expect(await useDevice(deps, "device-bench", undefined)).toEqual([
      { ...DESK, api: "freight", deviceId: "device-bench", label: "Packing bench 2" },
      { ...DESK, api: "direct-print", deviceId: "device-bench", label: "Packing bench 2" },
    ])
  })

  it("keeps it for one API alone", async () => {
    const { deps } = await printBench()
    await useDevice(deps, "device-bench", "direct-print")
    expect(await deps.devices("freight").chosen()).toBeUndefined()
    expect((await deps.devices("direct-print").chosen())?.id).toBe("device-bench")
  })

  it("takes the only one", async () => {
    const { deps } = await printBench({ freight: [BENCH], directPrint: [BENCH] })
    expect(await useDevice(deps, undefined, undefined)).toHaveLength(2)
  })

  it("takes its label for its name, in any case", async () => {
    const twin = { ...BENCH, id: "device-twin" }
    const { deps } = await printBench({ freight: [BENCH, DISPATCH], directPrint: [twin] })
    expect((await useDevice(deps, "packing BENCH 2", undefined)).map(({ deviceId }) => deviceId)).toEqual([
      "device-bench",
      "device-twin",
    ])
  })

  it("refuses a label of several", async () => {
    const others = ["device-twin", "device-other"].map((id) => ({ ...BENCH, id }))
    const { deps } = await printBench({ freight: others })
    expect(await failure(useDevice(deps, "Packing bench 2", "freight"))).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("device-other"),
    })
  })

  it("asks at a terminal", async () => {
    const { deps } = await printBench({ answers: ["device-dispatch"] })
    expect((await useDevice(deps, undefined, "freight"))[0]?.deviceId).toBe("device-dispatch")
  })

  it("asks once for both APIs where both have a device of the same name", async () => {
    const twin = { ...BENCH, id: "device-twin" }
    const { deps } = await printBench({
      freight: [BENCH, DISPATCH],
      directPrint: [DISPATCH, twin],
      answers: ["device-bench and device-twin"],
    })
    const kept = await useDevice(deps, undefined, undefined)
    expect(kept.map(({ api, deviceId }) => [api, deviceId])).toEqual([
      ["freight", "device-bench"],
      ["direct-print", "device-twin"],
    ])
  })

  it("takes the only one, which the APIs have under different ids", async () => {
    const { deps } = await printBench({ freight: [BENCH], directPrint: [{ ...BENCH, id: "device-twin" }] })
    expect(await useDevice(deps, undefined, undefined)).toHaveLength(2)
  })

  it("asks for each where one API has several of the name", async () => {
    const others = ["device-twin", "device-other"].map((id) => ({ ...BENCH, id }))
    const { deps } = await printBench({ freight: [BENCH], directPrint: others, answers: ["device-other"] })
    expect((await useDevice(deps, undefined, undefined)).map(({ deviceId }) => deviceId)).toEqual([
      "device-other",
    ])
  })

  it("refuses a device that is not listed, and keeps what was", async () => {
    const { deps } = await printBench()
    await useDevice(deps, "device-bench", undefined)
    expect(await failure(useDevice(deps, "device-old", undefined))).toMatchObject({
      exitCode: 5,
      hint: expect.stringContaining("device-dispatch"),
    })
    expect((await deps.devices("freight").chosen())?.id).toBe("device-bench")
  })

  it("takes a device at its word where the key may print but not list", async () => {
    const { deps, warned } = await printBench({ directPrint: undefined })
    expect(await useDevice(deps, "device-bench", "direct-print")).toMatchObject([
      { deviceId: "device-bench" },
    ])
    expect(warned).toEqual([expect.stringContaining("saved without a check")])
  })
})

const DESK = { profile: "default", workstation: "desk-1" }

describe("forgetting", () => {
  it("gives what was kept", async () => {
    const { deps } = await printBench()
    await useDevice(deps, "device-bench", undefined)
    expect(await forgetDevices(deps, "freight")).toMatchObject([{ api: "freight", deviceId: "device-bench" }])
    expect(await forgetDevices(deps, undefined)).toMatchObject([{ api: "direct-print" }])
    expect(await forgetDevices(deps, undefined)).toEqual([])
  })
})
