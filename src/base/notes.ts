import { isObject, type Json, tryParseJson } from "./json.ts"

/** A command's notes and warnings on standard error, in any format, as a person reads them. */
export function readNotes(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => {
    if (line === "") return []
    const message = tryParseJson(line) as Json | undefined
    if (!isObject(message)) return [line]
    if (typeof message.warning === "string") return [`warning: ${message.warning}`]
    return typeof message.note === "string" ? [message.note] : [line]
  })
}
