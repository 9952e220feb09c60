// Runs a scene at a real terminal, which Debian's `script` makes, and reads back what a person would see.
import { spawn, spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import xterm from "@xterm/headless"

const FROZEN = path.join(import.meta.dirname, "frozen.cjs")
const PATIENCE_MS = 60_000

/**
 * @param binary `bin/freight.js` of the tree that is pictured
 * @returns the terminal, as it stands at the end of the scene
 */
export async function play(scene, binary) {
  const { line, columns, rows, before = [], files = {}, stepMs = 0 } = scene
  const folder = mkdtempSync(path.join(tmpdir(), "freight-picture-"))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    SHELL: "/bin/sh",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    TZ: "Australia/Sydney",
    USER: "dana",
    FREIGHT_STATE_DIR: path.join(folder, ".state"),
    FREIGHT_CONFIG_DIR: path.join(folder, ".config"),
    FREIGHT_WORKSTATION: "packing-bench",
    PICTURE_STEP_MS: `${stepMs}`,
  }
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true })
  try {
    for (const [name, source] of Object.entries(files))
      copyFileSync(path.join(import.meta.dirname, source), path.join(folder, name))
    for (const earlier of before) prepare(commandOf(earlier, binary), folder, env)
    await written(screen, `\u001b[32m$\u001b[39m \u001b[1m${line}\u001b[22m\n`)
    const command = `stty cols ${columns} rows ${rows}; exec ${commandOf(line, binary).map(quoted).join(" ")}`
    await run(scene, command, screen, { cwd: folder, env })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  if (screen.buffer.active.baseY > 0)
    throw new Error(`${scene.name}: more than ${rows} lines:\n${shown(screen)}`)
  return screen
}

function prepare([command, ...args], cwd, env) {
  const { status, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`)
}

function run({ name, keys = [], until, exit = 0 }, command, screen, where) {
  return new Promise((resolve, reject) => {
    const args = ["--quiet", "--return", "--command", command, "/dev/null"]
    const child = spawn("script", args, { ...where, stdio: ["pipe", "pipe", "ignore"] })
    const fail = (why) => reject(new Error(`${name}: ${why}; the screen is:\n${shown(screen)}`))
    const late = setTimeout(() => child.kill(), PATIENCE_MS)
    const left = [...keys]
    let taken = false
    let drawn = Promise.resolve()
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => {
      // A line that is written over is seen before it is.
      for (const part of text.split(/(?=\r(?!\n))/)) drawn = drawn.then(() => draw(part))
    })
    child.on("error", reject)
    child.on("close", async (code) => {
      clearTimeout(late)
      await drawn
      if (taken) resolve()
      else if (until) fail(`never saw ${until}`)
      else if (left.length > 0) fail(`never saw ${left[0][0]}`)
      else if (code !== exit) fail(`ended with ${code}`)
      else resolve()
    })

    async function draw(part) {
      if (taken) return
      await written(screen, part)
      const [see, type] = left[0] ?? []
      if (see !== undefined && shows(screen, see)) {
        left.shift()
        child.stdin.write(type)
      } else if (until && left.length === 0 && shows(screen, until)) {
        taken = true
        child.kill()
      }
    }
  })
}

/** The words that a shell would make of the line, with Node and the binary for `freight`. */
function commandOf(line, binary) {
  const words = [...line.replaceAll("\\\n", " ").matchAll(/"([^"]*)"|(\S+)/g)]
  const [, ...args] = words.map(([, inQuotes, plain]) => inQuotes ?? plain)
  return [process.execPath, "--require", FROZEN, binary, ...args]
}

function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function written(screen, text) {
  return new Promise((resolve) => screen.write(text, resolve))
}

function shows(screen, what) {
  return typeof what === "string" ? shown(screen).includes(what) : what.test(shown(screen))
}

function shown({ buffer }) {
  const lines = Array.from(
    { length: buffer.active.length },
    (_, at) => buffer.active.getLine(at)?.translateToString(true) ?? "",
  )
  return lines.join("\n").trimEnd()
}
