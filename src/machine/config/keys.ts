/** API keys: their shape, and the part that may be shown. */

/** Whether a text is shaped like a key: a prefix, then 64 hexadecimal characters (Authentication 1, 2). */
export function isKeyShaped(text: string): boolean {
  return /^[\x21-\x7e]*$(?<=[0-9a-f]{64})/i.test(text)
}

/** The last four characters of a key; empty for other texts. */
export function maskKey(text: string): string {
  return isKeyShaped(text) ? `…${text.slice(-4)}` : "(not shaped like a key)"
}

/** Masks keys in typed text. */
export function withoutKeys(text: string): string {
  return text.replace(/(?<![\w-])[\w-]*(?<=[0-9a-f]{64})/gi, maskKey)
}

/** Masks keys in a text that also has hashes, which have no prefix. */
export function withoutPrefixedKeys(text: string): string {
  return text.replace(/(?<=[^\s"])[0-9a-f]{64}/gi, maskKey)
}

/** An address without user name, password, query and keys. */
export function maskAddress(text: string): string {
  return withoutKeys(text.replace(/\/\/[^/?#]*@/, "//…@").replace(/[?#].*$/s, "?…"))
}
