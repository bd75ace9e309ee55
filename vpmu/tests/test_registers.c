/* SPDX-License-Identifier: Apache-2.0 */
/* The models' registers: exactly which there are, and which of their bits. Once
 * from tables written by hand from the manuals, once from the rows. */
#include <string.h>

#include "tests/harness.h"

/* ------------------------------------------- by hand, from the manuals */

/* Registers first, first + stride, ... last exist, and no other. */
struct exists_row {
	int line;
	const char *model;
	uint32_t first;
	uint32_t last;
	uint32_t stride;
};

/* clang-format off */
static const struct exists_row existing[] = {
	{ __LINE__, "intel-v2", 0x0c1, 0x0c2, 1 },
	{ __LINE__, "intel-v2", 0x186, 0x187, 1 },
	{ __LINE__, "intel-v2", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v2", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v2", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v2", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v2", 0x38d, 0x390, 1 },
	{ __LINE__, "intel-v5", 0x0c1, 0x0c8, 1 },
	{ __LINE__, "intel-v5", 0x186, 0x18d, 1 },
	{ __LINE__, "intel-v5", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v5", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v5", 0x309, 0x30c, 1 },
	{ __LINE__, "intel-v5", 0x329, 0x329, 1 },
	{ __LINE__, "intel-v5", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v5", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v5", 0x4c1, 0x4c8, 1 },
	{ __LINE__, "intel-v1", 0x0c1, 0x0c2, 1 },
	{ __LINE__, "intel-v1", 0x186, 0x187, 1 },
	{ __LINE__, "intel-v1", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v1", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v3", 0x0c1, 0x0c4, 1 },
	{ __LINE__, "intel-v3", 0x186, 0x189, 1 },
	{ __LINE__, "intel-v3", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v3", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v3", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v3", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v3", 0x38d, 0x390, 1 },
	{ __LINE__, "intel-v3", 0x4c1, 0x4c4, 1 },
	{ __LINE__, "intel-v4", 0x0c1, 0x0c4, 1 },
	{ __LINE__, "intel-v4", 0x186, 0x189, 1 },
	{ __LINE__, "intel-v4", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v4", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v4", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v4", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v4", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v4", 0x4c1, 0x4c4, 1 },
	/* Version 6: aliases of stride 4, without CFG_B, CFG_C or 1981H. */
	{ __LINE__, "intel-v6", 0x0c1, 0x0ca, 1 },
	{ __LINE__, "intel-v6", 0x186, 0x18f, 1 },
	{ __LINE__, "intel-v6", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v6", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v6", 0x309, 0x30c, 1 },
	{ __LINE__, "intel-v6", 0x329, 0x329, 1 },
	{ __LINE__, "intel-v6", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v6", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v6", 0x4c1, 0x4ca, 1 },
	{ __LINE__, "intel-v6", 0x1900, 0x1924, 4 },
	{ __LINE__, "intel-v6", 0x1901, 0x1925, 4 },
	{ __LINE__, "intel-v6", 0x1980, 0x198c, 4 },
	{ __LINE__, "amd-k7", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "amd-k7", 0xc0010000, 0xc0010007, 1 },
	{ __LINE__, "amd-f17h", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "amd-f17h", 0xc0010000, 0xc0010007, 1 },
	{ __LINE__, "amd-f17h", 0xc0010200, 0xc001020b, 1 },
	{ __LINE__, "amd-f17h", 0xc0010230, 0xc001023b, 1 },
	{ __LINE__, "amd-f17h", 0xc0010240, 0xc0010247, 1 },
	{ __LINE__, "intel-p5", 0x011, 0x013, 1 },
	{ __LINE__, "intel-p55c", 0x011, 0x013, 1 },
	{ __LINE__, "intel-p6", 0x0c1, 0x0c2, 1 },
	{ __LINE__, "intel-p6", 0x186, 0x187, 1 },
	{ __LINE__, "intel-p6", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-netburst", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-netburst", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-netburst", 0x300, 0x311, 1 },
	{ __LINE__, "intel-netburst", 0x360, 0x371, 1 },
	{ __LINE__, "intel-netburst", 0x3a0, 0x3be, 1 },
	{ __LINE__, "intel-netburst", 0x3c0, 0x3c5, 1 },
	{ __LINE__, "intel-netburst", 0x3c8, 0x3cd, 1 },
	{ __LINE__, "intel-netburst", 0x3e0, 0x3e1, 1 },
	{ __LINE__, "none", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "none", 0x1d9, 0x1d9, 1 },
	/* Overrides */
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x0c1, 0x0c1, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x186, 0x186, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v5,gp=1,fixed=0,fw_write=0,pdcm=0", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x0c1, 0x0c1, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x186, 0x186, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v4,gp=1", 0x4c1, 0x4c1, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x0c1, 0x0c8, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x186, 0x18d, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v4,gp=8", 0x4c1, 0x4c8, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x0c1, 0x0c4, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x186, 0x189, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x38d, 0x390, 1 },
	{ __LINE__, "intel-v3,fixed=0", 0x4c1, 0x4c4, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x0c1, 0x0c4, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x186, 0x189, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v4,fw_write=0", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v3,pdcm=0", 0x0c1, 0x0c4, 1 },
	{ __LINE__, "intel-v3,pdcm=0", 0x186, 0x189, 1 },
	{ __LINE__, "intel-v3,pdcm=0", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v3,pdcm=0", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v3,pdcm=0", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v3,pdcm=0", 0x38d, 0x390, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x0c1, 0x0c2, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x186, 0x187, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x309, 0x30b, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x38d, 0x390, 1 },
	{ __LINE__, "intel-v2,pdcm=1,fw_write=1", 0x4c1, 0x4c2, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x0c1, 0x0c8, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x186, 0x18d, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x309, 0x30c, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v5,metrics=0", 0x4c1, 0x4c8, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x0c1, 0x0ce, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x186, 0x193, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x309, 0x310, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x329, 0x329, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x4c1, 0x4ce, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x0c1, 0x0ce, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x186, 0x193, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x309, 0x30f, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x329, 0x329, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x38d, 0x392, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x4c1, 0x4ce, 1 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x1900, 0x1934, 4 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x1901, 0x1935, 4 },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x1980, 0x1998, 4 },
	/* Counters 0, 1, 4, 7 and fixed 0, 2; no fixed 3, so no metrics. */
	{ __LINE__, SPARSE, 0x0c1, 0x0c2, 1 },
	{ __LINE__, SPARSE, 0x0c5, 0x0c5, 1 },
	{ __LINE__, SPARSE, 0x0c8, 0x0c8, 1 },
	{ __LINE__, SPARSE, 0x186, 0x187, 1 },
	{ __LINE__, SPARSE, 0x18a, 0x18a, 1 },
	{ __LINE__, SPARSE, 0x18d, 0x18d, 1 },
	{ __LINE__, SPARSE, 0x1a0, 0x1a0, 1 },
	{ __LINE__, SPARSE, 0x1d9, 0x1d9, 1 },
	{ __LINE__, SPARSE, 0x309, 0x30b, 2 },
	{ __LINE__, SPARSE, 0x345, 0x345, 1 },
	{ __LINE__, SPARSE, 0x38d, 0x392, 1 },
	{ __LINE__, SPARSE, 0x4c1, 0x4c2, 1 },
	{ __LINE__, SPARSE, 0x4c5, 0x4c5, 1 },
	{ __LINE__, SPARSE, 0x4c8, 0x4c8, 1 },
	{ __LINE__, SPARSE, 0x1900, 0x1904, 4 },
	{ __LINE__, SPARSE, 0x1910, 0x1910, 1 },
	{ __LINE__, SPARSE, 0x191c, 0x191c, 1 },
	{ __LINE__, SPARSE, 0x1901, 0x1905, 4 },
	{ __LINE__, SPARSE, 0x1911, 0x1911, 1 },
	{ __LINE__, SPARSE, 0x191d, 0x191d, 1 },
	{ __LINE__, SPARSE, 0x1980, 0x1988, 8 },
	/* What version 1 leaves of version 6. */
	{ __LINE__, "intel-v6,version=1", 0x0c1, 0x0c8, 1 },
	{ __LINE__, "intel-v6,version=1", 0x186, 0x18d, 1 },
	{ __LINE__, "intel-v6,version=1", 0x1a0, 0x1a0, 1 },
	{ __LINE__, "intel-v6,version=1", 0x1d9, 0x1d9, 1 },
	{ __LINE__, "intel-v6,version=1", 0x345, 0x345, 1 },
	{ __LINE__, "intel-v6,version=1", 0x4c1, 0x4c8, 1 },
};

/* All that can be written as one bit and read back; others fault or drop. */
struct bits_row {
	int line;
	const char *model;
	uint32_t msr;
	uint64_t writable;
	bool drops;
};

#define CTL UINT64_C(0x0000000fffd7ffff)

static const struct bits_row bits[] = {
	{ __LINE__, "intel-v2", 0x186, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v2", 0x187, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v2", 0x309, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v2", 0x30b, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v2", 0x38d, 0x0000000000000bbb, false },
	{ __LINE__, "intel-v2", 0x38f, 0x0000000700000003, false },
	{ __LINE__, "intel-v5", 0x186, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v5", 0x188, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v5", 0x18d, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v5", 0x4c1, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5", 0x4c8, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5,width=40", 0x4c1, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v5", 0x309, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5", 0x38d, 0x000000000000bbbb, false },
	{ __LINE__, "intel-v5", 0x38f, 0x0001000f000000ff, false },
	{ __LINE__, "intel-v5,gp=4,fixed=3", 0x38f, 0x000000070000000f, false },
	/* PERFEVTSEL: AnyThread in versions 3 and 4, no PC from 6 on. */
	{ __LINE__, "intel-v1", 0x186, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v1", 0x187, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v3", 0x186, 0x00000000ffffffff, false },
	{ __LINE__, "intel-v3", 0x189, 0x00000000ffffffff, false },
	{ __LINE__, "intel-v4", 0x186, 0x00000000ffffffff, false },
	{ __LINE__, "intel-v4", 0x189, 0x00000000ffffffff, false },
	{ __LINE__, "intel-v3,any_thread=0", 0x186, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v3,any_thread=0", 0x189, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v4,any_thread=0", 0x188, 0x00000000ffdfffff, false },
	{ __LINE__, "intel-v4,gp=1", 0x186, 0x00000000ffffffff, false },
	{ __LINE__, "intel-v4,gp=8", 0x18d, 0x00000000ffffffff, false },
	{ __LINE__, "intel-v6", 0x186, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v6", 0x188, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v6", 0x18f, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v6", 0x1901, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v6", 0x1909, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v6", 0x1925, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v6,umask2=0", 0x186, 0x00000010ffd7ffff, false },
	{ __LINE__, "intel-v6,eq=0", 0x186, 0x0000ff00ffd7ffff, false },
	{ __LINE__, "intel-v6,umask2=0,eq=0", 0x186, 0x00000000ffd7ffff, false },
	{ __LINE__, "intel-v6,umask2=0,eq=0", 0x1901, 0x00000000ffd7ffff, false },
	{ __LINE__, "intel-v6,user_disable=1", 0x186, 0x0000ff30ffd7ffff, false },
	{ __LINE__, "intel-v6,user_disable=1", 0x18f, 0x0000ff30ffd7ffff, false },
	{ __LINE__, "intel-v6,user_disable=1", 0x1901, 0x0000ff30ffd7ffff, false },
	/* IN_TX on all, IN_TXCP on PERFEVTSEL2 alone (problem 20). */
	{ __LINE__, "intel-v1,tsx=1", 0x186, 0x00000001ffdfffff, false },
	{ __LINE__, "intel-v1,tsx=1", 0x187, 0x00000001ffdfffff, false },
	{ __LINE__, "intel-v3,tsx=1", 0x186, 0x00000001ffffffff, false },
	{ __LINE__, "intel-v3,tsx=1", 0x187, 0x00000001ffffffff, false },
	{ __LINE__, "intel-v3,tsx=1", 0x188, 0x00000003ffffffff, false },
	{ __LINE__, "intel-v3,tsx=1", 0x189, 0x00000001ffffffff, false },
	{ __LINE__, "intel-v5,tsx=1", 0x186, 0x00000001ffdfffff, false },
	{ __LINE__, "intel-v5,tsx=1", 0x188, 0x00000003ffdfffff, false },
	{ __LINE__, "intel-v5,tsx=1", 0x18d, 0x00000001ffdfffff, false },
	{ __LINE__, "intel-v6,tsx=1", 0x186, 0x0000ff11ffd7ffff, false },
	{ __LINE__, "intel-v6,tsx=1", 0x188, 0x0000ff13ffd7ffff, false },
	{ __LINE__, "intel-v6,tsx=1", 0x189, 0x0000ff11ffd7ffff, false },
	{ __LINE__, "intel-v6,tsx=1", 0x1905, 0x0000ff11ffd7ffff, false },
	{ __LINE__, "intel-v6,tsx=1", 0x1909, 0x0000ff13ffd7ffff, false },
	{ __LINE__, "intel-v6,tsx=1", 0x190d, 0x0000ff11ffd7ffff, false },
	/* Counters: full width, by any address but C1H. */
	{ __LINE__, "intel-v3", 0x4c1, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v4", 0x4c4, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v3", 0x309, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v4", 0x30b, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5,width=33", 0x4c8, 0x00000001ffffffff, false },
	{ __LINE__, "intel-v5,width=33", 0x309, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v5,fixed_width=33", 0x30c, 0x00000001ffffffff, false },
	{ __LINE__, "intel-v5,fixed_width=33", 0x4c1, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v4,width=40", 0x4c4, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v3,fixed_width=40", 0x30b, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v6", 0x4ca, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6", 0x1900, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6", 0x1924, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6", 0x30c, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6", 0x1980, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6", 0x198c, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6,width=40", 0x1904, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v6,width=33", 0x1924, 0x00000001ffffffff, false },
	{ __LINE__, "intel-v6,fixed_width=40", 0x1984, 0x000000ffffffffff, false },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x4ce, 0x0000ffffffffffff, false },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x1998, 0x0000ffffffffffff, false },
	{ __LINE__, SPARSE, 0x4c8, 0x0000ffffffffffff, false },
	{ __LINE__, SPARSE, 0x1910, 0x0000ffffffffffff, false },
	{ __LINE__, SPARSE, 0x1988, 0x0000ffffffffffff, false },
	{ __LINE__, SPARSE, 0x191d, 0x0000ff10ffd7ffff, false },
	{ __LINE__, "intel-v5", 0x329, 0xffffffffffffffff, false },
	{ __LINE__, "intel-v6", 0x329, 0xffffffffffffffff, false },
	/* FIXED_CTR_CTRL (problem 21) */
	{ __LINE__, "intel-v3", 0x38d, 0x0000000000000fff, false },
	{ __LINE__, "intel-v4", 0x38d, 0x0000000000000fff, false },
	{ __LINE__, "intel-v3,any_thread=0", 0x38d, 0x0000000000000bbb, false },
	{ __LINE__, "intel-v4,any_thread=0", 0x38d, 0x0000000000000bbb, false },
	{ __LINE__, "intel-v4,fixed=1", 0x38d, 0x000000000000000f, false },
	{ __LINE__, "intel-v3,fixed=0", 0x38d, 0x0000000000000000, false },
	{ __LINE__, "intel-v5,metrics=0", 0x38d, 0x000000000000bbbb, false },
	{ __LINE__, "intel-v5,metrics_clear=1", 0x38d, 0x000000000000fbbb, false },
	{ __LINE__, "intel-v5,fixed=8", 0x38d, 0x00000000bbbbbbbb, false },
	{ __LINE__, "intel-v6", 0x38d, 0x000000000000fbbb, false },
	{ __LINE__, "intel-v6,metrics_clear=0", 0x38d, 0x000000000000bbbb, false },
	{ __LINE__, "intel-v6,metrics=0", 0x38d, 0x000000000000bbbb, false },
	{ __LINE__, "intel-v6,fixed=3", 0x38d, 0x0000000000000bbb, false },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x38d, 0x000000000bbbfbbb, false },
	{ __LINE__, "intel-v6,user_disable=1", 0x38d, 0x000022220000fbbb, false },
	{ __LINE__, "intel-v6,fixed=8,user_disable=1", 0x38d, 0x22222222bbbbfbbb, false },
	{ __LINE__, SPARSE, 0x38d, 0x0000000000000b0b, false },
	{ __LINE__, SPARSE ",user_disable=1", 0x38d, 0x0000020200000b0b, false },
	/* GLOBAL_CTRL */
	{ __LINE__, "intel-v3", 0x38f, 0x000000070000000f, false },
	{ __LINE__, "intel-v4", 0x38f, 0x000000070000000f, false },
	{ __LINE__, "intel-v4,gp=1", 0x38f, 0x0000000700000001, false },
	{ __LINE__, "intel-v4,gp=8", 0x38f, 0x00000007000000ff, false },
	{ __LINE__, "intel-v3,fixed=0", 0x38f, 0x000000000000000f, false },
	{ __LINE__, "intel-v5,metrics=0", 0x38f, 0x0000000f000000ff, false },
	{ __LINE__, "intel-v5,gp=14,fixed=8", 0x38f, 0x000100ff00003fff, false },
	{ __LINE__, "intel-v6", 0x38f, 0x0001000f000003ff, false },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x38f, 0x0001007f00003fff, false },
	{ __LINE__, SPARSE, 0x38f, 0x0000000500000093, false },
	{ __LINE__, "amd-k7", 0xc0010000, CTL, true },
	{ __LINE__, "amd-k7", 0xc0010003, CTL, true },
	{ __LINE__, "amd-k7", 0xc0010004, 0x0000ffffffffffff, true },
	{ __LINE__, "amd-k7", 0xc0010007, 0x0000ffffffffffff, true },
	{ __LINE__, "amd-k7", 0x1d9, 0x3c, true },
	{ __LINE__, "amd-f17h", 0xc0010000, CTL, true },
	{ __LINE__, "amd-f17h", 0xc0010200, CTL, true },
	{ __LINE__, "amd-f17h", 0xc001020a, CTL, true },
	{ __LINE__, "amd-f17h", 0xc0010201, 0x0000ffffffffffff, true },
	{ __LINE__, "amd-f17h", 0xc001020b, 0x0000ffffffffffff, true },
};

/* Write 1 to clear or set: these bits are accepted, each reads 0. */
static const struct bits_row write_only[] = {
	{ __LINE__, "intel-v2", 0x390, 0xc000000700000003, false },
	{ __LINE__, "intel-v5", 0x390, 0xec01000f000000ff, false },
	{ __LINE__, "intel-v5", 0x391, 0x6c01000f000000ff, false },
	{ __LINE__, "intel-v5,gp=2,fixed=1", 0x391, 0x6c00000100000003, false },
	{ __LINE__, "intel-v3", 0x390, 0xe00000070000000f, false },
	{ __LINE__, "intel-v4", 0x390, 0xec0000070000000f, false },
	{ __LINE__, "intel-v4", 0x391, 0x6c0000070000000f, false },
	{ __LINE__, "intel-v4,gp=1", 0x390, 0xec00000700000001, false },
	{ __LINE__, "intel-v3,fixed=0", 0x390, 0xe00000000000000f, false },
	{ __LINE__, "intel-v5,metrics=0", 0x390, 0xec00000f000000ff, false },
	{ __LINE__, "intel-v5,metrics=0", 0x391, 0x6c00000f000000ff, false },
	{ __LINE__, "intel-v6", 0x390, 0xec01000f000003ff, false },
	{ __LINE__, "intel-v6", 0x391, 0x6c01000f000003ff, false },
	{ __LINE__, "intel-v6,gp=14,fixed=7", 0x390, 0xec01007f00003fff, false },
	{ __LINE__, SPARSE, 0x390, 0xec00000500000093, false },
	{ __LINE__, SPARSE, 0x391, 0x6c00000500000093, false },
};

static const struct {
	int line;
	const char *model;
	uint32_t msr;
	uint64_t value; /* that it always reads */
} read_only[] = {
	{ __LINE__, "intel-v2", 0x345, 0 },
	{ __LINE__, "intel-v2", 0x38e, 0 },
	{ __LINE__, "intel-v5", 0x345, 0xb000 },
	{ __LINE__, "intel-v5,fw_write=0", 0x345, 0x9000 },
	{ __LINE__, "intel-v5", 0x38e, 0 },
	{ __LINE__, "intel-v5", 0x392, 0 },
	{ __LINE__, "intel-v3", 0x345, 0x3000 },
	{ __LINE__, "intel-v3", 0x38e, 0 },
	{ __LINE__, "intel-v4", 0x345, 0x3000 },
	{ __LINE__, "intel-v4", 0x38e, 0 },
	{ __LINE__, "intel-v4", 0x392, 0 },
	{ __LINE__, "intel-v4,fw_write=0", 0x345, 0x1000 },
	{ __LINE__, "intel-v5,freeze_smm=0", 0x345, 0xa000 },
	{ __LINE__, "intel-v5,metrics=0", 0x345, 0x3000 },
	{ __LINE__, "intel-v5,metrics_clear=1", 0x345, 0x8b000 },
	{ __LINE__, "intel-v2,fw_write=1", 0x345, 0x2000 },
	{ __LINE__, "intel-v6", 0x345, 0x8b000 },
	{ __LINE__, "intel-v6", 0x38e, 0 },
	{ __LINE__, "intel-v6", 0x392, 0 },
	{ __LINE__, SPARSE, 0x345, 0x3000 },
	{ __LINE__, SPARSE, 0x392, 0 },
};

/* Bits of IA32_DEBUGCTL that keep what is written. LBR and BTF (0, 1) may be
 * written and read 0; others fault. */
static const struct {
	int line;
	const char *model;
	uint64_t kept;
} debugctls[] = {
	{ __LINE__, "intel-v1", 0 },
	{ __LINE__, "intel-v1,pdcm=1", 0 },
	{ __LINE__, "intel-v2", 0x1800 },
	{ __LINE__, "intel-v3", 0x5800 },
	{ __LINE__, "intel-v4", 0x5800 },
	{ __LINE__, "intel-v5", 0x5800 },
	{ __LINE__, "intel-v6", 0x5800 },
	{ __LINE__, "intel-v3,pdcm=0", 0 },
	{ __LINE__, "intel-v6,pdcm=0", 0 },
	{ __LINE__, "intel-v5,freeze_smm=0", 0x1800 },
	{ __LINE__, "intel-v2,freeze_smm=1", 0x5800 },
	/* PCAP[12] alone is the ground of bit 14. */
	{ __LINE__, "intel-v3,version=1", 0x4000 },
	{ __LINE__, "none", 0 },
};
/* clang-format on */

static bool listed(const char *model, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(existing); i++) {
		const struct exists_row *row = &existing[i];

		if (!strcmp(row->model, model) && msr >= row->first &&
		    msr <= row->last && (msr - row->first) % row->stride == 0)
			return true;
	}
	return false;
}

static void existence_of(struct harness *h, const char *model, uint32_t base)
{
	for (uint32_t msr = base; msr < base + 0x2000; msr++) {
		enum vpmu_result want = VPMU_HANDLED;
		uint64_t value = 0xa5;
		char name[40];

		if (!listed(model, msr))
			want = vpmu_owns_msr(h->pmu, msr) ? VPMU_FAULT
							  : VPMU_NOT_MINE;
		if (vpmu_rdmsr(h->vcpu, msr, &value) != want ||
		    (want == VPMU_HANDLED && !vpmu_owns_msr(h->pmu, msr)) ||
		    (want != VPMU_HANDLED && value != 0xa5) ||
		    (want != VPMU_HANDLED && wrmsr(h, msr, 0) != want))
			CHECK_AT(msr, false);
		vpmu_msr_name(h->pmu, msr, name, sizeof(name));
		CU_ASSERT_EQUAL(name[0] != 0, want == VPMU_HANDLED);
	}
}

static void existence(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(existing); i++) {
		const char *model = existing[i].model;

		if (i && !strcmp(model, existing[i - 1].model))
			continue;
		harness_open(&h, model);
		existence_of(&h, model, 0);
		existence_of(&h, model, 0xc0000000);
		existence_of(&h, model, 0xc0010000);
		harness_close(&h);
	}
}

