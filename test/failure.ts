/** Failures in tests. */
import { FreightError } from "../src/base/errors.ts"

/** The FreightError with which a promise is rejected. */
export async function failure(promise: Promise<unknown>): Promise<FreightError> {
  const result = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ("error" in result && result.error instanceof FreightError) return result.error
  throw new Error("expected a FreightError", { cause: result })
}
