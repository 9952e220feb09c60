/** Choosing and forgetting the print device of this workstation. */
import { APIS, type Api } from "../config/settings.ts"
import { FreightError } from "../errors.ts"
import type { Desk } from "../memory/devices.ts"
import { ask, checkedId, listed, noDevice } from "./devices.ts"
import { type KnownDeps, type KnownDevice, knownDevices } from "./known.ts"

/** What a workstation uses for an API, or used. */
export interface DeskChoice extends Desk {
  deviceId: string
  label: string
}

/**
 * Keeps a device for this workstation, for each API that lists it.
 * @param id undefined takes the only device, or asks
 * @throws FreightError `notFound` with the fresh list for an id that is not in it, `usage` when nobody can be asked
 */
export async function useDevice(
  deps: KnownDeps,
  id: string | undefined,
  api: Api | undefined,
): Promise<DeskChoice[]> {
  const wanted = id === undefined ? undefined : checkedId(id)
  const { id: deviceId, label, apis } = await chosenOf(deps, wanted, api)
  const choices: DeskChoice[] = []
  for (const each of apis) {
    const memory = deps.devices(each)
    await memory.choose({ id: deviceId, label })
    choices.push({ ...memory.desk, deviceId, label })
  }
  return choices
}

/** Forgets what this workstation keeps. @returns what was kept */
export async function forgetDevices(
  deps: Pick<KnownDeps, "devices">,
  api: Api | undefined,
): Promise<DeskChoice[]> {
  const forgotten: DeskChoice[] = []
  for (const each of api ? [api] : APIS) {
    const memory = deps.devices(each)
    const device = await memory.chosen()
    await memory.forget()
    if (device) forgotten.push({ ...memory.desk, deviceId: device.id, label: device.label })
  }
  return forgotten
}

type Chosen = Pick<KnownDevice, "id" | "label" | "apis">

async function chosenOf(deps: KnownDeps, id: string | undefined, api: Api | undefined): Promise<Chosen> {
  try {
    return await oneOf(deps, await knownDevices(deps, api), id)
  } catch (error) {
    const hidden = error instanceof FreightError && error.kind === "forbidden"
    if (!hidden || id === undefined || api === undefined) throw error
    // A key may be allowed to print and not to list: the device is taken at the person's word.
    await deps.warn(`device '${id}' is kept unseen: ${error.message}`)
    return { id, label: id, apis: [api] }
  }
}

async function oneOf(
  deps: KnownDeps,
  devices: readonly KnownDevice[],
  id: string | undefined,
): Promise<Chosen> {
  if (id !== undefined) {
    const named = devices.find((device) => device.id === id)
    if (named) return named
    throw new FreightError("notFound", `there is no active print device '${id}'`, {
      hint: listed(devices),
      next: "freight devices list",
    })
  }
  const [only, ...others] = devices
  if (!only) throw noDevice()
  if (others.length === 0) return only
  if (deps.interactive) return ask(deps, "Which device does this workstation print on?", devices)
  throw new FreightError("usage", "there are several print devices: say which", {
    hint: listed(devices),
    next: "freight devices use ID",
  })
}
