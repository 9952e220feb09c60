import { passesRightly } from "./glance.ts"

passesRightly(50_000)
