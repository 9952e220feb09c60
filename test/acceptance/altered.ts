/** Stands between the program and the sandbox, and changes replies on their way: for servers that the sandbox is not. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { onTestFinished } from "vitest"
import type { SandboxReach } from "./sandbox.ts"

export interface Passing {
  method: string
  /** With the query. */
  path: string
  status: number
  headers: Record<string, string>
  body: Buffer
  /** The body as JSON, changed. */
  change(alter: (value: Record<string, unknown>) => unknown): void
}

/** The sandbox, with each reply as `alter` leaves it. Gone with the test. */
export async function altered(
  sandbox: SandboxReach,
  alter: (reply: Passing) => void | Promise<void>,
): Promise<SandboxReach> {
  const origin = new URL(sandbox.freightBaseUrl).origin
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "GET", url = "/", headers } = incoming
    const body = await buffer(incoming)
    const reply = await fetch(origin + url, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(method !== "GET" && { body }),
    })
    const passing: Passing = {
      method,
      path: url,
      status: reply.status,
      headers: { "content-type": reply.headers.get("content-type") ?? "" },
      body: Buffer.from(await reply.arrayBuffer()),
      change(change) {
        passing.body = Buffer.from(JSON.stringify(change(JSON.parse(passing.body.toString()))))
      },
    }
    await alter(passing)
    outgoing.sendDate = passing.headers.date === undefined
    outgoing.writeHead(passing.status, { ...passing.headers, "content-length": passing.body.length })
    outgoing.end(passing.body)
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const through = (address: string) => address.replace(origin, `http://127.0.0.1:${port}`)
  return {
    ...sandbox,
    freightBaseUrl: through(sandbox.freightBaseUrl),
    directPrintBaseUrl: through(sandbox.directPrintBaseUrl),
  }
}