/* Problem 24: both vendors' namespaces are ours on each model, no more. */
static void ownership(void)
{
	/* clang-format off */
	static const struct {
		int line;
		uint32_t msr;
		int owned;
	} rows[] = {
		{ __LINE__, 0x10, 0 },
		{ __LINE__, 0x11, 1 }, { __LINE__, 0x13, 1 },
		{ __LINE__, 0x14, 0 },
		{ __LINE__, 0x1b, 0 },
		{ __LINE__, 0xc0, 0 }, { __LINE__, 0xc1, 1 },
		{ __LINE__, 0xcc, 1 }, { __LINE__, 0xcd, 0 },
		{ __LINE__, 0xce, 0 }, { __LINE__, 0xcf, 0 },
		{ __LINE__, 0xe7, 1 }, { __LINE__, 0xe8, 1 },
		{ __LINE__, 0xfe, 0 },
		{ __LINE__, 0x185, 0 }, { __LINE__, 0x186, 1 },
		{ __LINE__, 0x18d, 1 }, { __LINE__, 0x198, 0 },
		{ __LINE__, 0x1a0, 1 }, { __LINE__, 0x1d9, 1 },
		{ __LINE__, 0x277, 0 }, { __LINE__, 0x2ff, 0 },
		{ __LINE__, 0x300, 1 }, { __LINE__, 0x309, 1 },
		{ __LINE__, 0x30f, 1 }, { __LINE__, 0x311, 1 },
		{ __LINE__, 0x329, 1 }, { __LINE__, 0x345, 1 },
		{ __LINE__, 0x360, 1 }, { __LINE__, 0x371, 1 },
		{ __LINE__, 0x38d, 1 }, { __LINE__, 0x392, 1 },
		{ __LINE__, 0x3f1, 1 }, { __LINE__, 0x4c1, 1 },
		{ __LINE__, 0x600, 1 }, { __LINE__, 0x6e0, 0 },
		{ __LINE__, 0x800, 0 }, { __LINE__, 0x834, 0 },
		{ __LINE__, 0x1900, 1 }, { __LINE__, 0x1980, 1 },
		{ __LINE__, 0x40000000, 0 }, { __LINE__, 0x4b564d00, 0 },
		{ __LINE__, 0xc0000080, 0 },
		{ __LINE__, 0xc00000e7, 1 }, { __LINE__, 0xc00000e9, 1 },
		{ __LINE__, 0xc0000300, 1 }, { __LINE__, 0xc0000303, 1 },
		{ __LINE__, 0xc0010000, 1 }, { __LINE__, 0xc0010007, 1 },
		{ __LINE__, 0xc0010010, 0 }, { __LINE__, 0xc0010016, 0 },
		{ __LINE__, 0xc0010200, 1 }, { __LINE__, 0xc001020b, 1 },
		{ __LINE__, 0xc0010230, 1 }, { __LINE__, 0xc001023b, 1 },
		{ __LINE__, 0xc0010240, 1 }, { __LINE__, 0xc001025f, 1 },
		{ __LINE__, 0xc0010280, 1 }, { __LINE__, 0xc0010800, 1 },
		{ __LINE__, 0xffffffff, 0 },
	};
	/* clang-format on */
	struct harness h;

	for (const char *const *model = harness_models; *model; model++) {
		harness_open(&h, *model);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			CHECK_AT(rows[i].line,
				 vpmu_owns_msr(h.pmu, rows[i].msr) ==
					 rows[i].owned);
		harness_close(&h);
	}
}

