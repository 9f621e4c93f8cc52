# The first process of a container: runs one command, and ends the container when nobody is there any more to want it.
#
# Words come by `line`, each the name of a signal for everybody in here. When the line ends, so has whoever held its
# other end, however that was; and with the first process ends all that lives in the container. What there is to say
# goes by `up`. From the first word on nobody can open either, the command least of all. Nothing is looked up in the
# image's PATH: bash, 4.4 or later, is all that this needs.

declare -r place=/run/limpet umask=$1 drain=$2 files=$3 clean=$4
shift 4

# Both ways at first: a shell that opens one end alone would wait for somebody at the other.
exec 9<>"$place/line" || exit 125
exec 8<"$place/line" 7<>"$place/up" 6>&2 2>/dev/null 9<&-
trap '' INT QUIT TERM HUP

# Pass on words for this many seconds, or until somebody tells us something.
listen() {
    read -r -t "$1" word <&8
    case $? in
        0) kill -s "$word" -- -1 ;;
        1) exit 137 ;;
    esac
}

# The value that follows the word $1, or all there is, in the first of these files that is there.
look_up() {
    local key=$1 word value file
    shift
    found=
    for file; do
        [[ -r $file ]] || continue
        while read -r word value; do
            [[ $key && $word != "$key" ]] || found=${value:-$word}
        done <"$file"
        return
    done
}

# Whether the process with this folder in /proc is alive; what has ended may be there until somebody asks for it.
lives() {
    local told=
    read -r -d '' told 2>/dev/null <"$1/stat"
    told=${told##*) }
    [[ $told && $told != [ZX]* ]]
}

# All who are left.
others() {
    local entry
    left=()
    for entry in /proc/[0-9]*; do
        [[ $entry != /proc/1 ]] && lives "$entry" && left+=("$entry")
    done
    ((${#left[@]}))
}

# In a process of its own: turns into the command's shell.
become() {
    local name variable odd=()
    exec 2>&6 6>&- 7>&- 8<&- 9<"$place/command"
    trap - INT QUIT TERM HUP USR1
    mapfile -d '' -t variables <"$place/environment"
    if [[ $clean ]]; then
        for name in $(compgen -e); do unset -v "$name"; done
    fi
    unset -v SHLVL
    for variable in "${variables[@]}"; do
        export -- "$variable" 2>/dev/null || odd+=("$variable")
    done
    umask "$umask"
    [[ -z $files ]] || ulimit -n "$files"
    if ((${#odd[@]})); then
        exec env -- "${odd[@]}" "$1" "${@:3}"
    fi
    exec -a "$2" "$1" "${@:3}"
}

# What is left of the command has a moment to end by itself.
end() {
    local entry name count
    trap '' USR1
    wait "$waiter"
    status=$?
    for ((count = 0; count < drain; count++)); do
        others || break
        listen 0.01
    done
    if others; then
        for entry in "${left[@]}"; do
            read -r name <"$entry/comm" && echo "left $name (${entry#/proc/})" >&7
        done
        kill -s TERM -- -1
        kill -s CONT -- -1
        listen 0.25
    fi
    if ((status)); then
        look_up oom_kill /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control
        ((found)) && echo 'hit memory' >&7
        look_up max /sys/fs/cgroup/pids.events /sys/fs/cgroup/pids/pids.events
        ((found)) && echo 'hit processes' >&7
    fi
    exit "$status"
}

# Who says that the command is over may be the command itself: it is not believed for long.
told() {
    local count
    for ((count = 0; count < 20; count++)); do
        lives "/proc/$waiter" || end
        listen 0.01
    done
}

look_up '' /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes
memory=$found
look_up '' /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max
echo "up ${memory:-none} ${found:-none}" >&7
read -r word <&8 || exit 137

# A shell cannot wait for a process and for words at once, so the one that waits tells us; killed, it cannot.
trap told USR1
(
    (become "$@")
    status=$?
    kill -s USR1 1
    exit "$status"
) <&0 &
waiter=$!
while lives "/proc/$waiter"; do
    listen 1
done
end
