/** What `freight-cli/sandbox` exports. Its types, as published, are `library-types.d.ts`. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { refuseUnknownOptions } from "../base/options.ts"
import { systemClock } from "../machine/host.ts"
import type * as published from "./library-types.d.ts"
import { startSandbox as start } from "./server.ts"

const OPTIONS = ["port", "seed", "faults", "clock", "latencyMs", "folder"]

/** Starts the sandbox; see the published types. */
export const startSandbox: typeof published.startSandbox = async (options = {}) => {
  refuseUnknownOptions("startSandbox", options, OPTIONS)
  const { clock, folder, ...others } = options
  const dir = folder ?? (await mkdtemp(path.join(tmpdir(), "freight-sandbox-")))
  const remove = async () => {
    if (folder === undefined) await rm(dir, { recursive: true, force: true })
  }
  try {
    const now = clock ? () => clock.now() : systemClock.now
    const sandbox = await start({ ...others, dir, clock: { ...systemClock, now } })
    return {
      ...sandbox,
      async close() {
        await sandbox.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
