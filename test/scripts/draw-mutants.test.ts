/** Mutants drawn by a seed: what is changed, what is left alone, and that a seed means the same mutants. */
import path from "node:path"
import { expect, it } from "vitest"

const ROOT = path.resolve(import.meta.dirname, "../..")
const { drawMutants, mutate, readRoom } = await import(
  new URL("../../scripts/mutants/draw.mjs", import.meta.url).href
)

interface Mutant {
  file: string
  start: number
}

/** @returns every mutant of a source, as whole sources */
function listMutated(source: string): string[] {
  return drawMutants([{ file: "a.ts", source }], { seed: 1, count: 1000 }).map((each: Mutant) =>
    mutate(source, each),
  )
}

it.each([
  ["if (a) b()", ["if (!(a)) b()", "if (a) {}"]],
  ["x = a < 5", ["x = a <= 5", "x = a < 6"]],
  ["x = a === b", ["x = a !== b"]],
  ["x = a && !b", ["x = a || !b", "x = a && b"]],
  ["x = a + b", ["x = a - b"]],
  ["x = 10n", ["x = 11n"]],
  ["x = true", ["x = false"]],
  ['x = "kg"', ['x = ""']],
  ["x = a ?? b", ["x = a"]],
  ["x = [a, b]", ["x = [b]", "x = [a]"]],
  ["x = { ...a }", ["x = { ...{} }"]],
  ["x = a.filter(b)", ["x = a"]],
  ["x = a.some(b)", ["x = a.every(b)"]],
  ["x = (a) => b", ["x = (a) => undefined"]],
  ["function f() { return a }", ["function f() { return undefined }"]],
  ["function f() { throw a }", ["function f() { {} }"]],
])("%s is changed", (statement, mutated) => {
  const { lead, strip } = statement.startsWith("x = ")
    ? { lead: "const ", strip: (source: string) => source.replace("const ", "") }
    : { lead: "", strip: (source: string) => source }
  expect(
    listMutated(lead + statement)
      .map(strip)
      .sort(),
  ).toEqual([...mutated].sort())
})

it.each([
  ["types", 'type A = 1 | "kg"; interface B { c: true }; const d: Array<2> = e as 3'],
  ["imports", 'import a from "b"; export { c } from "d"; export * from "e"'],
  ["wording", 'const a = "no such row"; const b = `row`; const d = "row " + e; const f = ["two words"]'],
  ["names of fields", 'const a = { "x-kind": b, 7: c }'],
])("%s are left alone", (_, source) => {
  expect(listMutated(source)).toEqual([])
})

it("draws the same mutants with the same seed, and others with another one", () => {
  const sources = readRoom(ROOT, "contract")
  const draw = (seed: number): Mutant[] => drawMutants(sources, { seed, count: 60 })
  expect(draw(1)).toEqual(draw(1))
  expect(draw(1)).toHaveLength(60)
  expect(draw(2)).not.toEqual(draw(1))
})

it("draws nothing from generated files, and changes the source with each mutant", () => {
  const sources: { file: string; source: string }[] = readRoom(ROOT, "invoice")
  const sourceByFile = new Map(sources.map(({ file, source }) => [file, source]))
  expect(sources.map(({ file }) => file)).toContain("src/invoice/rules.ts")
  expect(sources.filter(({ file }) => file.includes("generated"))).toEqual([])
  for (const each of drawMutants(sources, { seed: 1, count: 60 })) {
    const source = sourceByFile.get(each.file)
    expect(mutate(source, each)).not.toBe(source)
  }
})

it.each([
  ["orders/booking/rates.ts", ["src/orders/booking/rates.ts"]],
  ["base/system", ["src/base/system.ts"]],
  ["no-such-room", []],
])("reads %s", (room, files) => {
  expect(readRoom(ROOT, room).map(({ file }: Mutant) => file)).toEqual(files)
})
