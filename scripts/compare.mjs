// node scripts/compare.mjs OLD NEW --seed N --lines M [--postgres URL]: draws command lines that book, in every way, and runs
// them with two builds (folders with a dist/), each at a desk of its own and against NEW's sandbox. Prints each kind of
// difference in JSON, exit codes and what was sent, with a line that shows it. What follows a difference at its desk is not
// compared. Exits 1 where there is any.
import { spawn } from "node:child_process"
import { randomInt, randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** Lines at a desk. */
const AT_A_DESK = 10
const DAY = "2030-11-25"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    lines: { type: "string", default: "2000" },
    postgres: { type: "string" },
    as: { type: "string" },
  },
})
const [old, fresh] = positionals.map((folder) => path.resolve(folder))
const desks = Math.ceil(Number(values.lines) / AT_A_DESK)
const load = (folder) => createRequire(import.meta.url)(path.join(folder, "dist/main.cjs"))

/** The same numbers for the same seed. */
function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The lines of a desk, from its seed; each is words, and what is on standard input. */
function drawLines(seed) {
  const random = createRandom(seed)
  const one = (...of) => of[Math.floor(random() * of.length)]
  const maybe = (share, ...words) => (random() < share ? words : [])
  const files = [
    "open.json",
    "named.json",
    "home.json",
    "cheapest.json",
    "service.json",
    "wrong.json",
    "reported.json",
    "packages.json",
  ]
  const service = () =>
    one(
      ["--service", "GEN", "--connector", "connector-b"],
      ["--service", one("GEN", "EXP", "75", "76", "STD", "NONE")],
      ["--service", one("cheapest", "fastest")],
      ["--rate", one("1", "2", "3", "5", "99")],
      ["--connector", one("connector-a", "connector-b", "connector-c", "connector-x")],
      ["--set", "serviceCode=EXP"],
      [],
    )
  const limits = () => [
    ...maybe(0.15, "--max-price", one("20", "80", "5000")),
    ...maybe(0.1, "--within", one("1d", "5d", "20d")),
    ...maybe(0.1, "--avoid", one("A", "B", "GEN", "none")),
    ...maybe(0.05, "--arrive-by", one("2030-11-26", "2030-12-20")),
  ]
  const identity = () => [
    ...maybe(0.4, "--reference", one("SO-1", "SO-2", "so 1")),
    ...maybe(0.3, "--key", one("k1", "k2", "K 1")),
    ...maybe(0.15, "--again"),
  ]
  const packages = () =>
    one(
      "2x40x30x20@5.5",
      "1x60x40x40@12",
      "30x20x10@2",
      "2x40x30x20@5.5",
      "2x40x30x20@5.5",
      random() < 0.3 ? "2x40x30x20@900" : "3x20x20x20@4",
    )
  const order = () =>
    one(
      ["--file", one(...files)],
      ["--file", one(...files)],
      [
        ...[
          "--sender",
          "sender.json",
          "--receiver",
          one("receiver.json", "8 Port Road, Port Adelaide SA 5015"),
        ],
        ...["--package", packages(), "--packaging", "CT", "--ready", `${DAY}T10:00`, "--close", "17:00"],
      ],
      ["--like", one("SO-1", "k1", "SO-9"), "--ready", `${DAY}T10:00`],
      ["--last", "--ready", `${DAY}T10:00`],
      ["--file", "dry.json"],
    )
  const book = () => {
    const isDry = random() < 0.3
    return [
      ...["book", ...order(), ...service(), ...limits(), ...identity()],
      ...maybe(0.1, "--to-residential"),
      ...maybe(0.1, "--package", packages()),
      ...maybe(
        0.1,
        "--set",
        one(
          "committedEta=2030-12-24T09:00",
          "bookingCutoff=08:00:00",
          "dangerousGoods=true",
          "customerReference=SO-3",
        ),
      ),
      ...maybe(0.1, "--no-rate"),
      ...maybe(
        0.1,
        one(
          "--allow-past",
          "--allow-density",
          "--accept-places",
          "--fix-places",
          "--without-looking",
          "--without-missing",
        ),
      ),
      ...(isDry
        ? ["--dry-run"]
        : [
            ...maybe(0.15, "--wait"),
            ...maybe(0.15, "--label", "label.pdf"),
            ...maybe(0.15, "--pickup"),
            ...maybe(0.1, "--print", one("demo-device", "nothing")),
          ]),
      "--json",
    ]
  }
  const raw = () => [
    "api",
    "POST",
    `${one("connector-a", "connector-b", "connector-c")}/shipments`,
    "--file",
    one("raw.json", "named-raw.json", "wrong.json"),
    ...identity().filter((word, at, all) => word !== "--reference" && all[at - 1] !== "--reference"),
    "--json",
  ]
  const batch = () => [
    ...[
      "batch",
      one("book", "book", "check"),
      one("one.csv", "three.csv", "mixed.csv"),
      ...maybe(0.2, "--service", one("GEN", "cheapest")),
    ],
    "--json",
  ]
  const lines = [
    {
      words: [
        "rate-shop",
        "--from",
        "Alexandria NSW 2015",
        "--to",
        "Fremantle WA 6160",
        "--package",
        "2x40x30x20@5.5",
        "--date",
        DAY,
      ],
    },
  ]
  while (lines.length < AT_A_DESK) {
    const words = one(book, book, book, book, book, raw, batch)()
    if (words[0] === "batch" && words[1] === "book")
      words.push(...maybe(0.3, "--dry-run"), ...maybe(0.2, "--again"), ...maybe(0.2, "--pickup"))
    lines.push({ words })
  }
  return lines
}

