# Completions of freight. For bash 4 or newer; bash-completion is not needed.

# Splits the line, since COMP_WORDS is split at = : and @ as well. Sets words (those before the cursor's), typed (the
# cursor's, without its quotes), quote (the one left open), and kept: readline replaces what follows so many characters.
_freight_read() {
  local line=$1 char i begun=
  words=() typed= quote= kept=0
  for ((i = 0; i < ${#line}; i++)); do
    char=${line:i:1}
    case $quote$char in
      "'" | '"') quote=$char kept=${#typed} begun=1 ;;
      "''" | '""') quote= ;;
      "'"?) typed+=$char ;;
      '"\')
        i=$((i + 1)) char=${line:i:1}
        [[ $char == ['"\$`'] ]] || typed+='\'
        typed+=$char ;;
      '"'?) typed+=$char ;;
      '\')
        i=$((i + 1)) begun=1
        typed+=${line:i:1} ;;
      [[:blank:]])
        [[ -n $begun ]] && words+=("$typed")
        typed= begun= kept=0 ;;
      *)
        typed+=$char begun=1
        [[ $COMP_WORDBREAKS == *"$char"* ]] && kept=${#typed} ;;
    esac
  done
}

_freight() {
  local words typed quote kept kind= word
  local -a answer=()
  COMPREPLY=()
  _freight_read "${COMP_LINE:0:COMP_POINT}"
  # A line for each word (the word, a tab, its meaning); the last says what they are.
  while IFS= read -r word; do
    [[ $word == :* ]] && kind=${word#:} || answer+=("${word%%$'\t'*}")
  done < <(command freight __complete ":$typed" "${words[@]:1}" </dev/null 2>/dev/null)
  case $kind in
    files | *' files') compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
  case $kind in data*) compopt -o nosort 2>/dev/null ;; esac

  for word in "${answer[@]}"; do
    [[ $word == "$typed"* ]] || continue
    word=${word:kept}
    case $quote in
      "'") word=${word//\'/\'\\\'\'} ;;
      '"')
        word=${word//\\/\\\\} word=${word//\"/\\\"}
        word=${word//\$/\\\$} word=${word//\`/\\\`} ;;
      *) [[ -n $word ]] && printf -v word %q "$word" ;;
    esac
    [[ -n $word ]] && COMPREPLY+=("$word")
  done
  if [[ ${#COMPREPLY[@]} == 1 && $kind == words* && ${COMPREPLY[0]} == *[=:] ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

complete -F _freight freight
