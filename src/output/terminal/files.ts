import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import path from "node:path"
import { findWindowsNameError, isUnderDevices, isWindowsDevice } from "../../base/file-names.ts"
import { FreightError } from "../../base/errors.ts"
import { suggest } from "../../base/suggest.ts"
import { draftName, findHold, hasCode, makeFolder, reasonOf, replaceFile } from "../../base/system.ts"
import { openStream, readWhole } from "./open-stream.ts"
import { type InputStream, refuseKeyboard } from "./terminal.ts"

export interface Files {
  /** @throws FreightError `input` naming the file, when it cannot be read or is longer than an input may be. */
  read(file: string): Promise<Uint8Array>
  has(file: string): Promise<boolean>
  /**
   * Whether a file, or a folder for files, can be written here, as far as that can be known without writing: call it
   * before anything is sent. @throws FreightError `input`.
   */
  check(file: string, what?: "folder"): void
  /** Written whole or not at all; folders are made as needed, and a link is replaced. @throws FreightError `input`. */
  write(file: string, data: string | Uint8Array): Promise<void>
  /** A file that is written bit by bit, and is there once it is kept. @throws FreightError `input`. */
  create(file: string): Promise<Draft>
  /**
   * Puts other bytes into a file, whole or not at all; its permissions stay, and a link stays one.
   * @param change gives the new bytes for those that are there now; undefined leaves them
   * @returns whether the file was written
   * @throws FreightError `input`, also for a file that is write-protected
   */
  change(file: string, change: (bytes: Uint8Array) => Uint8Array | undefined): Promise<boolean>
}

export interface Draft {
  /** @throws FreightError `input`. */
  write(data: string | Uint8Array): Promise<void>
  /** Replaces the file of that name. @throws FreightError `input`. */
  keep(): Promise<void>
  /** Leaves no trace; a draft that was kept stays. */
  discard(): Promise<void>
}

/**
 * The whole content of a file, or of standard input for `-`, with its name for messages.
 * @param what `JSON`, for the message if standard input is the keyboard
 * @throws FreightError `usage` if standard input is the keyboard, `input` for what cannot be read or is too long
 */
export async function readFileOrStdin(
  { files, terminal: { stdin } }: { files: Pick<Files, "read">; terminal: { readonly stdin: InputStream } },
  file: string,
  what: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  if (file !== "-") return { name: file, bytes: await files.read(file) }
  refuseKeyboard(stdin, `pipe the ${what} in, or name a file`)
  return { name: "standard input", bytes: await stdin.readAll() }
}

/** Below a file there is nothing. */
function statOrNone(name: string) {
  try {
    return statSync(name, { throwIfNoEntry: false })
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return undefined
    throw error
  }
}

