/** A desk with a ledger, a server of both APIs' print endpoints over real HTTP, and a person who answers. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { createDirectPrintApi } from "../../../src/api/direct-print.ts"
import type { Api } from "../../../src/contract/endpoints.ts"
import type { PrintDevice, PrintJobCreated } from "../../../src/contract/generated/types.ts"
import { openDevices } from "../../../src/machine/memory/devices.ts"
import type { Device, DeviceDeps } from "../../../src/orders/printing/devices.ts"
import { printAll, sendLabelPrint, type Task, type Wanted } from "../../../src/orders/printing/print.ts"
import type { Questions } from "../../../src/output/terminal/conversation/conversation.ts"
import { json, server } from "../../api/servers.ts"
import { client } from "../../api/setup.ts"
import { testLedger } from "../../ledger/setup.ts"

export const BENCH: PrintDevice = device("device-bench", "Packing bench 2")
export const DISPATCH: PrintDevice = device("device-dispatch", "Dispatch desk")

export function device(id: string, label: string): PrintDevice {
  return { id, label, printerName: null, lastUsedAt: null, createdAt: "2026-01-05T00:00:00Z" }
}

interface PrintBench {
  deps: DeviceDeps
  /** `SHIPMENT DEVICE` of each print that the server made, in order. */
  made: string[]
  /** Questions that were asked. */
  asked: string[]
  warned: string[]
  noted: string[]
  print(
    shipments: readonly string[],
    wanted?: Partial<Wanted> & { key?: string },
    device?: Device,
  ): ReturnType<typeof printAll<PrintJobCreated>>
}

interface BenchOptions {
  /** Devices that each API lists; undefined is a 403. */
  freight?: readonly PrintDevice[] | undefined
  directPrint?: readonly PrintDevice[] | undefined
  /** Answers in the order of the questions: an id, or yes and no. Without any there is nobody to ask. */
  answers?: readonly (string | boolean)[]
  /** A status and body for a print of this shipment, in place of a job. */
  refuse?: Readonly<Record<string, readonly [number, object]>>
}

export async function printBench(options: BenchOptions = {}): Promise<PrintBench> {
  const { freight = [BENCH, DISPATCH], directPrint = [BENCH, DISPATCH], refuse = {} } = options
  const made: string[] = []
  const lists: Readonly<Record<string, readonly PrintDevice[] | undefined>> = {
    "/print-devices": "freight" in options ? options.freight : freight,
    "/devices": "directPrint" in options ? options.directPrint : directPrint,
  }
  const { url } = await server((res, { url: asked, body }) => {
    if (asked in lists) {
      const devices = lists[asked]
      return json(devices ? { devices } : { success: false, error: "no scope" }, devices ? 200 : 403)(res, {
        url: asked,
        body,
        method: "GET",
        headers: {},
      })
    }
    const [, , shipment = ""] = asked.split("/")
    const { deviceId } = JSON.parse(body) as { deviceId: string }
    const [status, reply] =
      refuse[shipment] ??
      (freight.some(({ id }) => id === deviceId)
        ? [201, { jobId: `job-${made.push(`${shipment} ${deviceId}`)}` }]
        : [404, { message: "gone", code: "DEVICE_NOT_FOUND" }])
    json(reply, status)(res, { url: asked, body, method: "POST", headers: {} })
  })

  const { api, transport } = client(url)
  const folder = mkdtempSync(path.join(tmpdir(), "freight-print-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const asked: string[] = []
  const noted: string[] = []
  const warned: string[] = []
  const deps: DeviceDeps = {
    interactive: options.answers !== undefined,
    prompt: async () => answering(options.answers ?? [], asked),
    freight: async () => api,
    directPrint: async () => createDirectPrintApi(transport),
    devices: (name: Api) => openDevices(folder, { profile: "default", api: name, workstation: "desk-1" }),
    note: async (text) => void noted.push(text),
    warn: async (text) => void warned.push(text),
  }
  const ledger = testLedger()
  return {
    deps,
    made,
    asked,
    warned,
    noted,
    print(shipments, { key, ...wanted } = {}, on = BENCH) {
      const tasks = shipments.map(
        (id): Task<PrintJobCreated> => ({
          name: id,
          key,
          send: (sheet) => sendLabelPrint(ledger, api, id, sheet),
        }),
      )
      return printAll(deps, "freight", on, tasks, { copies: 1, ...wanted })
    },
  }
}

/** A person with answers ready. */
function answering(
  answers: readonly (string | boolean)[],
  asked: string[],
): Pick<Questions, "choose" | "confirm"> {
  const answer = (question: string) => {
    const given = answers[asked.length]
    asked.push(question)
    return given
  }
  return {
    confirm: async (question) => answer(question) === true,
    async choose(question, choices) {
      const given = answer(question)
      const choice = choices.find(({ name }) => name.startsWith(`${given} `))
      if (!choice) throw new Error(`there is no choice ${given}`)
      return choice.value
    },
  }
}
