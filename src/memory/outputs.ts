/** Writes the files that people name for output, and remembers them, so that freight overwrites only its own. */
import { hash } from "node:crypto"
import { readFileSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../errors.ts"
import { reasonOf } from "../system.ts"
import { keepJson, readKeptJson } from "./kept-file.ts"

export interface Outputs {
  /**
   * Call it before anything is sent.
   * @param file `-` is standard output; undefined passes
   * @param force overwrite any file
   * @throws FreightError `input` if the file exists and is not as freight wrote it
   */
  check(file: string | undefined, force: boolean | undefined): Promise<void>
  /** The same for a PDF. @throws FreightError `usage` also if it would go to the terminal: `-` is for pipes */
  checkPdf(file: string | undefined, force: boolean | undefined): Promise<void>
  /** Writes a checked file and remembers it; `-` is standard output. @throws FreightError `input` */
  write(file: string, data: string | Uint8Array): Promise<void>
}

interface Stdout {
  readonly isTTY: boolean
  write(data: string | Uint8Array): Promise<void>
}

const KEPT_AT_MOST = 500

/** @param kept SHA-256 by full path, the newest last */
export function openOutputs(
  kept: string,
  write: (file: string, data: string | Uint8Array) => Promise<void>,
  stdout: Stdout,
): Outputs {
  const known = async () => Object(await readKeptJson(kept)) as Record<string, unknown>
  const check: Outputs["check"] = async (file, force) => {
    if (file === undefined || file === "-") return
    const there = force ? undefined : statOrExplain(file)
    if (!there?.isFile() || there.size === 0) return
    if ((await known())[fullPath(file)] === hash("sha256", readFileSync(file))) return
    throw new FreightError(
      "input",
      `${file} already exists, and freight did not write it or it has changed since; nothing was sent or written`,
      { hint: "Name another file, or overwrite this one with --force." },
    )
  }
  return {
    check,
    async checkPdf(file, force) {
      checkPdfName(file)
      if (file === "-" && stdout.isTTY)
        throw new FreightError("usage", "a PDF cannot be shown on a terminal: redirect it, or name a file")
      await check(file, force)
    },
    async write(file, data) {
      if (file === "-") return stdout.write(data)
      await write(file, data)
      const { [fullPath(file)]: _, ...others } = await known()
      const newest = Object.entries(others).slice(1 - KEPT_AT_MOST)
      await keepJson(kept, Object.fromEntries([...newest, [fullPath(file), hash("sha256", data)]]))
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

/** One name per file, however its folder was reached. */
function fullPath(file: string): string {
  const folder = path.dirname(path.resolve(file))
  try {
    return path.join(realpathSync(folder), path.basename(file))
  } catch {
    return path.join(folder, path.basename(file))
  }
}
