/** An assistant at a desk: the protocol's own client, and a `freight mcp` that it talks with. */
import { addAbortSignal, PassThrough } from "node:stream"
import { Client, type ClientOptions } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
// Between two streams, both ends of the protocol are alike.
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { onTestFinished } from "vitest"
import type { Host } from "../../src/app/main.ts"
import { ClosedPipe } from "../../src/base/errors.ts"
import { type desk, getBinary, hostOf, loadProgram } from "./freight.ts"

export interface Reply {
  isError: boolean
  text: string
  data: Record<string, unknown>
}

type Desk = Awaited<ReturnType<typeof desk>>

interface AssistantOptions {
  env?: Record<string, string>
  /** The time: it stands still until it is set. */
  clock?: { now: number }
  /** Replacements for parts of the host. */
  host?: Partial<Host>
  /** Undefined: as most assistants still do. */
  revision?: string
}

/** A server in this process, and the protocol's own client. */
export async function assistant(made: Desk, args: readonly string[] = [], options: AssistantOptions = {}) {
  const { toServer, toClient, ended, written } = await serveHere(made, args, options)
  const client = createClient(options)
  const end = async () => {
    toServer.end()
    return ended
  }
  onTestFinished(async () => void (await end()))
  await client.connect(new StdioServerTransport(toClient, toServer))
  return { client, call: callerOf(client), end, written }
}

/** A server in this process, for whoever writes its messages by hand. */
export async function serveHere(
  { folder, env }: Desk,
  args: readonly string[] = [],
  options: AssistantOptions = {},
) {
  const [toServer, toClient, err] = [new PassThrough(), new PassThrough(), [] as Buffer[]]
  const { clock } = options
  const ownHost = options.host && { host: options.host }
  const host = hostOf(
    { env: { ...env, ...options.env }, cwd: folder, ...(clock && { now: 0 }), ...ownHost },
    [],
    err,
  )
  const { stdin, stdout } = host.terminal
  const sent: string[] = []
  const { main } = await loadProgram(["mcp"])
  const ended = main(["mcp", "--folder", folder, ...args], {
    ...host,
    ...(clock && { clock: { ...host.clock, now: () => clock.now } }),
    terminal: {
      ...host.terminal,
      stdin: { ...stdin, chunks: (signal) => addAbortSignal(signal, toServer) },
      stdout: {
        ...stdout,
        async write(chunk) {
          // As where nobody reads a pipe any more.
          if (toClient.destroyed) throw new ClosedPipe()
          sent.push(String(chunk))
          toClient.write(chunk)
        },
      },
    },
  })
  void ended.then(() => toClient.end())
  return {
    toServer,
    toClient,
    /** Its exit code. */
    ended,
    /** All that was written to standard output, and to standard error. */
    written: () => ({ out: sent.join(""), err: Buffer.concat(err).toString() }),
  }
}

/** A server in a process of its own, as assistants start it. */
export async function startedAssistant(
  { folder, env }: Desk,
  args: readonly string[] = [],
  options: AssistantOptions = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [getBinary(), "mcp", ...args],
    env,
    cwd: folder,
    stderr: "pipe",
  })
  const client = createClient(options)
  onTestFinished(() => client.close())
  await client.connect(transport)
  return { client, call: callerOf(client), transport }
}

function createClient({ revision }: AssistantOptions): Client {
  const options: ClientOptions =
    revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } }
  return new Client({ name: "test", version: "1" }, options)
}

function callerOf(client: Client) {
  return async (name: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Reply> => {
    const reply = await client.callTool({ name, arguments: args }, signal && { signal })
    const { content, structuredContent = {}, isError = false } = reply
    const text = content.map((each) => (each.type === "text" ? each.text : "")).join("\n")
    return { isError, text, data: structuredContent as Record<string, unknown> }
  }
}
