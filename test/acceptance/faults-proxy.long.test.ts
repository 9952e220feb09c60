/**
 * Through a real HTTP proxy to a server whose certificate a private authority signed. No such name as `freight.test` is
 * known to the system: tinyproxy is told to hand it on to a proxy of the test, which leads to the sandbox behind TLS.
 */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, CERTIFICATE, secureServer, type TestServer, tunnelProxy } from "../api/servers.ts"
import { startTinyproxy, TINYPROXY, type Tinyproxy } from "../faulty/tinyproxy.ts"
import { DEAD_PORT } from "../ports.ts"
import { desk } from "./freight.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess()
})
afterAll(() => sandbox.stop())

/** Hands a request on to the sandbox, and its reply back. */
const toSandbox: Answer = async (res, { method, url, headers, body }) => {
  const reply = await fetch(new URL(sandbox.freightBaseUrl).origin + url, {
    method,
    headers: { authorization: String(headers.authorization), "content-type": "application/json" },
    ...(method !== "GET" && { body }),
  })
  const type = reply.headers.get("content-type") ?? ""
  res.writeHead(reply.status, { "content-type": type }).end(Buffer.from(await reply.arrayBuffer()))
}

interface Way {
  server: TestServer
  /** The requests to the last proxy before the server. */
  asked: { target: string }[]
  proxy: Tinyproxy
}

async function way(answer: Answer = toSandbox, lines: readonly string[] = []): Promise<Way> {
  const server = await secureServer(answer)
  const { port, asked } = await tunnelProxy(server.port)
  return { server, asked, proxy: await startTinyproxy(port, lines) }
}

/** A desk behind a proxy, which trusts the private authority. */
async function deskBehind(proxy: string, more: Record<string, string> = {}) {
  const made = await desk(sandbox)
  const authority = path.join(made.folder, "authority.pem")
  await writeFile(authority, CERTIFICATE)
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(ownBooking()))
  const env = {
    HTTPS_PROXY: proxy,
    FREIGHT_BASE_URL: "https://freight.test/freight/v0",
    NODE_EXTRA_CA_CERTS: authority,
    ...more,
  }
  return {
    ...made,
    behind: (args: readonly string[], more = {}) => made.freight(args, { env: { ...env, ...more } }),
  }
}

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error
/** The booking is the only request. */
const BOOK = [
  ...["book", "--file", "booking.json", "--service", "76", "--connector", "connector-a"],
  ...["--no-rate", "--json"],
]

