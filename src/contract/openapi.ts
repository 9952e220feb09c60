/** Both APIs as OpenAPI 3.1, written by `scripts/openapi.mjs`. */
import { readAsset } from "../base/assets.ts"
import type { Api } from "./endpoints.ts"

export function readOpenApi(api: Api): string {
  return readAsset(`schemas/openapi/${api}.yaml`)
}
