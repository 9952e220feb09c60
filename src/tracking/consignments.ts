/**
 * What a spreadsheet made of a consignment number when it took it for a number: `1.2E+12`, or `123456.0`. The lost
 * digits cannot be had back, so such a number is never looked up.
 */
export function spreadsheetDamage(consignment: string): string | undefined {
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(consignment))
    return `"${consignment}" was a consignment number until a spreadsheet shortened it: format the column as text and paste the number again`
  if (/^\d+[.,]0+$/.test(consignment))
    return `"${consignment}" was turned into a decimal number by a spreadsheet: format the column as text, without the ".0"`
  return undefined
}
