import { afterAll, onTestFinished } from "vitest"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

/** A sandbox for one test, which may move its time and set its faults. */
export async function ownSandbox(): Promise<RunningSandbox> {
  const own = await startSandboxHere()
  onTestFinished(() => own.stop())
  return own
}

/** A sandbox for all tests of a file, at whose top it is called. */
export async function fileSandbox(start = startSandboxHere): Promise<RunningSandbox> {
  const shared = await start()
  afterAll(() => shared.stop())
  return shared
}

/** How often a sandbox was asked, by its name of the endpoint: `GET /shipments/{id}`. */
export async function requestsTo(sandbox: RunningSandbox, endpoint: string): Promise<number> {
  const books = await sandbox.control("books?only=counts")
  return (books as { requests: Record<string, number> }).requests[endpoint] ?? 0
}

/** Waits until it was asked so many times. */
export async function askedAt(sandbox: RunningSandbox, endpoint: string, times: number): Promise<void> {
  while ((await requestsTo(sandbox, endpoint)) < times)
    await new Promise((resolve) => setTimeout(resolve, 20))
}
