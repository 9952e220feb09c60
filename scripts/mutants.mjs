// npm run mutants: does a test notice when the source is wrong? Makes each change of test/mutants/ alone, in a copy of the
// source, and runs the tests that should fail then; the simulation where none of them does. `-- ID…` tries these alone, `-- --every 4`
// a quarter.
// Exits 1 when a mutant survives; 2 when the list does not fit the source.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { text } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { createVitest } from "vitest/node"
import { parse } from "yaml"

const ROOT = path.resolve(import.meta.dirname, "..")
const COPIED = ["src", "test", "scripts", "schemas", "package.json", "tsconfig.json", "vitest.config.ts"]
const AT_ONCE = 2
const SIMULATION = ["--seed", "20261122", "--steps", "20000"]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { every: { type: "string", default: "1" } },
})
const all = parse(readFileSync(path.join(ROOT, "test/mutants/ledger.yaml"), "utf8"))
const chosen = all.filter(({ id }, n) =>
  positionals.length === 0 ? n % Number(values.every) === 0 : positionals.includes(id),
)
const folder = path.join(ROOT, ".build", `mutants-${process.pid}`)
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130))

const unknown = positionals.filter((id) => !all.some((each) => each.id === id))
const faults = [...all.flatMap(listFaults), ...unknown.map((id) => `${id}: there is no such mutant`)]
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 2 : await tryAll(chosen))

/** What is wrong with an item of the list. */
function listFaults({ id, file, find, tests }) {
  const source = path.join(ROOT, file)
  const times = existsSync(source) ? readFileSync(source, "utf8").split(find).length - 1 : 0
  return [
    [times === 0, `its text is not in ${file}`],
    [times > 1, `its text is more than once in ${file}`],
    [all.filter((each) => each.id === id).length > 1, "another one has the same name"],
    [!tests?.length, "it names no tests"],
  ].flatMap(([is, fault]) => (is ? [`${id}: ${fault}`] : []))
}

/** @returns the exit code */
async function tryAll(mutants) {
  if (process.env.FREIGHT_TEST_POSTGRES === undefined)
    console.error("FREIGHT_TEST_POSTGRES names no server: what only its tests notice survives")
  const began = Date.now()
  const benches = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => openBench(String(n))))
  const counts = {}
  const untouched = []
  try {
    await share(benches, [...new Set(mutants.flatMap(({ tests }) => tests))], async (bench, test) => {
      const { failed, broken } = await bench.run(test)
      if (failed ?? broken) untouched.push(failed ?? broken)
    })
    if (untouched.length > 0) {
      console.error(`These fail without any mutant:\n${untouched.join("\n")}`)
      return 2
    }
    const width = Math.max(...mutants.map(({ id }) => id.length))
    await share(benches, mutants, async (bench, mutant) => {
      const [verdict, why] = await tryOne(bench, mutant)
      counts[verdict] = (counts[verdict] ?? 0) + 1
      console.log(`${mutant.id.padEnd(width)}  ${verdict}: ${why}`)
    })
  } finally {
    await Promise.all(benches.map((bench) => bench.close()))
  }
  const told = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`)
  console.log(`${mutants.length} mutants in ${Math.round((Date.now() - began) / 1000)} s: ${told.join(", ")}`)
  if (counts.BROKEN) return 2
  return counts.SURVIVED ? 1 : 0
}

/** @returns the verdict, and why */
async function tryOne(bench, { file, find, replace, breaks, tests }) {
  const restore = bench.change(file, (source) => source.replace(find, () => replace))
  try {
    for (const test of tests) {
      const outcome = await bench.run(test)
      if (outcome.broken !== undefined) return ["BROKEN", outcome.broken]
      if (outcome.failed !== undefined) return ["caught", outcome.failed]
    }
    const found = await bench.simulate()
    return found === undefined ? ["SURVIVED", breaks] : ["simulation", found]
  } finally {
    restore()
  }
}

/** Works through a list with several benches at once. */
async function share(benches, list, work) {
  const waiting = [...list]
  await Promise.all(
    benches.map(async (bench) => {
      while (waiting.length > 0) await work(bench, waiting.shift())
    }),
  )
}

/** A copy of the source, and what runs its tests. */
async function openBench(name) {
  const copy = path.join(folder, name)
  for (const each of COPIED) cpSync(path.join(ROOT, each), path.join(copy, each), { recursive: true })
  const tmp = path.join(copy, "tmp")
  mkdirSync(tmp)
  const vitest = await createVitest("test", {
    root: copy,
    watch: false,
    bail: 1,
    maxWorkers: 1,
    testTimeout: 60_000,
    globalSetup: [],
    env: { TMPDIR: tmp },
    reporters: [{}],
  })
  return {
    change(file, by) {
      const source = path.join(copy, file)
      const before = readFileSync(source, "utf8")
      const write = (content) => {
        writeFileSync(source, content)
        vitest.invalidateFile(source)
      }
      write(by(before))
      return () => write(before)
    },
    /**
     * @param test `ledger/decision > two keys`: the file, and words in the name of its tests
     * @returns the first test that fails, or why the file cannot be loaded
     */
    async run(test) {
      const [file, words] = test.split(" > ")
      const moduleId = path.join(copy, "test", `${file}.test.ts`)
      if (!existsSync(moduleId)) return { broken: `there is no ${moduleId}` }
      const options = words === undefined ? {} : { testNamePattern: new RegExp(words) }
      const specification = vitest.projects[0].createSpecification(moduleId, options)
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
      // Vitest gives those of earlier runs too.
      const module = testModules.find((each) => each.moduleId === moduleId)
      const tests = [...module.children.allTests()]
      const failed = tests.find((each) => each.result().state === "failed")
      const [unhandled] = unhandledErrors
      return {
        failed: failed ? `${file} > ${failed.fullName}` : unhandled && `${file}: ${unhandled.message}`,
        broken: module.errors()[0]?.message,
      }
    },
    /** @returns what the simulation finds */
    async simulate() {
      const args = [path.join(copy, "scripts/simulate.mjs"), ...SIMULATION]
      const child = spawn(process.execPath, args, { cwd: copy, stdio: ["ignore", "pipe", "ignore"] })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")])
      return code === 0 ? undefined : output.trim().split("\n").at(-1) || "it ends with an error"
    },
    close: () => vitest.close(),
  }
}
