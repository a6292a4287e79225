#!/bin/sh
# A card for each row by GNU parallel over two workers: parallel.sh ROWS.ndjson > results.ndjson
# Each worker gets blocks of rows; a template would be sent with each of them, so that rows become documents here.
# FANCYTEXT names the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export FANCYTEXT="${FANCYTEXT:-fancytext}" TEMPLATE="$here/card.html"

# shellcheck disable=SC2016 # expanded by parallel's shell
parallel --pipe --keep-order --jobs 2 -N "${BLOCK:-250}" '
  { jq -Rsc "{define: \"card\", html: .}" "$TEMPLATE"
    jq -c "{id: .id, template: \"card\", row: ., width: 1200, height: 630, format: \"png\", \"no-system-fonts\": true}"
  } | "$FANCYTEXT" batch --jobs 1 | tail -n +2' < "$1"
