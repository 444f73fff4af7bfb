# SPDX-License-Identifier: Apache-2.0
# What an interactive zsh offers for a line at Tab: `zsh complete.zsh FUNCTIONS LINE` prints the matches, sorted, each on a line.
# FUNCTIONS is the folder of the completion functions. Tab puts all matches into the line, and the command, which is a
# function here, prints what it got; for --help it runs the program.
zmodload zsh/zpty
zpty shell zsh -f -i
send() { zpty -w shell "$1" }
send 'PS1= RPS1=; unsetopt beep prompt_cr prompt_sp; stty -echo'
send "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
send "zstyle ':completion:*' completer _all_matches _complete"
send "zstyle ':completion:*' insert yes; zstyle ':completion:*' old-matches false"
send 'bindkey -e; bindkey "^I" complete-word'
for command in heddle heddlec heddle-board heddle-sycl++; do
  send "$command() { if [[ \$argv[-1] == --help ]] { command $command \"\$@\" } else { print -rl -- '<''<' \"\$@\" '>''>' } }"
done
send 'print "re""ady:"'
zpty -r shell answer '*ready:*'
zpty -w -n shell "$2"$'\t\n'
zpty -r shell answer '*>>*'
answer=(${(f)${${${answer##*<<}%%>>*}//$'\r'/}})
# Without the words in front of the last one.
words=("${(z)2}" ${${2:#*[^ ]}:+typed})
shift $(( ${#words} - 2 )) answer
print -rl -- ${(o)answer}
zpty -d shell
