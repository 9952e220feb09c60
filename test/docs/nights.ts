/** The night's scripts of docs/recipes.md as they stand there: two at once under faults, one of them stopped, then one more. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect } from "vitest"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { desk, getShellCommand, ROOT } from "../acceptance/freight.ts"
import { bookedBy } from "../acceptance/kills.ts"
import { askedAt, ownSandbox } from "../acceptance/own-sandbox.ts"
import { jobsAt } from "../acceptance/print-jobs.ts"

export const LANGUAGES = ["bash", "python"] as const
export type Language = (typeof LANGUAGES)[number]

const PROGRAMS = { bash: "bash", python: "python3" } as const

export function hasProgram(language: Language): boolean {
  return spawnSync(PROGRAMS[language], ["--version"]).status === 0
}

/** Each of them passes, or leaves behind what reconcile finds. */
export const FAULTS = [
  "drop-after-commit:x1@POST/connector-",
  "502-after-commit:0.3@POST/connector-",
  "502:0.1@/rates",
  "429:0.2@GET/shipments",
  "drop-before:0.3@POST/print",
  "503:0.2@/label",
]

/** A process that ended before it listened to signals: it had sent and printed nothing. */
const ENDED = "143"
/** Exit codes that the documentation's table has for these scripts. */
const DOCUMENTED = ["0", "1", "6", "7", "8", "130", ENDED]

interface Night {
  faults: readonly string[]
  orders: number
  /** Bookings that the server was asked for before one of the two is stopped. */
  stopsAfter: number
  /** The signal goes to the script and to its freight, as systemd sends it, or to the script alone. */
  toAll: boolean
}

/** Runs the nights, and checks that each order was booked, labelled and printed once. */
export async function checkNight(
  language: Language,
  { faults, orders, stopsAfter, toAll }: Night,
): Promise<void> {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  const { folder } = made
  const references = Array.from({ length: orders }, (_, n) => `SO-${2001 + n}`)
  const from = "Harbour Lighting, 14 Bourke Road, Alexandria NSW 2015, 02 5550 1234"
  expect((await made.freight(["address", "add", "warehouse", from])).code).toBe(0)
  expect((await made.freight(["devices", "use", "device-bench", "--api", "freight"])).code).toBe(0)
  await writeFile(path.join(folder, "orders.csv"), writeOrders(references))
  const page = await readFile(path.join(ROOT, "docs/recipes.md"), "utf8")
  const [, night = ""] = page.split("## A whole night")
  const [, script = ""] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(night) ?? []
  await writeFile(path.join(folder, "night"), script)
  const env = await withLoggedFreight(made)

  for (const fault of faults) await sandbox.control("faults", { fault })
  const [one, other] = [startNight(language, folder, env), startNight(language, folder, env)]
  await Promise.race([askedAt(sandbox, "POST /{connectorId}/shipments", stopsAfter), other.ended])
  other.stop(toAll)
  const codes = await Promise.all([one.ended, other.ended])
  expect([0, 1, 143]).toEqual(expect.arrayContaining(codes))
  await sandbox.control("faults", undefined, "DELETE")

  const morning = startNight(language, folder, env)
  const lookedAt = await settlePrints(sandbox, made, await morning.ended, morning.told)
  const last = lookedAt ? startNight(language, folder, env) : morning
  expect(await last.ended, last.told()).toBe(0)
  const booked = bookedBy(await sandbox.control("books"))
  const ids = references.map((reference) => booked.get(reference) ?? [])
  expect(ids.map(({ length }) => length)).toEqual(references.map(() => 1))
  expect([...booked.keys()].sort()).toEqual(references)
  const printed = (await jobsAt(sandbox)).map(({ shipmentId }) => shipmentId)
  expect(printed.sort()).toEqual(ids.flat().sort())
  expect((await readdir(path.join(folder, "labels"))).sort()).toEqual(
    references.map((reference) => `${reference}.pdf`),
  )
  const ended = (await readFile(path.join(folder, "codes"), "utf8")).trim().split("\n")
  expect(DOCUMENTED).toEqual(expect.arrayContaining([...new Set(ended)]))
  await checkMessages(path.join(folder, "messages"))
}

