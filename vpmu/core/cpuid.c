/* SPDX-License-Identifier: Apache-2.0 */
/* CPUID: the model's rows, and the rows that hide what no model offers. */
#include <errno.h>

#include "core/internal.h"

static bool matches(const struct vpmu_cpuid_row *row, uint32_t leaf,
		    uint32_t subleaf)
{
	return row->leaf == leaf &&
	       (row->subleaf == ANY_SUBLEAF || row->subleaf == subleaf);
}

static void apply(const struct vpmu *pmu, const struct vpmu_cpuid_row *row,
		  struct vpmu_cpuid_regs *regs)
{
	uint32_t *const reg[] = { &regs->eax, &regs->ebx, &regs->ecx,
				  &regs->edx };

	for (unsigned int i = 0; i < ARRAY_SIZE(reg); i++) {
		uint32_t value = row->set;

		if (row->reg != i && row->reg != CPUID_ALL)
			continue;
		if (row->value)
			value = row->value(pmu, *reg[i]);
		*reg[i] = (*reg[i] & ~row->mask) | (value & row->mask);
	}
}

static bool apply_table(const struct vpmu *pmu,
			const struct vpmu_cpuid_table *table, uint32_t leaf,
			uint32_t subleaf, struct vpmu_cpuid_regs *regs)
{
	bool any = false;

	for (size_t i = 0; i < table->n; i++) {
		if (!matches(&table->rows[i], leaf, subleaf))
			continue;
		apply(pmu, &table->rows[i], regs);
		any = true;
	}
	return any;
}

#define TABLES 3

/* The model's rows come last: they show what the hiding rows took away. */
static size_t tables_of(const struct vpmu *pmu,
			const struct vpmu_cpuid_table *tables[TABLES])
{
	size_t n = 0;

	tables[n++] = &vpmu_cpuid_hidden;
	if (pmu->model->family->identity)
		tables[n++] = pmu->model->family->identity;
	tables[n++] = pmu->model->family->cpuid;
	return n;
}

enum vpmu_result vpmu_cpuid(const struct vpmu *pmu, uint32_t leaf,
			    uint32_t subleaf, struct vpmu_cpuid_regs *regs)
{
	const struct vpmu_cpuid_table *tables[TABLES];
	bool any = false;
	size_t n;

	if (!pmu || !regs)
		return VPMU_ERROR;
	n = tables_of(pmu, tables);
	for (size_t i = 0; i < n; i++)
		any |= apply_table(pmu, tables[i], leaf, subleaf, regs);
	return any ? VPMU_HANDLED : VPMU_NOT_MINE;
}

static uint64_t key_of(const struct vpmu_cpuid_row *row)
{
	uint32_t subleaf = row->subleaf == ANY_SUBLEAF ? 0 : row->subleaf;

	return (uint64_t)row->leaf << 32 | subleaf;
}

/* The least key >= `from`, or UINT64_MAX: no leaf is FFFF_FFFFH. */
static uint64_t next_key(const struct vpmu *pmu, uint64_t from)
{
	const struct vpmu_cpuid_table *tables[TABLES];
	size_t ntables = tables_of(pmu, tables);
	uint64_t least = UINT64_MAX;

	for (size_t t = 0; t < ntables; t++) {
		for (size_t i = 0; i < tables[t]->n; i++) {
			uint64_t key = key_of(&tables[t]->rows[i]);

			if (key >= from && key < least)
				least = key;
		}
	}
	return least;
}

int vpmu_cpuid_leaf(const struct vpmu *pmu, uint32_t index, uint32_t *leaf,
		    uint32_t *subleaf)
{
	uint64_t key = next_key(pmu, 0);

	while (index-- && key != UINT64_MAX)
		key = next_key(pmu, key + 1);
	if (key == UINT64_MAX)
		return -ENOENT;
	*leaf = (uint32_t)(key >> 32);
	*subleaf = (uint32_t)key;
	return 0;
}
