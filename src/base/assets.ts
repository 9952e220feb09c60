/** Files that come with freight: in the package beside `dist/`, in the executable inside it. */
import { readFileSync } from "node:fs"
import { getAsset, isSea } from "node:sea"

/** How freight was installed, which decides how it is updated. */
export const IS_EXECUTABLE = isSea()

/** @param name the file's path in the package: `completions/_freight` */
export function readAsset(name: string): string {
  return IS_EXECUTABLE ? getAsset(name, "utf8") : readFileSync(locate(name), "utf8")
}

/** @param name as for `readAsset` */
export function readBinaryAsset(name: string): Uint8Array {
  return IS_EXECUTABLE ? new Uint8Array(getAsset(name)) : readFileSync(locate(name))
}

/** The entry of a worker thread: a file, or source text in the executable. @param name as for `readAsset` */
export function findProgram(name: string): URL | string {
  return IS_EXECUTABLE ? getAsset(name, "utf8") : locate(name)
}

/** This file is bundled into `dist/`; tests run it where it is. */
const PACKAGE = import.meta.url.endsWith("/src/base/assets.ts") ? "../../" : "../"

function locate(name: string): URL {
  return new URL(`${PACKAGE}${name}`, import.meta.url)
}
