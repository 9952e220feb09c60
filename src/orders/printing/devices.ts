/** The devices of both APIs, and which of them prints: the named one, this workstation's, or the only one. */
import type { DirectPrintApi, FreightApi } from "../../api/index.ts"
import { type Api, APIS } from "../../contract/index.ts"
import type { PrintDevice } from "../../contract/generated/types.ts"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { Desk, DeviceMemory } from "../../machine/index.ts"
import { capital, type Questions } from "../../output/index.ts"
import type { Notes } from "../../base/ports.ts"

export interface DeviceDeps extends Notes {
  readonly interactive: boolean
  prompt(): Promise<Pick<Questions, "choose" | "confirm">>
  freight(): Promise<FreightApi>
  directPrint(): Promise<DirectPrintApi>
  devices(api: Api): DeviceMemory
}

export interface Device {
  id: string
  /** For people; the id if nothing better is known. */
  label: string
  /** Named on the command line: its replacement is not stored. */
  named?: boolean
}

/** GET /print-devices or GET /devices: those that are not revoked. */
export async function activeDevices(deps: DeviceDeps, api: Api): Promise<PrintDevice[]> {
  const { devices } =
    api === "freight"
      ? await (await deps.freight()).listPrintDevices()
      : await (await deps.directPrint()).listDevices()
  return devices
}

/** @param id from `--device` */
export async function deviceFor(deps: DeviceDeps, api: Api, id: string | undefined): Promise<Device> {
  if (id !== undefined) return { id: checkDeviceId(id), label: id, named: true }
  const kept = await deps.devices(api).chosen()
  if (kept) return kept
  const devices = await activeDevices(deps, api)
  const device = await onlyOrChosen(deps, "Print on which device?", devices, {
    message: "choose one for this workstation",
    hint: `${describeDevices(devices)} --device names one for this command only.`,
    next: useCommand(api, devices),
  })
  return devices.length === 1 ? device : keepChoice(deps, api, device)
}

/** Another device in place of one that was revoked or replaced: the person's choice from the fresh list. */
export async function replacementFor(deps: DeviceDeps, api: Api, stale: Device): Promise<Device> {
  const devices = await activeDevices(deps, api)
  // A typed id may never have existed; a stored one did.
  const gone = stale.named
    ? `there is no print device ${quoted(stale.id)}, or it was revoked or replaced`
    : `there is no print device ${quoted(stale.id)} any more: it was revoked or replaced`
  if (devices.length === 0 || !deps.interactive)
    throw new FreightError("notFound", `${gone}; nothing was printed`, {
      status: 404,
      code: "DEVICE_NOT_FOUND",
      hint: describeDevices(devices),
      next: devices.length === 0 ? "freight devices list" : useCommand(api, devices),
    })
  await deps.note(`${capital(gone)}.`)
  const choice = await askDevice(deps, "Print on which device instead?", devices)
  return stale.named ? { id: choice.id, label: choice.label, named: true } : keepChoice(deps, api, choice)
}

function checkDeviceId(id: string): string {
  if (id.trim() === "") throw new FreightError("usage", "the device's id is empty")
  return id.trim()
}

async function onlyOrChosen<Known extends PrintDevice>(
  deps: DeviceDeps,
  question: string,
  devices: readonly Known[],
  nobody: { message: string; hint: string; next: string },
): Promise<Known> {
  const [only, ...others] = devices
  if (!only)
    throw new FreightError("notFound", "this account has no active print device", {
      hint: describeDevices([]),
      next: "freight devices list",
    })
  if (others.length === 0) return only
  if (deps.interactive) return askDevice(deps, question, devices)
  const { message, ...advice } = nobody
  throw new FreightError("usage", `there are several print devices: ${message}`, advice)
}

async function askDevice<Known extends PrintDevice>(
  deps: DeviceDeps,
  question: string,
  devices: readonly Known[],
): Promise<Known> {
  const choices = devices.map((device) => ({ name: nameOf(device), value: device }))
  return (await deps.prompt()).choose<Known>(question, choices)
}

async function keepChoice(deps: DeviceDeps, api: Api, device: Device): Promise<Device> {
  const memory = deps.devices(api)
  await memory.choose(device)
  await deps.note(`Kept for ${memory.desk.workstation}; freight devices use changes it.`)
  return device
}

export function describeDevices(devices: readonly PrintDevice[]): string {
  if (devices.length === 0)
    return "There are no active devices: register one in the portal and start its label client."
  return `The devices are: ${devices.map(nameOf).join(", ")}.`
}

/** A device on one line: `device-bench (Packing bench, Zebra)`. */
function nameOf({ id, label, printerName }: PrintDevice): string {
  return `${id} (${[label, printerName].filter(Boolean).join(", ")})`
}

/** The command that fixes it. It has an id only if there is a single device; the id is safe in a shell. */
function useCommand(api: Api, devices: readonly PrintDevice[]): string {
  const [only, ...others] = devices
  const id = only && others.length === 0 && /^[\w.-]+$/.test(only.id) ? only.id : "ID"
  return `freight devices use ${id} --api ${api}`
}

export interface KnownDevice extends PrintDevice {
  apis: Api[]
  /** The APIs for which this workstation uses it. */
  usedFor: Api[]
}

/**
 * Every active device, once. Without an API, the devices of each that is set up: an API without a key is left out, and one
 * whose key may not list devices is reported.
 * @throws FreightError if no API could be asked, or one is out of reach
 */
