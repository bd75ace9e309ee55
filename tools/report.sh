# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced by the test scripts: one line per case, and the last line.

passed=0
failed=0

pass() {
	passed=$((passed + 1))
	echo "PASS $1"
}

fail() {
	failed=$((failed + 1))
	echo "FAIL $1${2:+: $2}"
}

# check NAME COMMAND...: the command must succeed; its output shows if not.
check() {
	check_name=$1
	shift
	if check_out=$("$@" 2>&1); then
		pass "$check_name"
	else
		fail "$check_name" "exit status $?"
		printf '%s\n' "$check_out" | tail -40 | sed 's/^/  | /'
	fi
}

# suite NAME COMMAND...: one that ends in "N passed, N failed" itself; its
# cases are added to ours. Its output is shown as it comes.
suite() {
	suite_name=$1
	shift
	echo "== $suite_name"
	suite_log=$(mktemp)
	suite_rc=$(mktemp)
	{ "$@" 2>&1; echo $? >"$suite_rc"; } | tee "$suite_log"
	suite_last=$(tail -1 "$suite_log")
	suite_status=$(cat "$suite_rc")
	rm -f "$suite_log" "$suite_rc"
	suite_numbers=$(printf '%s\n' "$suite_last" |
		sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*$/\1 \2/p')
	if [ -z "$suite_numbers" ]; then
		fail "$suite_name" "no verdict, exit status $suite_status"
		return
	fi
	passed=$((passed + ${suite_numbers% *}))
	failed=$((failed + ${suite_numbers#* }))
	if [ "$suite_status" -ne 0 ] && [ "${suite_numbers#* }" -eq 0 ]; then
		fail "$suite_name" "0 failed, but exit status $suite_status"
	fi
}

# The last line, and the exit status.
verdict() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
