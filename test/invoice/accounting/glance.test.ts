import { passesRightly } from "./glance.ts"

passesRightly(1000)
