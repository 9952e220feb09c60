/** What may stand where a word is completed. */
import type { DataKind } from "../completion/data.ts"

export interface Word {
  /**
   * What is typed. One that ends with `=` or `:` goes on with something of the person's own; one with more after its
   * `=` is offered once that much is typed.
   */
  value: string
  about?: string
}

/** The word, and what it is about behind a tab: as the scripts hand it on. */
export function wordLine({ value, about }: Word): string {
  return about ? `${value}\t${about}` : value
}

export type Value =
  /** One of these, known when the scripts are made; lists of one name are the same list. */
  | { kind: "words"; name: string; words: readonly Word[] }
  /** What this machine knows; `files`: or a file. */
  | { kind: "data"; data: DataKind; files?: true }
  | { kind: "files" }
  | { kind: "folders" }
  /** Nobody can guess it: a time, a number, a text. */
  | { kind: "free" }
