// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.
export function Plan(value: unknown): boolean
