/** Public holidays of the states, of the years that this build knows: see `holidaysOfStates` in scripts/generate.mjs. */
import { type FindHoliday, stateCode } from "../../contract/index.ts"

let find: FindHoliday | undefined

export async function loadHolidays(): Promise<FindHoliday> {
  if (!find) {
    const { holidays } = await import("./generated/holidays.js")
    const byDay = new Map<string, [name: string, states: readonly string[]][]>()
    for (const line of holidays.split("\n")) {
      const [day, bar] = [line.slice(0, 10), line.indexOf("|")]
      const holiday = [line.slice(11, bar), line.slice(bar + 1).split(" ")] as [string, string[]]
      byDay.set(day, [...(byDay.get(day) ?? []), holiday])
    }
    find = (state, day) => {
      const code = stateCode(state)
      return byDay.get(day)?.find(([, states]) => code !== undefined && states.includes(code))?.[0]
    }
  }
  return find
}
