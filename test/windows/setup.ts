/** A Windows and a sandbox for the tests of a file, and what they book. */
import { afterAll, beforeAll } from "vitest"
import { ownBooking } from "../acceptance/bookings.ts"
import type { Ran } from "../acceptance/freight.ts"
import { type RunningSandbox, startSandboxHere } from "../acceptance/sandbox.ts"
import { startWindows, type Windows, type WindowsDesk, type WindowsRun } from "./windows.ts"

export interface Place {
  windows: Windows
  /** It runs on this system: Windows reaches it as it reaches the service. */
  sandbox: RunningSandbox
}

/** Both are there in the tests of the file. */
export function setUpWindows(): Place {
  const place = {} as Place
  beforeAll(async () => {
    place.windows = await startWindows()
    place.sandbox = await startSandboxHere()
  })
  afterAll(async () => {
    await place.windows?.stop()
    await place.sandbox?.stop()
  })
  return place
}

/** A booking with its service, as text with a person's line ends. */
export function bookingText(reference: string): string {
  const booking = { ...ownBooking(), customerReference: reference, serviceCode: "GEN" }
  return JSON.stringify(booking, null, 2).replaceAll("\n", "\r\n")
}

/** Runs a command that has to end well. @returns what it printed */
export async function did(desk: WindowsDesk, args: readonly string[], run?: WindowsRun): Promise<Ran> {
  const ran = await desk.freight(args, run)
  if (ran.code !== 0) throw new Error(`${args.join(" ")} ended with ${ran.code}: ${ran.stderr}`)
  return ran
}
