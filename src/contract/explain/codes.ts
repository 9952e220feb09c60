/**
 * Codes of digits that were stored as numbers: spreadsheets drop their leading zeros. Zeros are added only if one code
 * fits.
 */
import { type Advice, adviseText, MAX_QUOTE_LENGTH, type Safety } from "./advice.ts"

/**
 * How to write a number, or true or false, where the field takes a text.
 * @param written as it is in the document
 */
export function adviseCode(written: string, pointer: string): Advice {
  if (written.length > MAX_QUOTE_LENGTH) return { hint: "put it in double quotes" }
  // Spreadsheets write long codes with an exponent, and drop digits.
  if (/\de/i.test(written)) return { hint: "write it in quotes, with all its digits and without an exponent" }
  const inQuotes = (code: string, safety: Safety, more = "") =>
    adviseText(code, { safety, lead: "write it in quotes:", more })
  // Programs that read the column as numbers write 2041 as 2041.0.
  const digits = /^(\d+)(?:\.0+)?$/.exec(written)?.[1] ?? ""
  const usual = digits === written ? "safe" : "suggestion"
  if (/post(?:al)?code$/i.test(pointer)) {
    if (digits.length === 4) return inQuotes(digits, usual)
    // Postcodes that start with 0 are those of Canberra, 02, and of the Northern Territory, 08 and 09.
    return digits.length === 3
      ? inQuotes(`0${digits}`, /^[289]/.test(digits) ? usual : "suggestion")
      : { hint: "write its four digits in quotes" }
  }
  if (pointer.endsWith("/bsb"))
    return /^[1-9]\d{4,5}$/.test(digits)
      ? inQuotes(digits.padStart(6, "0").replace(/^.../, "$&-"), digits.length === 6 ? usual : "suggestion")
      : { hint: "write it in quotes: three digits, a hyphen, three digits" }
  if (/phone$/i.test(pointer) && digits) {
    // Area codes are 02, 03, 07 and 08, and mobile numbers start with 04.
    if (/^[23478]\d{8}$/.test(digits)) return inQuotes(`0${digits}`, "suggestion")
    if (/^61[23478]\d{8}$/.test(digits)) return inQuotes(`+${digits}`, "suggestion")
    return inQuotes(digits, usual)
  }
  if (pointer.endsWith("/collectionCloseTime") && digits) return inQuotes(digits.padStart(4, "0"), usual)
  // Zeros in front would mean other goods.
  if (pointer.endsWith("/unNumber") && digits.length !== 4)
    return { hint: "write its four digits in quotes, as on the safety data sheet" }
  if (pointer.endsWith("/accountNumber") && digits)
    return inQuotes(digits, "suggestion", ", with any zeros that it starts with")
  return inQuotes(written, /^-?\d/.test(written) ? "safe" : "suggestion")
}
