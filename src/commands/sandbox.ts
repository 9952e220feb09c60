import { rm } from "node:fs/promises"
import { command, printForPrograms, wholeNumber } from "../command/index.ts"
import { safeText } from "../base/safe-text.ts"
import { formatInstant } from "../base/wall-clock.ts"
import type { Session } from "../session/index.ts"
import { FAULTS, type Served } from "../sandbox/index.ts"
import { details, JSON_FORMATS, plainColumns } from "../output/index.ts"

export const start = command({
  about: "Serves the sandbox to other programs until Ctrl-C. It shares its data with --sandbox.",
  flags: {
    port: { takes: "<n>", about: "listen here (default: any free port)", read: wholeNumber(0, 65_535) },
    latency: { takes: "<ms>", about: "delay every reply by this", read: wholeNumber(0, 600_000) },
    seed: { takes: "<n>", about: "another seed gives other numbers", read: wholeNumber(0, 2 ** 31) },
    fault: {
      takes: "<kind[:rate]>",
      about: "simulate one of the faults below (repeatable)",
      isRepeatable: true,
    },
    env: { about: "print the addresses and keys as export lines, for eval in a shell", formats: [] },
  },
  formats: JSON_FORMATS,
  examples: [
    "freight sandbox start --port 8080",
    "freight sandbox start --json --latency 50 --fault 502:0.1",
    "freight sandbox start --port 8080 --env",
  ],
  notes: describeFaults(),
  /** Runs the server until it is interrupted. The first line under `--json` is how to reach it. */
  async run(deps, options) {
    const { startSandbox } = await import("../sandbox/server.ts")
    const isForPeople = deps.output.format === "table"
    const logs = deps.globals.verbose || (isForPeople && !deps.globals.quiet)
    const sandbox = await startSandbox({
      dir: `${deps.stateDir}/sandbox`,
      clock: deps.clock,
      port: options.port,
      latencyMs: options.latency,
      seed: options.seed,
      faults: options.fault,
      onRequest: logs ? (request) => void deps.show(formatRequest(deps, request)) : undefined,
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
  },
})

/** `19:04:11 POST /connector-b/shipments 201`, and the simulated fault. */
function formatRequest({ clock }: Session, { method, path, status, fault }: Served): string {
  const time = formatInstant(new Date(clock.now()).toISOString()).split(", ").at(-1)
  const what = `${time} ${method} ${safeText(path)} ${status}`
  return `${what}${fault === undefined ? "" : `  fault ${fault}`}\n`
}

function describeFaults(): string {
  const rows = Object.entries(FAULTS).map(([kind, { about }]) => `  ${kind.padEnd(18)} ${about}`)
  return `Faults, as KIND[:RATE][:CONNECTOR][@[METHOD]PATHPART] (502:0.1 is one request in ten, 502:x3 the next three; some can be of one carrier account: hang:connector-b; late and overbilled of a lane between postcodes: late:0.3:connector-b@20-61):
${rows.join("\n")}`
}

export const reset = command({
  about: "Deletes every booking, quote and print job of the sandbox, and its part of the ledger.",
  columns: plainColumns(["folder"]),
  examples: ["freight sandbox reset"],
  async run(deps) {
    const { resetSandbox } = await import("../sandbox/server.ts")
    const folder = `${deps.stateDir}/sandbox`
    await resetSandbox(folder)
    // This machine's data about the sandbox goes too: a ledger of deleted bookings would refuse equal ones.
    await rm(folder, { recursive: true, force: true })
    await deps.note("The sandbox is empty.")
    await printForPrograms(deps, { folder })
  },
})
