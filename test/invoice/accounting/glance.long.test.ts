import { share } from "../../drawn.ts"
import { passesRightly } from "./glance.ts"

passesRightly(share(50_000))
