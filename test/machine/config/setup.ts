/** Settings files in folders of their own, with a clock that moves when it is slept on. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Config, ConfigStore } from "../../../src/machine/config/file.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { systemImportQuietly } from "../../../src/machine/host.ts"
import type { Clock, Ids } from "../../../src/base/ports.ts"

export const HEX = "0123456789abcdef".repeat(4)
export const FREIGHT_KEY = `prefix_freight_${HEX}`
export const PRINT_KEY = `prefix_print_${HEX.split("").reverse().join("")}`

export function folder(): string {
  return path.join(mkdtempSync(path.join(tmpdir(), "freight-config-")), "config")
}

/** Time that passes only by waiting. */
export function ports(start = 0) {
  const interrupt = new AbortController()
  let now = start
  let made = 0
  const clock: Clock = {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      now += ms
      await new Promise(setImmediate)
    },
  }
  const ids: Ids = {
    uuid: () => {
      made += 1
      return `id-${made}`
    },
    random: () => 0.5,
  }
  return { clock, ids, interrupt, signal: interrupt.signal, importQuietly: systemImportQuietly }
}

/** A store that holds this and cannot be written. */
export function holding(config: Partial<Config>): ConfigStore {
  return {
    file: "/desk/config.json",
    read: () => ({ profiles: {}, addresses: {}, packages: {}, ...config }),
    update: () => Promise.reject(new Error("read only")),
  }
}

/** A store whose file is damaged. */
export const damaged: ConfigStore = {
  file: "/desk/config.json",
  read() {
    throw new FreightError("config", "the settings file is damaged")
  },
  update: () => Promise.reject(new Error("damaged")),
}

/** The FreightError of a function that fails. */
export async function failureOf(act: () => unknown): Promise<FreightError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof FreightError) return error
    throw error
  }
  throw new Error("it did not fail")
}
