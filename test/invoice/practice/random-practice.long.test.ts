import { acceptsSound } from "./random-practice.ts"

acceptsSound(20_000)
