import { statSync } from "node:fs"
import path from "node:path"
import { command } from "../command/index.ts"
import { FreightError } from "../base/errors.ts"

export default command({
  about:
    "Serves freight to an assistant over standard input and output, by the Model Context Protocol. The assistant starts it, and it ends when its input does. Its tools compare rates, track, list, audit and check invoices; they book only a plan that was shown before.",
  flags: {
    readOnly: { about: "leave out the tool that books" },
    folder: {
      takes: "<dir>",
      about: "tools may read the files of this folder alone (default: the working folder)",
      isInput: true,
    },
  },
  examples: ["freight mcp --sandbox", "freight mcp --read-only --folder outbox"],
  notes: `In the configuration of an assistant:
  {"mcpServers":{"freight":{"command":"freight","args":["mcp","--sandbox"]}}}`,
  formats: [],
  endsWithReader: true,
  /** Serves until standard input ends. */
  async run(deps, { folder = ".", readOnly = false }) {
    const { globals, terminal, signal, warn, runFreight } = deps
    if (!isFolder(folder)) throw new FreightError("usage", `--folder ${folder}: there is no such folder`)
    if (terminal.stdin.isTTY)
      await deps.note("This is for an assistant, which starts it by itself. Ctrl-C ends it.")
    const flags = [
      "--no-input",
      "--no-color",
      ...(globals.sandbox ? ["--sandbox"] : []),
      ...(globals.profile === undefined ? [] : [`--profile=${globals.profile}`]),
      ...(globals.timeout === undefined ? [] : [`--timeout=${globals.timeout}`]),
    ]
    const { serveTools } = await import("../mcp/serve.ts")
    await serveTools({
      terminal,
      signal,
      warn,
      runFreight,
      flags,
      folder: path.resolve(folder),
      isReadOnly: readOnly,
      isSandbox: globals.sandbox === true,
    })
  },
})

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory()
  } catch {
    return false
  }
}
