import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { printAll } from "../../../src/orders/printing/print.ts"
import { BENCH, device, printBench } from "./setup.ts"

const NOT_FOUND = [404, { message: "Shipment not found", code: "SHIPMENT_NOT_FOUND" }] as const
const STALE = { id: "device-old", label: "Old printer" }

describe("printing", () => {
  it("prints each thing once, in order", async () => {
    const { print, made } = await printBench()
    const { printed, error } = await print(["s1", "s2"])
    expect(error).toBeUndefined()
    expect(made).toEqual(["s1 device-bench", "s2 device-bench"])
    expect(printed).toEqual([
      { name: "s1", deviceId: "device-bench", copy: 1, reply: { jobId: "job-1" }, recorded: false },
      { name: "s2", deviceId: "device-bench", copy: 1, reply: { jobId: "job-2" }, recorded: false },
    ])
  })

  it("prints as many copies as are wanted", async () => {
    const { print, made } = await printBench()
    const { printed } = await print(["s1", "s2"], { copies: 2 })
    expect(made).toHaveLength(4)
    expect(printed.map(({ name, copy }) => `${name}/${copy}`)).toEqual(["s1/1", "s1/2", "s2/1", "s2/2"])
  })
})

describe("printing again", () => {
  it("is refused where nobody can be asked, and gives the earlier job", async () => {
    const { print, made } = await printBench()
    await print(["s1"])
    const { printed, error } = await print(["s1"])
    expect(made).toHaveLength(1)
    expect(error).toMatchObject({ kind: "refused", exitCode: 1, hint: expect.stringContaining("--again") })
    expect(printed).toMatchObject([{ reply: { jobId: "job-1" }, recorded: true }])
  })

  type Options = { copies?: number; key?: string; again?: boolean }
  it.each<[what: string, first: Options, second: Options, jobs: number, recorded: boolean[]]>([
    ["when told so", { copies: 2 }, { copies: 2, again: true }, 4, [false, false]],
    [
      "under a key, which gives the jobs again",
      { copies: 2, key: "K" },
      { copies: 2, key: "K" },
      2,
      [true, true],
    ],
    ["further copies under it", { key: "K" }, { copies: 3, key: "K" }, 3, [true, false, false]],
    ["under another key", { key: "K" }, { key: "L" }, 2, [false]],
  ])("is done %s", async (_what, first, second, jobs, recorded) => {
    const { print, made } = await printBench()
    const before = await print(["s1"], first)
    const { printed, error } = await print(["s1"], second)
    expect(error).toBeUndefined()
    expect(made).toHaveLength(jobs)
    expect(printed.map((each) => each.recorded)).toEqual(recorded)
    for (const [at, { reply }] of printed.entries())
      if (recorded[at]) expect(reply).toEqual(before.printed[at]?.reply)
  })

  it("refuses a key that was for another shipment", async () => {
    const { print, made } = await printBench()
    await print(["s1"], { key: "K" })
    expect((await print(["s2"], { key: "K" })).error).toMatchObject({ kind: "input" })
    expect(made).toHaveLength(1)
  })

  it("is done on another device", async () => {
    const { print, made } = await printBench()
    await print(["s1"])
    await print(["s1"], {}, { id: "device-dispatch", label: "Dispatch desk" })
    expect(made).toEqual(["s1 device-bench", "s1 device-dispatch"])
  })

  it("prints the copies that are missing, and says that the others were printed", async () => {
    const { print, made, warned } = await printBench()
    await print(["s1"], { copies: 1 })
    const { printed, error } = await print(["s1"], { copies: 3 })
    expect(error).toBeUndefined()
    expect(made).toHaveLength(3)
    expect(printed.map(({ recorded }) => recorded)).toEqual([true, false, false])
    expect(warned).toEqual(["s1: 1 of 3 copies were printed before, and not again"])
  })

  it("does not hide what is new", async () => {
    const { print, made } = await printBench()
    await print(["s1"])
    const { error } = await print(["s1", "s2"])
    expect(made).toEqual(["s1 device-bench", "s2 device-bench"])
    expect(error).toMatchObject({ kind: "refused", message: "1 of 2 prints failed" })
  })

  it.each([
    ["prints them on a yes", true, 4],
    ["prints nothing on a no, and that is no failure", false, 2],
  ])("asks once for all copies, and %s", async (_what, answer, jobs) => {
    const { print, made, asked, warned } = await printBench({ answers: [answer] })
    await print(["s1"], { copies: 2 })
    const { printed, error } = await print(["s1"], { copies: 2 })
    expect(error).toBeUndefined()
    expect(asked).toEqual([expect.stringContaining("Print s1 again?")])
    expect(made).toHaveLength(jobs)
    expect(printed.map(({ recorded }) => recorded)).toEqual([!answer, !answer])
    if (!answer) expect(warned).toEqual([])
  })
})

