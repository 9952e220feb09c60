/** `freight completion-data KIND WORDS…`, asked by the completion scripts: an entry of its own, and a light one. */
import { randomUUID } from "node:crypto"
import { writeSync } from "node:fs"
import { systemSqlite } from "./builtin-sqlite.ts"
import { completionData } from "./completion/data.ts"

/** Never throws, and never says that anything is wrong: it would stand in the middle of a line that is being typed. */
export async function main([, ...asked]: readonly string[]): Promise<number> {
  const { env, platform } = process
  const clock = { now: Date.now, sleep: async () => {} }
  const text = await completionData(asked, {
    env,
    platform,
    clock,
    ids: { uuid: randomUUID, random: Math.random },
    sqlite: systemSqlite,
  })
  try {
    // Quicker than the stream, which is set up first.
    writeSync(1, text)
  } catch {
    // The shell went on without an answer.
  }
  return 0
}
