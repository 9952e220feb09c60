import { describeFixes } from "./fixes-random.ts"

const SEED = Number(process.env.FREIGHT_FIXES_SEED ?? 30)

describeFixes(Number(process.env.FREIGHT_FIXES_RUNS ?? 5000), SEED)