/** Looks at the file, or at the nearest folder that is there: those below it are made. */
function checkPlace(name: string, isFolder: boolean): void {
  const there = statOrNone(name)
  if (there && !isFolder && there.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" })
  // A pipe or a terminal is written as it is.
  if (there && !there.isFile() && !there.isDirectory()) return
  const findFolder = (at: string): string =>
    statOrNone(at) || path.dirname(at) === at ? at : findFolder(path.dirname(at))
  const folder = findFolder(isFolder ? name : path.dirname(name))
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" })
  accessSync(folder, constants.W_OK)
}

/** The folder of unfinished files, inside this machine's state folder. */
export const UNFINISHED = "unfinished"

/** Folders of the user's own are open to whom the system opens new ones. */
const ANYBODY = 0o777
/** Bits of a file's mode: the permissions, and the permissions to write. */
const PERMISSIONS = 0o777
const WRITABLE = 0o222

/** A file in the same folder whose name is nearly that. */
function findNearFile(file: string): string | undefined {
  try {
    const near = suggest(path.basename(file), readdirSync(path.dirname(file)))
    return near === undefined ? undefined : path.join(path.dirname(file), near)
  } catch {
    return undefined
  }
}

export function fileError(action: "read" | "write", file: string, cause: unknown): FreightError {
  const noFolder = action === "write" && hasCode(cause, "ENOENT")
  const why = noFolder ? "its folder cannot be made" : reasonOf(cause)
  const near = action === "read" && hasCode(cause, "ENOENT") ? findNearFile(file) : undefined
  const hint = near === undefined ? {} : { hint: `Did you mean ${near}?` }
  return new FreightError("input", `cannot ${action} ${file}: ${why}`, { cause, ...hint })
}

/**
 * @param folder for unfinished files: nothing half-written is ever left where a person works
 * @param signal aborts a waiting read
 */
export function createFiles(folder: string, signal: AbortSignal, isWindows = path.sep === "\\"): Files {
  const checkName = (name: string) => {
    const why = isWindows ? (findWindowsNameError(name) ?? findHold(name)) : undefined
    if (why !== undefined) throw fileError("write", name, why)
  }
  const check = (name: string, what?: "folder") => {
    checkName(name)
    if (isUnderDevices(name)) return
    try {
      checkPlace(path.resolve(name), what === "folder")
    } catch (error) {
      throw fileError("write", name, error)
    }
  }
  const create = async (name: string, mode?: number): Promise<Draft> => {
    const explainErrors = async <T>(action: () => T | Promise<T>): Promise<T> => {
      try {
        return await action()
      } catch (error) {
        throw error instanceof FreightError ? error : fileError("write", name, error)
      }
    }
    return explainErrors(async () => {
      if ((await stat(name).catch(() => undefined))?.isDirectory())
        throw Object.assign(new Error(), { code: "EISDIR" })
      if (isWindows && isWindowsDevice(name))
        return directDraft(await open(toDevice(name), "w"), explainErrors)
      checkName(name)
      if (isDevice(name)) return directDraft(await open(name, "w"), explainErrors)
      makeFolder(path.dirname(name), ANYBODY)
      accessSync(path.dirname(name), constants.W_OK)
      const beside = draftName(name)
      const [draft, handle] = await openDraft(path.join(folder, path.basename(beside)), beside)
      if (mode !== undefined) await handle.chmod(mode)
      return {
        write: (data) => explainErrors(() => handle.writeFile(data)),
        keep: () =>
          explainErrors(async () => {
            await handle.sync()
            await handle.close()
            move(draft, name, beside)
          }),
        async discard() {
          await handle.close().catch(() => {})
          rmSync(draft, { force: true })
        },
      }
    })
  }
  const read = async (file: string): Promise<Uint8Array> => {
    try {
      return await readWhole(file, await openStream(file, signal))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof FreightError ? error : fileError("read", file, error)
    }
  }
  const writeWhole = async (draft: Draft, data: string | Uint8Array): Promise<void> => {
    try {
      await draft.write(data)
      await draft.keep()
    } finally {
      await draft.discard()
    }
  }
  return {
    create: (name) => create(name),
    read,
    async change(name, change) {
      const data = change(await read(name))
      if (!data) return false
      let real = name
      let mode = 0
      try {
        accessSync(name, constants.W_OK)
        real = realpathSync(name)
        mode = statSync(real).mode
        // The owner of a machine (root) may write files that are protected from everybody.
        if ((mode & WRITABLE) === 0) throw Object.assign(new Error(), { code: "EACCES" })
      } catch (error) {
        throw fileError("write", name, error)
      }
      await writeWhole(await create(real, mode & PERMISSIONS), data)
      return true
    },
    check,
    has: (file) =>
      stat(file).then(
        () => true,
        () => false,
      ),
    write: async (name, data) => writeWhole(await create(name), data),
  }
}

/**
 * A pipe or device, or a path of an open file descriptor: it is written to, not replaced by a plain file. `/dev/shm` is
 * a folder in memory.
 */
function isDevice(name: string): boolean {
  if (isUnderDevices(name)) return true
  const there = lstatSync(name, { throwIfNoEntry: false })
  return there !== undefined && !there.isFile() && !there.isSymbolicLink()
}

/** Node would take `NUL` for a file in this folder. */
function toDevice(name: string): string {
  return name.startsWith("\\") || name.startsWith("/") ? name : `\\\\.\\${name}`
}

function directDraft(
  handle: FileHandle,
  explainErrors: <T>(action: () => T | Promise<T>) => Promise<T>,
): Draft {
  return {
    write: (data) => explainErrors(() => handle.writeFile(data)),
    keep: () => explainErrors(() => handle.close()),
    discard: () => handle.close().catch(() => {}),
  }
}

/** Without a folder for drafts, a draft is made beside its file. */
async function openDraft(draft: string, beside: string): Promise<[string, FileHandle]> {
  try {
    makeFolder(path.dirname(draft))
    return [draft, await open(draft, "wx")]
  } catch {
    return [beside, await open(beside, "wx")]
  }
}

/** Renames, and from another disk copies and then renames. */
function move(draft: string, name: string, beside: string): void {
  try {
    replaceFile(draft, name)
  } catch (error) {
    if (!hasCode(error, "EXDEV")) throw error
    try {
      copyFileSync(draft, beside, constants.COPYFILE_EXCL)
      replaceFile(beside, name)
    } finally {
      rmSync(beside, { force: true })
    }
  }
}

/** Opens a file with the desktop's program for it. @returns undefined if there is no desktop */
export function fileOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): ((file: string) => Promise<void>) | undefined {
  if (platform === "darwin") return (file) => start("open", [file], env)
  if (platform === "win32") return (file) => start("explorer.exe", [file], env)
  if (env.DISPLAY || env.WAYLAND_DISPLAY) return (file) => start("xdg-open", [file], env)
  return undefined
}

/** It lives on without this process. Where it cannot be started, the file is still there to be opened by hand. */
async function start(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { spawn } = await import("node:child_process")
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, detached: true, stdio: "ignore" })
    child.once("error", () => resolve())
    child.once("spawn", () => {
      child.unref()
      resolve()
    })
  })
}
