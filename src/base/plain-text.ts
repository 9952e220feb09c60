/** A text as people write it: case and blanks do not count. Keys and hashes in ledgers are made of it, so it never changes. */
export function plainText(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase()
}
