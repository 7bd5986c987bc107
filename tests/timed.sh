#!/bin/sh
# Runs a test, and leaves what `times` says after it in a file. Its second line is the CPU time, user's and system's, of the
# test and of all whom it waited for, which a busy machine does not change much: sh timed.sh FILE COMMAND...
file=$1
shift
code=0
"$@" || code=$?
times >"$file"
exit $code
