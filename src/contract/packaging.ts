/** What goods can be packed in, by the contract's codes and by the words that people use. */

export const PACKAGING = [
  ["CT", "carton"],
  ["BX", "box"],
  ["SA", "satchel"],
  ["PA", "pallet"],
  ["EN", "envelope"],
  ["CR", "crate"],
  ["DR", "drum"],
  ["RO", "roll"],
  ["BG", "bag"],
  ["PC", "piece"],
] as const

const CODES: ReadonlyMap<string, string> = new Map(
  PACKAGING.flatMap(([code, name]) => [
    [code.toLowerCase(), code],
    [name, code],
    [name === "box" ? "boxes" : `${name}s`, code],
  ]),
)

/** `carton`, `Cartons`, `ct` → `CT`. What is none of these stays as it is, for the contract's check to refuse. */
export function packagingCode(text: string): string {
  return CODES.get(text.trim().toLowerCase()) ?? text
}
