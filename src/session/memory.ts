/** The memory of this machine about a service. */
import type { Api } from "../contract/index.ts"
import {
  type DeviceMemory,
  type Drafts,
  openDevices,
  openDrafts,
  openOutputs,
  openQuotes,
  openSeen,
  openTracked,
  type Outputs,
  type Quotes,
  type Runs,
  SANDBOX_PROFILE,
  type Seen,
  type TrackedEvents,
  type TrackingAnswers,
  type Waiting,
} from "../machine/index.ts"
import type { Sender } from "../ledger/index.ts"
import type { OpenSession } from "./session.ts"

export interface Memory {
  /** Names of files for output that a person gave. */
  readonly outputs: Outputs
  readonly quotes: Quotes
  /** Bookings that this person did not finish at this workstation. */
  readonly drafts: Drafts
  /** The same for bookings that were begun in the sandbox. */
  readonly sandboxDrafts: Drafts
  readonly seen: Seen
  readonly tracked: TrackedEvents
  trackingAnswers(): Promise<TrackingAnswers>
  /** The changes that `track --exec` has run a command for. */
  readonly handedOver: TrackedEvents
  /** Rows of batches and plans that were priced here and not booked. */
  waiting(): Promise<Waiting>
  /** Batches that were begun and not finished. */
  runs(): Promise<Runs>
  /** The print device that this workstation uses for an API, in the profile in use. */
  devices(api: Api): DeviceMemory
}

export function openMemory(session: OpenSession, { workstation, person: user }: Sender): Memory {
  const { clock, files, stateDir, terminal, serviceFolder, profileName } = session
  let outputs: Outputs | undefined
  const openOwnDrafts = (folder: string, profile: string) =>
    openDrafts(`${folder}/drafts`, { profile, workstation, user }, clock.now)
  return {
    get outputs() {
      outputs ??= openOutputs(stateDir, files, terminal.stdout)
      return outputs
    },
    get quotes() {
      return openQuotes(`${serviceFolder("freight")}/quotes`)
    },
    get drafts() {
      return openOwnDrafts(serviceFolder("freight"), profileName())
    },
    get sandboxDrafts() {
      return openOwnDrafts(`${stateDir}/sandbox`, SANDBOX_PROFILE)
    },
    get seen() {
      return openSeen(`${serviceFolder("freight")}/seen`)
    },
    trackingAnswers: async () =>
      (await import("../machine/memory/answers.ts")).openAnswers(serviceFolder("freight")),
    get tracked() {
      return openTracked(`${serviceFolder("freight")}/tracked`)
    },
    get handedOver() {
      return openTracked(`${serviceFolder("freight")}/handed-over`)
    },
    waiting: async () =>
      (await import("../machine/memory/waiting.ts")).openWaiting(`${serviceFolder("freight")}/waiting`),
    runs: async () =>
      (await import("../machine/memory/runs.ts")).openRuns(`${serviceFolder("freight")}/runs`),
    devices: (api) =>
      openDevices(`${serviceFolder(api)}/devices`, { profile: profileName(), api, workstation }),
  }
}
