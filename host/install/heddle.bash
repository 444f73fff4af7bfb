# SPDX-License-Identifier: Apache-2.0
# bash completion of heddle, heddlec, heddle-board and heddle-sycl++. Options are what --help says, so that they are always those of the program.

# The options in the --help of a command. Those of clang's kind, -f...=, have their value in the same word.
_heddle_options() {
  "$@" --help 2>/dev/null | sed -nE 's/^ +((-f[a-z-]+=?|-[A-Za-z]+|--[a-z-]+)(, (-f[a-z-]+=?|-[A-Za-z]+|--[a-z-]+))*).*/\1/p' | tr -d ','
}

_heddle_complete() {
  local current=$1 previous=$2 IFS=$' \t\n'
  shift 2
  case $previous in
    -d | --device) mapfile -t COMPREPLY < <(compgen -W 'sim model' -- "$current") ;;
    --progress) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current") ;;
    --emit) mapfile -t COMPREPLY < <(compgen -W 'elf obj asm ll' -- "$current") ;;
    -fsycl-default-sub-group-size) mapfile -t COMPREPLY < <(compgen -W 'primary automatic 1 2 4 8 16 32' -- "$current") ;;
    *)
      case $current in
        -*)
          mapfile -t COMPREPLY < <(compgen -W "$(_heddle_options "$@")" -- "$current")
          case ${COMPREPLY[*]} in
            *=) compopt -o nospace 2>/dev/null ;; # there is none to tell where a test calls this
          esac
          ;;
        @*) mapfile -t COMPREPLY < <(compgen -P @ -f -- "${current#@}") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
      esac
      ;;
  esac
}

# bash takes words apart at "=": of --emit=asm the value is what comes behind it.
_heddle_words() {
  current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
}

_heddle() {
  local current previous command=${COMP_WORDS[1]}
  _heddle_words
  if [ "$COMP_CWORD" = 1 ]; then
    local commands
    commands=$("$1" --help 2>/dev/null | sed -nE 's/^  ([a-z]+)   .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
  else
    _heddle_complete "$current" "$previous" "$1" "$command"
  fi
}

_heddle_program() {
  local current previous
  _heddle_words
  _heddle_complete "$current" "$previous" "$1"
}

complete -o filenames -F _heddle heddle
complete -o filenames -F _heddle_program heddlec heddle-sycl++
complete -F _heddle_program heddle-board
