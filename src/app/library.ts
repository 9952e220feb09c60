/** What `freight-cli` exports. Its types, as published, are `library-types.d.ts`. */
import { FreightError } from "../base/errors.ts"
import { programHost } from "../machine/host.ts"
import { openOn } from "./library-calls.ts"
import type * as published from "./library-types.d.ts"

export { FreightError }

FreightError satisfies new (
  ...given: never
) => published.FreightError

/** Opens the commands of freight for a program; see the published types. */
export const openFreight: typeof published.openFreight = (options) => openOn(programHost, options)
