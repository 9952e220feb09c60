import { describeBothWays } from "./differential.ts"

describeBothWays(Number(process.env.FREIGHT_DIFFERENTIAL_RUNS ?? 500))
