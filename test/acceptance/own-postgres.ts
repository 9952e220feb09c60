/** A PostgreSQL server of a test's own, with a password and TLS. FREIGHT_TEST_POSTGRES_BIN names the folder of its programs; CI has it. */
import { execFileSync } from "node:child_process"
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import pg from "pg"
import { freePort } from "../ports.ts"

export const POSTGRES_BIN = process.env.FREIGHT_TEST_POSTGRES_BIN

export const PASSWORD = "correct horse 7"

export interface OwnPostgres {
  port: number
  folder: string
  /** The certificate that it shows, signed by itself: for 127.0.0.1, and the host names given. */
  certificate: string
  /** Without a password, for this machine. */
  address(database: string, host?: string): string
  administer(sql: string, database?: string): Promise<void>
  start(): void
  /** Ends it at once, as a crash does. */
  crash(): void
  remove(): void
}

/** PostgreSQL refuses to run as root. */
function ownerOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** @param hosts addresses besides 127.0.0.1 that its certificate is for */
export async function startPostgres(hosts: readonly string[] = []): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-postgres-"))
  const owner = ownerOf()
  chmodSync(folder, 0o755)
  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: "pipe", ...owner })
  const inner = path.join(folder, "server")
  mkdirSync(inner)
  if (owner) execFileSync("chown", [`${owner.uid}:${owner.gid}`, inner])
  const data = path.join(inner, "data")
  const certificate = path.join(folder, "server.crt")
  const key = path.join(inner, "server.key")
  const password = path.join(folder, "password")
  writeFileSync(password, `${PASSWORD}\n`)
  const port = await freePort()

  run(path.join(POSTGRES_BIN ?? "", "initdb"), [
    ...["-D", data, "-U", "freight", "-A", "scram-sha-256", `--pwfile=${password}`],
  ])
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=freight test"],
      ...["-addext", `subjectAltName=${["127.0.0.1", ...hosts].map((host) => `IP:${host}`).join(",")}`],
      ...["-keyout", key, "-out", certificate],
    ],
    { stdio: "pipe" },
  )
  if (owner) execFileSync("chown", [`${owner.uid}:${owner.gid}`, key])
  chmodSync(key, 0o600)
  chmodSync(certificate, 0o644)
  appendFileSync(path.join(data, "pg_hba.conf"), "host all all 0.0.0.0/0 scram-sha-256\n")
  appendFileSync(
    path.join(data, "postgresql.conf"),
    [
      ...[`port = ${port}`, "listen_addresses = '*'", `unix_socket_directories = '${inner}'`],
      ...["ssl = on", `ssl_cert_file = '${certificate}'`, `ssl_key_file = '${key}'`, ""],
    ].join("\n"),
  )
  const control = (...args: readonly string[]) =>
    run(path.join(POSTGRES_BIN ?? "", "pg_ctl"), [
      ...["-D", data, "-w", "-l", path.join(inner, "log")],
      ...args,
    ])
  control("start")
  return {
    port,
    folder,
    certificate,
    address: (database, host = "127.0.0.1") => `postgres://freight@${host}:${port}/${database}`,
    async administer(sql, database = "postgres") {
      const client = new pg.Client({
        ...{ host: "127.0.0.1", port, user: "freight", password: PASSWORD, database },
      })
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    },
    start: () => void control("start"),
    crash: () => void control("stop", "-m", "immediate"),
    remove() {
      try {
        control("stop", "-m", "immediate")
      } catch {
        // It was stopped before.
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
