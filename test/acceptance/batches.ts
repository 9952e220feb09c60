/** Desks with a file of orders, and what a batch leaves behind. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { text } from "node:stream/consumers"
import { parse } from "csv-parse/sync"
import type { Summary } from "../../src/orders/batch/summary.ts"
import type { ErrorJson } from "../../src/base/errors.ts"
import { desk, getCommandLine, type Ran } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { type Order, saveOrders } from "./orders.ts"
import type { RunningSandbox } from "./sandbox.ts"

let prefixes = 0
/** References that no other test has. */
export const fresh = () => `T${++prefixes}`

/** A desk with a file of orders. */
export async function orderDesk(rows: readonly Order[], sandbox: RunningSandbox) {
  const made = await desk(sandbox)
  const file = await saveOrders(made.folder, rows)
  const book = (...flags: string[]) => made.freight(["batch", "book", file, "--json", ...flags])
  return {
    ...made,
    file,
    book,
    /** The same in a process that the test can end. */
    start(...flags: string[]) {
      const command = getCommandLine(["batch", "book", file, "--json", ...flags])
      const child = spawn(...command, { cwd: made.folder, env: made.env, stdio: "pipe" })
      child.stdin.end()
      const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)])
      return { child, ended: ended.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })) }
    },
    results: () => resultsIn(path.join(made.folder, "orders.results.csv")),
    status: async () =>
      (await made.freight(["batch", "status", file, "--json"])).json<
        Summary & { items: Record<string, unknown>[] }
      >(),
    /** How often each was booked. */
    async booked(asked: readonly Order[] = rows) {
      const books = bookedBy(await sandbox.control("books"))
      return asked.map(({ reference = "" }) => books.get(reference)?.length ?? 0)
    },
  }
}

/** The results by column. */
async function resultsIn(file: string): Promise<Record<string, string>[]> {
  return parse(await readFile(file), { columns: true })
}

export function errorOf({ stderr }: Pick<Ran, "stderr">): ErrorJson["error"] {
  const line = stderr.split("\n").find((each) => each.startsWith('{"error"'))
  return (JSON.parse(line ?? "{}") as ErrorJson).error
}
