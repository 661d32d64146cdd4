#!/usr/bin/env bash
# Gradescope runs this script once, as root, when it builds the image. It creates a virtual
# environment, because newer images reject a system-wide pip install, and because Gradescope
# itself uses the system's python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# run_autograder grades only if .built exists, so a failed build never gives a grade.
rm -f .built
trap '[ -f .built ] || rm -rf .venv' EXIT

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    found=$(python3 --version 2>/dev/null || echo "no python3")
    echo "setup: the image has $found; choose one with Python 3.10 or newer, such as Ubuntu 22.04" >&2
    exit 1
fi
if ! python3 -m venv .venv 2>/dev/null; then
    apt-get update -qq
    apt-get install -y -qq python3-venv
    python3 -m venv .venv
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check -r autograder/requirements.txt
.venv/bin/python -m compileall -q autograder starter  # run_autograder writes no bytecode
chmod 755 run_autograder
.venv/bin/python -m autograder.grade --preflight solution  # prints the log's last two lines
touch .built
