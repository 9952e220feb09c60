// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
import type * as plan from "../plan.ts"

export function Plan(value: unknown): value is plan.Plan
