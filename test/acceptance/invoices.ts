/** A desk with invoices to check. */
import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { JsonResult } from "../../src/invoice/reporters/data.ts"
import { desk, type Ran, type RunOptions } from "./freight.ts"

type Files = Readonly<Record<string, string | Uint8Array>>

export interface Report {
  total: number
  valid: number
  invalid: number
  items: JsonResult[]
  unreadable: { file: string; reason: string }[]
}

export interface InvoiceDesk {
  folder: string
  env: Record<string, string>
  validate(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** The results of `--json` in short: the exit code, then `a.json 0 ok`, `b.json contract/enum 3:14`. */
  verdicts(args: readonly string[], options?: RunOptions): Promise<(string | number | null)[]>
}

export async function invoiceDesk(files: Files = {}): Promise<InvoiceDesk> {
  const { folder, env, freight } = await desk()
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const validate: InvoiceDesk["validate"] = (args, options) =>
    freight(["invoice", "validate", ...args], options)
  return {
    folder,
    env,
    validate,
    async verdicts(args, options) {
      const { code, json } = await validate(["--json", ...args], options)
      const { items: results, unreadable } = json<Report>()
      return [
        code,
        ...results.map(({ file, index, findings }) =>
          [
            file,
            ...(index === null ? [] : [index]),
            findings.map(({ rule, line, column }) => `${rule} ${line}:${column}`).join(", ") || "ok",
          ].join(" "),
        ),
        ...unreadable.map(({ file, reason }) => `${file}: ${reason}`),
      ]
    },
  }
}
