/** Breaks a text at blanks; a word that is longer than a line stays whole. Nothing is made of nothing. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
