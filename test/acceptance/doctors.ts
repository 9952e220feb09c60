/** The findings of freight doctor. */
import type { desk } from "./freight.ts"

interface Report {
  ok: boolean
  items: { check: string; state: string; message: string; remedy: string | null; next: string | null }[]
}

type Desk = Awaited<ReturnType<typeof desk>>

/** The findings by their names, and the exit code. */
export async function examined({ freight }: Desk, env: Record<string, string> = {}, ...more: string[]) {
  const { code, json, stdout, stderr } = await freight(["doctor", "--json", ...more], { env })
  const report = json<Report>()
  const found = new Map(report.items.map((each) => [each.check, each]))
  return { code, report, found, text: stdout + stderr }
}
