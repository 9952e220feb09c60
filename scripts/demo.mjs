// The main job, from rates to a printed label, on the built-in sandbox. Every step runs the real command in a
// process of its own, over real HTTP; what it prints is what anyone would see.
import { spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const folder = path.join(root, "demo")
mkdirSync(folder, { recursive: true })
const bold = (text) => (process.stdout.isTTY && !process.env.NO_COLOR ? `\x1b[1m${text}\x1b[0m` : text)

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

console.log(
  "freight, the whole way once, on the built-in sandbox: nothing here is real, and no account is needed.",
)

step("Which carrier accounts are there?", "connectors")
step("What does it cost to send two cartons from Sydney to Perth?", "rate-shop", ...LANE)
const rate = JSON.parse(
  step(
    "The cheapest one, for a script:",
    ...[
      "rate-shop",
      ...LANE,
      "--cheapest",
      "--format",
      "ndjson",
      "--fields",
      "rateId,quoteId,carrier,serviceCode,price",
    ],
  ),
)
const booking = JSON.parse(
  step(
    "Book that rate, and wait for the consignment number:",
    ...["book", "--file", "examples/booking.json", "--rate", rate.rateId, "--quote", rate.quoteId],
    ...[
      "--set",
      `serviceCode=${rate.serviceCode}`,
      "--ready",
      `${nextWorkday()}T10:00`,
      "--close",
      "17:00",
      "--wait",
      "--json",
    ],
  ),
)
step("Its label, as PDF:", "label", booking.shipmentId, "-o", "demo/label.pdf")
step(
  "Print the label at the packing bench:",
  "print",
  "label",
  booking.shipmentId,
  "--device",
  "dev-packing-bench",
)
step("Where is it?", "track", booking.consignmentNumber)

console.log(`
${bold("Done.")} The label is demo/label.pdf. What to type next:
  npx freight shipments list --sandbox
  npx freight rate-shop --sandbox --from "Hobart TAS 7000" --to "Darwin NT 0800" --package 60x40x40@12 --fastest
  npx freight --help`)

/** Runs `freight WORDS… --sandbox`, shows the line and what it prints, and returns its standard output. */
function step(title, ...words) {
  const line = [...words, "--sandbox"]
  console.log(`\n${bold(title)}\n$ freight ${line.map(quoted).join(" ")}`)
  const run = spawnSync(process.execPath, [path.join(root, "bin/freight.js"), ...line], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: process.stdout.isTTY && !process.env.NO_COLOR ? { ...process.env, FORCE_COLOR: "1" } : process.env,
  })
  process.stdout.write(run.stdout)
  if (run.status === 0) return run.stdout
  console.error(`\nThat step ended with exit code ${run.status}, so the tour stops here.`)
  process.exit(run.status ?? 1)
}

function quoted(word) {
  return /^[\w./:@=,-]+$/.test(word) ? word : `"${word}"`
}

/** The next day that carriers collect, as the calendar of Sydney has it. */
function nextWorkday() {
  const sydney = new Intl.DateTimeFormat("en-CA", { timeZone: "Australia/Sydney" })
  for (let at = Date.now() + 86_400_000; ; at += 86_400_000)
    if (![0, 6].includes(new Date(`${sydney.format(at)}T00:00:00Z`).getUTCDay())) return sydney.format(at)
}
