/** Conversations of a small program at a real terminal, and what came of them. */
import { beforeAll } from "vitest"
import { conversingProgram } from "../output/terminal/conversation/program.ts"
import { type Seat, type Size, sitAt } from "./pty.ts"

const LARGE: Size = { columns: 80, rows: 24 }
export const SMALL: Size = { columns: 40, rows: 10 }
/** The text below every question. */
export const KEYS = "Ctrl-C stops"

const env = { PATH: process.env.PATH ?? "", LANG: "C.UTF-8" }

/**
 * Bundles the program before the tests of the block that calls this. The words of a conversation are those of
 * `conversing-program.ts`.
 */
export function conversations() {
  let program = ""
  beforeAll(async () => {
    program = await conversingProgram()
  })
  const inShell = (line: string) => sitAt(["/bin/sh", "-c", line], env, LARGE)
  return {
    sit: (
      words: string,
      { size = LARGE, more = {} }: { size?: Size; more?: Record<string, string> } = {},
    ): Promise<Seat> => sitAt([process.execPath, program, ...words.split(" ")], { ...env, ...more }, size),
    /** The conversation, and after it what the shell finds of the terminal. */
    sitInShell: (words: string) => inShell(`${process.execPath} ${program} ${words}; stty -a`),
    /** The conversation, with what it prints in the file `ended`. */
    sitToFile: async (words: string) => {
      const ended = `${program}.${words.replaceAll(" ", "")}`
      return { seat: await inShell(`exec ${process.execPath} ${program} ${words} > ${ended}`), ended }
    },
  }
}

/** The answer that the program printed, when it has ended. */
export async function answer(seat: Seat) {
  await seat.exit
  return JSON.parse(/^answer: (.*)$/m.exec(await seat.scrollback())?.[1] ?? "null")
}
