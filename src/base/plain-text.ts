/** A text without case and blanks. Keys and hashes in ledgers are made from it, so it never changes. */
export function plainText(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase()
}
