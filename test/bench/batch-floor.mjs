// The floor: posts bookings as fast as undici does, and keeps nothing; or, given a file, has each booking in it on the
// disk before it is sent and each reply before the next, with one sync for all that wait. Prints how many a second.
import { fdatasync, openSync, writeSync } from "node:fs"
import { Agent } from "undici"

const [base, key, rows, atOnce, file] = process.argv.slice(2)
const log = file && openSync(file, "a")
let waiting = []
let isSyncing = false
const { origin, pathname } = new URL(base)
const agent = new Agent()
const sender = {
  companyName: "Harbour Lighting Pty Ltd",
  address1: "14 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
}
const packages = [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }]
const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
const day = `${new Date().getUTCFullYear() + 1}-11-23`

let next = 0
const began = performance.now()
await Promise.all(Array.from({ length: Number(atOnce) }, loop))
console.log(Number(rows) / ((performance.now() - began) / 1000))
await agent.close()

async function loop() {
  for (let n = next++; n < Number(rows); n = next++) {
    const receiver = {
      companyName: `Receiver ${n}`,
      address1: "8 Market Street",
      suburb: "Fremantle",
      state: "WA",
      postcode: "6160",
    }
    const booking = JSON.stringify({
      sender,
      collection: sender,
      receiver,
      items,
      packages,
      packagingCode: "CT",
      serviceCode: "GEN",
      collectionDateTime: `${day}T10:00:00`,
      collectionCloseTime: "1700",
      payer: { type: "Sender" },
      dangerousGoods: false,
      customerReference: `floor-${n}`,
    })
    if (log) await kept(booking)
    const { statusCode, body } = await agent.request({
      origin,
      path: `${pathname.replace(/\/$/, "")}/connector-b/shipments`,
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: booking,
    })
    const reply = await body.json()
    if (statusCode !== 201) throw new Error(`${statusCode}: ${JSON.stringify(reply)}`)
    if (log) await kept(JSON.stringify(reply))
  }
}

function kept(line) {
  return new Promise((resolve) => {
    waiting.push({ line, resolve })
    if (!isSyncing) setImmediate(sync)
    isSyncing = true
  })
}

function sync() {
  const group = waiting
  waiting = []
  isSyncing = group.length > 0
  if (!isSyncing) return
  writeSync(log, group.map(({ line }) => `${line}\n`).join(""))
  fdatasync(log, (error) => {
    if (error) throw error
    for (const { resolve } of group) resolve()
    setImmediate(sync)
  })
}
