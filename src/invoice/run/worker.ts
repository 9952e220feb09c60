/** The program of a thread that checks what it is handed. */
import { parentPort, workerData } from "node:worker_threads"
import { type Reply, createPerformer, type Task } from "./pool.ts"

const perform = createPerformer(workerData)

function send(message: Reply): void {
  parentPort?.postMessage(message, message.buffer ? [message.buffer] : [])
}

/** Tasks follow each other: the checker does one thing at a time. */
let last: Promise<void> = Promise.resolve()
parentPort?.on("message", (task: Task) => {
  last = last.then(async () => {
    const parts = await perform(task)
    send({ parts, ...(task.kind === "bytes" && { buffer: task.buffer }) })
  })
})
send({})
