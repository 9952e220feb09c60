/** A workstation's print device: one file each, so that desks with a shared home do not collide. */
import { hash } from "node:crypto"
import { rm } from "node:fs/promises"
import path from "node:path"
import { FreightError } from "../errors.ts"
import { reasonOf } from "../system.ts"
import { readKeptJson, writeJson } from "./kept-file.ts"

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

export interface DeviceMemory {
  readonly desk: Desk
  chosen(): Promise<ChosenDevice | undefined>
  /** @throws FreightError `config` */
  choose(device: ChosenDevice): Promise<void>
  /** False if there was none. @throws FreightError `config` */
  forget(): Promise<boolean>
}

/** @param folder of one service: ids of others mean nothing there */
export function openDevices(folder: string, desk: Desk): DeviceMemory {
  const { profile, api, workstation } = desk
  const mark = hash("sha256", JSON.stringify([profile, api, workstation]))
  const words = workstation.replace(/[^\w-]+/g, "-").slice(0, 40)
  const file = path.join(folder, `${words}-${api}-${mark.slice(0, 16)}.json`)

  const chosen = async (): Promise<ChosenDevice | undefined> => {
    const { id, label } = Object(await readKeptJson(file)) as Partial<Record<string, unknown>>
    if (typeof id !== "string" || id === "") return undefined
    return { id, label: typeof label === "string" ? label : id }
  }
  return {
    desk,
    chosen,
    choose: ({ id, label }) => changing(file, () => writeJson(file, { ...desk, id, label })),
    async forget() {
      const before = await chosen()
      await changing(file, () => rm(file, { force: true }))
      return before !== undefined
    },
  }
}

async function changing(file: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    throw new FreightError(
      "config",
      `the choice of a print device cannot be kept in ${file}: ${reasonOf(error)}`,
      {
        hint: "Fix that, or name a device for one command with --device.",
        cause: error,
      },
    )
  }
}
