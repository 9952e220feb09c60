/** Both APIs: the account's, or the sandbox's, which starts on first use. */
import { quoted } from "../base/parsed.ts"
import type { DirectPrintApi, FreightApi, Transport, TransportOptions } from "../api/index.ts"
import { type Endpoint, openSeen, trustsAnyCertificate, UNCHECKED } from "../machine/index.ts"
import type { Api } from "../contract/index.ts"
import type { Sandbox } from "../sandbox/index.ts"
import { VERSION } from "../base/version.ts"
import { once, type OpenSession } from "./session.ts"

/** How a connection to an API behaves under many requests. */
type ConnectionLimits = Pick<TransportOptions, "limiter" | "finishes" | "rateLimitPolicy">

export interface Services {
  /** Address and key of one API: the sandbox's under `--sandbox`. @throws FreightError as `Settings.endpoint` does. */
  endpoint(api: Api): Promise<Endpoint>
  /**
   * A connection to an API with an address and key of its own, or with other limits than a single command's.
   * @param way `direct` goes past the proxy that the environment names
   */
  connect(
    api: Api,
    endpoint: Endpoint,
    way?: Partial<ConnectionLimits> & { direct?: boolean },
  ): Promise<Transport>
  freight(): Promise<FreightApi>
  directPrint(): Promise<DirectPrintApi>
  /** The speed of the carriers' rates in this run. */
  readonly ratePace: { isSlow: boolean }
  /** The time at the freight service: in the sandbox its own clock's, which can be moved. */
  serviceNow(): Promise<number>
}

export function openServices(session: OpenSession): Services {
  const { host, globals, env, clock, ids, settings, stateDir, note, warn, atEnd } = session

  const sandbox = once(async (): Promise<Sandbox> => {
    const { startSandbox } = await import("../sandbox/server.ts")
    const started = await startSandbox({ dir: `${stateDir}/sandbox`, clock })
    atEnd(() => started.close())
    return started
  })
  const noteOfSandbox = once(async () => {
    const by = session.sandboxReason()
    if (by !== undefined) await note(`This is the sandbox (${by}): nothing is real.`)
  })
  const warnOfTrust = once(async () => {
    if (trustsAnyCertificate(env)) await warn(UNCHECKED)
  })
  const findEndpoint = (api: Api) => async (): Promise<Endpoint> => {
    if (globals.sandbox) {
      await noteOfSandbox()
      return getSandboxEndpoint(await sandbox(), api)
    }
    const found = settings.endpoint(api)
    for (const name of settings.overridden(api))
      await warn(
        `${name} is set in the environment, and beats what profile ${quoted(session.profileName())} holds`,
      )
    await warnOfTrust()
    return found
  }
  const endpoints = {
    freight: once(findEndpoint("freight")),
    "direct-print": once(findEndpoint("direct-print")),
  }

  /** A reply of either API may repeat the keys of both. */
  const listKeys = async () => {
    if (!globals.sandbox) return settings.knownKeys()
    const { freightApiKey, directPrintApiKey } = await sandbox()
    return [freightApiKey, directPrintApiKey]
  }
  const warned = new Set<string>()
  /** Each text once: numbers in it are row numbers and counts. */
  const warnOnce = async (text: string) => {
    const plain = text.replace(/\d+/g, "")
    if (warned.has(plain)) return
    warned.add(plain)
    await warn(text)
  }
  const proxyGate = once(async () => (await import("../api/proxy-gate.ts")).createProxyGate())

  const connect: Services["connect"] = async (api, { baseUrl, key }, { direct = false, ...manners } = {}) => {
    const { createTransport } = await import("../api/transport.ts")
    const timeout = settings.timeoutMs()
    const transport = createTransport({
      baseUrl,
      key,
      api,
      clock,
      ids,
      env: globals.sandbox || direct ? {} : env,
      timeouts: {
        connectMs: Math.min(timeout, 10_000),
        headersMs: timeout,
        bodyMs: timeout,
        lateMs: host.lateMs,
      },
      userAgent: `freight-cli/${VERSION}`,
      signal: host.signal,
      proxyGate: await proxyGate(),
      secrets: [key, ...(await listKeys())],
      warn: warnOnce,
      ...manners,
      ...(globals.verbose && { onExchange: (line: string) => void session.show(`${line}\n`) }),
    })
    atEnd(() => transport.close())
    return transport
  }
  const endpoint = (api: Api) => endpoints[api]()
  const connectOwn = async (api: Api) => connect(api, await endpoint(api))
  const seen = (api: Api) => openSeen(`${session.serviceFolder(api)}/seen`)

  return {
    endpoint,
    connect,
    freight: once(async () => {
      const [transport, { createFreightApi }, { rememberingFreight }] = await Promise.all([
        connectOwn("freight"),
        import("../api/freight.ts"),
        import("../machine/memory/seen.ts"),
      ])
      return rememberingFreight(createFreightApi(transport), seen("freight"))
    }),
    directPrint: once(async () => {
      const [transport, { createDirectPrintApi }, { rememberingPrint }] = await Promise.all([
        connectOwn("direct-print"),
        import("../api/direct-print.ts"),
        import("../machine/memory/seen.ts"),
      ])
      return rememberingPrint(createDirectPrintApi(transport), seen("direct-print"))
    }),
    ratePace: { isSlow: false },
    serviceNow: async () => (globals.sandbox ? (await sandbox()).now() : clock.now()),
  }
}

function getSandboxEndpoint(sandbox: Sandbox, api: Api): Endpoint {
  return api === "freight"
    ? { baseUrl: sandbox.freightBaseUrl, key: sandbox.freightApiKey }
    : { baseUrl: sandbox.directPrintBaseUrl, key: sandbox.directPrintApiKey }
}
