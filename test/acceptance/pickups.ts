import type { RunningSandbox } from "./sandbox.ts"

/** How many pickups are real at the carrier. */
export async function pickupsAt(sandbox: RunningSandbox): Promise<number> {
  const { pickups: all } = (await sandbox.control("books")) as { pickups: { outcome: string }[] }
  return all.filter(({ outcome }) => outcome !== "FAILED").length
}
