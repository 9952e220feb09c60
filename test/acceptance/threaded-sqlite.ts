/**
 * SQLite that never holds up this thread: each connection waits for locks in a thread of its own, so that several desks in
 * one process can work on one file, as processes do.
 */
import path from "node:path"
import { Worker } from "node:worker_threads"

interface Reply {
  id: number
  result?: unknown
  error?: { message: string }
}

/** Threads without a connection. */
const idle: Thread[] = []

class Thread {
  readonly #worker = new Worker(path.join(import.meta.dirname, "sqlite-thread.mjs"))
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #asked = 0

  constructor() {
    this.#worker.unref()
    this.#worker.on("message", (reply: Reply) => {
      this.#waiting.get(reply.id)?.(reply)
      this.#waiting.delete(reply.id)
    })
  }

  ask(method: string, ...args: unknown[]): Promise<unknown> {
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error) reject(Object.assign(new Error(error.message), error))
        else resolve(result)
      })
      this.#worker.postMessage({ id, method, args })
    })
  }
}

class DatabaseSync {
  readonly #thread = idle.pop() ?? new Thread()

  constructor(file: string) {
    void this.#thread.ask("open", file)
  }

  exec(sql: string) {
    return this.#thread.ask("exec", sql)
  }

  async prepare(sql: string) {
    await this.#thread.ask("prepare", sql)
    return {
      all: (...parameters: unknown[]) => this.#thread.ask("all", sql, parameters),
      run: (...parameters: unknown[]) => this.#thread.ask("run", sql, parameters),
    }
  }

  async close() {
    await this.#thread.ask("close").catch(() => {})
    idle.push(this.#thread)
  }
}

/** For a host: in place of Node's own. */
export const threadedSqlite = () => ({ DatabaseSync })
