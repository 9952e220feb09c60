export { createPlaces } from "../../src/places/judge.ts"
export { loadPlaceList } from "../../src/places/load.ts"