static void one_bit(struct harness *h, const struct bits_row *row,
		    unsigned int b)
{
	enum vpmu_result ret = wrmsr(h, row->msr, BIT(b));
	bool writable = row->writable & BIT(b);

	if (writable) {
		CHECK_AT(row->line, ret == VPMU_HANDLED);
		CHECK_AT(row->line, rdmsr(h, row->msr) == BIT(b));
	} else if (row->drops) {
		CHECK_AT(row->line, ret == VPMU_HANDLED);
		CHECK_AT(row->line, rdmsr(h, row->msr) == 0);
	} else {
		CHECK_AT(row->line, ret == VPMU_FAULT);
		CHECK_AT(row->line, rdmsr(h, row->msr) == 0);
	}
	CHECK_AT(row->line, wrmsr(h, row->msr, 0) == VPMU_HANDLED);
}

static void bit_by_bit(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		harness_open(&h, bits[i].model);
		wrmsr(&h, bits[i].msr, 0);
		for (unsigned int b = 0; b < 64; b++)
			one_bit(&h, &bits[i], b);
		CHECK_AT(bits[i].line, wrmsr(&h, bits[i].msr,
					     bits[i].writable) == VPMU_HANDLED);
		CHECK_AT(bits[i].line,
			 rdmsr(&h, bits[i].msr) == bits[i].writable);
		harness_close(&h);
	}
}

