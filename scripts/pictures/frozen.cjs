// Loaded into the runs that are pictured, before freight itself: time stands still on a Monday morning in Sydney, and ids and
// chance are counted out, so that the same command shows the same on any day, and on a machine that is busy.
const crypto = require("node:crypto")

const START = Date.parse("2026-11-23T09:30:00+11:00")
// With this, time goes on by so much with each new id, such as a booking's: where speed is shown, it is not this machine's
// of today.
const step = Number(process.env.PICTURE_STEP_MS ?? 0)
let ids = 0
let chances = 0

Date.now = () => START + step * ids

crypto.randomUUID = () => {
  ids++
  const [a, b, c, d, e] = [8, 4, 3, 3, 12].map((length, part) => digits(`${ids}:${part}`, length))
  return `${a}-${b}-4${c}-8${d}-${e}`
}

Math.random = () => Number.parseInt(digits(`chance ${chances++}`, 8), 16) / 2 ** 32

function digits(text, length) {
  return crypto.createHash("sha256").update(text).digest("hex").slice(0, length)
}