export async function knownDevices(deps: DeviceDeps, only: Api | undefined): Promise<KnownDevice[]> {
  const known = new Map<string, KnownDevice>()
  const failures: FreightError[] = []
  let answered = false
  for (const api of only ? [only] : APIS) {
    try {
      const devices = await activeDevices(deps, api)
      answered = true
      const kept = await deps.devices(api).chosen()
      for (const device of devices) {
        const { apis = [], usedFor = [] } = known.get(device.id) ?? {}
        known.set(device.id, {
          ...device,
          apis: [...apis, api],
          usedFor: device.id === kept?.id ? [...usedFor, api] : usedFor,
        })
      }
    } catch (error) {
      if (!(error instanceof FreightError) || !(isNotSetUp(error) || error.kind === "forbidden")) throw error
      failures.push(error)
    }
  }
  const [first] = failures
  if (first && !answered) throw first
  for (const error of failures) if (!isNotSetUp(error)) await deps.warn(error.message)
  return [...known.values()]
}

/** No key at all; a refused key has a status. */
function isNotSetUp({ kind, status }: FreightError): boolean {
  return kind === "unauthenticated" && status === undefined
}

/** The device that a workstation uses for an API, or used. */
export interface DeskChoice extends Desk {
  deviceId: string
  label: string
}

/**
 * Stores a device for this workstation, for each API that lists it.
 * @param name its id or its label; undefined takes the only device, or asks. A name in both APIs is used for both
 * @throws FreightError `notFound` with the fresh list for a name that is not in it, `usage` if several have the name, or
 * none is given and nobody can be asked
 */
export async function useDevice(
  deps: DeviceDeps,
  name: string | undefined,
  api: Api | undefined,
): Promise<DeskChoice[]> {
  return keep(deps, await findDevices(deps, name, api))
}

/**
 * Offers the person the present devices, for APIs without one. A stored device that still exists stays.
 * @returns the device of this workstation; undefined if there is none, or none was chosen
 */
export async function offerDevice(deps: DeviceDeps, api: Api | undefined): Promise<Chosen | undefined> {
  const devices = await knownDevices(deps, api)
  const kept = devices.find(({ usedFor }) => usedFor.length > 0)
  if (kept) return kept
  if (devices.length === 0) {
    await deps.note(describeDevices([]))
    return undefined
  }
  const choices = [
    ...joinByName(devices).map((device) => ({
      name: nameOf(device),
      value: device as JoinedDevice | undefined,
    })),
    { name: "Not now", value: undefined },
  ]
  const device = await (await deps.prompt()).choose("Which device does this workstation print on?", choices)
  if (device) await keep(deps, device.parts)
  return device
}

/** A device for people: APIs may have one under several ids. */
interface JoinedDevice extends KnownDevice {
  parts: readonly KnownDevice[]
}

/** Takes devices of the same name as one, unless an API has several of them. */
function joinByName(devices: readonly KnownDevice[]): JoinedDevice[] {
  const namesakes = (label: string) => devices.filter((device) => device.label === label)
  return devices.flatMap((device): JoinedDevice[] => {
    const parts = namesakes(device.label)
    const apis = parts.flatMap((part) => part.apis)
    if (new Set(apis).size < apis.length) return [{ ...device, parts: [device] }]
    return parts[0] === device
      ? [{ ...device, id: parts.map(({ id }) => id).join(" and "), apis, parts }]
      : []
  })
}

async function keep(deps: DeviceDeps, devices: readonly Chosen[]): Promise<DeskChoice[]> {
  const choices: DeskChoice[] = []
  for (const { id: deviceId, label, apis } of devices)
    for (const each of apis) {
      const memory = deps.devices(each)
      await memory.choose({ id: deviceId, label })
      choices.push({ ...memory.desk, deviceId, label })
    }
  return choices
}

/** Forgets this workstation's devices. @returns what was stored */
export async function forgetDevices(
  deps: Pick<DeviceDeps, "devices">,
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

async function findDevices(
  deps: DeviceDeps,
  name: string | undefined,
  api: Api | undefined,
): Promise<readonly Chosen[]> {
  let devices: KnownDevice[]
  try {
    devices = await knownDevices(deps, api)
  } catch (error) {
    const hidden = error instanceof FreightError && error.kind === "forbidden"
    if (!hidden || name === undefined || api === undefined) throw error
    const id = checkDeviceId(name)
    // A key may be allowed to print and not to list: the device is stored without a check.
    await deps.warn(`device ${quoted(id)} is saved without a check: ${error.message}`)
    return [{ id, label: id, apis: [api] }]
  }
  const hint = describeDevices(devices)
  if (name === undefined) {
    const nobody = { message: "say which", hint, next: "freight devices use ID" }
    const question = "Which device does this workstation print on?"
    return (await onlyOrChosen(deps, question, joinByName(devices), nobody)).parts
  }
  const named = devices.find((device) => device.id === name)
  if (named) return [named]
  const isCalled = ({ label }: KnownDevice) => label.toLowerCase() === name.trim().toLowerCase()
  const [called, another] = joinByName(devices).filter(isCalled)
  if (called && !another) return called.parts
  if (another)
    throw new FreightError("usage", `several print devices are called ${quoted(name)}: give the id of one`, {
      hint,
      next: "freight devices list",
    })
  throw new FreightError("notFound", `there is no active print device ${quoted(name)}`, {
    hint,
    next: "freight devices list",
  })
}
