/** A workstation's print device: one file each, so that workstations with a shared home do not collide. */
import { hash } from "node:crypto"
import { FreightError } from "../../base/errors.ts"
import { reasonOf } from "../../base/system.ts"
import { openStore } from "./store.ts"

interface ChosenDevice {
  id: string
  /** As named by the API when it was chosen. */
  label: string
}

export interface Desk {
  profile: string
  api: string
  workstation: string
}

export type DeviceMemory = ReturnType<typeof openDevices>

/** @param folder of one service: ids of others mean nothing there */
export function openDevices(folder: string, desk: Desk) {
  const { profile, api, workstation } = desk
  const owner = hash("sha256", JSON.stringify([profile, api, workstation])).slice(0, 16)
  const name = `${workstation.replace(/[^\w-]+/g, "-").slice(0, 40)}-${api}-${owner}`
  const store = openStore({ folder, parse: parseDevice })
  const change = async (act: () => void) => {
    try {
      act()
    } catch (cause) {
      const where = `the choice of a print device cannot be kept in ${store.fileOf(name)}`
      const hint = "Fix that, or name a device for one command with --device."
      throw new FreightError("config", `${where}: ${reasonOf(cause)}`, { hint, cause })
    }
  }
  return {
    desk,
    chosen: async (): Promise<ChosenDevice | undefined> => store.read(name),
    /** @throws FreightError `config` */
    choose: ({ id, label }: ChosenDevice) => change(() => store.write(name, { ...desk, id, label })),
    /** False if there was none. @throws FreightError `config` */
    async forget() {
      const before = store.read(name)
      await change(() => store.remove(name))
      return before !== undefined
    },
  }
}

function parseDevice(kept: unknown): (ChosenDevice & Partial<Desk>) | undefined {
  const { id, label } = Object(kept) as Partial<Record<string, unknown>>
  if (typeof id !== "string" || id === "") return undefined
  return { id, label: typeof label === "string" ? label : id }
}
