/* SPDX-License-Identifier: Apache-2.0 */
/* core/config.c: "MODEL[,FIELD=N]...". */
#include <errno.h>
#include <string.h>

#include "tests/harness.h"

struct good_row {
	int line;
	const char *text;
	uint32_t gp, gp_width, fixed, fixed_width;
};

struct bad_row {
	int line;
	const char *text;
	const char *reason; /* how it begins */
};

/* clang-format off */
static const struct good_row good[] = {
	{ __LINE__, "intel-v2", 2, 40, 3, 40 },
	{ __LINE__, "intel-v5", 8, 48, 4, 48 },
	{ __LINE__, "amd-k7", 4, 48, 0, 0 },
	{ __LINE__, "amd-f17h", 6, 48, 0, 0 },
	{ __LINE__, "none", 0, 0, 0, 0 },
	{ __LINE__, "intel-v5,gp=4,width=40", 4, 40, 4, 48 },
	{ __LINE__, "intel-v5,gp=0x4,width=0X28", 4, 40, 4, 48 },
	{ __LINE__, "intel-v5,gp=1", 1, 48, 4, 48 },
	{ __LINE__, "intel-v5,gp=14", 14, 48, 4, 48 },
	{ __LINE__, "intel-v5,gp=0008", 8, 48, 4, 48 },
	{ __LINE__, "intel-v5,fixed=8", 8, 48, 8, 48 },
	{ __LINE__, "intel-v5,fixed=0,fixed_width=33", 8, 48, 0, 33 },
	{ __LINE__, "intel-v2,fw_write=1", 2, 40, 3, 40 },
	{ __LINE__, "intel-v5,pdcm=0,fw_write=0", 8, 48, 4, 48 },
	{ __LINE__, "intel-v1", 2, 40, 0, 0 },
	{ __LINE__, "intel-v3", 4, 48, 3, 48 },
	{ __LINE__, "intel-v4", 4, 48, 3, 48 },
	{ __LINE__, "intel-v6", 10, 48, 4, 48 },
	{ __LINE__, "intel-v6,gp=4", 4, 48, 4, 48 },
	{ __LINE__, "intel-v6,gp=10", 10, 48, 4, 48 },
	{ __LINE__, "intel-v6,gp=14,fixed=8", 14, 48, 8, 48 },
	{ __LINE__, "intel-v6,gp_map=0x3,gp=2", 2, 48, 4, 48 },
	{ __LINE__, "intel-v6,gp=2,gp_map=0x3", 2, 48, 4, 48 },
	{ __LINE__, "intel-v6,gp=2,gp_map=0x93,fixed=1,fixed_map=0x5", 4, 48, 2, 48 },
	{ __LINE__, "intel-v6,fixed_map=0x5,fixed=1,gp_map=0x93,gp=2", 4, 48, 2, 48 },
	{ __LINE__, "intel-v6,gp_map=0", 8, 48, 4, 48 },
	{ __LINE__, "intel-v6,fixed_map=0", 10, 48, 3, 48 },
	{ __LINE__, "intel-v6,gp_map=0x3fff", 14, 48, 4, 48 },
	{ __LINE__, "intel-v6,fixed=3", 10, 48, 3, 48 },
	{ __LINE__, "intel-v6,version=5", 8, 48, 4, 48 },
	{ __LINE__, "intel-v6,version=4", 8, 48, 3, 48 },
	{ __LINE__, "intel-v6,version=1", 8, 48, 0, 0 },
	{ __LINE__, "intel-v4,gp_map=0", 4, 48, 3, 48 },
	{ __LINE__, "intel-v5,fixed=0,fixed_map=0x8", 8, 48, 1, 48 },
	{ __LINE__, "intel-v1,version=2,fixed=3", 2, 40, 3, 48 },
	{ __LINE__, "intel-v1,version=2,fixed=3,fixed_width=40", 2, 40, 3, 40 },
	{ __LINE__, "intel-v1,version=6", 2, 40, 0, 0 },
	{ __LINE__, "intel-v3,width=33,fixed_width=40", 4, 33, 3, 40 },
	{ __LINE__, "intel-v1,any_thread=0,metrics=0,umask2=0,eq=0,user_disable=0", 2, 40, 0, 0 },
	{ __LINE__, "intel-v1,pdcm=1,fw_write=1,freeze_smm=1,tsx=1", 2, 40, 0, 0 },
	{ __LINE__, "amd-k7,gp=4,width=48", 4, 48, 0, 0 },
	{ __LINE__, "amd-f17h,gp=6", 6, 48, 0, 0 },
};

