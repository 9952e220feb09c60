const ANSWER = /^(?:(true|yes|y|1)|false|no|n|0)$/i

/** Reads `yes`, `N`, `true` and `0`; undefined for any other text. */
export function readYesNo(text: string): boolean | undefined {
  const answer = ANSWER.exec(text.trim())
  return answer ? answer[1] !== undefined : undefined
}
