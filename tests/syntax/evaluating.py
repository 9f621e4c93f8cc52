"""Ways in which bash evaluates a text once more, and ways in which it does not: each is a script.

`⏎` stands for the end of a line. What is evaluated leaves the file `ran` behind.
"""

from __future__ import annotations

_RUNS = r"""
eval ': > ran'
x=1 eval ': > ran'
command eval ': > ran'
builtin eval ': > ran'
command -p eval ': > ran'
command -- builtin eval ': > ran'
time eval ': > ran'
! eval ': > ran'
coproc eval ': > ran'; wait
eval -- ': > ran'
eval : '>' ran
\eval ': > ran'
"ev"al ': > ran'
e=eval; $e ': > ran'
e='eval :'; $e '>' ran
bash -c ': > ran'
bash -ec ': > ran'
bash -c -e ': > ran'
bash -ce ': > ran'
bash -o posix -c ': > ran'
bash +o posix -c ': > ran'
bash -eo posix -c ': > ran'
bash -ceo posix ': > ran'
bash -oc posix ': > ran'
bash -O extglob -c ': > ran'
bash -Oc extglob ': > ran'
bash +O extglob -c ': > ran'
bash --norc -c ': > ran'
bash --posix -c ': > ran'
bash -posix -c ': > ran'
bash -norc -c ': > ran'
bash --rcfile x -c ': > ran'
bash -rcfile x -c ': > ran'
bash --init-file x -c ': > ran'
bash -c -- ': > ran'
bash -c - ': > ran'
bash -c +e ': > ran'
bash +c ': > ran'
bash -c -x ': > ran'
bash -lc ': > ran'
bash -ic ': > ran' 2>/dev/null
bash -s <<< ': > ran'
bash <<< ': > ran'
bash <<< 'eval ": > ran"'
bash - <<< ': > ran'
bash -s a b <<< ': > ran'
bash /dev/stdin <<< ': > ran'
sh -c ': > ran'
sh <<< ': > ran'
dash -c ': > ran'
/bin/sh -c ': > ran'
/bin/bash -c ': > ran'
command bash -c ': > ran'
command /bin/bash -c ': > ran'
exec bash -c ': > ran'
exec -a foo bash -c ': > ran'
exec -c /bin/bash -c ': > ran'
exec -cl /bin/bash -c ': > ran'
bash <(echo ': > ran')
. <(echo ': > ran')
source /dev/stdin <<< ': > ran'
. /dev/stdin <<< ': > ran'
. /dev/fd/3 3<<< ': > ran'
echo ': > ran' | bash
echo ': > ran' | . /dev/stdin
trap ': > ran' EXIT
trap ': > ran' 0
trap -- ': > ran' EXIT
trap ': > ran' DEBUG; :
trap ': > ran' ERR; false
trap ': > ran' USR1; kill -USR1 $$; :
f() { :; }; set -T; trap ': > ran' RETURN; f
trap ': > ran' exit
(trap ': > ran' EXIT)
x=$(trap ': > ran' EXIT)
test -v 'a[$(: > ran)]'
[ -v 'a[$(: > ran)]' ]
[[ -v 'a[$(: > ran)]' ]]
test ! -v 'a[$(: > ran)]'
test a = a -a -v 'a[$(: > ran)]'
[[ 1 -eq 'a[$(: > ran)]' ]]
[[ 'a[$(: > ran)]' -lt 1 ]]
x='a[$(: > ran)]'; [[ x -eq 1 ]]
x='a[$(: > ran)]'; [[ $x -eq 1 ]]
x='a[$(: > ran)]'; [[ "$x" -eq 1 ]]
x='a[$(: > ran)]'; y=x; [[ y -eq 1 ]]
x='a[$(: > ran)]'; (( x ))
x='a[$(: > ran)]'; y=x; (( y ))
x='a[$(: > ran)]'; y=x; (( $y ))
x='a[$(: > ran)]'; y='1 + x'; (( y ))
x='a[$(: > ran)]'; : $((x))
x='a[$(: > ran)]'; : $(($x))
x='a[$(: > ran)]'; : $(("$x"))
x='a[$(: > ran)]'; : $[x]
x='a[$(: > ran)]'; : ${a[x]}
x='a[$(: > ran)]'; : "${a[x]}"
x='a[$(: > ran)]'; : ${a[$x]}
x='a[$(: > ran)]'; v=abc; : ${v:x}
x='a[$(: > ran)]'; v=abc; : ${v:0:x}
x='a[$(: > ran)]'; set -- a b; : ${@:x}
x='a[$(: > ran)]'; a[x]=1
x='a[$(: > ran)]'; a[$x]=1
x='a[$(: > ran)]'; a=([x]=1)
x='a[$(: > ran)]'; a+=([$x]=1)
x='a[$(: > ran)]'; declare -a b=([$x]=1)
x='a[$(: > ran)]'; for ((i=x;i<0;i++)); do :; done
x='a[$(: > ran)]'; for ((;x;)); do :; done
x='a[$(: > ran)]'; let x
x='a[$(: > ran)]'; let y=x
x='a[$(: > ran)]'; let "y = $x"
let 'a[$(: > ran)]'
let 'y=a[$(: > ran)]'
declare -i y='a[$(: > ran)]'
x='a[$(: > ran)]'; declare -i y=x
x='a[$(: > ran)]'; declare -i y; y=x
declare -i y; y='a[$(: > ran)]'
declare -i y; y+='a[$(: > ran)]'
declare -i y; read y <<< 'a[$(: > ran)]'
declare -i y; printf -v y %s 'a[$(: > ran)]'
declare -i y; for y in 'a[$(: > ran)]'; do :; done
declare -i y; y=(1 'a[$(: > ran)]')
declare -ai y; y[0]='a[$(: > ran)]'
declare -i y; : ${y:='a[$(: > ran)]'}
declare -i y; export y='a[$(: > ran)]'
typeset -i y='a[$(: > ran)]'
integer=-i; declare $integer y='a[$(: > ran)]'
f() { local -i y='a[$(: > ran)]'; }; f
declare -a 'x=($(: > ran))'
declare -a x='($(: > ran))'
declare -A x='([a]=$(: > ran))'
x='($(: > ran))'; declare -a y="$x"
x='($(: > ran))'; declare -a y=$x
f() { local -a x='($(: > ran))'; }; f
readonly -a x='($(: > ran))'
export -a x='($(: > ran))'
declare -a x; declare x='($(: > ran))'
x=(1); declare x='($(: > ran))'
declare 'a[$(: > ran)]=1'
f() { local 'a[$(: > ran)]=1'; }; f
printf -v 'a[$(: > ran)]' x
printf -v'a[$(: > ran)]' x
printf -v 'a[$(: > ran)]' -- x
printf -v x -v 'a[$(: > ran)]' y
printf -vx -v'a[$(: > ran)]' y
read 'a[$(: > ran)]' <<< x
read -r b 'a[$(: > ran)]' <<< x
a=(1); unset 'a[$(: > ran)]'
a=(1); unset -v 'a[$(: > ran)]'
sleep 0 & wait -n -p 'a[$(: > ran)]'
x='$(: > ran)'; : ${x@P}
x='$(: > ran)'; : "${x@P}"
x='`: > ran`'; : "${x@P}"
x='\044(: > ran)'; : "${x@P}"
x=('$(: > ran)'); : "${x[@]@P}"
set -- '$(: > ran)'; : "${@@P}"
set -- '$(: > ran)'; : "${1@P}"
w='$(: > ran)'; v=w; : "${!v@P}"
v='a[$(: > ran)]'; : ${!v}
v='a[$(: > ran)]'; : "${!v}"
v='a[$(: > ran)]'; : "${!v:-x}"
v='a[$(: > ran)]'; : ${!v[0]}
set -- 'a[$(: > ran)]'; : ${!1}
declare -n r='a[$(: > ran)]'; : $r
declare -n r='a[$(: > ran)]'; r=1
f() { local -n r=$1; : $r; }; f 'a[$(: > ran)]'
v='a[$(: > ran)]'; declare -n r=$v; : $r
mapfile -C ': > ran #' -c 1 x <<< a
mapfile -c1 -C': > ran #' x <<< a
readarray -C ': > ran #' -c 1 x <<< a
PS4='$(: > ran)'; set -x; :
set -x; PS4='$(: > ran)' eval :
PS4='$(: > ran)' bash -xc :
export PS4='$(: > ran)'; bash -xc :
PROMPT_COMMAND=': > ran' bash -i <<< ':' 2>/dev/null
echo ': > ran' > rc; BASH_ENV=rc bash -c :
echo ': > ran' > rc; export BASH_ENV=rc; bash -c :
BASH_ENV='$(: > ran)' bash -c :
ENV='$(: > ran)' sh -ic :
echo ': > ran' > rc; declare -x BASH_ENV=rc; bash -c :
echo ': > ran' > rc; bash --rcfile rc -ic :
compgen -C ': > ran #' a
compgen -C': > ran #' a
f() { : > ran; }; compgen -F f a
compgen -W '$(: > ran)' a
compgen -W'$(: > ran)' a
shopt -s expand_aliases⏎alias q=': > ran'⏎q
set -o posix⏎alias q=': > ran'⏎q
POSIXLY_CORRECT=1⏎alias q=': > ran'⏎q
shopt -s expand_aliases⏎BASH_ALIASES[q]=': > ran'⏎q
bash -O expand_aliases -c $'alias q=": > ran"\nq'
sh -c $'alias q=": > ran"\nq'
bash --posix -c $'alias q=": > ran"\nq'
shopt -s expand_aliases⏎n=q=:; alias "$n > ran"⏎q
hash -p /bin/bash q; q -c ': > ran'
BASH_CMDS[q]=/bin/bash; q -c ': > ran'
exec {a[$(: > ran)]}>/dev/null
cd() { : > ran; }; cd /
[() { : > ran; }; [ a ]
eval() { : > ran; }; eval x
function true { : > ran; }; true
f() { : > ran; }; export -f f; bash -c f
set -a; f() { : > ran; }; bash -c f
f() { :; }; unset -f f; f() { : > ran; }; f
command_not_found_handle() { : > ran; }; nosuchcommand
set -k; echo ': > ran' > rc; bash -c : BASH_ENV=rc
x='a[$(: > ran)]'; case $((x)) in x) ;; esac
x='a[$(: > ran)]'; case 1 in $((x))) ;; esac
x='a[$(: > ran)]'; for i in $((x)); do :; done
x='a[$(: > ran)]'; select i in $((x)); do :; done < /dev/null
x='a[$(: > ran)]'; { :; } > /dev/null$((x))
x='a[$(: > ran)]'; cat <<< $((x))
x='a[$(: > ran)]'; cat <<E⏎$((x))⏎E
x='$(: > ran)'; cat <<E⏎${x@P}⏎E
x='a[$(: > ran)]'; : > "out$((x))"
x='a[$(: > ran)]'; y=$((x))
x='a[$(: > ran)]'; y=$((x)) true
x='a[$(: > ran)]'; [[ $((x)) ]]
x='a[$(: > ran)]'; [[ a == ${b[x]} ]]
x='a[$(: > ran)]'; echo ${y:-$((x))}
x='a[$(: > ran)]'; y=abc; echo ${y/b/$((x))}
x='a[$(: > ran)]'; y=abc; echo "${y%$((x))}"
x='a[$(: > ran)]'; y=(1); echo "${#y[x]}"
x='a[$(: > ran)]'; y=(1); echo "${y[x]:-1}"
x='a[$(: > ran)]'; ((y = 1, x))
x='a[$(: > ran)]'; ((y[x]++))
x='a[$(: > ran)]'; ((1 ? x : 2))
x='$(: > ran)'; declare -A m=([a]=1); test -v "m[$x]"
x='$(: > ran)'; declare -A m=([a]=1); unset "m[$x]"
x='$(: > ran)'; declare -A m=([a]=1); printf -v "m[$x]" y
x='$(: > ran)'; declare -A m=([a]=1); read "m[$x]" <<< y
x='$(: > ran)'; declare -A m; declare "m[$x]=1"
y=$(echo 'a[$(: > ran)]'); ((y))
y=$(echo 'a[$(: > ran)]'); echo $((y + 1))
y=$(echo 'a[$(: > ran)]'); echo ${z[y]}
y=$(echo 'a[$(: > ran)]'); [[ $y -eq 1 ]]
read y <<< 'a[$(: > ran)]'; ((y))
echo $(( $(echo 'a[$(: > ran)]') ))
[[ $(echo 'a[$(: > ran)]') -eq 1 ]]
echo ${z[$(echo 'a[$(: > ran)]')]}
v=$(echo 'a[$(: > ran)]'); echo ${!v}
set -- 'a[$(: > ran)]'; (( $1 ))
f() { (( $1 )); }; f 'a[$(: > ran)]'
f() { echo $(( $1 + 1 )); }; f 'a[$(: > ran)]'
f() { local n=$1; echo $((n)); }; f 'a[$(: > ran)]'
for x in 'a[$(: > ran)]'; do ((x)); done
a=('a[$(: > ran)]'); ((a[0]))
a=('a[$(: > ran)]'); ((a))
a=('b[$(: > ran)]'); echo ${z[a[0]]}
a=(x 'b[$(: > ran)]'); echo $((a[1]))
a=(x 'b[$(: > ran)]'); echo $((${a[1]}))
x="a['"'$(: > ran)'"']"; ((x))
x='a[`: > ran`]'; ((x))
x='a[${b:-$(: > ran)}]'; ((x))
y='b[$(: > ran)]'; x='a[$y]'; ((x))
y='b[$(: > ran)]'; x='a[${y}]'; ((x))
x='a["$(: > ran)"]'; ((x))
x='a[\"$(: > ran)]'; ((x))
x=$'a[1\n+$(: > ran)]'; ((x))
coproc { : > ran; }; wait
coproc c { eval ': > ran'; }; wait
(eval ': > ran')
{ eval ': > ran'; }
eval eval eval ': > ran'
eval 'eval "eval \": > ran\""'
eval "$(echo ': > ran')"
$(echo eval) ': > ran'
$(echo : ran) > ran
x='> ran'; eval ": $x"
f() { eval "$1"; }; f ': > ran'
f() { eval "$@"; }; f : '>' ran
f() { "$@"; }; f eval ': > ran'
f() { bash -c "$*"; }; f ':' '>' ran
bash -c 'eval "$1"' _ ': > ran'
bash -c '"$@"' _ eval ': > ran'
bash -c 'bash -c "$0"' ': > ran'
export x=': > ran'; bash -c 'eval "$x"'
x=': > ran' bash -c 'eval "$x"'
exec 3<<< ': > ran'; bash <&3
exec <<< ': > ran'; bash
{ bash; } <<< ': > ran'
(bash) <<< ': > ran'
while :; do bash; break; done <<< ': > ran'
bash < <(echo ': > ran')
echo ': > ran' > s; bash s
echo ': > ran' > s; source s
echo ': > ran' > s; bash < s
set -o history; set -H⏎echo ': > ran'⏎!!:s/echo/eval/
x=1; x[$(: > ran)]=2
x='a[$(: > ran)]'; x[x]=1
x='a[$(: > ran)]'; ((x=x))
x='a[$(: > ran)]' let y=x
x='a[$(: > ran)]' eval '((x))'
f() { ((x)); }; x='a[$(: > ran)]' f
x='a[$(: > ran)]'; printf -v "a[x]" 1
x='a[$(: > ran)]'; read 'b[x]' <<< 1
x='a[$(: > ran)]'; b=(1); unset 'b[x]'
x='a[$(: > ran)]'; b=(1); test -v 'b[x]'
x='a[$(: > ran)]'; b=(1); [[ -v b[x] ]]
x='a[$(: > ran)]'; v='b[x]'; echo ${!v}
x='a[$(: > ran)]'; declare -n r='b[x]'; b=(1); echo $r
x='a[$(: > ran)]'; declare 'b[x]=1'
x='a[$(: > ran)]'; declare b[x]=1
declare -i b; b[0]='a[$(: > ran)]'
bash -c 'x=$1; ((x))' _ 'a[$(: > ran)]'
RANDOM='a[$(: > ran)]'
OPTIND='a[$(: > ran)]'; set -- -a; getopts a x
HISTCMD='a[$(: > ran)]'
SRANDOM='a[$(: > ran)]'
k='b[$(: > ran)]'; m=(1); declare -A m; m[$k]=1
f() { local -A m; }; f; k='b[$(: > ran)]'; m[$k]=1
k='b[$(: > ran)]'; declare -A m; unset m; m[$k]=1
"""

