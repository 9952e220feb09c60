/** A desk whose requests go to a real sandbox, are kept, and can be answered otherwise. */
import { readFile, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import { text as textOf } from "node:stream/consumers"
import { onTestFinished } from "vitest"
import { desk } from "../acceptance/freight.ts"
import type { SandboxReach } from "../acceptance/sandbox.ts"
import { ownBooking } from "../acceptance/bookings.ts"

export interface Asked {
  method: string
  /** Below the API's base: `/connectors`. */
  path: string
  /** As it was asked for. */
  url: string
  query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  body: any
  /** Milliseconds, going on evenly. */
  at: number
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

/** Answers a request instead of the sandbox, or changes its answer. `drop` breaks the connection after it was carried out. */
export type Change = (asked: Asked, ask: () => Promise<Answer>) => Promise<Answer | "drop"> | undefined

/** @param change what is answered otherwise */
export async function recordingDesk(sandbox: SandboxReach, change: Change = () => undefined) {
  const origin = new URL(sandbox.freightBaseUrl).origin
  const asked: Asked[] = []
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const text = await textOf(incoming)
    const { method = "GET", url = "/", headers } = incoming
    const { pathname, searchParams } = new URL(url, origin)
    const one: Asked = {
      method,
      path: pathname.replace(/^\/(freight|direct-print)\/v0/, ""),
      url,
      query: searchParams,
      body: text === "" ? undefined : JSON.parse(text),
      at: performance.now(),
    }
    asked.push(one)
    const ask = async (): Promise<Answer & { raw: Buffer; type: string }> => {
      const reply = await fetch(origin + url, {
        method,
        headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
        ...(text !== "" && { body: text }),
      })
      const raw = Buffer.from(await reply.arrayBuffer())
      const type = reply.headers.get("content-type") ?? ""
      const wait = reply.headers.get("retry-after")
      return {
        status: reply.status,
        ...(wait !== null && { headers: { "retry-after": wait } }),
        raw,
        type,
        body: type.includes("json") && raw.length > 0 ? JSON.parse(raw.toString()) : undefined,
      }
    }
    const changed = await change(one, ask)
    if (changed === "drop") return void outgoing.destroy()
    const own = changed ?? (await ask())
    const raw = "raw" in own && !changed ? (own.raw as Buffer) : Buffer.from(JSON.stringify(own.body))
    const type = "type" in own ? String(own.type) : "application/json"
    outgoing
      .writeHead(own.status, { "content-type": type, "content-length": raw.length, ...own.headers })
      .end(raw)
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made = await desk({
    ...sandbox,
    freightBaseUrl: sandbox.freightBaseUrl.replace(origin, here),
    directPrintBaseUrl: sandbox.directPrintBaseUrl.replace(origin, here),
  })
  const file = path.join(made.folder, "booking.json")
  await writeFile(file, JSON.stringify(ownBooking()))
  return {
    ...made,
    asked,
    /** Requests of a method whose path ends so. */
    sent: (method: string, end: string) =>
      asked.filter((each) => each.method === method && each.path.endsWith(end)),
    /** Books the example on carrier B, without asking its price first. */
    book: (...more: string[]) =>
      made.freight([...BOOK, "--connector", "connector-b", "--service", "GEN", ...more]),
    /** Changes the booking file. */
    async edit(changes: (booking: Record<string, unknown>) => void) {
      const booking = JSON.parse(await readFile(file, "utf8"))
      changes(booking)
      await writeFile(file, JSON.stringify(booking))
    },
  }
}

export const BOOK = ["book", "--file", "booking.json", "--no-rate", "--json"]