describe("a stale device, where nobody can be asked,", () => {
  it("is reported with the fresh list and the command that fixes it", async () => {
    const { print, made } = await printBench()
    const { error } = await print(["s1"], {}, STALE)
    expect(error).toMatchObject({
      exitCode: 5,
      code: "DEVICE_NOT_FOUND",
      hint: expect.stringContaining("device-bench (Packing bench 2), device-dispatch (Dispatch desk)"),
      next: "freight devices use ID --api freight",
    })
    expect(made).toEqual([])
  })

  it("is reported once for several things, none of which is printed", async () => {
    const { print } = await printBench()
    const { error } = await print(["s1", "s2"], {}, STALE)
    expect(error).toMatchObject({
      code: "DEVICE_NOT_FOUND",
      hint: expect.stringContaining("device-bench"),
      errors: [
        { message: expect.stringContaining('s1: there is no print device "device-old" any more') },
        { message: expect.stringContaining("s2: not printed") },
      ],
    })
  })

  it.each([
    ["names the only device there is", [BENCH], { next: "freight devices use device-bench --api freight" }],
    [
      "never puts what a shell would run into that command",
      [device("a; rm -rf ~", "Bad")],
      { next: "freight devices use ID --api freight" },
    ],
    [
      "says so when there is no other",
      [],
      { exitCode: 5, hint: expect.stringContaining("no active devices") },
    ],
  ])("%s", async (_what, freight, told) => {
    const { print } = await printBench({ freight })
    expect((await print(["s1"], {}, STALE)).error).toMatchObject(told)
  })

  it("can be fixed, and the print is then made", async () => {
    const { print, made } = await printBench()
    await print(["s1"], {}, STALE)
    expect((await print(["s1"], {}, BENCH)).error).toBeUndefined()
    expect(made).toEqual(["s1 device-bench"])
  })
})

describe("a stale device, at a terminal,", () => {
  it("is replaced by the person's choice for all that is left, which is kept", async () => {
    const { print, made, deps, asked } = await printBench({ answers: ["device-dispatch"] })
    const { printed, error } = await print(["s1", "s2"], {}, STALE)
    expect(error).toBeUndefined()
    expect(asked).toHaveLength(1)
    expect(made).toEqual(["s1 device-dispatch", "s2 device-dispatch"])
    expect(printed.map(({ deviceId }) => deviceId)).toEqual(["device-dispatch", "device-dispatch"])
    expect(await deps.devices("freight").chosen()).toEqual({ id: "device-dispatch", label: "Dispatch desk" })
  })

  it("is replaced under the same key", async () => {
    const { print, made } = await printBench({ answers: ["device-bench"] })
    expect((await print(["s1"], { key: "K" }, STALE)).error).toBeUndefined()
    expect(made).toEqual(["s1 device-bench"])
  })

  it("leaves what is kept alone when it was named for this command", async () => {
    const { print, deps } = await printBench({ answers: ["device-bench"] })
    await print(["s1"], {}, { ...STALE, named: true })
    expect(await deps.devices("freight").chosen()).toBeUndefined()
  })
})

describe("a print that fails", () => {
  it("does not hide the others", async () => {
    const { print, made } = await printBench({ refuse: { s1: NOT_FOUND } })
    const { error } = await print(["s1", "s2"])
    expect(made).toEqual(["s2 device-bench"])
    expect(error).toMatchObject({
      exitCode: 5,
      message: "1 of 2 prints failed",
      errors: [{ message: expect.stringContaining("s1:"), code: "SHIPMENT_NOT_FOUND" }],
    })
  })

  it("gives the exit code of the worst", async () => {
    const { print } = await printBench({ refuse: { s1: [502, {}], s2: NOT_FOUND } })
    const { error } = await print(["s1", "s2", "s3"])
    expect(error).toMatchObject({ exitCode: 7, message: "2 of 3 prints failed", next: "freight reconcile" })
  })

  it("that was made and could not be recorded leaves the others to be printed: of them nothing was made", async () => {
    const { deps } = await printBench()
    const send = async () => {
      throw new FreightError("stepFailed", "the print was made; but the disk is full")
    }
    const tasks = ["s1", "s2"].map((name) => ({ name, send }))
    const { error } = await printAll(deps, "freight", BENCH, tasks, { copies: 1 })
    expect(error).toMatchObject({
      exitCode: 8,
      errors: [
        { target: "s1", code: "STEP_FAILED", retry: "never" },
        { target: "s2", code: "UNAVAILABLE", retry: "safe", message: expect.stringContaining("not printed") },
      ],
    })
  })

  it("is not sent again while its outcome is unknown", async () => {
    const refuse: Record<string, readonly [number, object]> = { s1: [502, {}] }
    const { print, made } = await printBench({ refuse })
    await print(["s1"])
    delete refuse.s1
    const { error } = await print(["s1"], { again: true })
    expect(error).toMatchObject({ exitCode: 7 })
    expect(made).toEqual([])
  })

  it("stops the rest when it is the key's", async () => {
    const { print, made } = await printBench({ refuse: { s1: [403, { message: "not enabled" }] } })
    const { error } = await print(["s1", "s2"])
    expect(made).toEqual([])
    expect(error).toMatchObject({
      exitCode: 4,
      errors: [{}, { message: "s2: not printed: nothing was sent after that" }],
    })
  })
})
