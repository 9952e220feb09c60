/** The devices of both APIs as one list, and what this workstation uses each for. */
import { APIS, type Api } from "../config/settings.ts"
import type { PrintDevice } from "../contract/generated/types.ts"
import { FreightError } from "../errors.ts"
import { activeDevices, type DeviceDeps } from "./devices.ts"

/** A device as the APIs list it. */
export interface KnownDevice extends PrintDevice {
  /** The APIs that list it. */
  apis: Api[]
  /** The APIs for which this workstation keeps it. */
  usedFor: Api[]
}

export interface KnownDeps extends DeviceDeps {
  warn(text: string): Promise<void>
}

/**
 * Every active device, once. Without an API, those of each that is set up: an API without a key is left out, and one
 * whose key may not list devices is told.
 * @throws FreightError when no API could be asked, or one is out of reach
 */
export async function knownDevices(deps: KnownDeps, only: Api | undefined): Promise<KnownDevice[]> {
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

/** No key at all; a key that the server does not take has a status. */
function isNotSetUp({ kind, status }: FreightError): boolean {
  return kind === "unauthenticated" && status === undefined
}