static void status_registers(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(write_only); i++) {
		const struct bits_row *row = &write_only[i];

		harness_open(&h, row->model);
		for (unsigned int b = 0; b < 64; b++) {
			bool ok = row->writable & BIT(b);

			CHECK_AT(row->line,
				 wrmsr(&h, row->msr, BIT(b)) ==
					 (ok ? VPMU_HANDLED : VPMU_FAULT));
			CHECK_AT(row->line, rdmsr(&h, row->msr) == 0);
		}
		harness_close(&h);
	}
}

static void read_only_registers(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(read_only); i++) {
		uint32_t msr = read_only[i].msr;

		harness_open(&h, read_only[i].model);
		CHECK_AT(read_only[i].line,
			 rdmsr(&h, msr) == read_only[i].value);
		CHECK_AT(read_only[i].line, wrmsr(&h, msr, 0) == VPMU_FAULT);
		CHECK_AT(read_only[i].line,
			 wrmsr(&h, msr, read_only[i].value) == VPMU_FAULT);
		CHECK_AT(read_only[i].line,
			 rdmsr(&h, msr) == read_only[i].value);
		harness_close(&h);
	}
}

static void debugctl(void)
{
	struct harness h;

	for (size_t i = 0; i < ARRAY_SIZE(debugctls); i++) {
		harness_open(&h, debugctls[i].model);
		for (unsigned int b = 0; b < 64; b++) {
			uint64_t kept = debugctls[i].kept & BIT(b);
			bool ok = kept || b < 2;

			CHECK_AT(debugctls[i].line,
				 wrmsr(&h, 0x1d9, BIT(b)) ==
					 (ok ? VPMU_HANDLED : VPMU_FAULT));
			CHECK_AT(debugctls[i].line, rdmsr(&h, 0x1d9) == kept);
			wrmsr(&h, 0x1d9, 0);
		}
		harness_close(&h);
	}
}

