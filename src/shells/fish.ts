import { HEADER } from "./posix.ts"
import type { Rows, Tables } from "./tables.ts"
import { type Word, wordLine } from "./value.ts"

/** For fish 3.1 or newer. */
export function fishScript({ commands, children, flags, globals, values, args, lists }: Tables): string {
  return [
    HEADER,
    "",
    lookUp(
      "__freight_command",
      "the command that the second word names below the first",
      commands,
      "/",
      scalar,
    ),
    lookUp("__freight_children", "the commands below a command", children, "", list),
    lookUp("__freight_own_flags", "the flags of a command", flags, "", list),
    `function __freight_flags -d 'the flags of every command'\n    ${list(globals)}\nend\n`,
    lookUp(
      "__freight_value",
      "what follows a flag of a command; a ? before it: or nothing",
      values,
      " ",
      scalar,
    ),
    lookUp("__freight_argument", "what an argument of a command is, by its number from 0", args, "/", scalar),
    lookUp("__freight_words", "the words of a list", lists, "", list),
    FRONT,
    "",
  ].join("\n")
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`
}

function lookUp<T>(
  name: string,
  about: string,
  rows: Rows<T>,
  between: string,
  write: (value: T) => string,
): string {
  const what = between === "" ? '"$argv[1]"' : `"$argv[1]${between}$argv[2]"`
  const cases = rows.map(
    ([labels, value]) => `        case ${labels.map(quoted).join(" ")}\n            ${write(value)}`,
  )
  return [
    `function ${name} -d ${quoted(about)}`,
    `    switch ${what}`,
    ...cases,
    "        case '*'\n            return 1\n    end\nend\n",
  ].join("\n")
}

function scalar(value: string): string {
  return value === "" ? "return 1" : `echo ${quoted(value)}`
}

function list(words: readonly Word[]): string {
  return `printf '%s\\n' ${words.map((word) => quoted(wordLine(word))).join(" ")}`
}

const FRONT = `function __freight_complete -d 'what can be typed at the cursor'
    set -l words (commandline -opc)[2..]
    set -l typed (commandline -ct)
    set -l at ''
    set -l flag ''
    set -l count 0
    set -l only ''
    for word in $words
        if test -n "$flag"
            set flag ''
            string match -q -- '-?*' $word; or continue
        end
        if test -n "$only"
            set count (math $count + 1)
        else if test "$word" = --
            set only 1
        else if string match -q -- '--*=*' $word
            continue
        else if string match -q -- '-?*' $word
            __freight_value "$at" $word >/dev/null; and set flag $word
        else if set -l next (__freight_command "$at" "$word")
            set at $next
        else
            set count (math $count + 1)
        end
    end

    set -l kind ''
    set -l before ''
    if test -n "$flag"
        set kind (__freight_value "$at" $flag)
        if string match -q -- '\\?*' $kind
            set kind (string sub -s 2 -- $kind)
            if test "$kind" = free; or string match -q -- '-*' $typed
                set kind ''
            end
        end
    end
    if test -z "$kind"
        if string match -q -- '--*=*' $typed
            set -l parts (string split -m 1 = -- $typed)
            set before $parts[1]=
            set kind (string replace -r '^\\?' '' -- (__freight_value "$at" $parts[1]))
        else if string match -q -- '-*' $typed
            __freight_own_flags "$at"
            __freight_flags
            return
        else if __freight_children "$at"
            return
        else
            set kind (__freight_argument "$at" $count)
        end
    end

    set -l value (string sub -s (math (string length -- "$before") + 1) -- $typed)
    set -l asked (string split ' ' -- $kind)
    switch "$asked[1]"
        case words
            # The values of a field come once its = is there, and then nothing else.
            set -l hidden -v
            string match -q -- '*=*' $value; and set hidden
            for word in (__freight_words (string join ' ' -- $asked[2..]) | string match -r $hidden -- '^[^\\t]*=[^\\t].*')
                echo $before$word
            end
        case data
            command -q freight; and for word in (command freight completion-data $asked[2] $words </dev/null 2>/dev/null)
                echo $before$word
            end
    end
    switch "$asked[1]/$asked[3]"
        case 'files/*' 'data/files'
            for path in (__fish_complete_path "$value")
                echo $before$path
            end
        case 'folders/*'
            for path in (__fish_complete_directories "$value" '')
                echo $before$path
            end
    end
end

complete -c freight -f -k -a '(__freight_complete)'`