_DOES_NOT_RUN = r"""
trap ': > ran' SIGEXIT
[[ -v a['$(: > ran)'] ]]
test -R 'a[$(: > ran)]'
[[ -R 'a[$(: > ran)]' ]]
[ 1 -eq 'a[$(: > ran)]' ]
test 'a[$(: > ran)]' -eq 1
declare -i y; y='a[$(: > ran)]' true
declare 'x=($(: > ran))'
x=(1); export x='($(: > ran))'
x=(1); readonly x='($(: > ran))'
export 'a[$(: > ran)]=1'
readonly 'a[$(: > ran)]=1'
declare -a 'a[$(: > ran)]'
read -a 'a[$(: > ran)]' <<< x
unset 'a[$(: > ran)]'
set -- -a; getopts a 'a[$(: > ran)]'
x='\$(: > ran)'; : "${x@P}"
x='$(: > ran)'; : "${x@E}"
x='$(: > ran)'; : "${x@A}"
x='$(: > ran)'; : "${x@Q}"
x='$(: > ran)'; : "${x@K}"
v='a[$(: > ran)]'; : "${#v}"
v=w; w='a[$(: > ran)]'; : "${!v}"
mapfile 'a[$(: > ran)]' <<< x
PS1='$(: > ran)'; :
PS0='$(: > ran)'; :
PS3='$(: > ran)'; select i in a; do break; done <<< 1
PROMPT_COMMAND=': > ran'; :
complete -C ': > ran' x
complete -W '$(: > ran)' x
bind -x '"\C-a": : > ran'
alias q=': > ran'⏎q
BASHOPTS=expand_aliases bash -c $'alias q=": > ran"\nq'
SHELLOPTS=posix bash -c $'alias q=": > ran"\nq'
fc -s
set -o history; : > ran⏎rm -f ran⏎fc -s :
exec {fd}>/dev/null
f() { : > ran; }; set -a; bash -c f
f() { : > ran; }; bash -c f
set -k; bash -c : BASH_ENV=rc
test -N 'a[$(: > ran)]'
test -n 'a[$(: > ran)]'
printf %d 'a[$(: > ran)]'
printf '%*d' 'a[$(: > ran)]' 1
ulimit -n 'a[$(: > ran)]'
shift 'a[$(: > ran)]'
exit 'a[$(: > ran)]'
f() { return 'a[$(: > ran)]'; }; f
kill 'a[$(: > ran)]'
kill -n 'a[$(: > ran)]' 1
sleep 'a[$(: > ran)]'
break 'a[$(: > ran)]'
for i in 1; do break 'a[$(: > ran)]'; done
umask 'a[$(: > ran)]'
read -t 'a[$(: > ran)]' x
read -n 'a[$(: > ran)]' x
read -u 'a[$(: > ran)]' x
jobs 'a[$(: > ran)]'
wait 'a[$(: > ran)]'
history 'a[$(: > ran)]'
pushd +'a[$(: > ran)]'
dirs +'a[$(: > ran)]'
caller 'a[$(: > ran)]'
type 'a[$(: > ran)]'
export 'a[$(: > ran)]'
declare -p 'a[$(: > ran)]'
a=(1); declare -p 'a[$(: > ran)]'
case 'a[$(: > ran)]' in x) ;; esac
x='a[$(: > ran)]'; ((0 && x))
x='$(: > ran)'; declare -A m; m[$x]=1; : ${m[$x]}
x='$(: > ran)'; declare -A m; ((m[$x]++))
x='$(: > ran)'; declare -A m; [[ -v m[$x] ]]
x='$(: > ran)'; declare -A m; [[ -v "m[$x]" ]]
x='a[\$(: > ran)]'; ((x))
y='$(: > ran)'; x='a[$y]'; ((x))
x='\"a[$(: > ran)]'; ((x))
enable -f /nonexistent.so foo
enable -n cd
history -s ': > ran'
TIMEFORMAT='$(: > ran)'; time :
HISTTIMEFORMAT='$(: > ran)'; set -o history; history
IFS='$(: > ran)'; :
x='a[$(: > ran)]'; export b[x]=1
BASH_ARGV0='$(: > ran)'; :
HOME='$(: > ran)'; : ~
x='$(: > ran)'; echo $x "$x"
x='`: > ran`'; echo $x
x='{a,$(: > ran)}'; echo $x
x='${y:=$(: > ran)}'; echo $x
bash -c "exit 'a[\$(: > ran)]'"
exec 'a[$(: > ran)]'
SECONDS='a[$(: > ran)]'
LINENO='a[$(: > ran)]'
HISTSIZE='a[$(: > ran)]'
COLUMNS='a[$(: > ran)]'
TMOUT='a[$(: > ran)]'; read x <<< a
BASH_COMPAT='a[$(: > ran)]'
DIRSTACK[1]='a[$(: > ran)]'
declare -l x='$(: > ran)'
declare -u x='a[$(: > ran)]'
FUNCNEST='a[$(: > ran)]'; f() { :; }; f
IGNOREEOF='a[$(: > ran)]'
BASH_XTRACEFD='a[$(: > ran)]'; set -x; :
MAILCHECK='a[$(: > ran)]'; :
EPOCHSECONDS='a[$(: > ran)]'
"""


def _scripts(table: str) -> list[str]:
    return [line.replace("⏎", "\n") for line in table.strip("\n").split("\n")]


RUNS = _scripts(_RUNS)
DOES_NOT_RUN = _scripts(_DOES_NOT_RUN)
