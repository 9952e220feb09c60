/**
 * Stands between the program and the sandbox: counts the bookings that were sent, by reference, and stops single ones
 * at a point where their sender is then killed, or where something else is done.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import type { SandboxReach } from "./sandbox.ts"

/** Where a booking stops: before the server has it, after it was carried out, or with half of the answer on its way. */
export type Stop = "arrived" | "committed" | "half-answered"

export interface Relay {
  /** The sandbox, through this. */
  reach: SandboxReach
  /** How often a booking with a reference was sent. */
  sent(reference: string): number
  /** Stops the next booking of a reference, for good; resolves when it has come that far. */
  stop(reference: string, at: Stop): Promise<void>
  /** Requests that came so far, of any kind. */
  requests(): number
  /** Stops the n-th request from now on, whatever it asks for; resolves with its endpoint when it has come that far. */
  stopRequest(nth: number, at: Stop): Promise<string>
  /** Does something between the next booking of a reference and its answer. */
  meanwhile(reference: string, act: () => Promise<void>): void
  close(): Promise<void>
}

export async function startRelay(sandbox: SandboxReach): Promise<Relay> {
  const origin = new URL(sandbox.freightBaseUrl).origin
  const counts = new Map<string, number>()
  const stops = new Map<string, { at: Stop; reached: () => void }>()
  const acts = new Map<string, () => Promise<void>>()
  let requests = 0
  let next: { at: number; stop: Stop; reached: (endpoint: string) => void } | undefined

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "GET", url = "/", headers } = incoming
    const body = await buffer(incoming)
    const isBooking = method === "POST" && url.endsWith("/shipments")
    const reference = isBooking ? referenceIn(body) : ""
    if (isBooking) counts.set(reference, (counts.get(reference) ?? 0) + 1)
    const stop = ++requests === next?.at ? toStop(next, `${method} ${url}`) : stops.get(reference)
    stops.delete(reference)

    if (stop?.at === "arrived") return stop.reached()
    const reply = await fetch(origin + url, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(method !== "GET" && { body }),
    })
    const answer = Buffer.from(await reply.arrayBuffer())
    if (stop?.at === "committed") return stop.reached()
    await acts.get(reference)?.()
    acts.delete(reference)
    const type = reply.headers.get("content-type") ?? ""
    outgoing.writeHead(reply.status, { "content-type": type, "content-length": answer.length })
    if (!stop) return void outgoing.end(answer)
    outgoing.write(answer.subarray(0, answer.length / 2), stop.reached)
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    reach: {
      ...sandbox,
      freightBaseUrl: sandbox.freightBaseUrl.replace(origin, `http://127.0.0.1:${port}`),
    },
    sent: (reference) => counts.get(reference) ?? 0,
    requests: () => requests,
    stopRequest: (nth, stop) =>
      new Promise((reached) => {
        next = { at: requests + nth, stop, reached }
      }),
    stop: (reference, at) => new Promise((reached) => stops.set(reference, { at, reached })),
    meanwhile: (reference, act) => void acts.set(reference, act),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function toStop(
  { stop, reached }: { stop: Stop; reached: (endpoint: string) => void },
  endpoint: string,
): { at: Stop; reached: () => void } {
  return { at: stop, reached: () => reached(endpoint) }
}

function referenceIn(body: Buffer): string {
  const { customerReference = "" } = JSON.parse(body.toString()) as ConsignmentBookingRequest
  return customerReference
}
