/** The library as a program gets it: packed, installed in an empty folder without a network, imported and compiled. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { ROOT } from "./freight.ts"

const run = promisify(execFile)

const CONSUMER = `
import { type Finding, type Severity, type ValidateOptions, type Validation, validateInvoice } from "freight-cli/invoice"

const options: ValidateOptions = { draft: true, strict: true, accounting: true, rules: { "accounting/bsb": "off" } }
const result: Validation = validateInvoice("{}", options)
const first: Finding | undefined = result.findings[0]
export const severity: Severity | undefined = first?.severity
export const place: [number, number] = [first?.line ?? 0, first?.column ?? 0]
export const hint: string | undefined = first?.hint
validateInvoice(new Uint8Array())
validateInvoice({ docType: "INV" })
// @ts-expect-error a number is no document
validateInvoice(5)
// @ts-expect-error there is no such option
validateInvoice("{}", { strcit: true })
// @ts-expect-error there is no such severity
validateInvoice("{}", { rules: { "accounting/bsb": "quiet" } })
// @ts-expect-error findings have no such part
first?.offset
`

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2022"],
    types: [],
    noEmit: true,
    skipLibCheck: false,
  },
  files: ["consumer.ts"],
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "freight-library-"))
  await writeFile(path.join(folder, "package.json"), '{"name":"consumer","private":true,"type":"module"}\n')
  // What is built is packed: building again would take it away from tests that run meanwhile.
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT })
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`], {
    cwd: folder,
  })
})

/** What a program in that folder prints. */
async function printed(program: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder })
  return JSON.parse(stdout)
}

describe("freight-cli/invoice, installed", () => {
  it("needs none of what is installed beside it", async () => {
    const source = await readFile(path.join(folder, "node_modules/freight-cli/dist/invoice.js"), "utf8")
    const imports = source.matchAll(/(?:^|[;}\s])import\s*[^;"'`()]*["']([^"']+)["']/g)
    const imported = Array.from(imports, ([, name]) => name)
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([])
  })

  it("checks a document", async () => {
    await writeFile(path.join(folder, "invoice.json"), textOf(minimalInvoice()))
    const result = await printed(`
      import { readFileSync } from "node:fs"
      import { validateInvoice } from "freight-cli/invoice"
      console.log(JSON.stringify(validateInvoice(readFileSync("invoice.json"))))
    `)
    expect(result).toEqual({ valid: true, findings: [] })
  })

  it("says what is wrong with one, and exports nothing besides", async () => {
    const result = await printed(`
      import * as library from "freight-cli/invoice"
      const { valid, findings } = library.validateInvoice('{"metadata": {}, "data": {', { draft: true })
      console.log(JSON.stringify([Object.keys(library), valid, findings.map(({ rule }) => rule)]))
    `)
    expect(result).toEqual([["validateInvoice"], false, ["json/syntax"]])
  })

  it("has types that compile and refuse what is wrong", async () => {
    await writeFile(path.join(folder, "consumer.ts"), CONSUMER)
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
    const { stdout } = await run(path.join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], {
      cwd: folder,
    }).catch((failed: { stdout: string }) => failed)
    expect(stdout).toBe("")
  })

  it("has the schemas beside it", async () => {
    const title = await printed(`
      import schema from "freight-cli/schemas/invoice.schema.json" with { type: "json" }
      console.log(JSON.stringify(schema.title))
    `)
    expect(title).toBe("Invoice")
  })

  it("has the command too", async () => {
    const { stdout } = await run(path.join(folder, "node_modules/.bin/freight"), [
      "invoice",
      "validate",
      path.join(folder, "invoice.json"),
    ])
    expect(stdout).toMatch(/: valid\n$/)
  })
})
