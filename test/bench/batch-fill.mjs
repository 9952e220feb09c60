// Fills the ledger of the service in FREIGHT_BASE_URL with settled bookings.
import path from "node:path"
import { build } from "rolldown"

const root = path.resolve(import.meta.dirname, "../..")
const bundled = path.join(root, ".build/ledger")
await build({
  cwd: root,
  input: {
    create: "src/ledger/create.ts",
    store: "src/ledger/store.ts",
    "file-name": "src/contract/file-name.ts",
  },
  platform: "node",
  output: { dir: bundled, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
})
const [{ createOnce }, { openStore }, { fileName }] = await Promise.all(
  ["create", "store", "file-name"].map((name) => import(path.join(bundled, `${name}.mjs`))),
)

const { host, pathname } = new URL(process.env.FREIGHT_BASE_URL)
const service = fileName(`${host}${pathname.replace(/\/+$/, "")}`)
const folder = path.join(process.env.FREIGHT_STATE_DIR, service, "ledger")
const deps = {
  store: openStore(folder),
  account: "bench",
  clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  owner: { host: "bench", pid: process.pid, isAlive: () => false },
  signal: new AbortController().signal,
}
const total = Number(process.argv[2])
let next = 0
await Promise.all(
  Array.from({ length: 32 }, async () => {
    for (let n = next++; n < total; n = next++) {
      const intent = {
        kind: "shipment",
        key: `earlier-${n}`,
        content: { n },
        call: "POST",
        request: { n },
        facts: {},
      }
      await createOnce(
        deps,
        intent,
        async () => ({ shipmentId: `earlier-${n}` }),
        ({ shipmentId }) => ({ shipmentId }),
      )
    }
  }),
)