/* ------------------------------------- generated: each row of each shape */

/* Besides the presets. */
static const char *const shapes[] = {
	"intel-v4,gp=1",
	"intel-v4,gp=8",
	"intel-v5,gp=14,fixed=8",
	"intel-v3,width=40",
	"intel-v5,width=33,fixed_width=33",
	"intel-v3,fixed=0",
	"intel-v4,fw_write=0",
	"intel-v3,pdcm=0",
	"intel-v3,tsx=1",
	"intel-v6,tsx=1",
	"intel-v6,user_disable=1",
	"intel-v3,any_thread=0",
	"intel-v5,metrics=0",
	"intel-v5,metrics_clear=1",
	"intel-v5,fixed=1,fixed_map=0x5",
	"intel-v6,fixed=7",
	"intel-v6,version=1",
	"intel-v6,version=3",
	"intel-v1,version=6",
	SPARSE,
	SPARSE ",user_disable=1,tsx=1",
	"amd-v2,gp=4,nb=4,l3=0,umc=0",
	"amd-f17h,irperf=1,svm=1,precise_retire=1",
	"amd-f15h,nb=0",
	NULL,
};

/* What a write of `value`, a legal one, reads back as. */
static uint64_t expect(const struct harness *h, const struct vpmu_msr *m,
		       uint64_t before, uint64_t value)
{
	const struct vpmu_msr_row *row = m->row;

	value &= m->writable;
	if (row->read == vpmu_msr_read_zero)
		return 0;
	if (row->write == vpmu_msr_write_sext32)
		value = (uint64_t)(int64_t)(int32_t)value;
	if (row->read == vpmu_msr_read_counter)
		value &= h->pmu->counters[m->unit].mask;
	if (row->write == vpmu_intel_write_misc)
		value = (value & ~BIT(7)) | (before & BIT(7));
	if (row->write == vpmu_msr_write_ignored)
		return before;
	if (m->index == 0x1d9)
		value &= ~UINT64_C(3); /* LBR, BTF */
	if (m->index == 0xc0010015) /* TscFreqSel; the lock stays */
		value |= BIT(24) | (before & BIT(27));
	return value;
}

