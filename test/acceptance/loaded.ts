/** What a run of the built binary loaded. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { ROOT } from "./freight.ts"

interface Meta {
  outputs: Record<string, { inputs: Record<string, unknown> }>
}

/**
 * The sources inside every chunk that was loaded, as V8's coverage lists the scripts.
 * @param folder the run's `NODE_V8_COVERAGE`
 */
export function loadedSources(folder: string): string[] {
  const { outputs } = JSON.parse(readFileSync(path.join(ROOT, ".build/meta.json"), "utf8")) as Meta
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as {
      result: { url: string }[]
    }
    return result.map(({ url }) => url)
  })
  return Object.entries(outputs)
    .filter(([file]) => urls.some((url) => url.endsWith(`/dist/${path.basename(file)}`)))
    .flatMap(([, { inputs }]) => Object.keys(inputs))
}