// CI installs tinyproxy; elsewhere these are left out when it is not there.
describe.runIf(TINYPROXY)("through tinyproxy, with a private certificate authority", () => {
  it("reads", async () => {
    const { proxy, asked, server } = await way()
    const { behind } = await deskBehind(`http://${proxy.address}`)
    const { code, stderr, json } = await behind(["connectors", "--json"])
    expect(code, stderr).toBe(0)
    expect(json().items).toHaveLength(3)
    expect(asked.map(({ target }) => target)).toEqual(["freight.test:443"])
    expect(server.requests.map(({ url }) => url)).toEqual(["/freight/v0/connectors"])
  })

  it("books, once, and brings the label whole", async () => {
    const { proxy, server } = await way()
    const { behind, folder } = await deskBehind(`http://${proxy.address}`)
    const { code, stderr } = await behind([...BOOK, "--label", "label.pdf"])
    expect(code, stderr).toBe(0)
    expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(1)
    expect((await readFile(path.join(folder, "label.pdf"))).subarray(-6).toString().trim()).toBe("%%EOF")
  })

  it("without the authority: says that the certificate is not trusted, and sends nothing", async () => {
    const { proxy, server } = await way()
    const { behind } = await deskBehind(`http://${proxy.address}`, { NODE_EXTRA_CA_CERTS: "" })
    const { code, stderr } = await behind(["connectors"])
    expect(code, stderr).toBe(6)
    expect(stderr).toContain(`through the proxy ${proxy.address}, is not trusted`)
    expect(stderr).toContain("NODE_EXTRA_CA_CERTS")
    expect(server.requests).toEqual([])
  })

  it("a booking that fails on the certificate created nothing, and can be run again", async () => {
    const { proxy, server } = await way()
    const { behind, freight } = await deskBehind(`http://${proxy.address}`)
    // The key is known in the ledger, so that the booking is the first thing to be sent.
    expect((await behind([...BOOK, "--reference", "before"])).code).toBe(0)
    const env = {
      HTTPS_PROXY: `http://${proxy.address}`,
      FREIGHT_BASE_URL: "https://freight.test/freight/v0",
    }
    const untrusted = await freight(BOOK, { env })
    expect(untrusted.code, untrusted.stderr).toBe(6)
    expect(errorOf(untrusted.stderr)).toMatchObject({ kind: "unavailable", retry: "safe" })
    expect(errorOf(untrusted.stderr).message).toContain("nothing was created")
    expect((await behind(BOOK)).code).toBe(0)
    expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(2)
  })

  it("signs in to the proxy with the name and password in its address, and shows neither", async () => {
    const { proxy, asked } = await way(toSandbox, ["BasicAuth clerk pass-word"])
    const { behind } = await deskBehind(`http://clerk:pass-word@${proxy.address}`)
    const { code, stdout, stderr } = await behind(["connectors", "--verbose"])
    expect(code, stderr).toBe(0)
    expect(stdout + stderr).not.toContain("pass-word")
    expect(asked).toHaveLength(1)
  })

  it("says that the proxy wants a password", async () => {
    const { proxy, asked } = await way(toSandbox, ["BasicAuth clerk pass-word"])
    const { behind } = await deskBehind(`http://clerk:wrong-one@${proxy.address}`)
    const { code, stderr } = await behind(["connectors"])
    expect(code, stderr).toBe(2)
    expect(stderr).toContain(`the proxy ${proxy.address} refused the user name or password (status 40`)
    expect(stderr).toContain("They are in HTTPS_PROXY")
    expect(stderr).not.toContain("wrong-one")
    expect(asked).toEqual([])
  })

  it("says that the proxy does not let it through", async () => {
    const { proxy } = await way(toSandbox, ["ConnectPort 8443"])
    const { behind } = await deskBehind(`http://${proxy.address}`)
    const { code, stderr } = await behind(["connectors", "--json"])
    expect(code, stderr).toBe(6)
    expect(errorOf(stderr)).toMatchObject({ kind: "unavailable", retry: "safe" })
    expect(errorOf(stderr).message).toContain("would not connect to freight.test (status 403)")
  })

  it("a proxy that dies under a booking leaves it unknown, and it is sent once", async () => {
    let kill = () => {}
    const posts: string[] = []
    const dropping: Answer = async (res, seen) => {
      if (seen.method !== "POST") return toSandbox(res, seen)
      posts.push(seen.url)
      kill()
    }
    const { proxy } = await way(dropping)
    kill = () => void proxy.process.kill("SIGKILL")
    const { behind } = await deskBehind(`http://${proxy.address}`)
    const { code, stderr } = await behind(BOOK)
    expect(code, stderr).toBe(7)
    expect(errorOf(stderr)).toMatchObject({
      kind: "outcomeUnknown",
      retry: "never",
      next: "freight reconcile",
    })
    expect(posts).toHaveLength(1)
  })
})

describe("a proxy that is not there", () => {
  it("is what the message names, and nothing was created", async () => {
    const address = `127.0.0.1:${DEAD_PORT}`
    const { behind } = await deskBehind(`http://${address}`)
    const { code, stderr } = await behind(["connectors"])
    expect(code, stderr).toBe(6)
    expect(stderr).toContain(`${address} refused the connection`)
    expect(stderr).toContain("HTTPS_PROXY")
  })

  it("is reported by doctor where the server answers without it, with the command that goes past it", async () => {
    const server = await secureServer(toSandbox)
    const proxy = `127.0.0.1:${DEAD_PORT}`
    // This machine by an address that does not count as its own.
    const FREIGHT_BASE_URL = `https://0.0.0.0:${server.port}/freight/v0`
    const { behind } = await deskBehind(`http://${proxy}`, { FREIGHT_BASE_URL })
    const { code, json } = await behind(["doctor", "--json"])
    expect(code).toBe(1)
    const { items: checks } = json<{ items: { check: string }[] }>()
    expect(checks.find(({ check }) => check === "proxy")).toMatchObject({
      state: "fail",
      message: `the proxy ${proxy} is in the way: 0.0.0.0 answers without it`,
      next: "export NO_PROXY=0.0.0.0",
    })
    const past = await behind(["connectors"], { NO_PROXY: "0.0.0.0" })
    expect(past.code, past.stderr).toBe(0)
  })
})
