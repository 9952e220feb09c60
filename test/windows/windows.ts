/**
 * A Windows in Wine, as `in-wine.sh` makes it, and desks in it. Each desk is a user with a folder, whose name has a blank
 * and letters with accents; freight is the built package there, or the program of FREIGHT_TEST_WINDOWS_EXECUTABLE.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer, type Socket } from "node:net"
import path from "node:path"
import { createInterface } from "node:readline"
import type { Ran } from "../acceptance/freight.ts"
import { ensureBuilt, ROOT } from "../acceptance/freight.ts"
import { type Seat, sitAt } from "../acceptance/pty.ts"
import type { SandboxReach } from "../acceptance/sandbox.ts"

const { FREIGHT_TEST_WINE: WINE, FREIGHT_TEST_WINDOWS_NODE: NODE, WINEPREFIX: PREFIX = "" } = process.env
/** The program that the tests run, where it is not the package. */
export const PROGRAM = process.env.FREIGHT_TEST_WINDOWS_EXECUTABLE
/** Whether the tests run below `in-wine.sh`. */
export const HAS_WINDOWS = WINE !== undefined && NODE !== undefined

const KEEP_ALIVE = path.join(import.meta.dirname, "keep-alive.cjs")
const AGENT = path.join(import.meta.dirname, "agent.cjs")

interface Answer {
  error?: string
  code?: number | null
  signal?: string | null
  killed?: boolean
}

export interface Windows {
  desk(reach?: SandboxReach): WindowsDesk
  /** Keeps a file open so that no other program may open it, until the function that it gives is called. */
  hold(file: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

export interface WindowsRun {
  env?: Record<string, string | undefined>
  /** A folder as Windows names it; the desk's own by default. */
  cwd?: string
  input?: string | Uint8Array
}

export interface WindowsDesk {
  /** The user's folder, as this system names it. */
  folder: string
  /** The same as Windows names it. */
  home: string
  env: Record<string, string>
  write(name: string, content: string | Uint8Array): void
  read(name: string): Buffer
  freight(args: readonly string[], run?: WindowsRun): Promise<Ran>
  /** Starts a command that can be ended in the middle. */
  start(args: readonly string[], run?: WindowsRun): { ended: Promise<Ran>; kill(): Promise<boolean> }
  /** Starts a command in a console. */
  sit(args: readonly string[]): Promise<Seat>
}

export async function startWindows(): Promise<Windows> {
  ensureBuilt()
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const env = wineEnvironment()
  const words = [NODE ?? "", toDrive(AGENT), String(port)]
  const agent: ChildProcess = spawn(WINE ?? "", words, { env, stdio: "ignore" })
  const failed = once(agent, "exit").then(([code]) => {
    throw new Error(`Node for Windows ended with ${code}`)
  })
  const [socket] = (await Promise.race([once(server, "connection"), failed])) as [Socket]
  failed.catch(() => {})
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: socket }).on("line", (line) => {
    const { id, ...answer } = JSON.parse(line) as Answer & { id: number }
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  let ids = 0
  const ask = (action: string, what: object) => {
    const id = ++ids
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve)).then((answer) => {
      if (answer.error !== undefined) throw new Error(`Windows: ${action}: ${answer.error}`)
      return answer
    })
    socket.write(`${JSON.stringify({ id, action, ...what })}\n`)
    return { id, answered }
  }

