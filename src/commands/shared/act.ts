import type { Deps } from "../../deps.ts"

/** Wraps a run function as commander's action: makes the deps, keeps the exit code. `--format` takes `extraFormats` too. */
export type Act = <Args extends unknown[]>(
  run: (deps: Deps, ...args: Args) => Promise<number | undefined>,
  extraFormats?: readonly string[],
) => (...args: unknown[]) => Promise<void>
