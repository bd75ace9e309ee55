# SPDX-License-Identifier: Apache-2.0
TOOLS_SRCS := \
	tools/bench.c
