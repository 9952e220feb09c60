/** `scripts/lint-layers.mjs`, which `npm run lint` runs: what it finds in a folder that is laid out as src/. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"

const LINT = path.resolve(import.meta.dirname, "../../scripts/lint-layers.mjs")

function lint(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-layers-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const { stderr, status } = spawnSync(process.execPath, [LINT, folder], { encoding: "utf8" })
  const problems = stderr.split("\n").filter(Boolean)
  expect(status).toBe(problems.length === 0 ? 0 : 1)
  return problems
}

const CIRCLE = /^a circle of imports: ledger\/one\.ts, ledger\/two\.ts;/

it.each([
  ["a type", 'import type { A } from "./two.ts"'],
  ["a type among values", 'import { b, type A } from "./two.ts"'],
  ["a type over several lines", 'import type {\n  A,\n  B,\n} from "./two.ts"'],
  ["a type that is exported again", 'export type { A } from "./two.ts"'],
  ["a type where it stands", 'export type C = import("./two.ts").A'],
  ["a type where it stands, on a line of its own", 'export type C = import(\n  "./two.ts"\n).A'],
  ["the type of a value", 'export type C = typeof import("./two.ts")'],
  ["what is loaded later", 'export const load = () => import("./two.ts")'],
  ["what only runs", 'import "./two.ts"'],
])("finds a circle over %s", (_what, line) => {
  const back = 'import type { C } from "./one.ts"\nexport type A = C\n'
  expect(lint({ "ledger/one.ts": `${line}\n`, "ledger/two.ts": back })).toEqual([
    expect.stringMatching(CIRCLE),
  ])
  expect(lint({ "ledger/one.ts": `${line}\n`, "ledger/two.ts": "export type A = 1\n" })).toEqual([])
})

it("finds what is taken past a door, what a door does not offer, and what nobody takes", () => {
  const room = {
    "ledger/index.ts": 'export { a } from "./one.ts"\n',
    "ledger/one.ts": "export const a = 1\n",
  }
  const user = 'import { a } from "../ledger/index.ts"\n'
  const take = (line: string) => lint({ ...room, "bills/two.ts": user, "orders/two.ts": `${line}\n` })
  expect(take('import { a } from "../ledger/index.ts"')).toEqual([])
  expect(take('const { a } = await import("../ledger/one.ts")')).toEqual([])
  expect(lint(room)).toEqual(["ledger/index.ts: offers a, which no other room takes"])
  expect(take('import {\n  a,\n} from "../ledger/one.ts"')).toEqual([
    "orders/two.ts: takes what ledger/ offers from ledger/index.ts, and not from ledger/one.ts",
  ])
  expect(take('import { b } from "../ledger/index.ts"')).toEqual([
    "orders/two.ts: ../ledger/index.ts does not offer b",
  ])
  const below = { ...room, "base/two.ts": 'import { a } from "../ledger/index.ts"\n' }
  expect(lint(below)).toEqual([expect.stringContaining("may not import ledger/one.ts")])
})

it("finds a circle over the types of what is generated", () => {
  const files = {
    "contract/check.ts": 'import { check } from "./generated/check.js"\n',
    "contract/generated/check.d.ts": 'import type { Check } from "../check.ts"\n',
  }
  expect(lint(files)).toEqual([
    expect.stringMatching(/circle.*contract\/check\.ts, contract\/generated\/check\.d\.ts/),
  ])
})

it("finds a circle over rooms that may use one another's words", () => {
  const files = {
    "base/names.ts": 'import type { Verdict } from "../bills/verdicts.ts"\n',
    "bills/verdicts.ts": 'import type { Name } from "../base/names.ts"\n',
  }
  expect(lint(files)).toContainEqual(expect.stringMatching(/circle.*base\/names\.ts, bills\/verdicts\.ts/))
})

it("finds a record of bills that knows what bills are kept for", () => {
  const files = {
    "bills/records/one.ts": 'import type { A } from "../audit/two.ts"\n',
    "bills/audit/two.ts": "export type A = 1\n",
  }
  expect(lint(files)).toEqual(["bills/records/one.ts: may not import bills/audit/two.ts"])
})

it("finds a type that is imported from a room above", () => {
  expect(
    lint({ "base/one.ts": 'export type A = import("../ledger/two.ts").B\n', "ledger/two.ts": "" }),
  ).toEqual([expect.stringMatching(/^base\/one\.ts: may not import ledger\/two\.ts/)])
})

it("lists the files inside rooms that tests open, with --tests", () => {
  const { stdout, status } = spawnSync(process.execPath, [LINT, "--tests"], { encoding: "utf8" })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^ledger\/elsewhere\.ts: opened by \d+ tests?$/m)
  expect(stdout).not.toMatch(/\/index\.ts: opened/)
})
