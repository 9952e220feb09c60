/** After a power cut, or a kill at any write, the ledger has every claim whose request has left, and every outcome. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { build } from "rolldown"
import { describe, expect, it } from "vitest"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemIds } from "../../src/machine/host.ts"
import { openLedger } from "../../src/ledger/open.ts"
import { entries, temporaryDir, testClock } from "./setup.ts"

/** A disk of which one can take what is on it at any moment. */
interface Disk {
  folder: string
  /** How a program is run on it. */
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** @returns a folder with what a power cut would leave now */
  cut(): string
}

const MOUNTED = 'mount -o loop "$0" "$1" && shift && exec "$@"'

/** Its image has what was written to the disk, and not what the system still holds in memory. */
function mountedDisk(): Disk {
  const [images, folder] = [temporaryDir(), temporaryDir()]
  const [image, taken] = [path.join(images, "disk"), path.join(images, "taken")]
  execFileSync("mkfs.ext4", ["-q", image, "64M"], { stdio: "ignore" })
  return {
    folder,
    command: ["unshare", "-m", "sh", "-c", MOUNTED, image, folder],
    env: {},
    cut() {
      const left = temporaryDir()
      copyFileSync(image, taken)
      execFileSync("unshare", ["-m", "sh", "-c", MOUNTED, taken, folder, "cp", "-r", `${folder}/.`, left])
      return left
    },
  }
}

/** A library in the program keeps of each file what was synced; `power-cut.c` has it. */
function keptDisk(writes = ""): Disk {
  const [folder, kept] = [temporaryDir(), temporaryDir()]
  const library = path.join(kept, "power-cut.so")
  const source = path.join(import.meta.dirname, "power-cut.c")
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"])
  return {
    folder,
    command: [],
    env: {
      ...{ LD_PRELOAD: library, FREIGHT_TEST_FOLDER: folder, FREIGHT_TEST_DISK: kept },
      ...(writes && { FREIGHT_TEST_WRITES: writes }),
    },
    cut() {
      const left = temporaryDir()
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const file = statSync(path.join(folder, name))
        const synced = path.join(kept, String(file.ino))
        if (file.isDirectory()) mkdirSync(path.join(left, name))
        else if (existsSync(synced)) copyFileSync(synced, path.join(left, name))
      }
      return left
    },
  }
}

const canRun = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const CAN_MOUNT =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  canRun(
    "sh",
    "-c",
    "d=$(mktemp -d) && mkfs.ext4 -q $d/disk 8M && unshare -m mount -o loop $d/disk /mnt; s=$?; rm -r $d; exit $s",
  )
const CAN_COMPILE = process.platform === "linux" && canRun("cc", "--version")

/** Bundles `power-cut-program.ts` for a process of its own. */
async function bundleProgram(): Promise<string> {
  const file = path.join(temporaryDir(), "program.mjs")
  await build({
    input: path.join(import.meta.dirname, "power-cut-program.ts"),
    platform: "node",
    output: { file, format: "esm", codeSplitting: false },
  })
  return file
}

/** Where the bundle finds libsql's own library. */
const NODE_PATH = createRequire(import.meta.url)
  .resolve.paths("libsql")
  ?.join(path.delimiter)

/** Books so many; at the end the power is cut. @returns what is left, and what the program has said */
async function bookOn({ folder, command, env, cut }: Disk, program: string, count: number) {
  const [first = "", ...words] = [...command, process.execPath, program, folder, String(count)]
  const child = spawn(first, words, {
    env: { ...process.env, ...env, NODE_PATH },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let left: string | undefined
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk
    if (!said.endsWith("over\n")) return
    left = cut()
    child.kill("SIGKILL")
  })
  await once(child, "close")
  const keysAfter = (word: string) =>
    [...said.matchAll(new RegExp(`^${word} (.*)$`, "gm"))].map(([, key]) => key)
  return { left: left ?? cut(), isOver: left !== undefined, sent: keysAfter("sent"), done: keysAfter("done") }
}

/** The errors of a ledger that was left so. */
async function missingIn(folder: string, { sent, done }: Awaited<ReturnType<typeof bookOn>>) {
  const { store } = await openLedger(
    {
      address: undefined,
      from: "",
      folder: path.join(folder, "state"),
    },
    { clock: testClock(), ids: systemIds, sqlite: systemSqlite, password: async () => undefined },
    async () => {},
  )
  try {
    const found = new Map((await entries(store)).map(({ key, state }) => [key.replace("key:", ""), state]))
    const [integrity] = await store.database.all("pragma integrity_check")
    return {
      claims: sent.filter((key) => !found.has(key ?? "")),
      outcomes: done.filter((key) => found.get(key ?? "") !== "done"),
      integrity: integrity?.integrity_check,
    }
  } finally {
    await store.close()
  }
}

const WHOLE = { claims: [], outcomes: [], integrity: "ok" }
const BOOKINGS = 33

it.skipIf(process.env.CI === undefined)("a power cut can be tried here", () => {
  expect({ CAN_MOUNT, CAN_COMPILE }).toMatchObject({ CAN_COMPILE: true })
})

describe.each([
  ["the image of a disk", CAN_MOUNT, mountedDisk],
  ["what was synced", CAN_COMPILE, keptDisk],
] as const)("a power cut, by %s", (_by, isPossible, disk) => {
  it.skipIf(!isPossible)("loses no claim whose request has left, and no outcome", async () => {
    const ran = await bookOn(disk(), await bundleProgram(), BOOKINGS)
    expect([ran.sent.length, ran.done.length]).toEqual([BOOKINGS, (BOOKINGS / 3) * 2])
    expect(await missingIn(ran.left, ran)).toEqual(WHOLE)
  })
})

it.skipIf(!CAN_COMPILE)(
  "a kill or a power cut at any write leaves the ledger whole",
  async ({ annotate }) => {
    const program = await bundleProgram()
    const sent = new Set<number>()
    for (let writes = 0; ; writes += 7) {
      const disk = keptDisk(String(writes))
      const ran = await bookOn(disk, program, 3)
      sent.add(ran.sent.length)
      for (const left of [disk.folder, ran.left])
        expect(await missingIn(left, ran), `${writes}`).toEqual(WHOLE)
      if (!ran.isOver) continue
      await annotate(`${writes} writes`)
      break
    }
    expect([...sent]).toEqual([0, 1, 2, 3])
  },
)
