/** Looks up the device for a booking's labels before the booking, which cannot be cancelled. */
import { FreightError } from "../../base/errors.ts"
import { activeDevices, type DeviceDeps, deviceFor, replacementFor } from "./devices.ts"

/** Failures that say nothing about the device. */
const NO_ANSWER: readonly FreightError["kind"][] = [
  "unavailable",
  "timeout",
  "rateLimited",
  "badReply",
  "unreadable",
]

/**
 * Makes sure that `--print` names an existing device. Without an answer a person decides, and a script stops: then nothing
 * was sent.
 * @param named true is the workstation's device
 * @returns the device to print on: at a terminal another may have been chosen
 */
export async function prepareDevice(deps: DeviceDeps, named: string | true): Promise<string | true> {
  try {
    const device = await deviceFor(deps, "freight", named === true ? undefined : named)
    const devices = await activeDevices(deps, "freight")
    if (devices.some(({ id }) => id === device.id)) return named
    const other = await replacementFor(deps, "freight", device)
    // The workstation's choice is kept.
    return named === true ? true : other.id
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    if (error.kind === "forbidden") {
      // A key may be allowed to print and not to list.
      await deps.warn(`the print device is not checked: ${error.message}`)
      return named
    }
    if (!NO_ANSWER.includes(error.kind) || !deps.interactive) throw error
    await deps.warn(error.message)
    const question = "The print device cannot be checked. Go on, and print the label later if need be?"
    if (!(await (await deps.prompt()).confirm(question, false))) throw error
    return named
  }
}