static bool legal(const struct vpmu_msr *m, unsigned int b)
{
	if (!m->row->write)
		return false;
	if (m->row->write == vpmu_intel_write_misc && (b == 11 || b == 12))
		return false;
	return m->writable & BIT(b) || m->row->flags & MSR_DROPS;
}

/* A legal write reads back; a reserved bit, and any write to what is read only,
 * faults and changes nothing. */
static void three_questions(struct harness *h, const struct vpmu_msr *m)
{
	enum vpmu_result back = m->row->write ? VPMU_HANDLED : VPMU_FAULT;

	for (unsigned int b = 0; b < 64; b++) {
		uint64_t before = rdmsr(h, m->index);
		/* Bits that must not change keep their value. */
		uint64_t value = before ^ BIT(b);
		enum vpmu_result ret = wrmsr(h, m->index, value);
		uint64_t after = before;

		if (legal(m, b))
			after = expect(h, m, before, value);
		CHECK_AT(m->index,
			 ret == (legal(m, b) ? VPMU_HANDLED : VPMU_FAULT));
		CHECK_AT(m->index, rdmsr(h, m->index) == after);
		CHECK_AT(m->index, wrmsr(h, m->index, before) == back);
	}
}

static bool in_rows(const struct vpmu *pmu, uint32_t msr)
{
	const struct vpmu_family *family = pmu->model->family;

	for (size_t i = 0; i < family->msrs.n; i++) {
		const struct vpmu_msr_row *row = &family->msrs.rows[i];
		uint32_t k = (msr - row->first) / row->stride;

		if (msr >= row->first && k < row->n &&
		    (msr - row->first) % row->stride == 0 &&
		    row->exists(&pmu->shape) & BIT(k))
			return true;
	}
	return false;
}

