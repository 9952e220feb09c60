import { createRefusal, readJson, type Transport } from "../../api/index.ts"
import { type Endpoint, otherApi } from "./settings.ts"
import type { Api } from "../../contract/index.ts"
import * as shapes from "../../contract/generated/shapes.ts"
import type { Clock } from "../../base/ports.ts"
import { type FreightError, toStepError } from "../../base/errors.ts"

interface ProbeConnection {
  readonly clock: Clock
  connect(api: Api, endpoint: Endpoint, way: { direct?: boolean }): Promise<Transport>
}

/**
 * The result of trying an address and a key.
 * - `works`: the call was answered
 * - `forbidden`: the key is valid and may not do this (403): freight access is not active, or `devices:read` is missing
 * - `refused`: the key is not valid (401)
 * - `failed`: there was no answer to judge by
 */
export interface Probe {
  outcome: "works" | "forbidden" | "refused" | "failed"
  error?: FreightError
  /** The server's clock when it answered, and this machine's: milliseconds since the epoch. */
  clocks: { server: number; here: number } | undefined
}

/**
 * Tries an address and a key with a call that changes nothing: GET /connectors, or GET /devices.
 * @param way `direct` bypasses the environment's proxy
 * @throws FreightError `interrupted`; `config` when the address, the key or the proxy cannot be used at all
 */
export async function probe(
  deps: ProbeConnection,
  api: Api,
  endpoint: Endpoint,
  way: { direct?: boolean } = {},
): Promise<Probe> {
  const transport = await deps.connect(api, endpoint, way)
  const path = api === "freight" ? "/connectors" : "/devices"
  const expected = api === "freight" ? shapes.ConnectorListResponse : shapes.DeviceListResponse
  let clocks: Probe["clocks"]
  try {
    const reply = await transport.send({ kind: "read", method: "GET", path })
    const server = Date.parse(reply.headers.date ?? "")
    if (!Number.isNaN(server)) clocks = { server, here: deps.clock.now() }
    if (reply.status >= 300) throw createRefusal(reply)
    await readJson<unknown>(reply, expected)
    return { outcome: "works", clocks }
  } catch (caught) {
    const error = toStepError(caught)
    return { outcome: OUTCOMES[error.kind] ?? "failed", error, clocks }
  }
}

const OUTCOMES: Readonly<Record<string, Probe["outcome"]>> = {
  unauthenticated: "refused",
  forbidden: "forbidden",
}

/** Whether a key that its own API has just refused is a key of the other API, at that API's address. */
export async function isOthersKey(
  deps: ProbeConnection,
  api: Api,
  key: string,
  othersUrl: string | undefined,
): Promise<boolean> {
  if (othersUrl === undefined) return false
  const { outcome } = await probe(deps, otherApi(api), { baseUrl: othersUrl, key })
  return outcome === "works" || outcome === "forbidden"
}
