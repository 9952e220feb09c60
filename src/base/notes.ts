import { isObject, type Json, tryParseJson } from "./json.ts"

/** The notes and warnings that a command wrote to standard error, whatever its format, as a person reads them. */
export function readNotes(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => {
    if (line === "") return []
    const message = tryParseJson(line) as Json | undefined
    if (!isObject(message)) return [line]
    if (typeof message.warning === "string") return [`warning: ${message.warning}`]
    return typeof message.note === "string" ? [message.note] : [line]
  })
}