static const struct bad_row bad[] = {
	{ __LINE__, NULL, "no model given" },
	{ __LINE__, "", "no model given" },
	{ __LINE__, ",", ",: no model given" },
	{ __LINE__, "intel", "intel: no such model" },
	{ __LINE__, "intel-v55", "intel-v55: no such model" },
	{ __LINE__, "INTEL-V5", "INTEL-V5: no such model" },
	{ __LINE__, " intel-v5", " intel-v5: no such model" },
	{ __LINE__, "intel-v5,", "intel-v5,: \"\": must be FIELD=N" },
	{ __LINE__, "intel-v5,gp", "intel-v5,gp: \"gp\": must be FIELD=N" },
	{ __LINE__, "intel-v5,gp=", "intel-v5,gp=: gp: \"\" is not a number" },
	{ __LINE__, "intel-v5,=4", "intel-v5,=4: : no such field; intel-v5 has: version, gp" },
	{ __LINE__, "intel-v5,gp=4,", "intel-v5,gp=4,: \"\": must be FIELD=N" },
	{ __LINE__, "intel-v5,,gp=4", "intel-v5,,gp=4: \"\": must be FIELD=N" },
	{ __LINE__, "intel-v5,gp=4,gp=4", "intel-v5,gp=4,gp=4: gp: given twice" },
	{ __LINE__, "intel-v5,gp=-1", "intel-v5,gp=-1: gp: \"-1\" is not a number" },
	{ __LINE__, "intel-v5,gp=+1", "intel-v5,gp=+1: gp: \"+1\" is not a number" },
	{ __LINE__, "intel-v5,gp= 1", "intel-v5,gp= 1: gp: \" 1\" is not a number" },
	{ __LINE__, "intel-v5,gp=1 ", "intel-v5,gp=1 : gp: \"1 \" is not a number" },
	{ __LINE__, "intel-v5,gp=4x", "intel-v5,gp=4x: gp: \"4x\" is not a number" },
	{ __LINE__, "intel-v5,gp=0x", "intel-v5,gp=0x: gp: \"0x\" is not a number" },
	{ __LINE__, "intel-v5,gp=a", "intel-v5,gp=a: gp: \"a\" is not a number" },
	{ __LINE__, "intel-v5,gp=4=4", "intel-v5,gp=4=4: gp: \"4=4\" is not a number" },
	{ __LINE__, "intel-v5,gp=99", "intel-v5,gp=99: gp: 99 is not in 0..32 (" },
	{ __LINE__, "intel-v5,gp=4294967300", "intel-v5,gp=4294967300: gp: 4294967300 is not in 0..32 (" },
	{ __LINE__, "intel-v5,gp=18446744073709551620", "intel-v5,gp=18446744073709551620: gp: 18446744073709551620 is not in 0..32 (" },
	{ __LINE__, "intel-v5,gp=0x10000000000000001", "intel-v5,gp=0x10000000000000001: gp: 0x10000000000000001 is not in" },
	{ __LINE__, "intel-v5,gp=0", "intel-v5,gp=0: gp: 0, but version > 0" },
	{ __LINE__, "intel-v5,gp=15", "intel-v5,gp=15: gp: more than 14" },
	{ __LINE__, "intel-v5,fixed=9", "intel-v5,fixed=9: fixed: 9 is not in 0..8 (" },
	{ __LINE__, "intel-v5,width=32", "intel-v5,width=32: width: 32 is not in 33..48 (" },
	{ __LINE__, "intel-v5,width=49", "intel-v5,width=49: width: 49 is not in 33..48 (" },
	{ __LINE__, "intel-v5,fixed_width=64", "intel-v5,fixed_width=64: fixed_width: 64 is not in 33..48 (" },
	{ __LINE__, "intel-v5,fw_write=2", "intel-v5,fw_write=2: fw_write: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v5,pdcm=0,fw_write=1", "intel-v5,pdcm=0,fw_write=1: fw_write: 1, but without pdcm=1" },
	{ __LINE__, "intel-v5,stepping=6", "intel-v5,stepping=6: stepping: no such field" },
	{ __LINE__, "intel-v5,GP=4", "intel-v5,GP=4: GP: no such field" },
	/* Ranges of the fields */
	{ __LINE__, "intel-v6,version=0", "intel-v6,version=0: version: 0 is not in 1..6 (" },
	{ __LINE__, "intel-v6,version=7", "intel-v6,version=7: version: 7 is not in 1..6 (" },
	{ __LINE__, "intel-v6,gp=33", "intel-v6,gp=33: gp: 33 is not in 0..32 (" },
	{ __LINE__, "intel-v6,gp_map=0x4000", "intel-v6,gp_map=0x4000: gp_map: 0x4000 is not in 0..16383 (" },
	{ __LINE__, "intel-v6,fixed_map=0x100", "intel-v6,fixed_map=0x100: fixed_map: 0x100 is not in 0..255 (" },
	{ __LINE__, "intel-v6,width=64", "intel-v6,width=64: width: 64 is not in 33..48 (" },
	{ __LINE__, "intel-v6,fixed_width=32", "intel-v6,fixed_width=32: fixed_width: 32 is not in 33..48 (" },
	{ __LINE__, "intel-v6,fixed_width=49", "intel-v6,fixed_width=49: fixed_width: 49 is not in 33..48 (" },
	{ __LINE__, "intel-v6,events=6", "intel-v6,events=6: events: 6 is not in 7..13 (" },
	{ __LINE__, "intel-v6,events=14", "intel-v6,events=14: events: 14 is not in 7..13 (" },
	{ __LINE__, "intel-v6,any_thread=2", "intel-v6,any_thread=2: any_thread: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,pdcm=2", "intel-v6,pdcm=2: pdcm: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,fw_write=2", "intel-v6,fw_write=2: fw_write: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,freeze_smm=2", "intel-v6,freeze_smm=2: freeze_smm: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,metrics=2", "intel-v6,metrics=2: metrics: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,metrics_clear=2", "intel-v6,metrics_clear=2: metrics_clear: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,tsx=2", "intel-v6,tsx=2: tsx: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,umask2=2", "intel-v6,umask2=2: umask2: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,eq=2", "intel-v6,eq=2: eq: 2 is not in 0..1 (" },
	{ __LINE__, "intel-v6,user_disable=2", "intel-v6,user_disable=2: user_disable: 2 is not in 0..1 (" },
	/* One of each rule; the last field that was given is not the culprit. */
	{ __LINE__, "intel-v4,gp=0", "intel-v4,gp=0: gp: 0, but version > 0" },
	{ __LINE__, "intel-v6,gp=0,gp_map=0x3", "intel-v6,gp=0,gp_map=0x3: gp: 0, but version > 0" },
	{ __LINE__, "intel-v6,gp=15", "intel-v6,gp=15: gp: more than 14" },
	{ __LINE__, "intel-v6,gp=32", "intel-v6,gp=32: gp: more than 14" },
	{ __LINE__, "intel-v5,gp_map=0xff", "intel-v5,gp_map=0xff: gp_map: versions below 6" },
	{ __LINE__, "intel-v6,gp_map=0x3ff,version=5", "intel-v6,gp_map=0x3ff,version=5: gp_map: versions below 6" },
	{ __LINE__, "intel-v6,gp_map=0x7f", "intel-v6,gp_map=0x7f: gp_map: must have all of bits gp - 1 to 0" },
	{ __LINE__, "intel-v6,gp_map=0x92,gp=2", "intel-v6,gp_map=0x92,gp=2: gp_map: must have all of bits gp - 1 to 0" },
	{ __LINE__, "intel-v6,gp=2,gp_map=0x92", "intel-v6,gp=2,gp_map=0x92: gp_map: must have all of bits gp - 1 to 0" },
	{ __LINE__, "intel-v1,fixed=1", "intel-v1,fixed=1: fixed: version 1 has no fixed counters" },
	{ __LINE__, "intel-v5,fixed=4,version=1", "intel-v5,fixed=4,version=1: fixed: version 1 has no fixed counters" },
	{ __LINE__, "intel-v1,fixed_width=40", "intel-v1,fixed_width=40: fixed_width: version 1 has no fixed counters" },
	{ __LINE__, "intel-v1,fixed_map=0x1", "intel-v1,fixed_map=0x1: fixed_map: versions below 5" },
	{ __LINE__, "intel-v4,fixed_map=0x7", "intel-v4,fixed_map=0x7: fixed_map: versions below 5" },
	{ __LINE__, "intel-v6,fixed_map=0xf,version=4", "intel-v6,fixed_map=0xf,version=4: fixed_map: versions below 5" },
	{ __LINE__, "intel-v5,fixed=3,fixed_map=0xd", "intel-v5,fixed=3,fixed_map=0xd: fixed_map: must have all of bits fixed - 1 to 0" },
	{ __LINE__, "intel-v6,fixed_map=0x3", "intel-v6,fixed_map=0x3: fixed_map: must have all of bits fixed - 1 to 0" },
	{ __LINE__, "intel-v4,events=8", "intel-v4,events=8: events: more than 7 came with version 5" },
	{ __LINE__, "intel-v6,events=13,version=4", "intel-v6,events=13,version=4: events: more than 7 came with version 5" },
	{ __LINE__, "intel-v5,events=9", "intel-v5,events=9: events: more than 8 came with version 6" },
	{ __LINE__, "intel-v1,any_thread=1", "intel-v1,any_thread=1: any_thread: only versions 3 and 4" },
	{ __LINE__, "intel-v2,any_thread=1", "intel-v2,any_thread=1: any_thread: only versions 3 and 4" },
	{ __LINE__, "intel-v5,any_thread=1", "intel-v5,any_thread=1: any_thread: only versions 3 and 4" },
	{ __LINE__, "intel-v6,any_thread=1", "intel-v6,any_thread=1: any_thread: only versions 3 and 4" },
	{ __LINE__, "intel-v3,any_thread=1,version=5", "intel-v3,any_thread=1,version=5: any_thread: only versions 3 and 4" },
	{ __LINE__, "intel-v1,fw_write=1", "intel-v1,fw_write=1: fw_write: 1, but without pdcm=1" },
	{ __LINE__, "intel-v5,fw_write=1,pdcm=0", "intel-v5,fw_write=1,pdcm=0: fw_write: 1, but without pdcm=1" },
	{ __LINE__, "intel-v1,freeze_smm=1", "intel-v1,freeze_smm=1: freeze_smm: 1, but without pdcm=1" },
	{ __LINE__, "intel-v5,pdcm=0,freeze_smm=1", "intel-v5,pdcm=0,freeze_smm=1: freeze_smm: 1, but without pdcm=1" },
	{ __LINE__, "intel-v5,pdcm=0,metrics=1", "intel-v5,pdcm=0,metrics=1: metrics: 1, but without pdcm=1" },
	{ __LINE__, "intel-v5,metrics=1,pdcm=0", "intel-v5,metrics=1,pdcm=0: metrics: 1, but without pdcm=1" },
	{ __LINE__, "intel-v4,metrics=1", "intel-v4,metrics=1: metrics: 1, but PERF_METRICS divides up" },
	{ __LINE__, "intel-v6,fixed=3,metrics=1", "intel-v6,fixed=3,metrics=1: metrics: 1, but PERF_METRICS divides up" },
	{ __LINE__, "intel-v5,fixed=3,fixed_map=0x17,metrics=1", "intel-v5,fixed=3,fixed_map=0x17,metrics=1: metrics: 1, but PERF_METRICS divides up" },
	{ __LINE__, "intel-v4,metrics_clear=1", "intel-v4,metrics_clear=1: metrics_clear: 1, but without metrics=1" },
	{ __LINE__, "intel-v6,metrics=0,metrics_clear=1", "intel-v6,metrics=0,metrics_clear=1: metrics_clear: 1, but without metrics=1" },
	{ __LINE__, "intel-v6,fixed=3,metrics_clear=1", "intel-v6,fixed=3,metrics_clear=1: metrics_clear: 1, but without metrics=1" },
	{ __LINE__, "intel-v5,umask2=1", "intel-v5,umask2=1: umask2: versions below 6" },
	{ __LINE__, "intel-v6,umask2=1,version=5", "intel-v6,umask2=1,version=5: umask2: versions below 6" },
	{ __LINE__, "intel-v5,eq=1", "intel-v5,eq=1: eq: versions below 6" },
	{ __LINE__, "intel-v5,user_disable=1", "intel-v5,user_disable=1: user_disable: versions below 6" },
	{ __LINE__, "amd-f17h,tsx=1", "amd-f17h,tsx=1: tsx: no such field" },
	{ __LINE__, "amd-k7,fixed=1", "amd-k7,fixed=1: fixed: no such field; amd-k7 has: version, gp, width" },
	{ __LINE__, "amd-k7,gp=6", "amd-k7,gp=6: gp: without PerfCtrExtCore" },
	{ __LINE__, "amd-f17h,gp=4", "amd-f17h,gp=4: gp: PerfCtrExtCore without PerfMonV2" },
	{ __LINE__, "amd-f17h,gp=7", "amd-f17h,gp=7: gp: 7 is not in 4..6 (" },
	{ __LINE__, "amd-f17h,width=47", "amd-f17h,width=47: width: counters are 48 bits wide" },
	{ __LINE__, "none,gp=1", "none,gp=1: gp: no such field; none has: none" },
	{ __LINE__, "intel\x7f", "intel?: no such model" },
	{ __LINE__, "intel-v5\n", "intel-v5?: no such model" },
	{ __LINE__, "intel-v5,gp=\x1b[0m", "intel-v5,gp=?[0m: gp: \"?[0m\" is not a number" },
};

