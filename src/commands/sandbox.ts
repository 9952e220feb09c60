import { rm } from "node:fs/promises"
import { safeText } from "../contract/safe-text.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { FAULTS } from "../sandbox/faults.ts"
import type { Served } from "../sandbox/server.ts"
import { details } from "../terminal/details.ts"
import type { OldCommand } from "../command.ts"
import { parseWholeNumber, repeat } from "./shared/flags.ts"

interface Options {
  port?: string
  latency?: string
  seed?: string
  fault?: string[]
  env?: boolean
}

export const start: OldCommand = {
  define: (command) =>
    command
      .description("Serves the sandbox to other programs until Ctrl-C. It shares its data with --sandbox.")
      .option("--port <n>", "listen here (default: any free port)")
      .option("--latency <ms>", "delay every reply by this")
      .option("--seed <n>", "another seed gives other numbers")
      .option("--fault <kind[:rate]>", "simulate one of the faults below (repeatable)", repeat)
      .option("--env", "print the addresses and keys as export lines, for eval in a shell")
      .addHelpText("after", listFaults()),
  examples: [
    "freight sandbox start --port 8080",
    "freight sandbox start --json --latency 50 --fault 502:0.1",
    "freight sandbox start --port 8080 --env",
  ],
  run: startServer,
}

/** Runs the server until it is interrupted. The first line under `--json` is how to reach it. */
async function startServer(deps: Deps, options: Options): Promise<undefined> {
  const { startSandbox } = await import("../sandbox/server.ts")
  const port = parseNumber(options.port, "--port", 65_535)
  const latencyMs = parseNumber(options.latency, "--latency", 600_000)
  const seed = parseNumber(options.seed, "--seed", 2 ** 31)
  const isForPeople = deps.output.format === "table"
  const logs = deps.globals.verbose || (isForPeople && !deps.globals.quiet)
  const sandbox = await startSandbox({
    dir: `${deps.stateDir}/sandbox`,
    clock: deps.clock,
    port,
    latencyMs,
    seed,
    faults: options.fault,
    onRequest: logs ? (request) => void deps.terminal.stderr.write(requestLine(deps, request)) : undefined,
  })
  const { freightBaseUrl, directPrintBaseUrl, freightApiKey, directPrintApiKey, keys } = sandbox
  const reach = { freightBaseUrl, directPrintBaseUrl, freightApiKey, directPrintApiKey, keys }
  const { stdout } = deps.terminal
  const lines = [
    ["FREIGHT_BASE_URL", freightBaseUrl],
    ["FREIGHT_API_KEY", freightApiKey],
    ["DIRECT_PRINT_BASE_URL", directPrintBaseUrl],
    ["DIRECT_PRINT_API_KEY", directPrintApiKey],
  ] as const
  if (options.env || isForPeople) await deps.note("Serving both APIs. Ctrl-C stops it; its data stays.")
  if (options.env) await stdout.write(lines.map(([name, value]) => `export ${name}=${value}\n`).join(""))
  else if (isForPeople) await stdout.write(details(deps.terminal, lines))
  else await stdout.write(`${JSON.stringify(reach)}\n`)
  await new Promise<void>((resolve) => {
    if (deps.signal.aborted) resolve()
    deps.signal.addEventListener("abort", () => resolve(), { once: true })
  })
  await sandbox.close()
}

/** `19:04:11 POST /connector-b/shipments 201`, and the fault that struck it. */
function requestLine({ clock }: Deps, { method, path, status, fault }: Served): string {
  const time = formatInstant(new Date(clock.now()).toISOString()).split(", ").at(-1)
  const what = `${time} ${method} ${safeText(path)} ${status}`
  return `${what}${fault === undefined ? "" : `  fault ${fault}`}\n`
}

function listFaults(): string {
  const rows = Object.entries(FAULTS).map(([kind, { about }]) => `  ${kind.padEnd(18)} ${about}`)
  return `
Faults, as KIND[:RATE][@[METHOD]PATHPART] (502:0.1 is one request in ten, 502:x3 the next three):
${rows.join("\n")}`
}

function parseNumber(text: string | undefined, flag: string, most: number): number | undefined {
  return text === undefined ? undefined : parseWholeNumber(text, flag, [0, most])
}

export const reset: OldCommand = {
  define: (command) =>
    command.description(
      "Deletes every booking, quote and print job of the sandbox, and its part of the ledger.",
    ),
  examples: ["freight sandbox reset"],
  run: resetState,
}

/** What this machine remembers of the sandbox goes too: a ledger of bookings that are gone would refuse equal ones. */
async function resetState(deps: Deps): Promise<undefined> {
  const { resetSandbox } = await import("../sandbox/server.ts")
  await resetSandbox(`${deps.stateDir}/sandbox`)
  await rm(`${deps.stateDir}/sandbox`, { recursive: true, force: true })
  await deps.note("The sandbox is empty.")
}
