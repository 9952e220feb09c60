export { createPlaces } from "../../src/machine/places/judge.ts"
export { loadPlaceList } from "../../src/machine/places/load.ts"
