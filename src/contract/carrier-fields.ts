/** Fields that a carrier does not read. */
import { carrierName, listCarrierFields, nameCarriers, type RequestName } from "../carriers/index.ts"
import { findingAt, type RuleFinding } from "./findings.ts"
import type { Carrier } from "./generated/types.ts"

/** Warnings for fields that this carrier does not read. `false` causes none. */
export function ignoredFields(name: RequestName, request: object, carrier: Carrier): RuleFinding[] {
  return listCarrierFields(name)
    .filter(([, readers]) => !readers.includes(carrier))
    .map(([field, readers]) => ({ path: field.split("."), readers }))
    .filter(({ path }) => isGiven(path.reduce<unknown>((value, part) => Object(value)[part], request)))
    .map(({ path, readers }) =>
      findingAt(path, "ignored", `is for ${nameCarriers(readers)} only: ${carrierName(carrier)} ignores it`),
    )
}

/** Leaves out warnings for fields that freight filled in itself. */
export function omitUnsaid<F extends Pick<RuleFinding, "keyword" | "path">>(
  warnings: readonly F[],
  isSaid: (field: string) => boolean,
): F[] {
  return warnings.filter(({ keyword, path }) => keyword !== "ignored" || isSaid(path.split(".")[0] ?? path))
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false
}