  return {
    desk(reach) {
      const folder = mkdtempSync(path.join(PREFIX, "drive_c/users", "Jörg Müller "))
      const user = path.basename(folder)
      const logs = path.join(PREFIX, "logs", user)
      for (const each of [
        folder,
        path.join(folder, "AppData/Local/Temp"),
        path.join(folder, "AppData/Roaming"),
        logs,
      ])
        mkdirSync(each, { recursive: true })
      const home = `C:\\users\\${user}`
      const env = {
        SystemRoot: "C:\\windows",
        ComSpec: "C:\\windows\\system32\\cmd.exe",
        PATH: "C:\\windows\\system32;C:\\windows",
        PATHEXT: ".COM;.EXE;.BAT;.CMD",
        USERNAME: user,
        USERPROFILE: home,
        APPDATA: `${home}\\AppData\\Roaming`,
        LOCALAPPDATA: `${home}\\AppData\\Local`,
        TEMP: `${home}\\AppData\\Local\\Temp`,
        TMP: `${home}\\AppData\\Local\\Temp`,
        TZ: "UTC",
        NODE_SKIP_PLATFORM_CHECK: "1",
        FREIGHT_WORKSTATION: "test-desk",
        // Forward slashes: in NODE_OPTIONS a backslash escapes.
        NODE_OPTIONS: `--require "${toDrive(KEEP_ALIVE).replaceAll("\\", "/")}"`,
        ...(reach && {
          FREIGHT_BASE_URL: reach.freightBaseUrl,
          FREIGHT_API_KEY: reach.freightApiKey,
          DIRECT_PRINT_BASE_URL: reach.directPrintBaseUrl,
          DIRECT_PRINT_API_KEY: reach.directPrintApiKey,
        }),
      }
      let runs = 0
      const start = (args: readonly string[], run: WindowsRun = {}) => {
        const [out, err, into] = ["out", "err", "in"].map((name) => path.join(logs, `${++runs}.${name}`)) as [
          string,
          string,
          string,
        ]
        if (run.input !== undefined) writeFileSync(into, run.input)
        const [file, ...words] = commandLine(args)
        const { id, answered } = ask("run", {
          file,
          args: words,
          cwd: run.cwd ?? home,
          env: { ...env, ...run.env },
          ...(run.input !== undefined && { stdin: toDrive(into) }),
          stdout: toDrive(out),
          stderr: toDrive(err),
        })
        const ended = answered.then(({ code = null }): Ran => {
          const bytes = readFileSync(out)
          const stdout = bytes.toString()
          const json = () => JSON.parse(stdout)
          return { code, bytes, stdout, stderr: readFileSync(err, "utf8"), json, items: () => json().items }
        })
        return { ended, kill: async () => (await ask("kill", { run: id }).answered).killed === true }
      }
      return {
        folder,
        home,
        env,
        write: (name, content) => {
          const file = path.join(folder, name)
          mkdirSync(path.dirname(file), { recursive: true })
          writeFileSync(file, content)
        },
        read: (name) => readFileSync(path.join(folder, name)),
        start,
        // Wine makes the environment of what is started from here, with a user of its own.
        sit: (args) =>
          sitAt([WINE ?? "", ...commandLine(args)], {
            ...wineEnvironment(),
            NODE_OPTIONS: env.NODE_OPTIONS,
            TZ: "UTC",
            FREIGHT_STATE_DIR: `${env.LOCALAPPDATA}\\freight\\state`,
            FREIGHT_CONFIG_DIR: `${env.APPDATA}\\freight\\config`,
          }),
        freight: (args, run) => start(args, run).ended,
      }
    },
    async hold(file) {
      const { id, answered } = ask("hold", { file })
      await answered
      return async () => void (await ask("release", { hold: id }).answered)
    },
    async stop() {
      const ended = once(agent, "exit")
      socket.destroy()
      server.close()
      await ended
    },
  }
}

/** Node for Windows does not start with all that npx puts into the environment. */
function wineEnvironment(): Record<string, string> {
  const names = /^(PATH|HOME|LC_ALL|WINE.*|NODE_SKIP.*)$/
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      names.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )
}

/** freight on this Windows, with its arguments. */
function commandLine(args: readonly string[]): [file: string, ...words: string[]] {
  if (PROGRAM) return [toDrive(PROGRAM), ...args]
  return [toDrive(NODE ?? ""), toDrive(path.join(ROOT, "bin/freight.js")), ...args]
}

/** A file of this system as Windows names it: Wine has the root as drive Z. */
export function toDrive(file: string): string {
  return `Z:${path.resolve(file).replaceAll("/", "\\")}`
}

/** Makes a folder of this system the share `\\SERVER\SHARE`. */
export function share(server: string, name: string, folder: string): string {
  const place = path.join(PREFIX, "dosdevices/unc", server)
  mkdirSync(place, { recursive: true })
  symlinkSync(folder, path.join(place, name))
  return `\\\\${server}\\${name}`
}
