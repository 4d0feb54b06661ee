#!/usr/bin/env bash
# Set up what a make target needs: Debian packages, a virtual environment, the locked dependencies.
#
#   deploy/setup.sh run     to run the product
#   deploy/setup.sh dev     the same, and what tests and checks need
#
# Says nothing when everything is there. All words go to standard error, so that a target's own
# output stays clean. PYTHON names the interpreter to use (3.11 to 3.13); default: the first that fits.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:-run}
venv=.venv
log=build/setup.log
case $kind in
    run) lock=deploy/requirements.txt ;;
    dev) lock=deploy/requirements-dev.txt ;;
    *) echo "usage: deploy/setup.sh run|dev" >&2; exit 2 ;;
esac

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

# ---- Debian packages -------------------------------------------------------------------------

has_program() { PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" command -v "$1" >/dev/null; }
has_library() { PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -F "$1" >/dev/null; }
has_driver() { compgen -G "/usr/lib/*/dri/*_dri.so" >/dev/null || has_library libgallium; }
has_screen() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || compgen -G "/dev/dri/card*" >/dev/null; }

# The packages of the screen that are missing, one a line.
missing_for_screen() {
    has_library libGL.so.1 || echo libgl1
    has_library libEGL.so.1 || echo libegl1
    has_library libGLESv2.so.2 || echo libgles2
    has_library libmtdev.so.1 || echo libmtdev1
    has_driver || echo libgl1-mesa-dri
}

# A seat window is optional where there is no screen; tests draw off-screen and always want it.
missing_packages() {
    has_program mosquitto || echo mosquitto
    if [ "$kind" = dev ] || has_screen; then missing_for_screen; fi
}

# The command that gives the right to install; fails if there is none.
root_command() {
    command -v apt-get >/dev/null || return 1
    if [ "$(id -u)" = 0 ]; then echo env; return; fi
    sudo -n true 2>/dev/null && echo sudo -n env
}

# apt_get ROOT_COMMAND ARGUMENT…
apt_get() {
    local root=$1
    shift
    $root DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 \
        -o Acquire::http::Timeout=20 -o Acquire::Retries=1 "$@" >>"$log" 2>&1
}

# Tries once: without a network every later run would wait for it again.
apt_install() {
    local root tried="build/apt-failed"
    root=$(root_command) || return 1
    if [ -f "$tried" ] && [ "$(cat "$tried")" = "$*" ]; then return 1; fi
    say "Installing Debian packages: $* (log: $log)"
    apt_get "$root" update || true
    apt_get "$root" install -y --no-install-recommends "$@" && return
    echo "$*" >"$tried"
    say "  apt-get failed (log: $log); it is tried again after 'make clean'"
    return 1
}

# What is given up without the packages.
say_missing() {
    say "Missing: $*"
    say "  to install:  sudo apt-get install $*"
    case " $* " in *" mosquitto "*) say "  without mosquitto the embedded MQTT server is used" ;; esac
    case " $* " in *" lib"*)
        say "  without OpenGL there is no seat window: the demo plays headless, screen tests are skipped" ;;
    esac
}

install_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -gt 0 ] || return 0
    apt_install "${missing[@]}" || say_missing "${missing[@]}"
}

# ---- Python ----------------------------------------------------------------------------------

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; }
can_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

# The first interpreter that fits and can make a virtual environment.
find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 /usr/bin/python3}; do
        if fits "$candidate" && can_venv "$candidate"; then echo "$candidate"; return; fi
    done
    return 1
}

need_python() {
    find_python && return
    if [ -z "${PYTHON:-}" ] && apt_install python3-venv; then
        find_python && return
    fi
    if fits "${PYTHON:-python3}"; then
        fail "${PYTHON:-python3} cannot make a virtual environment: install python3-venv
  (sudo apt-get install python3-venv), or name another Python 3.11 to 3.13 with PYTHON=…"
    fi
    fail "${PYTHON:-python3} is not Python 3.11 to 3.13: install python3 and python3-venv
  (sudo apt-get install python3-venv), or name one with PYTHON=…"
}

# ---- virtual environment ---------------------------------------------------------------------

# Changes with the folder, the project's metadata and both locks.
fingerprint() { { pwd; cat pyproject.toml deploy/requirements*.txt; } | sha256sum; }

installed() {
    local stamp
    for stamp in "$venv/.installed-$kind" "$venv/.installed-dev"; do
        [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ] && return
    done
    return 1
}

# Whether the environment runs, and is of the version that PYTHON asks for.
venv_serves() {
    local ask='import sys; print(sys.version_info[:2])'
    fits "$venv/bin/python" || return 1
    [ -z "${PYTHON:-}" ] || [ "$("$PYTHON" -c "$ask" 2>/dev/null)" = "$("$venv/bin/python" -c "$ask")" ]
}

pip() { "$venv/bin/python" -m pip --disable-pip-version-check --no-input "$@" >>"$log" 2>&1; }

fail_with_log() {
    tail -n 5 "$log" >&2
    fail "$* (log: $log)"
}

fetched() { grep -cE '^(Collecting|Processing /)' "$log" || true; }

# Counts how many packages of $1 pip has got hold of, for as long as this script runs.
show_progress() {
    local before
    before=$(fetched)
    while kill -0 $$ 2>/dev/null; do
        printf '\r  %d of %d' $(($(fetched) - before)) "$1" >&2
        sleep 0.5
    done
}

install_locked() {
    local count progress="" done=1
    count=$(grep -c '^[a-zA-Z].*==' "$lock")
    say "Installing $count packages from $lock into $venv (log: $log)"
    if [ -t 2 ]; then
        show_progress "$count" &
        progress=$!
    fi
    pip install --require-hashes --only-binary :all: -r "$lock" || done=0
    if [ -n "$progress" ]; then
        kill "$progress"
        printf '\r\033[K' >&2
    fi
    [ $done = 1 ] || fail_with_log "the packages could not be installed; is the package index reachable?"
}

install_project() {
    pip install --no-deps --no-build-isolation --no-index -e . ||
        fail_with_log "paizhuo itself could not be installed"
}

make_venv() {
    local python
    python=$(need_python)
    say "Creating $venv with $("$python" --version)"
    rm -rf "$venv"
    "$python" -m venv "$venv" >>"$log" 2>&1 || fail_with_log "no virtual environment could be made"
}

{ mkdir -p build && : >"$log"; } 2>/dev/null ||
    fail "build/ cannot be written; does it belong to another user?"
install_packages
if venv_serves; then
    if installed; then exit 0; fi
else
    make_venv
fi
install_locked
install_project
fingerprint >"$venv/.installed-$kind"
