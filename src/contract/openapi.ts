/** Both APIs as OpenAPI 3.1, written by `scripts/openapi.mjs`. */
import { readAsset } from "../base/assets.ts"
import type { Api } from "./endpoints.ts"

/** The description of an API, as YAML. */
export function readOpenApi(api: Api): string {
  return readAsset(`schemas/openapi/${api}.yaml`)
}
