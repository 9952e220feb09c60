import { acceptsSound } from "./random-practice.ts"

acceptsSound(1000)
