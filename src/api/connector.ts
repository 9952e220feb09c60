/** Connections to one host, straight or through a proxy's tunnel, each ready for the first byte of a request. */
import { once } from "node:events"
import type { ClientRequest } from "node:http"
import { connect as open, type Socket } from "node:net"
import { FoundTrouble } from "./trouble.ts"

interface ConnectorOptions {
  /** Scheme, host and port. */
  origin: string
  proxy: URL | undefined
  /** Limit for a connection, tunnel and TLS included, in milliseconds. */
  connectMs: number
  /** Certificate authorities (PEM) besides those that Node brings; default: the system's, where Node can read them. */
  authorities: readonly string[] | undefined
}

export interface Connector {
  /** Rejects with the error of the system, of TLS or a `FoundTrouble`. */
  connect(): Promise<Socket>
  /** Drops what is still being connected. */
  close(): void
}

/** What is being connected now: a socket, or a proxy that is asked for one. */
export type Pending = Pick<ClientRequest | Socket, "destroy">

export function createConnector({ origin, proxy, connectMs, authorities }: ConnectorOptions): Connector {
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === "https:"
  const target = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (isSecure ? 443 : 80)) }
  /** Ends each attempt that is under way. */
  const attempts = new Set<(error: Error) => void>()

  const connected = async (watch: <T extends Pending>(pending: T) => T): Promise<Socket> => {
    if (!isSecure && !proxy) return ready(watch(open(target)), "connect")
    const { secure, trust, tunnel } = await import("./tls.ts")
    const trusted = isSecure ? trust(authorities) : {}
    const socket = proxy
      ? await tunnel(proxy, target, trusted, watch)
      : await ready(watch(open(target)), "connect")
    return isSecure ? ready(watch(secure(socket, target.host, trusted)), "secureConnect") : socket
  }

  return {
    async connect() {
      let pending: Pending | undefined
      let ended: Error | undefined
      const endWith = (error: Error) => {
        ended = error
        pending?.destroy(error)
      }
      const late = setTimeout(() => endWith(new FoundTrouble("connectTimeout")), connectMs)
      attempts.add(endWith)
      try {
        const socket = await connected((each) => {
          pending = each
          if (ended) each.destroy(ended)
          return each
        })
        if (socket.destroyed) throw socket.errored ?? new FoundTrouble("broken")
        return socket
      } finally {
        clearTimeout(late)
        attempts.delete(endWith)
      }
    },
    close() {
      for (const endWith of attempts) endWith(new FoundTrouble("interrupted"))
    },
  }
}

async function ready(socket: Socket, event: "connect" | "secureConnect"): Promise<Socket> {
  // Whoever uses it listens to its errors; nobody does in the moments between.
  socket.on("error", () => {})
  await once(socket, event)
  return socket
}
