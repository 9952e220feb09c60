// npm run mutants: does a test notice when the source is wrong? Makes each change of test/mutants/ alone, in a copy of the
// source, and runs the tests that should fail then; the simulation where none of them does. `-- ID…` tries these alone, `-- --every 4 --offset K`
// a quarter, the one after the first K; `-- --search` tries those that the search of test/search/ has to find, each with the part of it that the list
// names, or with all of it (`--whole`). Exits 1 when one of them survives; 2 when the list does not fit the source.
// `-- --room orders/booking --seed 1` draws 60 mutants of a folder or file of the source (`--count`) instead, and tries them with the
// tests of that room, those of `--tests "acceptance/book*.test.ts"` besides (`"!invoice/run*"`: without these). It says what share is caught, and exits 0.
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { text } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { globSync } from "tinyglobby"
import { BaseSequencer, createVitest } from "vitest/node"
import { parse } from "yaml"
import { drawMutants, mutate, readRoom } from "./mutants/draw.mjs"

const ROOT = path.resolve(import.meta.dirname, "..")
/** Folders that a copy does without. All else it has as its own: tests of the program build it there, with the mutant. */
const LEFT_OUT = new Set([".build", ".ci", ".git", "coverage", "demo", "executable", "node_modules"])
const SIMULATION = ["--seed", "20261122", "--steps", "20000"]
/** Each mutant of these is found by a part of the search. */
const SEARCHED = ["create", "claims", "decision", "lease", "outbox", "pickups"].map(
  (name) => `src/ledger/${name}.ts`,
)
const SERVER = process.env.FREIGHT_TEST_POSTGRES
/** No test of a list takes as long (ms). */
const LONGEST = 600_000

/** Milliseconds that each file of tests took. */
const durations = new Map()