/* A preset's field from which an override takes the ground gives way. */
#define SHAPE(field) offsetof(struct vpmu_shape, field)

static const struct {
	int line;
	const char *text;
	size_t offset;
	uint32_t value;
} ways[] = {
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(pdcm), 0 },
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(fw_write), 0 },
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(freeze_smm), 0 },
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(metrics), 0 },
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(metrics_clear), 0 },
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(gp), 8 },
	{ __LINE__, "intel-v5,pdcm=0", SHAPE(fixed), 4 },
	{ __LINE__, "intel-v6,pdcm=0", SHAPE(metrics_clear), 0 },
	{ __LINE__, "intel-v6,pdcm=0", SHAPE(umask2), 1 },
	{ __LINE__, "intel-v5,fw_write=0", SHAPE(pdcm), 1 },
	{ __LINE__, "intel-v5,fw_write=0", SHAPE(freeze_smm), 1 },
	{ __LINE__, "intel-v5,fw_write=0", SHAPE(metrics), 1 },
	{ __LINE__, "intel-v6,metrics=0", SHAPE(metrics_clear), 0 },
	{ __LINE__, "intel-v6,metrics=0", SHAPE(fw_write), 1 },
	{ __LINE__, "intel-v6,fixed=3", SHAPE(fixed_map), 0 },
	{ __LINE__, "intel-v6,fixed=3", SHAPE(metrics), 0 },
	{ __LINE__, "intel-v6,fixed=3", SHAPE(metrics_clear), 0 },
	{ __LINE__, "intel-v6,fixed=4", SHAPE(fixed_map), 0 },
	{ __LINE__, "intel-v6,fixed=4", SHAPE(metrics), 1 },
	{ __LINE__, "intel-v6,fixed=4", SHAPE(metrics_clear), 1 },
	{ __LINE__, "intel-v6,fixed_map=0x7", SHAPE(fixed), 3 },
	{ __LINE__, "intel-v6,fixed_map=0x7", SHAPE(metrics), 0 },
	{ __LINE__, "intel-v6,fixed=1,fixed_map=0x9", SHAPE(fixed), 1 },
	{ __LINE__, "intel-v6,fixed=1,fixed_map=0x9", SHAPE(fixed_map), 9 },
	{ __LINE__, "intel-v6,fixed=1,fixed_map=0x9", SHAPE(metrics), 1 },
	{ __LINE__, "intel-v6,gp=4", SHAPE(gp), 4 },
	{ __LINE__, "intel-v6,gp=4", SHAPE(gp_map), 0 },
	{ __LINE__, "intel-v6,gp=4", SHAPE(fixed_map), 0xf },
	{ __LINE__, "intel-v6,gp_map=0x3,gp=2", SHAPE(gp), 2 },
	{ __LINE__, "intel-v6,gp_map=0x3,gp=2", SHAPE(gp_map), 3 },
	{ __LINE__, "intel-v6,gp=2,gp_map=0x3", SHAPE(gp), 2 },
	{ __LINE__, "intel-v6,gp=2,gp_map=0x3", SHAPE(gp_map), 3 },
	{ __LINE__, "intel-v6,version=5", SHAPE(version), 5 },
	{ __LINE__, "intel-v6,version=5", SHAPE(gp), 8 },
	{ __LINE__, "intel-v6,version=5", SHAPE(gp_map), 0 },
	{ __LINE__, "intel-v6,version=5", SHAPE(fixed), 3 },
	{ __LINE__, "intel-v6,version=5", SHAPE(fixed_map), 0xf },
	{ __LINE__, "intel-v6,version=5", SHAPE(arch_events), 8 },
	{ __LINE__, "intel-v6,version=5", SHAPE(metrics), 1 },
	{ __LINE__, "intel-v6,version=5", SHAPE(metrics_clear), 1 },
	{ __LINE__, "intel-v6,version=5", SHAPE(umask2), 0 },
	{ __LINE__, "intel-v6,version=5", SHAPE(eq), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(version), 4 },
	{ __LINE__, "intel-v6,version=4", SHAPE(gp), 8 },
	{ __LINE__, "intel-v6,version=4", SHAPE(gp_map), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(fixed), 3 },
	{ __LINE__, "intel-v6,version=4", SHAPE(fixed_map), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(arch_events), 7 },
	{ __LINE__, "intel-v6,version=4", SHAPE(any_thread), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(metrics), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(metrics_clear), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(umask2), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(eq), 0 },
	{ __LINE__, "intel-v6,version=4", SHAPE(fw_write), 1 },
	{ __LINE__, "intel-v6,version=4", SHAPE(freeze_smm), 1 },
	{ __LINE__, "intel-v6,version=1", SHAPE(gp), 8 },
	{ __LINE__, "intel-v6,version=1", SHAPE(fixed), 0 },
	{ __LINE__, "intel-v6,version=1", SHAPE(fixed_map), 0 },
	{ __LINE__, "intel-v6,version=1", SHAPE(fixed_width), 0 },
	{ __LINE__, "intel-v6,version=1", SHAPE(arch_events), 7 },
	{ __LINE__, "intel-v6,version=1", SHAPE(metrics), 0 },
	{ __LINE__, "intel-v5,version=4", SHAPE(arch_events), 7 },
	{ __LINE__, "intel-v5,version=4", SHAPE(metrics), 1 },
	{ __LINE__, "intel-v5,version=4", SHAPE(fixed), 4 },
	{ __LINE__, "intel-v5,version=4", SHAPE(any_thread), 0 },
	{ __LINE__, "intel-v5,version=6", SHAPE(arch_events), 8 },
	{ __LINE__, "intel-v5,version=6", SHAPE(umask2), 0 },
	{ __LINE__, "intel-v5,version=6", SHAPE(eq), 0 },
	{ __LINE__, "intel-v5,version=6", SHAPE(gp), 8 },
	{ __LINE__, "intel-v3,version=2", SHAPE(any_thread), 0 },
	{ __LINE__, "intel-v3,version=2", SHAPE(fw_write), 1 },
	{ __LINE__, "intel-v4,version=5", SHAPE(any_thread), 0 },
	{ __LINE__, "intel-v4,version=5", SHAPE(arch_events), 7 },
	{ __LINE__, "intel-v4,version=3", SHAPE(any_thread), 1 },
	{ __LINE__, "intel-v2,version=1", SHAPE(fixed), 0 },
	{ __LINE__, "intel-v2,version=1", SHAPE(fixed_width), 0 },
	{ __LINE__, "intel-v2,version=1", SHAPE(pdcm), 1 },
	{ __LINE__, "intel-v1,version=3,fixed=1", SHAPE(fixed_width), 0x30 },
	{ __LINE__, "intel-v1,version=3,fixed=1", SHAPE(any_thread), 0 },
};
/* clang-format on */

