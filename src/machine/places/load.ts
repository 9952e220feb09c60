/** Loads the list of places, which takes some milliseconds: only if a place is checked. */
import { brotliDecompressSync } from "node:zlib"
import { type PlaceList, readPlaceList } from "./list.ts"

let list: PlaceList | undefined

/** The list of this build. */
export async function loadPlaceList(): Promise<PlaceList> {
  if (!list) {
    const { packed } = await import("./generated/packed.js")
    list = readPlaceList(brotliDecompressSync(Buffer.from(packed, "base64")).toString())
  }
  return list
}