/** The tests that take longest come last here, unlike where all are run. */
class AsGiven extends BaseSequencer {
  async sort(specifications) {
    return specifications
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: "string", default: "1" },
    offset: { type: "string", default: "0" },
    room: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    tests: { type: "string", multiple: true, default: [] },
    search: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
    "at-once": { type: "string", default: "2" },
  },
})
const folder = path.join(ROOT, ".build", `mutants-${process.pid}`)
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130))
process.exit(await (values.room === undefined ? tryList() : tryRoom(values.room.replace(/^src\//, ""))))

/**
 * Tries the mutants of test/mutants/ that were asked for.
 * @returns the exit code
 */
async function tryList() {
  const lists = globSync(["*.yaml"], { cwd: path.join(ROOT, "test/mutants"), absolute: true }).sort()
  const all = lists.flatMap((list) => parse(readFileSync(list, "utf8")))
  const listed = values.search ? all.filter(({ search }) => search !== undefined) : all
  const chosen =
    positionals.length > 0
      ? all.filter(({ id }) => positionals.includes(id))
      : listed.filter((_, n) => n % Number(values.every) === Number(values.offset) % Number(values.every))
  const unknown = positionals.filter((id) => !all.some((each) => each.id === id))
  const faults = [
    ...all.flatMap((each) => listFaults(each, all)),
    ...unknown.map((id) => `${id}: there is no such mutant`),
  ]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) return 2
  if (!values.search && SERVER === undefined)
    console.error("FREIGHT_TEST_POSTGRES names no server: what only its tests notice survives")
  const baseline = values.search ? [] : [...new Set(chosen.flatMap(({ tests }) => tests))]
  const counts = await tryAll(chosen, {
    baseline: baseline.map((test) => [test]),
    getName: ({ id }) => id,
    tryOne: values.search ? searchOne : tryOne,
  })
  if (counts === undefined) return 2
  const { seconds, ...verdicts } = counts
  const summary = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`)
  console.log(`${chosen.length} mutants in ${seconds} s: ${summary.join(", ")}`)
  if (counts.BROKEN) return 2
  return counts.SURVIVED ? 1 : 0
}

/**
 * Tries mutants drawn from a folder or file of the source.
 * @returns the exit code
 */
async function tryRoom(room) {
  const sources = readRoom(ROOT, room)
  const tests = globSync([`${findTests(room)}/**/!(*.long).test.ts`, ...values.tests], {
    cwd: path.join(ROOT, "test"),
  }).map((file) => file.replace(/\.test\.ts$/, ""))
  if (sources.length === 0) console.error(`${room}: there is no such folder or file in src/`)
  else if (tests.length === 0) console.error(`${room}: has no tests of its own; name some with --tests`)
  if (sources.length === 0 || tests.length === 0) return 2
  const mutants = drawMutants(sources, { seed: values.seed, count: Number(values.count) })
  if (mutants.length === 0) {
    console.error(`${room}: nothing to change`)
    return 2
  }
  const counts = await tryAll(mutants, {
    baseline: [tests],
    getName: ({ file, line, change }) => `${file}:${line}  ${change}`,
    tryOne: (bench, mutant, baselineTime) => tryDrawn(bench, mutant, tests, 3 * baselineTime + 5000),
  })
  if (counts === undefined) return 2
  const { caught = 0, seconds } = counts
  const share = Math.round((100 * caught) / mutants.length)
  console.log(`${room}: ${caught} of ${mutants.length} caught (${share} %) in ${seconds} s`)
  return 0
}

/** The folder of test/ that a room's tests are in: that of the room above where it has none of its own. */
function findTests(room) {
  const folder = room.replace(/\.ts$/, "")
  return folder.includes("/") && !existsSync(path.join(ROOT, "test", folder))
    ? findTests(path.posix.dirname(folder))
    : folder
}

/** The errors of an item of the list. */
function listFaults({ id, file, find, tests, search }, all) {
  const source = path.join(ROOT, file)
  const times = existsSync(source) ? readFileSync(source, "utf8").split(find).length - 1 : 0
  return [
    [times === 0, `its text is not in ${file}`],
    [times > 1, `its text is more than once in ${file}`],
    [all.filter((each) => each.id === id).length > 1, "another one has the same name"],
    [!tests?.length, "it names no tests"],
    [search === undefined && SEARCHED.includes(file), "it names no part of the search"],
  ].flatMap(([is, fault]) => (is ? [`${id}: ${fault}`] : []))
}

/**
 * Tries each mutant, and prints a line for it.
 * @param baseline lists of tests that have to pass without any mutant
 * @returns how many mutants had each verdict, and the seconds that it took; nothing where a test fails without any mutant
 */
async function tryAll(mutants, { baseline, getName, tryOne }) {
  const began = Date.now()
  const benches = await Promise.all(
    Array.from({ length: Number(values["at-once"]) }, (_, n) => openBench(String(n))),
  )
  const counts = {}
  const untouched = []
  let baselineTime = 0
  try {
    await share(benches, baseline, async (bench, tests) => {
      const start = Date.now()
      const { failed, broken } = await bench.run(tests, LONGEST)
      baselineTime = Math.max(baselineTime, Date.now() - start)
      if (failed ?? broken) untouched.push(failed ?? broken)
    })
    if (untouched.length > 0) {
      console.error(`These fail without any mutant:\n${untouched.join("\n")}`)
      return undefined
    }
    const width = Math.max(...mutants.map((mutant) => getName(mutant).length))
    await share(benches, mutants, async (bench, mutant) => {
      const [verdict, why] = await tryOne(bench, mutant, baselineTime)
      counts[verdict] = (counts[verdict] ?? 0) + 1
      console.log(`${getName(mutant).padEnd(width)}  ${verdict}${why && `: ${why}`}`)
    })
  } finally {
    await Promise.all(benches.map((bench) => bench.close()))
  }
  return { ...counts, seconds: Math.round((Date.now() - began) / 1000) }
}

/** @returns the verdict on a drawn mutant, and the test that caught it */
async function tryDrawn(bench, mutant, tests, limit) {
  const related = await bench.findRelated(mutant.file, tests)
  if (related.length === 0) return ["SURVIVED", "no test loads the file"]
  const restore = bench.change(mutant.file, (source) => mutate(source, mutant))
  try {
    const { failed, broken } = await bench.run(related, limit)
    const why = failed ?? broken
    return why === undefined ? ["SURVIVED", ""] : ["caught", why]
  } finally {
    restore()
  }
}

/** @returns the verdict on a mutant of the list, and why */
async function tryOne(bench, { file, find, replace, breaks, tests }) {
  const restore = bench.change(file, (source) => source.replace(find, () => replace))
  try {
    for (const test of tests) {
      const outcome = await bench.run([test], LONGEST)
      if (outcome.broken !== undefined) return ["BROKEN", outcome.broken]
      if (outcome.failed !== undefined) return ["caught", outcome.failed]
    }
    const { code, last } = await bench.runScript("simulate", SIMULATION)
    return code === 0 ? ["SURVIVED", breaks] : ["simulation", last]
  } finally {
    restore()
  }
}

/** @returns the verdict of the search on a mutant of the list, and what it finds, in which scenario */
async function searchOne(bench, { file, find, replace, breaks, search }) {
  const restore = bench.change(file, (source) => source.replace(find, () => replace))
  try {
    const part = values.whole || search === undefined ? [] : ["--scenario", search]
    const { code, last } = await bench.runScript("search", part)
    if (code === 0) return ["SURVIVED", breaks]
    // The search has not found a mutant that breaks the search itself.
    return [code === 1 ? "search" : "BROKEN", last]
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
  for (const each of readdirSync(ROOT).filter((entry) => !LEFT_OUT.has(entry)))
    cpSync(path.join(ROOT, each), path.join(copy, each), { recursive: true, preserveTimestamps: true })
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"))
  const tmp = path.join(copy, "tmp")
  mkdirSync(tmp)
  let outcome = {}
  const named = new Set()
  const vitest = await createVitest("test", {
    root: copy,
    watch: false,
    bail: 1,
    maxWorkers: 1,
    testTimeout: 60_000,
    sequence: { sequencer: AsGiven },
    globalSetup: [],
    // As many cases are drawn as the list was tried with.
    env: { TMPDIR: tmp, FREIGHT_TEST_EVERY: process.env.FREIGHT_TEST_EVERY ?? "4" },
    // Vite would keep what it makes of each mutant.
    experimental: { fsModuleCache: false },
    // For mutants that fill the memory without end.
    execArgv: ["--max-old-space-size=1500"],
    reporters: [
      {
        onTestModuleCollected(module) {
          for (const test of module.children.allTests()) named.add(test.fullName.replaceAll(" > ", " "))
        },
        onTestCaseResult(test) {
          if (test.result().state === "failed")
            outcome.failed ??= `${getTestName(test.module)} > ${test.fullName}`
        },
        onTestSuiteResult(suite) {
          if (suite.errors().length > 0)
            outcome.failed ??= `${getTestName(suite.module)} > ${suite.fullName}: ${suite.errors()[0].message}`
        },
        onTestModuleEnd(module) {
          durations.set(getTestName(module), module.diagnostic().duration)
          outcome.broken ??= module.errors()[0]?.message
        },
      },
    ],
  })
  const getTestName = ({ moduleId }) =>
    path.relative(path.join(copy, "test"), moduleId).replace(/\.test\.ts$/, "")
  const specify = (test) => {
    const [file, words] = test.split(" > ")
    const options = words === undefined ? {} : { testNamePattern: new RegExp(words) }
    return vitest.projects[0].createSpecification(path.join(copy, "test", `${file}.test.ts`), options)
  }
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
    /** @returns those of the tests that load a file, those first that took least */
    async findRelated(file, tests) {
      vitest.config.related = [path.join(copy, file)]
      const filters = tests.map((test) => path.join(copy, "test", `${test}.test.ts`))
      const related = (await vitest.getRelevantTestSpecifications(filters)).map(getTestName)
      return related.sort((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0))
    },
    /**
     * Runs tests until one fails.
     * @param tests `ledger/decision > two keys`: the file, and words in the name of its tests
     * @param limit milliseconds after which what still runs fails
     * @returns the first test that fails, or why a file cannot be loaded
     */
    async run(tests, limit) {
      const specifications = tests.map(specify)
      const missing = specifications.find(({ moduleId }) => !existsSync(moduleId))
      if (missing) return { broken: `there is no ${missing.moduleId}` }
      outcome = {}
      named.clear()
      let hangs = false
      const timer = setTimeout(() => {
        hangs = true
        // The second time ends a process that does not listen.
        for (let times = 0; times < 2; times++) void vitest.cancelCurrentRun("keyboard-input").catch(() => {})
      }, limit)
      const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
      clearTimeout(timer)
      if (hangs) return { failed: `${tests.join(", ")}: no end after ${Math.round(limit / 1000)} s` }
      // A test that was renamed would catch nothing from then on. Without a server some have no name.
      const unnamed = tests.find((test) => {
        const [, words] = test.split(" > ")
        return SERVER && words !== undefined && ![...named].some((name) => new RegExp(words).test(name))
      })
      if (unnamed && outcome.failed === undefined && outcome.broken === undefined)
        return { broken: `${unnamed}: no test has this name` }
      const [unhandled] = unhandledErrors
      return {
        ...outcome,
        failed: outcome.failed ?? (unhandled && `${tests.join(", ")}: ${unhandled.message}`),
      }
    },
    /** @returns how the simulation or the search ends (nothing where it has no end), and the last line that it writes */
    async runScript(name, options) {
      const args = [path.join(copy, `scripts/${name}.mjs`), ...options]
      const child = spawn(process.execPath, args, {
        ...{ cwd: copy, timeout: LONGEST },
        stdio: ["ignore", "pipe", "ignore"],
      })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")])
      return { code, last: output.trim().split("\n").at(-1) || "it ends with an error" }
    },
    close: () => vitest.close(),
  }
}