/** Each line on standard error is JSON, and the last of a call that failed is its error. */
async function checkMessages(folder: string): Promise<void> {
  const MESSAGE = [["note"], ["warning"], ["error"]]
  for (const name of await readdir(folder)) {
    // The shell says what it has ended.
    if (name.endsWith(`.${ENDED}`)) continue
    const text = await readFile(path.join(folder, name), "utf8")
    const lines = text.split("\n").filter((line) => line !== "")
    const kinds = lines.map((line) => Object.keys(JSON.parse(line)))
    expect(MESSAGE, text).toEqual(expect.arrayContaining(kinds))
    if (!name.endsWith(".0")) expect(kinds.at(-1), `${name}: ${text}`).toEqual(["error"])
  }
}

/** A person looks at the printer for each print that is not settled. @returns whether there was one */
async function settlePrints(
  sandbox: Awaited<ReturnType<typeof ownSandbox>>,
  { freight }: Awaited<ReturnType<typeof desk>>,
  code: unknown,
  told: () => string,
): Promise<boolean> {
  const open = Array.from(told().matchAll(/^(\S+): print ended with 7$/gm), ([, reference = ""]) => reference)
  if (open.length === 0) return false
  expect(code, told()).toBe(1)
  const booked = bookedBy(await sandbox.control("books"))
  const printed = (await jobsAt(sandbox)).map(({ shipmentId }) => shipmentId)
  for (const reference of open) {
    const isPrinted = booked.get(reference)?.some((id) => printed.includes(id)) === true
    const ran = await freight(["reconcile", isPrinted ? "--settle" : "--release", `${reference} label`])
    expect(ran.code, ran.stderr).not.toBe(2)
  }
  return true
}

/** Addresses with commas in them, each receiver another one; the last line does not end, as many programs write it. */
function writeOrders(references: readonly string[]): string {
  const { collectionDateTime, collectionCloseTime } = exampleBooking(Date.now())
  const ready = String(collectionDateTime).replace("T", " ").slice(0, "2026-12-01 10:00".length)
  const rows = references.map(
    (reference, n) =>
      `${reference},${ready},${collectionCloseTime},1x30x20x10@${n + 1},"Kim Lee, ${n + 1} Market Street, Fremantle WA 6160, 08 5550 1234"`,
  )
  return ["reference,ready,close,package,receiver", ...rows].join("\n")
}

/**
 * `freight` as a command that writes down what each call said on standard error, and how it ended; waits of the scripts
 * are over at once.
 */
async function withLoggedFreight({
  folder,
  env,
}: Awaited<ReturnType<typeof desk>>): Promise<Record<string, string>> {
  const bin = path.join(folder, "bin")
  await writeCommand(
    bin,
    "freight",
    `trap : TERM
mkdir -p "${folder}/messages"
told="${folder}/messages/$$"
${getShellCommand()} 2> "$told"
code=$?
cat "$told" >&2
mv "$told" "$told.$code"
echo $code >> "${folder}/codes"
exit $code`,
  )
  await writeCommand(bin, "sleep", "exit 0")
  await writeFile(path.join(bin, "sitecustomize.py"), "import time\ntime.sleep = lambda seconds: None\n")
  return { ...env, PATH: `${bin}${path.delimiter}${env.PATH}`, PYTHONPATH: bin }
}

async function writeCommand(folder: string, name: string, script: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

function startNight(language: Language, cwd: string, env: Record<string, string>) {
  // A group of its own: a signal to it reaches freight, too.
  const child = spawn(PROGRAMS[language], ["night"], {
    ...{ cwd, env, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let told = ""
  const keep = (text: string) => {
    told += text
  }
  child.stdout.setEncoding("utf8").on("data", keep)
  child.stderr.setEncoding("utf8").on("data", keep)
  return {
    told: () => told,
    ended: once(child, "close").then(([code]): unknown => code),
    stop(all: boolean) {
      if (child.exitCode === null && child.pid !== undefined)
        process.kill(all ? -child.pid : child.pid, "SIGTERM")
    },
  }
}
