import { HEADER, posixTables } from "./posix.ts"
import type { Tables } from "./tables.ts"

/** For bash 4 or newer; it needs no bash-completion. */
export function bashScript(tables: Tables): string {
  return `${HEADER}\n\n${posixTables(tables)}\n\n${FRONT}\n`
}

const FRONT = `# What only freight knows: read from its files, never from the network.
_freight_data() {
  local line
  while IFS= read -r line; do
    reply+=("$line")
  done < <(command freight completion-data "$1" "\${words[@]:1}" </dev/null 2>/dev/null)
}

# Takes the line apart, since COMP_WORDS is broken at = : and @ as well. The words before the cursor's are then in $words,
# the cursor's own in $typed without its quotes; readline replaces what follows its first $kept characters, inside $quote.
_freight_read() {
  local line=$1 char i begun=
  words=() typed= quote= kept=0
  for ((i = 0; i < \${#line}; i++)); do
    char=\${line:i:1}
    case $quote$char in
      "'" | '"') quote=$char kept=\${#typed} begun=1 ;;
      "''" | '""') quote= ;;
      "'"?) typed+=$char ;;
      '"\\')
        i=$((i + 1)) char=\${line:i:1}
        [[ $char == ['"\\$\`'] ]] || typed+='\\'
        typed+=$char ;;
      '"'?) typed+=$char ;;
      '\\')
        i=$((i + 1)) begun=1
        typed+=\${line:i:1} ;;
      [[:blank:]])
        [[ -n $begun ]] && words+=("$typed")
        typed= begun= kept=0 ;;
      *)
        typed+=$char begun=1
        [[ $COMP_WORDBREAKS == *"$char"* ]] && kept=\${#typed} ;;
    esac
  done
}

_freight() {
  local REPLY at flag count before kind word value words typed quote kept
  local -a reply
  COMPREPLY=()
  _freight_read "\${COMP_LINE:0:COMP_POINT}"
  _freight_walk "\${words[@]:1}"
  _freight_expect "$typed"
  kind=$REPLY
  case $kind in
    files | *' files') compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
  case $kind in data*) compopt -o nosort 2>/dev/null ;; esac

  _freight_list "$kind"
  for word in "\${reply[@]}"; do
    value=\${word%%$'\\t'*} word=$before$value
    [[ $word == "$typed"* ]] || continue
    # The values of a field come once its = is there.
    [[ $kind == words* && $value == *=?* && \${typed#"$before"} != *=* ]] && continue
    word=\${word:kept}
    case $quote in
      "'") word=\${word//\\'/\\'\\\\\\'\\'} ;;
      '"')
        word=\${word//\\\\/\\\\\\\\} word=\${word//\\"/\\\\\\"}
        word=\${word//\\$/\\\\\\$} word=\${word//\\\`/\\\\\\\`} ;;
      *) [[ -n $word ]] && printf -v word %q "$word" ;;
    esac
    [[ -n $word ]] && COMPREPLY+=("$word")
  done
  if [[ \${#COMPREPLY[@]} == 1 && $kind == words* && \${COMPREPLY[0]} == *[=:] ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

complete -F _freight freight`
