import { HEADER, posixTables } from "./posix.ts"
import type { Tables } from "./tables.ts"

export function zshScript(tables: Tables): string {
  return `#compdef freight\n${HEADER}\n\n${posixTables(tables)}\n\n${FRONT}\n`
}

const FRONT = `# What only freight knows: read from its files, never from the network.
_freight_data() {
  reply=("\${(@f)$(command freight completion-data "$1" "\${(@Q)words[2,CURRENT-1]}" </dev/null 2>/dev/null)}")
}

_freight() {
  local REPLY at flag count before kind line value name= ret=1
  local -a reply closed open
  _freight_walk "\${(@Q)words[2,CURRENT-1]}"
  _freight_expect "\${(Q)PREFIX}"
  kind=$REPLY
  if [[ -n $before ]]; then
    IPREFIX+=\${PREFIX%%=*}=
    PREFIX=\${PREFIX#*=}
  fi
  case $kind in
    files) _files; return ;;
    folders) _files -/; return ;;
    free) _message -e values "\${flag:-value}"; return ;;
  esac

  _freight_list "$kind"
  # The values of a field come once its = is there.
  if [[ $kind == words* && $PREFIX == *=* ]]; then
    name=\${PREFIX%%=*}=
    IPREFIX+=$name
    PREFIX=\${PREFIX#*=}
  fi
  for line in "\${reply[@]}"; do
    value=\${line%%$'\\t'*}
    [[ -n $value && $value == "$name"* ]] || continue
    line=\${line#"$name"} value=\${value#"$name"}
    [[ -n $value ]] || continue
    [[ $kind == words* && $value == *=?* ]] && continue
    line=\${value//:/\\\\:}\${\${line#"$value"}/$'\\t'/:}
    if [[ $kind == words* && $value == *[=:] ]]; then open+=("$line"); else closed+=("$line"); fi
  done
  _describe -V -t "\${kind//[ ]/-}" "\${kind##* }" closed -- open -S '' && ret=0
  [[ $kind == *' files' ]] && _files && ret=0
  return ret
}

# Loaded from a folder of $fpath, or sourced.
if [[ $funcstack[1] == _freight ]]; then _freight "$@"; else compdef _freight freight; fi`
