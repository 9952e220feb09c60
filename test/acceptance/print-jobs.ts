import type { RunningSandbox } from "./sandbox.ts"

/** A job as `freight print` tells it. */
export interface Job {
  /** A label's. */
  shipmentId?: string
  deviceId: string
  copy: number
  jobId: string
  status?: string
  recorded: boolean
}

/** A job as the sandbox has it. */
interface PrintJob {
  id: string
  api: string
  shipmentId: string | null
}

/** All that both APIs were asked to print. */
export async function jobsAt(sandbox: RunningSandbox): Promise<PrintJob[]> {
  return ((await sandbox.control("books")) as { printJobs: PrintJob[] }).printJobs
}
