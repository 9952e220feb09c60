/** Memory that the worst file of each kind needs, of about 1 MB. What is read in a process of its own is counted there. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, writeFileSync } from "node:fs"
import path from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, it, vi } from "vitest"
import { readByProcess } from "../../src/input/pdf/text.ts"
import { MAX_MEMORY_BYTES } from "../../src/input/pdf/messages.ts"
import { desk, getBinary } from "../acceptance/freight.ts"
import { createPeakHook } from "../acceptance/peak.ts"
import { INVOICE, listWorstFiles } from "./files.ts"

vi.setConfig({ testTimeout: 900_000 })

const files = listWorstFiles()
/** The limit of V8's heap: without one it collects garbage when it likes, and the peak is chance. */
const HEAP_MB = 200
const ENOUGH_MB = 450

describe.skipIf(process.platform !== "linux")("about 1 MB of the worst of its kind", () => {
  it.each(files)("$what is read or refused in less than 450 MB", async ({ name, bytes, words }) => {
    const { folder, env } = await desk()
    writeFileSync(path.join(folder, name), bytes)
    writeFileSync(path.join(folder, "invoice.json"), INVOICE)
    const { hook, read } = createPeakHook(folder)
    const heap = `--max-old-space-size=${HEAP_MB}`
    const child = spawn(process.execPath, [heap, "--require", hook, getBinary(), ...words], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    })
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
    expect([0, 1, 2], stderr).toContain(code)
    expect(read()).toBeLessThan(ENOUGH_MB)
  })

  const pdfs = files.filter(({ name }) => name.endsWith(".pdf"))
  it.each(pdfs)("$what keeps the process that reads it within its own limit", async ({ bytes }) => {
    const { folder } = await desk()
    const { hook, read } = createPeakHook(folder)
    getBinary()
    const program = path.join(folder, "node")
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" --require "${hook}" "$@"\n`)
    chmodSync(program, 0o755)
    await readByProcess({ program })(bytes, new AbortController().signal)
    // It looks at its memory from time to time.
    expect(read()).toBeLessThan(1.3 * (MAX_MEMORY_BYTES / 2 ** 20))
  })
})
