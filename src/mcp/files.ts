/** Files that a tool may read: those of one folder. */
import path from "node:path"
import { FreightError } from "../errors.ts"
import { findInputs, getFileId } from "../invoice/sources/files.ts"

/** As `freight audit` has it. */
const BILLS = /\.(json|ndjson|jsonl|csv)$/i

/**
 * The files that some names lead to, wherever links point.
 * @param names files, folders or patterns, from the folder on
 * @throws FreightError `input` for what is not there, and for what is not in the folder
 */
export function findFilesIn(folder: string, names: readonly string[], what: "bills" | "invoices"): string[] {
  const top = getFileId(folder)
  const words = names.map((name) => path.resolve(folder, name))
  const inputs = findInputs(words, undefined, ...(what === "bills" ? [BILLS] : []))
  return Array.from(inputs, ({ file, unreadable, isEmpty, stream }) => {
    const name = path.relative(folder, file)
    const fromTop = path.relative(top, getFileId(file))
    if (fromTop === ".." || fromTop.startsWith(`..${path.sep}`) || path.isAbsolute(fromTop))
      throw new FreightError("input", `${name} is not in the folder whose files may be read`, {
        hint: "Name files from that folder on. Another is chosen when the server is started: freight mcp --folder.",
      })
    const reason = unreadable ?? (stream && "it is not a file") ?? (isEmpty && `it has no ${what} in it`)
    if (reason) throw new FreightError("input", `cannot read ${name || "the folder"}: ${reason}`)
    return file
  })
}
