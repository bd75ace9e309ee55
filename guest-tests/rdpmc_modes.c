// SPDX-License-Identifier: Apache-2.0
/* Who may execute RDPMC in the modes that long mode has replaced. */
#include "lib/control.h"
#include "lib/main.h"
#include "lib/mode.h"
#include "lib/pmu.h"
#include "lib/report.h"

#define INDEX_BAD 0x1234
#define EAX_BEFORE 0xa5a51234
#define EDX_BEFORE 0x5a5a4321

/* clang-format off */
static const struct {
	const char *name;
	enum mode mode;
	bool privileged; /* CR4.PCE plays no role */
} modes[] = {
	{ "real mode", MODE_REAL, true },
	{ "32-bit protected mode, CPL 0", MODE_PROTECTED_32, true },
	{ "32-bit protected mode, CPL 3", MODE_PROTECTED_32_USER, false },
	{ "16-bit protected mode, CPL 0", MODE_PROTECTED_16, true },
	{ "16-bit protected mode, CPL 3", MODE_PROTECTED_16_USER, false },
	{ "16-bit protected mode and gates, CPL 0", MODE_GATES_16, true },
	{ "16-bit protected mode and gates, CPL 3", MODE_GATES_16_USER, false },
	{ "virtual-8086 mode", MODE_V8086, false },
};

static const struct {
	const char *name;
	enum mode_paging paging;
} pagings[] = {
	{ "no paging", MODE_UNPAGED },
	{ "32-bit paging", MODE_PAGING_32 },
	{ "PAE paging", MODE_PAGING_PAE },
};
/* clang-format on */

static u32 expected(u32 index, bool allowed)
{
	return allowed && pmu_rdpmc_valid(index) ? 0 : VECTOR_GP;
}

static void try_mode(struct sweep *sweep, enum mode mode, size_t paging,
		     u32 index, bool allowed)
{
	static const u8 code[] = { 0x0f, 0x33 }; /* rdpmc */
	struct mode_regs regs = {
		.eax = EAX_BEFORE,
		.ecx = index,
		.edx = EDX_BEFORE,
	};
	u32 want = expected(index, allowed);
	u32 got = mode_run(mode, pagings[paging].paging, code, sizeof(code),
			   &regs);

	sweep_note(sweep, got == want, "rdpmc(%xh), %s: %s, want %s", index,
		   pagings[paging].name, got ? vector_name(got) : "a value",
		   want ? vector_name(want) : "a value");
	if (got != want)
		return;
	if (got)
		sweep_note(sweep,
			   regs.eax == EAX_BEFORE && regs.edx == EDX_BEFORE &&
				   regs.offset == 0,
			   "fault, %s: eax=%xh edx=%xh at offset %u",
			   pagings[paging].name, regs.eax, regs.edx,
			   regs.offset);
	else
		sweep_note(sweep, !regs.eax && !regs.edx, "%s: %x:%xh, want 0",
			   pagings[paging].name, regs.edx, regs.eax);
	sweep_note(sweep, regs.ecx == index, "ecx=%xh, want %xh", regs.ecx,
		   index);
}

static void check_mode(size_t i, bool pce)
{
	size_t count = modes[i].mode == MODE_REAL ? 1 : ARRAY_SIZE(pagings);
	bool allowed = modes[i].privileged || pce;
	struct sweep sweep = { 0 };

	pce_set(pce);
	for (size_t paging = 0; paging < count; paging++) {
		try_mode(&sweep, modes[i].mode, paging, 0, allowed);
		try_mode(&sweep, modes[i].mode, paging, INDEX_BAD, allowed);
	}
	sweep_report(&sweep, "rdpmc_modes: %s, PCE %u", modes[i].name, pce);
}

void test_main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		check_mode(i, false);
		check_mode(i, true);
	}
	pce_set(false);
}
