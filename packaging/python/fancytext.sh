#!/bin/sh
# The console command of the wheel: starts the program in the package, in the folders where pip puts packages.
here=$(dirname "$(readlink -f "$0")")/..
for program in "$here"/lib*/python3*/*-packages/fancytext/bin/fancytext "$here"/fancytext/bin/fancytext; do
    [ -x "$program" ] && exec "$program" "$@"
done
echo "fancytext: error: the Python package fancytext is not installed below '$here'" >&2
exit 2