static int create(struct vpmu **pmu, const char *text)
{
	const struct vpmu_config config = {
		.size = sizeof(config),
		.model = text,
	};

	return vpmu_create(pmu, &config);
}

static void accepted(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct vpmu_model_info info = { .size = sizeof(info) };
		struct vpmu *pmu;

		CHECK_AT(good[i].line, !create(&pmu, good[i].text));
		CHECK_AT(good[i].line, !*vpmu_reason(pmu));
		CHECK_AT(good[i].line, !vpmu_info(pmu, &info));
		CHECK_AT(good[i].line, info.gp == good[i].gp);
		CHECK_AT(good[i].line, info.gp_width == good[i].gp_width);
		CHECK_AT(good[i].line, info.fixed == good[i].fixed);
		CHECK_AT(good[i].line, info.fixed_width == good[i].fixed_width);
		vpmu_destroy(pmu);
	}
}

static void refused(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct vpmu *pmu;

		CHECK_AT(bad[i].line, create(&pmu, bad[i].text) == -EINVAL);
		CHECK_AT(bad[i].line, !strncmp(vpmu_reason(pmu), bad[i].reason,
					       strlen(bad[i].reason)));
		vpmu_destroy(pmu);
	}
}

static void giving_way(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct vpmu *pmu;
		uint32_t value;

		CHECK_AT(ways[i].line, !create(&pmu, ways[i].text));
		memcpy(&value, (const char *)&pmu->shape + ways[i].offset,
		       sizeof(value));
		CHECK_AT(ways[i].line, value == ways[i].value);
		vpmu_destroy(pmu);
	}
}

