/** What a connection needs that is not plain: trust, TLS and a proxy's tunnel. */
import * as http from "node:http"
import * as https from "node:https"
import { isIP, type Socket } from "node:net"
import * as tls from "node:tls"
import type { Pending } from "./connector.ts"
import { proxyLogin } from "./proxy.ts"
import { FoundTrouble } from "./trouble.ts"

interface Trusted {
  ca?: string[]
}

/** What is used of `node:tls`; reading the system's store is there since Node 22.15. */
const tlsNow: {
  rootCertificates: readonly string[]
  getCACertificates?: (store: "system" | "default") => string[]
} = tls

/** A list given to TLS replaces Node's own, which holds `NODE_EXTRA_CA_CERTS`: so it is given only with a reason. */
export function trust(authorities: readonly string[] = tlsNow.getCACertificates?.("system") ?? []): Trusted {
  if (authorities.length === 0) return {}
  return { ca: [...(tlsNow.getCACertificates?.("default") ?? tlsNow.rootCertificates), ...authorities] }
}

/** TLS over a connection that stands; `secureConnect` says when it is agreed on. */
export function secure(socket: Socket, host: string, trusted: Trusted): tls.TLSSocket {
  return tls.connect({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    ...(!isIP(host) && { servername: host }),
    ...trusted,
  })
}

/** Asks a proxy for a tunnel to a host. Rejects with the system's error, or a `FoundTrouble` when it says no. */
export function tunnel(
  proxy: URL,
  { host, port }: { host: string; port: number },
  trusted: Trusted,
  watch: <T extends Pending>(pending: T) => T,
): Promise<Socket> {
  const request = proxy.protocol === "https:" ? https.request : http.request
  const login = proxyLogin(proxy)
  const path = `${host.includes(":") ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const asking = watch(
      request({
        hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
        port: proxy.port,
        method: "CONNECT",
        path,
        headers: { host: path, ...(login && { "proxy-authorization": login }) },
        agent: false,
        ...trusted,
      }),
    )
    asking.once("error", reject)
    asking.once("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      reject(new FoundTrouble("proxy", `status ${statusCode}`))
    })
    asking.end()
  })
}
