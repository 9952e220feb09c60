/**
 * The dependencies of a command, in five parts. A function that uses most of them takes `Deps`; any other takes the
 * part that it needs, names several, `{ clock, settings }: Pick<Deps, "clock" | "settings">`, or takes plain values.
 * Each is created on first use, so that a command pays only for what it uses.
 */
import path from "node:path"
import { clearLeftovers, type Globals, type Host, variable, workstation } from "../machine/index.ts"
import { type Asking, createAsking } from "./asking.ts"
import { type Ledgers, openLedgers } from "./ledgers.ts"
import { type Memory, openMemory } from "./memory.ts"
import { openServices, type Services } from "./services.ts"
import { type CalledCommand, openSession, type Session } from "./session.ts"
import type { RunFreight } from "../base/ports.ts"

export interface Deps extends Session, Asking, Memory, Services, Ledgers {
  /** Ends connections and the embedded sandbox. */
  close(): Promise<void>
}

/**
 * @throws FreightError `usage` when a global flag has a value that it cannot have, `config` when a variable has, or the
 * home folder is not known
 */
export function createDeps(
  given: Globals,
  host: Host,
  runFreight: RunFreight,
  called: CalledCommand = {},
): Deps {
  const session = openSession(given, host, runFreight, called)
  const { env, stateDir, config, clock } = session
  const person = variable(env, "USER") ?? variable(env, "LOGNAME") ?? variable(env, "USERNAME") ?? ""
  const sender = { workstation: workstation(env), person }
  const asking = createAsking(session)
  const services = openServices(session)
  const deps = {
    async close() {
      await session.end()
      clearLeftovers([stateDir, path.dirname(config.file)], clock.now())
    },
  }
  // Not spread: that would create everything at once.
  for (const part of [
    session,
    asking,
    openMemory(session, sender),
    services,
    openLedgers(session, sender, services, asking),
  ])
    Object.defineProperties(deps, Object.getOwnPropertyDescriptors(part))
  return deps as Deps
}
