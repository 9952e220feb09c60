/** Writes the files that people name for output, and remembers them, so that freight overwrites only its own. */
import { createHash, hash } from "node:crypto"
import { realpathSync, statSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import { readFileNow, reasonOf } from "../../base/system.ts"
import type { Draft } from "../../output/terminal/files.ts"
import { openStore } from "./store.ts"

interface Stdout {
  readonly isTTY: boolean
  write(data: string | Uint8Array): Promise<void>
}

interface OutputFiles {
  check(file: string): void
  write(file: string, data: string | Uint8Array): Promise<void>
  create(file: string): Promise<Draft>
}

const MAX_KEPT = 500

export type Outputs = ReturnType<typeof openOutputs>

/** @param folder where `outputs.json` keeps the SHA-256 of files by their full paths, the newest last */
export function openOutputs(folder: string, files: OutputFiles, stdout: Stdout) {
  const store = openStore({ folder, parse: (kept) => Object(kept) as Record<string, unknown> })
  const known = () => store.read("outputs") ?? {}
  /**
   * Call it before anything is sent.
   * @param file `-` is standard output; undefined passes
   * @param force overwrite any file
   * @throws FreightError `input` if the file exists and is not as freight wrote it
   */
  const check = async (file: string | undefined, force: boolean | undefined) => {
    if (file === undefined || file === "-") return
    files.check(file)
    const there = force ? undefined : statOrExplain(file)
    if (!there?.isFile() || there.size === 0) return
    if (known()[fullPath(file)] === hash("sha256", readOrExplain(file))) return
    throw new FreightError(
      "input",
      `${file} already exists, and freight did not write it or it has changed since; nothing was sent or written`,
      { hint: "Name another file, or overwrite this one with --force." },
    )
  }
  const remember = (file: string, digest: string) => {
    const { [fullPath(file)]: _, ...others } = known()
    const newest = Object.entries(others).slice(1 - MAX_KEPT)
    store.keep("outputs", Object.fromEntries([...newest, [fullPath(file), digest]]))
  }
  return {
    check,
    /** The same for a PDF. @throws FreightError `usage` also if it would go to the terminal: `-` is for pipes */
    async checkPdf(file: string | undefined, force: boolean | undefined) {
      checkPdfName(file)
      if (file === "-" && stdout.isTTY)
        throw new FreightError("usage", "a PDF cannot be shown on a terminal: redirect it, or name a file")
      await check(file, force)
    },
    /** Writes a checked file and remembers it; `-` is standard output. @throws FreightError `input` */
    async write(file: string, data: string | Uint8Array) {
      if (file === "-") return stdout.write(data)
      await files.write(file, data)
      remember(file, hash("sha256", data))
    },
    /** A checked file in pieces, which is remembered once it is kept. */
    async create(file: string): Promise<Draft> {
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

/** @throws FreightError `usage` for the name of something else than a PDF */
export function checkPdfName(file: string | undefined): void {
  const ending = /\.([a-z]\w{1,4})$/i.exec(file ?? "")?.[1]
  if (ending !== undefined && ending.toLowerCase() !== "pdf")
    throw new FreightError("usage", `${file} is not the name of a PDF: give it the ending .pdf`)
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

/** One name per file, however its folder was reached. */
function fullPath(file: string): string {
  const folder = path.dirname(path.resolve(file))
  try {
    return oneCase(path.join(realpathSync(folder), path.basename(file)))
  } catch {
    return oneCase(path.join(folder, path.basename(file)))
  }
}

/** On Windows `A.pdf` and `a.pdf` are one file. */
function oneCase(file: string): string {
  return path.sep === "\\" ? file.toLowerCase() : file
}
