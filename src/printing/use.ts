/** Choosing and forgetting the print device of this workstation. */
import { APIS, type Api } from "../config/settings.ts"
import { FreightError } from "../errors.ts"
import type { Desk } from "../memory/devices.ts"
import {
  ask,
  checkedId,
  type KnownDeps,
  type KnownDevice,
  knownDevices,
  listed,
  nameOf,
  noDevice,
} from "./devices.ts"

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
  return keep(deps, await chosenOf(deps, wanted, api))
}

/**
 * Offers the person the devices that there are now, for what has none. One that is kept and still there stays.
 * @returns what this workstation prints on; undefined when there is no device, or none was chosen
 * @throws FreightError when they cannot be listed
 */
export async function offerDevice(deps: KnownDeps, api: Api | undefined): Promise<Chosen | undefined> {
  const devices = await knownDevices(deps, api)
  const kept = devices.find(({ usedFor }) => usedFor.length > 0)
  if (kept) return kept
  if (devices.length === 0) {
    await deps.note(listed([]))
    return undefined
  }
  const choices = [
    ...devices.map((device) => ({ name: nameOf(device), value: device as KnownDevice | undefined })),
    { name: "Not now", value: undefined },
  ]
  const device = await (await deps.prompt()).choose("Which device does this workstation print on?", choices)
  if (device) await keep(deps, device)
  return device
}

async function keep(deps: KnownDeps, { id: deviceId, label, apis }: Chosen): Promise<DeskChoice[]> {
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
