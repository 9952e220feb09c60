/** Writes the output files that people name, and remembers them, so that freight overwrites only its own. */
import { createHash, hash } from "node:crypto"
import { statSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import { isUnderDevices } from "../../base/file-names.ts"
import { fullPath, readFileNow, reasonOf } from "../../base/system.ts"
import type { Draft } from "../../output/index.ts"
import { openStore } from "./store.ts"

/**
 * The kind of an output file: a `report` holds the printed output, in the format of `--format`; a `file` is anything else.
 * A `place` is only checked for being writable: the command itself handles an existing file.
 */
export type Writes = "report" | "file" | "pdf" | "folder" | "place"

export interface NamedOutput {
  /** The flag in messages: `--merge`. */
  flag: string
  /** `-` is standard output. */
  file: string
  writes: Writes
}

interface Stdout {
  readonly isTTY: boolean
  write(data: string | Uint8Array): Promise<void>
}

interface OutputFiles {
  check(file: string, what?: "folder"): void
  write(file: string, data: string | Uint8Array): Promise<void>
  create(file: string): Promise<Draft>
}

const MAX_KEPT = 500

export type Outputs = ReturnType<typeof openOutputs>

/** @param folder where `outputs.json` keeps the SHA-256 of files by their full paths, the newest last */
export function openOutputs(folder: string, files: OutputFiles, stdout: Stdout) {
  const store = openStore({ folder, parse: (kept) => Object(kept) as Record<string, unknown> })
  const known = () => store.read("outputs") ?? {}
  const checked = new Set<string>()
  const remember = (file: string, digest: string) => {
    const { [fullPath(file)]: _, ...others } = known()
    const newest = Object.entries(others).slice(1 - MAX_KEPT)
    store.keep("outputs", Object.fromEntries([...newest, [fullPath(file), digest]]))
  }
  /** Refuses a file that exists and is not as freight wrote it. */
  const refuseOthers = (file: string) => {
    const there = statOrExplain(file)
    if (!there?.isFile() || there.size === 0 || isUnderDevices(file)) return
    if (known()[fullPath(file)] === hash("sha256", readOrExplain(file))) return
    throw new FreightError(
      "input",
      `${file} already exists, and freight did not write it or it has changed since; nothing was sent or written`,
      { hint: "Name another file, or overwrite this one with --force." },
    )
  }
  const requireCheck = (file: string) => {
    if (!checked.has(path.resolve(file))) throw new TypeError(`${file} was not checked before it is written`)
  }
  return {
    /**
     * Checks that a file or folder can be written. Call it before anything is sent.
     * @param force overwrite any file
     * @throws FreightError `usage` for a PDF under another ending or on a terminal, `input` for a file that cannot be
     * written, or that freight did not write
     */
    check({ file, writes, force }: Pick<NamedOutput, "file" | "writes"> & { force: boolean }): void {
      if (writes === "pdf") checkPdfName(file, stdout)
      if (file === "-") return
      files.check(file, writes === "folder" ? "folder" : undefined)
      if (writes !== "folder" && writes !== "place" && !force) refuseOthers(file)
      checked.add(path.resolve(file))
    },
    /** Writes a checked file and remembers it; `-` is standard output. @throws FreightError `input` */
    async write(file: string, data: string | Uint8Array) {
      if (file === "-") return stdout.write(data)
      requireCheck(file)
      await files.write(file, data)
      remember(file, hash("sha256", data))
    },
    /** A checked file, written in pieces and remembered once it is complete. */
    async create(file: string): Promise<Draft> {
      requireCheck(file)
      const draft = await files.create(file)
      const digest = createHash("sha256")
      return {
        ...draft,
        async write(data) {
          await draft.write(data)
          digest.update(data)
        },
        async keep() {
          await draft.keep()
          remember(file, digest.digest("hex"))
        },
      }
    },
  }
}

function checkPdfName(file: string, { isTTY }: Pick<Stdout, "isTTY">): void {
  const ending = /\.([a-z]\w{1,4})$/i.exec(file)?.[1]
  if (ending !== undefined && ending.toLowerCase() !== "pdf")
    throw new FreightError("usage", `${file} is not the name of a PDF: give it the ending .pdf`)
  if (file === "-" && isTTY)
    throw new FreightError("usage", "a PDF cannot be shown on a terminal: redirect it, or name a file")
}

function statOrExplain(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (cause) {
    throw new FreightError("input", `cannot write ${file}: ${reasonOf(cause)}`, { cause })
  }
}

function readOrExplain(file: string): Uint8Array {
  try {
    return readFileNow(file)
  } catch (cause) {
    throw new FreightError("input", `cannot read ${file}: ${reasonOf(cause)}`, { cause })
  }
}
