/**
 * A process of its own that works on a ledger: claims names as soon as it is told to, and tells each step on standard
 * output. `race FOLDER COUNT`: claims COUNT names and no more. `storm FOLDER PREFIX`: claims and settles without end.
 */
import { once } from "node:events"
import { writeSync } from "node:fs"
import { openStore } from "../../src/ledger/store.ts"
import { entry, slotOf } from "./samples.ts"

const [, , what = "", folder = "", more = ""] = process.argv
const store = openStore(folder)
const tell = (line: string) => writeSync(1, `${line}\n`)

async function race(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const made = entry({ key: `key:${n}`, owner: { host: "desk-1", pid: process.pid } })
    if (await store.claim(slotOf(made), made)) tell(`claimed ${n}`)
  }
}

async function storm(prefix: string): Promise<never> {
  for (let n = 0; ; n++) {
    const made = entry({ key: `key:${prefix}-${n}` })
    await store.claim(slotOf(made), made)
    tell(`claimed ${prefix}-${n}`)
    await store.settle(slotOf(made), { ...made, state: n % 3 === 0 ? "refused" : "done" })
    tell(`settled ${prefix}-${n}`)
  }
}

tell("ready")
await once(process.stdin, "data")
if (what === "race") {
  await race(Number(more))
  process.exit()
}
await Promise.all([storm(`${more}-a`), storm(`${more}-b`), storm(`${more}-c`)])
