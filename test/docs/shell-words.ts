/** How each shell takes a command line apart: the programs that it starts, and where their output goes. */

/** One program of a pipe, with its arguments; `into` is the file that its output goes to. */
export interface Started {
  words: string[]
  into?: string
}

export type Shell = "bash" | "PowerShell" | "cmd"

/** A quote, what a shell gives a meaning outside of quotes, and inside double ones. */
interface Rules {
  quotes: string
  /** Characters with a special meaning anywhere outside quotes. */
  special: RegExp
  /** At the beginning of a word only. */
  first: RegExp
  /** Within double quotes. */
  quoted: RegExp
}

const RULES: Readonly<Record<Shell, Rules>> = {
  bash: { quotes: `"'`, special: /[\\$`&;()<*?[\]!{}]/, first: /[#~]/, quoted: /[\\$`!]/ },
  // A comma makes a list of two arguments; a hash begins a comment.
  PowerShell: { quotes: `"'`, special: /[$`&;()<,{}]/, first: /[#@~%]/, quoted: /[$`]/ },
  // It knows no single quotes and no comments: what looks like one is given to the program.
  cmd: { quotes: `"`, special: /[\^&<()!']|%\w+%/, first: /[#~]/, quoted: /%\w+%|!/ },
}

/**
 * @returns what the shell starts
 * @throws Error for a character that the shell would not leave as it is
 */
export function startedBy(shell: Shell, line: string): Started[] {
  const { quotes, special, first, quoted } = RULES[shell]
  const started: Started[] = [{ words: [] }]
  let word: string | undefined
  let isTarget = false
  const last = () => started.at(-1) as Started
  const end = () => {
    if (word === undefined) return
    if (isTarget) last().into = word
    else last().words.push(word)
    isTarget = false
    word = undefined
  }
  const refuse = (text: string): never => {
    throw new Error(`${shell} does not take ${text} as it is: ${line}`)
  }
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (quotes.includes(char)) {
      const close = line.indexOf(char, at + 1)
      const inner = line.slice(at + 1, close)
      if (close < 0) refuse("a quote without its other")
      if (char === '"' && quoted.test(inner)) refuse(inner)
      word = (word ?? "") + inner
      at = close
    } else if (char === " ") end()
    else if (char === "|") {
      end()
      started.push({ words: [] })
    } else if (char === ">") {
      end()
      isTarget = true
    } else {
      if (
        special.test(char) ||
        special.test(
          line
            .slice(at)
            .split(" ", 1)[0]
            ?.match(/^%\w+%/)?.[0] ?? "",
        )
      )
        refuse(char)
      if (word === undefined && first.test(char)) refuse(char)
      word = (word ?? "") + char
    }
  }
  end()
  return started
}
