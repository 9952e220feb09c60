/** The search for `npm run search`. */
export { scenarios } from "./scenarios.ts"
export { searchScenario } from "./scenes.ts"
