/** Sitting at the wizard: answers by the words of their questions. */
import { readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { desk } from "./freight.ts"
import { type Key, type Seat, type Size, sitDown, sitDownFast } from "./pty.ts"
import { ownSandbox } from "./own-sandbox.ts"
import type { SandboxReach } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

/** The text on the screen, and the keys that follow. */
export type Turn = readonly [see: string | RegExp, ...keys: (Key | { type: string })[]]

export async function take(seat: Seat, turns: readonly Turn[]): Promise<void> {
  for (const [see, ...keys] of turns) {
    await seat.see(see)
    for (const key of keys) {
      if (typeof key === "string") seat.press(key)
      else seat.type(key.type)
    }
  }
}

/** The screen in one line: a terminal breaks the text of an error between words. */
export async function told(seat: Seat): Promise<string> {
  return (await seat.scrollback()).replace(/\s+/g, " ")
}

/** Every question of the sandbox's first booking; Enter is a good answer to each. No more than eleven. */
export const QUESTIONS = [
  "? Who sends it?",
  "? Who receives it?",
  "? Packages",
  "? Packed in",
  "? Are there dangerous goods in it?",
  "? When is it ready for collection?",
  "? When do the premises close?",
  "? Is either place a home?",
  "? Which service",
  "? Your own reference",
  "? Book it?",
] as const

export const enters = (from: number, to: number = QUESTIONS.length): Turn[] =>
  QUESTIONS.slice(from, to).map((question) => [question, "enter"] as const)

/** The questions after the booking, declined. */
export const AFTER: readonly Turn[] = [
  ["? Print the label?", "enter"],
  ["? Have the carrier collect it", "enter"],
  ["? Save it as a booking file", "enter"],
]

/** A desk at which one can sit down to a command of the embedded sandbox, or of the sandbox that is reached. */
export async function wizardDesk(reach?: SandboxReach) {
  const made = await desk(reach)
  const where = reach ? [] : ["--sandbox"]
  const env = { ...made.env, TZ: "Australia/Sydney", USER: "dana" }
  return {
    ...made,
    env,
    sit: (args: readonly string[] = [], size?: Size, more: Record<string, string> = {}) =>
      sitDown(["book", ...where, ...args], { ...env, ...more }, size),
    /** The same where labels of the embedded sandbox come sooner. */
    sitFast: (args: readonly string[] = []) => sitDownFast(["book", ...where, ...args], env),
    total: async () => {
      const { json } = await made.freight(["shipments", "list", ...where, "--json"])
      return json<{ total: number }>().total
    },
    drafts: async (scope = "sandbox") =>
      (await readdir(path.join(made.state, scope, "drafts")).catch(() => [])).length,
  }
}

interface Books {
  shipments: unknown[]
  /** `outcome` is the truth at the carrier. */
  pickups: { outcome: "BOOKED" | "FAILED" | "UNRECORDED" }[]
  printJobs: { deviceId: string }[]
}

/** A desk with a booking file that lacks the service, at a sandbox of its own. */
export async function readyDesk() {
  const sandbox = await ownSandbox()
  const made = await wizardDesk(sandbox)
  const file = path.join(made.folder, "booking.json")
  const { serviceCode: _, ...booking } = ownBooking()
  await writeFile(file, JSON.stringify(booking))
  const books = async () => (await sandbox.control("books")) as Books
  return { ...made, sandbox, file, books, shipments: async () => (await books()).shipments.length }
}

/** The questions at a ready desk. */
export const TO_BOOK: readonly Turn[] = [
  ["? Is either place a home?", "enter"],
  ["? Which service", "enter"],
  // Outside the sandbox Enter alone books nothing.
  ["? Book it?", "up", "enter"],
]
