// The main job, from rates to a printed label, an invoice and a bill, on the built-in sandbox. Every step runs the real command in a
// process of its own, over real HTTP; what it prints is what anyone would see.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const program = path.join(root, "bin/freight.js")
const folder = path.join(root, "demo")
mkdirSync(folder, { recursive: true })
const bold = (text) => (process.stdout.isTTY && !process.env.NO_COLOR ? `\x1b[1m${text}\x1b[0m` : text)

/** Each tour books an order of its own: an equal one within a day would be refused. */
const order = `TOUR-${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}`
const LANE = '--from "Alexandria NSW 2015" --to "Fremantle WA 6160" --package 2x40x30x20@5.5'

console.log(
  "A demo of freight, from rates to a disputed bill. It uses the built-in sandbox: nothing here is real.",
)

show("Which carrier accounts are there?", "connectors --sandbox")
show("What does it cost to send two cartons from Sydney to Perth?", `rate-shop --sandbox ${LANE}`)
const { rateId, quoteId } = JSON.parse(
  read("The cheapest, for a script:", `rate-shop --sandbox ${LANE} --cheapest --format ndjson`),
)
const file = read("A booking file to start from:", "book --example")
writeFileSync(path.join(folder, "booking.json"), file)
const { shipmentId, consignmentNumber } = JSON.parse(
  read(
    "Book that rate with demo/booking.json, and wait for the consignment number:",
    `book --sandbox --file demo/booking.json --reference ${order} --rate ${rateId} --quote ${quoteId} --wait --yes --json`,
  ),
)
show("Its label, as PDF:", `label --sandbox ${shipmentId} -o demo/label.pdf`)
show("Print the label at the packing bench:", `print label --sandbox ${shipmentId} --device device-bench`)
show("Where is it?", `track --sandbox ${consignmentNumber}`)
show(
  "Write the invoice for it, as a draft with its totals worked out:",
  `invoice new --number INV-1 --po PO-7 --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556 --bill-to "1 Harbour Street; Sydney NSW 2000" --line "2 x Lamp @ 19.99 EA" -o demo/invoice.json`,
)
show("And check an invoice before it is submitted:", "invoice validate --draft demo/invoice.json")

// Days pass in a sandbox of its own: in the usual one the clock stays as it is.
const later = { FREIGHT_STATE_DIR: "demo/later" }
rmSync(path.join(root, later.FREIGHT_STATE_DIR), { recursive: true, force: true })
writeFileSync(path.join(folder, "orders.json"), JSON.stringify(orders(JSON.parse(file)), undefined, 2))
show(
  "A morning of orders, each with the cheapest service:",
  "batch book demo/orders.json --sandbox --yes",
  later,
)
show(
  "Days later a carrier sends its bill, a third of it wrong:",
  "sandbox bill --delivered --errors 33% -o demo/bill.csv --force",
  later,
)
show(
  "Which charges should be disputed? (Exit code 1 says that there are some.)",
  "audit demo/bill.csv --sandbox --disputes demo/disputes.csv --raise --force",
  later,
  1,
)
show("One page on one of them:", "evidence ORDER-1 --sandbox -o demo/evidence.pdf --force", later)
show(
  "A letter to each carrier, with such pages:",
  "disputes letter --sandbox --dir demo/letters --force",
  later,
)
show("Sent:", "disputes sent bill.csv --sandbox", later)
show("The next bill credits it:", "sandbox bill --credits -o demo/next.csv --force", later)
show("And its audit closes the disputes:", "audit demo/next.csv --sandbox", later)
show("Nothing is open any more:", "report disputes --sandbox", later)

// Never npx: outside the clone it offers a package of somebody else.
const freight = isOnPath() ? "freight" : "node bin/freight.js"
console.log(`
${bold("Done.")} The label is demo/label.pdf, the invoice demo/invoice.json, what to dispute
demo/disputes.csv, one page on one shipment demo/evidence.pdf, and the letters demo/letters.
What to type next:
  ${freight} shipments list --sandbox
  ${freight} rate-shop --sandbox --from "Hobart TAS 7000" --to "Darwin NT 0800" --package 60x40x40@12
  ${freight} invoice show --draft demo/invoice.json
  ${freight} --help`)

/** Whether `freight` on the PATH is this clone: npm links there when it installs a folder with --global. */
function isOnPath() {
  const own = realpathSync(program)
  return (process.env.PATH ?? "").split(path.delimiter).some((each) => {
    const file = path.join(each, "freight")
    return existsSync(file) && realpathSync(file) === own
  })
}

/** Twelve orders to four towns. */
function orders({ serviceCode: _, customerReference: __, ...booking }) {
  const towns = [
    ["Fremantle", "WA", "6160"],
    ["Carlton", "VIC", "3053"],
    ["Hobart", "TAS", "7000"],
    ["Newcastle", "NSW", "2300"],
  ]
  return Array.from({ length: 12 }, (_, at) => {
    const [suburb, state, postcode] = towns[at % towns.length]
    const receiver = { ...booking.receiver, address1: `${at + 1} Market Street`, suburb, state, postcode }
    return { reference: `ORDER-${at + 1}`, service: "cheapest", ...booking, receiver }
  })
}

/** Runs `freight LINE` where everyone sees it. */
function show(title, line, env, code) {
  run(title, line, "inherit", env, code)
}

/** The same for a command whose standard output the next step needs; shows that too. */
function read(title, line) {
  const { stdout } = run(title, line, "pipe")
  process.stdout.write(stdout)
  return stdout
}

function run(title, line, stdout, env = {}, code = 0) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `)
  console.log(`\n${bold(title)}\n$ ${settings.join("")}freight ${line}`)
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
  const ran = spawnSync(process.execPath, [program, ...words], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", stdout, "inherit"],
  })
  if (ran.status === code) return ran
  console.error(`\nThat step ended with exit code ${ran.status}, so the tour stops here.`)
  process.exit(ran.status || 1)
}