static bool refused_by(const struct bad_row *row, const char *message)
{
	const char *reason = strstr(row->reason, ": ");

	return reason && reason[2] &&
	       !strncmp(message, reason + 2, strlen(reason + 2));
}

/* fixed_width is never given as 0: that rule only gives way. */
static void each_rule_refuses(void)
{
	const struct vpmu_rule_table *rules = vpmu_family_intel_arch.rules;

	for (size_t r = 0; r < rules->n; r++) {
		const char *message = rules->rows[r].message;
		bool any = !strncmp(message, "fixed_width: fixed counters", 27);

		for (size_t i = 0; i < ARRAY_SIZE(bad) && !any; i++)
			any = refused_by(&bad[i], message);
		CHECK_AT(r, any);
	}
}

/* One line that fits, however long the text. */
static void long_text(void)
{
	static char text[100000];
	static const size_t lengths[] = { 40,  47,   48,   49,
					  200, 4095, 4096, sizeof(text) - 1 };
	struct vpmu *pmu;

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		memset(text, '9', sizeof(text));
		memcpy(text, "intel-v5,gp=", 12);
		text[lengths[i]] = 0;
		CU_ASSERT_EQUAL(create(&pmu, text), -EINVAL);
		CU_ASSERT_PTR_NOT_NULL(strstr(vpmu_reason(pmu), ": "));
		CU_ASSERT_TRUE(strlen(vpmu_reason(pmu)) < REASON_BYTES);
		vpmu_destroy(pmu);
		memset(text, ',', 20);
		CU_ASSERT_EQUAL(create(&pmu, text), -EINVAL);
		vpmu_destroy(pmu);
	}
}

/* Each rule has a shape that breaks it, and says where it is written. */
static void rules_cite(void)
{
	const struct vpmu_model *model;

	for (uint32_t m = 0; (model = vpmu_model_at(m)); m++) {
		for (size_t i = 0; i < model->family->rules->n; i++) {
			CU_ASSERT_TRUE(*model->family->rules->rows[i].message);
			CU_ASSERT_TRUE(*model->family->rules->rows[i].manual);
		}
		for (size_t i = 0; i < model->family->fields->n; i++)
			CU_ASSERT_PTR_NOT_NULL(
				strstr(model->family->fields->names,
				       model->family->fields->rows[i].name));
	}
}

static CU_TestInfo tests[] = {
	{ "good texts give the shape they say", accepted },
	{ "bad texts give -EINVAL and say what and why", refused },
	{ "a preset's field gives way to what is given", giving_way },
	{ "each of Intel's rules refuses one of them", each_rule_refuses },
	{ "long texts are quoted in part", long_text },
	{ "rules cite a manual, fields are described", rules_cite },
	CU_TEST_INFO_NULL,
};

CU_SuiteInfo suite_config = { .pName = "core/config", .pTests = tests };
