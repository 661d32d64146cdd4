#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image. A virtual environment
# is used because newer images refuse a bare system pip install, and because the
# system's python3 is Gradescope's own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if ! python3 -m venv .venv 2>/dev/null; then
    apt-get update -qq
    apt-get install -y -qq python3-venv
    python3 -m venv .venv
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
chmod 755 run_autograder
.venv/bin/python -m autograder.grade --preflight solution  # the log's last three lines
