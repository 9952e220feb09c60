import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { details } from "../terminal/details.ts"
import type { Act } from "./shared/act.ts"
import { examples, repeat } from "./shared/examples.ts"

interface Options {
  port?: string
  latency?: string
  seed?: string
  fault?: string[]
}

export function define(command: Command, act: Act): void {
  command
    .description("Serves the sandbox to other programs until Ctrl-C. It shares its books with --sandbox.")
    .option("--port <n>", "listen here (default: any free port)")
    .option("--latency <ms>", "answer this much later")
    .option("--seed <n>", "another seed gives other numbers")
    .option(
      "--fault <kind[:rate]>",
      "misbehave: 429, 502, drop-before, drop-after-commit, hang, truncated… (repeatable)",
      repeat,
    )
    .addHelpText(
      "after",
      examples(
        "freight sandbox start --port 8080",
        "freight sandbox start --json --latency 50 --fault 502:0.1",
      ),
    )
    .action(act(run))
}

/** Runs the server until it is interrupted. The first line under `--json` is how to reach it. */
async function run(deps: Deps, options: Options): Promise<undefined> {
  const { startSandbox } = await import("../sandbox/server.ts")
  const port = number(options.port, "--port", 65_535)
  const latencyMs = number(options.latency, "--latency", 600_000)
  const seed = number(options.seed, "--seed", 2 ** 31)
  const sandbox = await startSandbox({
    dir: `${deps.stateDir}/sandbox`,
    clock: deps.clock,
    ...(port !== undefined && { port }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(seed !== undefined && { seed }),
    ...(options.fault && { faults: options.fault }),
  })
  const { freightBaseUrl, directPrintBaseUrl, freightApiKey, directPrintApiKey, keys } = sandbox
  const reach = { freightBaseUrl, directPrintBaseUrl, freightApiKey, directPrintApiKey, keys }
  const { stdout } = deps.terminal
  if (deps.output.format === "table") {
    const lines = [
      ["FREIGHT_BASE_URL", freightBaseUrl],
      ["FREIGHT_API_KEY", freightApiKey],
      ["DIRECT_PRINT_BASE_URL", directPrintBaseUrl],
      ["DIRECT_PRINT_API_KEY", directPrintApiKey],
    ] as const
    await stdout.write(details(deps.terminal, lines))
    await deps.note("Serving both APIs. Ctrl-C ends it; its books stay.")
  } else {
    await stdout.write(`${JSON.stringify(reach)}\n`)
  }
  await new Promise<void>((resolve) => {
    if (deps.signal.aborted) resolve()
    deps.signal.addEventListener("abort", () => resolve(), { once: true })
  })
  await sandbox.close()
  return
}

function number(text: string | undefined, flag: string, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= most))
    throw new FreightError("usage", `${flag} takes a whole number from 0 to ${most}, not '${text}'`)
  return value
}
