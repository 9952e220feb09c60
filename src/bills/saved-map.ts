/** Finds saved maps by the supplier of a bill. */
import { quoted } from "../base/parsed.ts"
import type { Asking, Session } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"
import { mayAsk } from "../command/index.ts"
import { findMapLayout, listMapSuppliers, type SavedMap, withSavedMap } from "../machine/index.ts"
import type { SupplierMap } from "./reading/csv.ts"
import type { SupplierSigns } from "./supplier.ts"

/** ABNs of this business, from the saved suppliers of its own invoices. */
export function listOwnAbns(config: Session["config"]): string[] {
  return Object.values(config.read().parties ?? {}).flatMap(({ abn }) =>
    typeof abn === "string" ? [abn.replaceAll(" ", "")] : [],
  )
}

/** The saved map for a supplier's bills; a person chooses between several. */
export async function findSupplierMap(
  deps: Asking & Session,
  signs: SupplierSigns,
  file: string,
): Promise<SupplierMap | undefined> {
  const kept = listMapSuppliers(deps.config)
  if (kept.length === 0) return undefined
  const { isSupplierOf } = await import("./supplier.ts")
  const own = listOwnAbns(deps.config)
  const fitting = kept.filter(([, suppliers]) => isSupplierOf(suppliers, signs, own))
  const [first, ...others] = fitting.map(([name]) => name)
  if (first === undefined) return undefined
  const name = others.length === 0 ? first : await chooseMap(deps, [first, ...others], file)
  if (name === undefined) return undefined
  await deps.note(`${file} is read by the map ${quoted(name)}, which was saved for this supplier.`)
  const { map = [], headerRow } = withSavedMap<SavedMap>(deps.config, name, {})
  return { map, headerRow, ...findMapLayout(deps.config, name) }
}

async function chooseMap(
  deps: Asking & Session,
  names: readonly string[],
  file: string,
): Promise<string | undefined> {
  if (!mayAsk(deps))
    throw new FreightError(
      "input",
      `several saved maps are for the supplier of ${file}: ${names.join(", ")}`,
      {
        hint: `Say which: ${names.map((name) => `--use-map ${name}`).join(" or ")}.`,
        next: "freight batch maps",
      },
    )
  return (await deps.prompt()).choose(
    `Several saved maps are for the supplier of ${file}. Which one is for this bill?`,
    [
      ...names.map((name) => ({ name, value: name as string | undefined })),
      { name: "None of them", value: undefined },
    ],
  )
}
