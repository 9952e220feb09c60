// Writes completions/ from the command tree. They are kept in git, so that they can be read and packaged.
import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { fromSource } from "./from-source.mjs"

const out = path.resolve(import.meta.dirname, "../completions")

const scripts = await fromSource("src/shells/scripts.ts", ({ completionScripts }) => completionScripts())
mkdirSync(out, { recursive: true })
for (const [name, text] of Object.entries(scripts)) writeFileSync(path.join(out, name), text)
