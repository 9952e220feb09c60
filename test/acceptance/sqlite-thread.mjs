// One connection at a time to a SQLite file, for `threaded-sqlite.ts`.
import { parentPort } from "node:worker_threads"
import Libsql from "libsql"

let database
let failed
const statements = new Map()
const prepare = (sql) => {
  if (!statements.has(sql)) statements.set(sql, database.prepare(sql))
  return statements.get(sql)
}
const METHODS = {
  open(file) {
    try {
      failed = undefined
      database = new Libsql(file, {})
    } catch (error) {
      failed = error
    }
  },
  exec: (sql) => void database.exec(sql),
  prepare: (sql) => void prepare(sql),
  all: (sql, parameters) => prepare(sql).all(...parameters),
  run: (sql, parameters) => ({ changes: prepare(sql).run(...parameters).changes }),
  close() {
    statements.clear()
    database?.close()
    database = undefined
  },
}

parentPort.on("message", ({ id, method, args }) => {
  try {
    if (failed && method !== "open" && method !== "close") throw failed
    parentPort.postMessage({ id, result: METHODS[method](...args) })
  } catch (error) {
    const { message, code, rawCode } = error
    parentPort.postMessage({ id, error: { message, code, rawCode } })
  }
})