function writeFiles(folder, example) {
  const { serviceCode: _, customerReference: __, ...rest } = example
  const open = { ...rest, collectionDateTime: `${DAY}T10:00:00` }
  const raw = {
    ...open,
    serviceCode: "GEN",
    items: { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
  }
  const save = (name, value) =>
    writeFileSync(path.join(folder, name), typeof value === "string" ? value : JSON.stringify(value))
  const files = {
    "open.json": open,
    "named.json": {
      ...open,
      customerReference: "SO-1",
      receiver: { ...open.receiver, address1: "1 Named Street" },
    },
    "home.json": { ...open, receiver: { ...open.receiver, address1: "2 Home Street", residential: true } },
    "cheapest.json": { ...open, serviceCode: "cheapest" },
    "service.json": { ...open, serviceCode: "GEN", customerReference: "SO-4" },
    "wrong.json": { ...open, serviceCode: "GEN", receiver: { ...open.receiver, state: "VIC" } },
    "reported.json": { ...open, serviceCode: "GEN", quotedPriceExGstMinor: 4321, customerReference: "SO-5" },
    "packages.json": {
      ...open,
      packages: [{ count: 1, lengthCm: 60, widthCm: 40, heightCm: 40, weightKg: 12 }],
    },
    "dry.json": open,
    "raw.json": raw,
    "named-raw.json": { ...raw, customerReference: "SO-6" },
    "sender.json": open.sender,
    "receiver.json": open.receiver,
  }
  for (const [name, value] of Object.entries(files)) save(name, value)
  const head =
    "reference,sender.companyName,sender.address1,sender.suburb,sender.state,sender.postcode,sender.email,receiver.companyName,receiver.address1,receiver.suburb,receiver.state,receiver.postcode,packages,packagingCode,connector,service,collectionDateTime,collectionCloseTime"
  const row = (reference, state, connector, service) =>
    `${reference},Harbour Lighting Pty Ltd,14 Bourke Road,Alexandria,NSW,2015,dispatch@harbour-lighting.example,Receiver of ${reference},8 Market Street,Fremantle,${state},6160,2x40x30x20@5.5,CT,${connector},${service},${DAY}T10:00:00,1700`
  const rows = [
    row("SO-1", "WA", "connector-b", "GEN"),
    row("PO-2", "WA", "connector-a", "76"),
    row("PO-3", "WA", "", "cheapest"),
  ]
  save("one.csv", [head, rows[0]].join("\n"))
  save("three.csv", [head, ...rows].join("\n"))
  save("mixed.csv", [head, ...rows.slice(1), row("PO-4", "VIC", "connector-b", "GEN")].join("\n"))
}

/** Runs all desks with one build, and writes a line of JSON for each command. */
async function runDesks(build, seed) {
  const [theirs, sandboxOf] = [load(build), load(fresh)]
  const root = mkdtempSync(path.join(tmpdir(), "freight-compare-"))
  const pg = values.postgres && createRequire(path.join(fresh, "package.json"))("pg")
  const ofProcess = theirs.processHost({ colour: false })
  const databases = []
  const sql = async (text) => {
    const client = new pg.Client({ connectionString: values.postgres })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  try {
    for (let desk = 0; desk < desks; desk++) {
      const folder = path.join(root, String(desk))
      mkdirSync(folder)
      const random = createRandom(seed + desk)
      let ahead = 0
      const clock = {
        now: () => Date.now() + ahead,
        elapsed: () => performance.now() + ahead,
        async sleep(ms, signal) {
          await new Promise((resolve) => setImmediate(resolve))
          if (signal?.aborted) throw signal.reason
          ahead += ms
        },
      }
      const host = (env, write, signal, input = "") => {
        const into = (to) => ({
          isTTY: false,
          colour: false,
          columns: 80,
          write: async (chunk) => void to(String(chunk)),
        })
        return {
          ...ofProcess,
          env: { PATH: process.env.PATH, TZ: "UTC", HOME: folder, LANG: "C.UTF-8", ...env },
          clock,
          signal,
          ids: { uuid: randomUUID, random },
          terminal: {
            stdin: { isTTY: false, readAll: async () => Buffer.from(input), async *chunks() {} },
            stdout: into(write.out),
            stderr: into(write.err),
            unicode: true,
          },
        }
      }
      const sandbox = new AbortController()
      const silent = () => {}
      const reach = await new Promise((resolve, reject) => {
        const out = (line) => resolve(JSON.parse(line))
        sandboxOf
          .main(
            ["sandbox", "start", "--json"],
            host({ FREIGHT_STATE_DIR: path.join(folder, "sandbox") }, { out, err: silent }, sandbox.signal),
          )
          .then((code) => reject(new Error(`the sandbox ended with ${code}`)))
      })
      const env = {
        FREIGHT_STATE_DIR: path.join(folder, "state"),
        FREIGHT_CONFIG_DIR: path.join(folder, "config"),
        FREIGHT_WORKSTATION: "desk",
        FREIGHT_BASE_URL: reach.freightBaseUrl,
        FREIGHT_API_KEY: reach.freightApiKey,
        DIRECT_PRINT_BASE_URL: reach.directPrintBaseUrl,
        DIRECT_PRINT_API_KEY: reach.directPrintApiKey,
      }
      if (pg) {
        const name = `compare_${process.pid}_${desk}`
        await sql(`create database ${name}`)
        databases.push(name)
        env.FREIGHT_LEDGER = Object.assign(new URL(values.postgres), { pathname: `/${name}` }).href
      }
      const run = async (words) => {
        let [out, err] = ["", ""]
        const write = { out: (text) => (out += text), err: (text) => (err += text) }
        const code = await theirs.main(words, host(env, write, new AbortController().signal))
        return { code, out, err }
      }
      process.chdir(folder)
      writeFiles(folder, JSON.parse((await run(["book", "--example"])).out))
      const books = async () => (await fetch(new URL("/__sandbox/books", reach.freightBaseUrl))).json()
      for (const [at, { words }] of drawLines(seed + desk).entries()) {
        const { code, out, err } = await run(words)
        if (words.includes("--dry-run") && words[0] === "book" && code === 0) writeFileSync("dry.json", out)
        const { shipments, pickups, prints = [] } = await books()
        const sent = {
          shipments: shipments.map(({ request }) => request),
          pickups: pickups.length,
          prints: prints.length,
        }
        process.stdout.write(`${JSON.stringify({ desk, at, words, code, out, err, sent })}\n`)
      }
      sandbox.abort()
      process.chdir(root)
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    for (const name of databases) await sql(`drop database ${name} with (force)`)
    rmSync(root, { recursive: true, force: true })
  }
}

/** Values of one run alone. */
function normalize(text) {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replace(/\b20(2\d)-\d\d-\d\dT[\d:.]+Z?/g, "TIME")
    .replace(/http:\/\/127[^"\s]*/g, "ADDRESS")
}

/** The paths at which two values differ; entries of lists share one. */
function listDifferences(one, other, at = "") {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  const isObject = (value) => typeof value === "object" && value !== null
  if (!isObject(one) || !isObject(other)) return [`${at} ${shorten(one)} → ${shorten(other)}`]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const found = names.flatMap((name) =>
    listDifferences(one[name], other[name], `${at}.${Array.isArray(one) ? "*" : name}`),
  )
  return found.length > 0 ? found : [`${at} order of fields`]
}

function shorten(value) {
  if (value === undefined) return "absent"
  return typeof value === "object"
    ? "…"
    : typeof value === "number"
      ? "number"
      : JSON.stringify(value).slice(0, 90)
}

function read(text) {
  try {
    return JSON.parse(normalize(text))
  } catch {
    return normalize(text).trim() === "" ? "" : "text"
  }
}

function compareLines(one, other) {
  const errorOf = ({ err }) => {
    const { error } = Object(read(err.trim().split("\n").at(-1) ?? ""))
    return error && { kind: error.kind, code: error.code, status: error.status }
  }
  const view = (ran) => ({
    code: ran.code,
    ...(ran.words.includes("--json") && { json: read(ran.out), error: errorOf(ran) }),
    sent: read(JSON.stringify(ran.sent)),
  })
  return listDifferences(view(one), view(other))
}

if (values.as) {
  await runDesks(values.as === "old" ? old : fresh, Number(values.seed))
  process.exit(0)
}

const ran = await Promise.all(
  ["old", "new"].map(async (as) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(import.meta.url), ...process.argv.slice(2), "--seed", values.seed, "--as", as],
      { stdio: ["ignore", "pipe", "inherit"] },
    )
    const lines = []
    for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line))
    return lines
  }),
)
const kinds = new Map()
const diverged = new Set()
const added = new Set()
const codes = {}
let compared = 0
for (const [index, one] of ran[0].entries()) {
  const other = ran[1][index]
  if (diverged.has(one.desk)) continue
  compared++
  codes[one.code] = (codes[one.code] ?? 0) + 1
  if (!other) throw new Error("the new build ran fewer lines")
  const differences = compareLines(one, other)
  if (differences.length === 0) continue
  if (differences.some((text) => text.startsWith(".sent") || text.startsWith(".code"))) diverged.add(one.desk)
  // A field more is no break.
  const broken = differences.filter((text) => !/^\.json\S* absent → /.test(text))
  const name = one.words[0] === "batch" ? one.words.slice(0, 2).join(" ") : one.words[0]
  for (const text of differences) if (!broken.includes(text)) added.add(`${name} ${text.split(" ")[0]}`)
  if (broken.length === 0) continue
  const kind = `${name}: ${broken.join("; ")}`
  const known = kinds.get(kind) ?? { count: 0, one, other }
  kinds.set(kind, { ...known, count: known.count + 1 })
}
for (const [kind, { count, one, other }] of [...kinds].sort((a, b) => b[1].count - a[1].count)) {
  console.log(`${count} × ${kind}\n  desk ${one.desk}, line ${one.at}: freight ${one.words.join(" ")}`)
  for (const { code, err } of [one, other])
    console.log(`    ${code}: ${normalize(err).trim().split("\n").slice(-2).join(" | ").slice(0, 500)}`)
}
if (added.size > 0) console.log(`fields that are new: ${[...added].sort().join(", ")}`)
console.log(
  `seed ${values.seed}: ${ran[0].length} lines, ${compared} compared, exit codes ${JSON.stringify(codes)}, ${kinds.size} kinds of difference`,
)
process.exitCode = kinds.size > 0 ? 1 : 0