/* What is absent faults, both ways, whatever is written. */
static void fourth_question(struct harness *h, uint32_t base)
{
	for (uint32_t msr = base; msr < base + 0x2000; msr++) {
		uint64_t value = 0xa5;

		if (!vpmu_namespace_owns(msr) || in_rows(h->pmu, msr))
			continue;
		if (vpmu_rdmsr(h->vcpu, msr, &value) != VPMU_FAULT ||
		    value != 0xa5 || wrmsr(h, msr, 0) != VPMU_FAULT ||
		    wrmsr(h, msr, UINT64_MAX) != VPMU_FAULT)
			CHECK_AT(msr, false);
	}
}

static void ask(const char *const *model)
{
	struct harness h;

	for (; *model; model++) {
		harness_open(&h, *model);
		for (uint32_t i = 0; i < h.pmu->nmsrs; i++) {
			CHECK_AT(h.pmu->msrs[i].index,
				 in_rows(h.pmu, h.pmu->msrs[i].index));
			three_questions(&h, &h.pmu->msrs[i]);
		}
		fourth_question(&h, 0);
		fourth_question(&h, 0xc0000000);
		fourth_question(&h, 0xc0010000);
		harness_close(&h);
	}
}

static void each_preset(void)
{
	ask(harness_models);
}

static void each_shape(void)
{
	ask(shapes);
}

static CU_TestInfo tests[] = {
	{ "exactly the listed registers exist (problem 25)", existence },
	{ "both namespaces are owned, no more (problem 24)", ownership },
	{ "bit by bit: reads back, or faults (problems 20, 21)", bit_by_bit },
	{ "390H and 391H bit by bit, read 0 (problem 17)", status_registers },
	{ "345H, 38EH, 392H fault on any write (problem 17)",
	  read_only_registers },
	{ "1D9H bit by bit (problem 34)", debugctl },
	{ "four questions to each row of each preset", each_preset },
	{ "four questions to each row of other shapes", each_shape },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_registers = { .pName = "models/registers", .pTests = tests };
