/** Ports of this machine, for tests. */
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"

/** Nothing listens there: a port below 1024 is given to no program by chance. */
export const DEAD_PORT = 1

/** A free port that no program is given by chance, as it is from 32768 on: what stops there can start there again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (!(await isFirst(port))) continue
    const server = createServer().listen(port, "127.0.0.1")
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, "close")
    return port
  }
}

/** Whether no other test of this run has drawn it, whose program may not listen yet. */
function isFirst(port: number): Promise<boolean> {
  return mkdir(path.join(tmpdir(), `port-${port}`)).then(
    () => true,
    () => false,
  )
}
