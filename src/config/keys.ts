/** API keys as text: their shape, and how much of one may be shown. */

/** Whether a text is shaped like a key: a prefix that nobody tells, then 64 hexadecimal characters (Authentication 1, 2). */
export function isKeyShaped(text: string): boolean {
  return /^[\x21-\x7e]*[0-9a-f]{64}$/i.test(text)
}

/** What may be shown of a key: its last four characters. Of what is no key, nothing. */
export function maskKey(text: string): string {
  return isKeyShaped(text) ? `…${text.slice(-4)}` : "(not shaped like a key)"
}

/** A text in which whatever is shaped like a key is masked: for messages that repeat what was typed. */
export function withoutKeys(text: string): string {
  return text.replace(/[\w-]*[0-9a-f]{64}/gi, maskKey)
}

/** What may be shown of an address, which may hold secrets by mistake: no user name and password, no query, no key. */
export function maskAddress(text: string): string {
  return withoutKeys(text.replace(/\/\/[^/?#]*@/, "//…@").replace(/[?#].*$/s, "?…"))
}
