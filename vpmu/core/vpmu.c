/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: create, destroy, and what can be asked about them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"

uint32_t vpmu_version(void)
{
	return VPMU_VERSION_MAJOR << 16 | VPMU_VERSION_MINOR;
}

const char *vpmu_reason(const struct vpmu *pmu)
{
	return pmu ? pmu->reason : "out of memory, or a NULL argument";
}

void vpmu_log(const struct vpmu *pmu, const char *format, ...)
{
	char line[REASON_BYTES];
	va_list args;

	if (!pmu->log)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	pmu->log(pmu->log_user, line);
}

/* --------------------------------------------- structs that name their size */

static bool zero(const unsigned char *at, size_t len)
{
	while (len--)
		if (*at++)
			return false;
	return true;
}

int vpmu_copy_in(void *dst, size_t known, const void *src)
{
	uint32_t size;

	memcpy(&size, src, sizeof(size));
	if (size < sizeof(size))
		return -EINVAL;
	if (size > known &&
	    !zero((const unsigned char *)src + known, size - known))
		return -E2BIG;
	memset(dst, 0, known);
	memcpy(dst, src, size < known ? size : known);
	return 0;
}

int vpmu_copy_out(void *dst, const void *src, size_t known)
{
	uint32_t size;

	memcpy(&size, dst, sizeof(size));
	if (size < sizeof(size))
		return -EINVAL;
	if (size > known &&
	    !zero((const unsigned char *)dst + known, size - known))
		return -E2BIG;
	memcpy((char *)dst + sizeof(size), (const char *)src + sizeof(size),
	       (size < known ? size : known) - sizeof(size));
	return 0;
}

/* -------------------------------------------------------------- unfolding */

static void unfold_counters(struct vpmu *pmu)
{
	const struct vpmu_family *family = pmu->model->family;

	for (size_t i = 0; i < family->counters.n; i++) {
		const struct vpmu_counter_row *row = &family->counters.rows[i];
		uint64_t exists = row->exists(&pmu->shape);

		exists &= vpmu_low_bits(row->n);
		pmu->exists |= exists << row->first;
		if (row->gated(&pmu->shape))
			pmu->gated |= exists << row->first;
		FOR_EACH_COUNTER(id, exists)
		{
			uint32_t width = row->width(&pmu->shape);

			pmu->counters[row->first + id] =
				(struct vpmu_counter_desc){
					.row = row,
					.mask = vpmu_low_bits(width),
					.width = width,
					.slot = pmu->nslots++,
				};
		}
	}
}

/* Rows may interleave (a selector, its counter, the next selector). */
static void insert_msr(struct vpmu *pmu, struct vpmu_msr msr)
{
	uint32_t i = pmu->nmsrs++;

	for (; i && pmu->msrs[i - 1].index > msr.index; i--)
		pmu->msrs[i] = pmu->msrs[i - 1];
	pmu->msrs[i] = msr;
}

static void unfold_row(struct vpmu *pmu, const struct vpmu_msr_row *row)
{
	uint64_t exists = row->exists(&pmu->shape) & vpmu_low_bits(row->n);

	for (uint16_t i = 0; i < row->n; i++) {
		if (!(exists & BIT(i)))
			continue;
		insert_msr(
			pmu,
			(struct vpmu_msr){
				.index = row->first + (uint32_t)row->stride * i,
				.unit = (uint16_t)(row->unit + i),
				.instance = i,
				.writable =
					row->writable
						? row->writable(&pmu->shape, i)
						: 0,
				.reset = row->reset ? row->reset(&pmu->shape)
						    : 0,
				.row = row,
			});
	}
}

static int unfold_msrs(struct vpmu *pmu)
{
	const struct vpmu_family *family = pmu->model->family;
	size_t most = 0;

	for (size_t i = 0; i < family->msrs.n; i++)
		most += family->msrs.rows[i].n;
	pmu->msrs = calloc(most, sizeof(*pmu->msrs));
	if (!pmu->msrs)
		return -ENOMEM;
	for (size_t i = 0; i < family->msrs.n; i++)
		unfold_row(pmu, &family->msrs.rows[i]);
	return 0;
}

/* Only models with counters that vCPUs share need it. */
static int make_package(struct vpmu *pmu)
{
	uint64_t exists = pmu->exists;
	bool any = false;

	FOR_EACH_COUNTER(id, exists)
	any |= pmu->counters[id].row->unit != VPMU_UNIT_CORE;
	if (!any)
		return 0;
	pmu->package = calloc(1, sizeof(*pmu->package));
	return pmu->package ? 0 : -ENOMEM;
}

/* ----------------------------------------------------------------- create */

static int refuse(struct vpmu *pmu, int ret, const char *reason)
{
	snprintf(pmu->reason, sizeof(pmu->reason), "%s", reason);
	return ret;
}

static int take_backend(struct vpmu *pmu, const struct vpmu_config *config)
{
	const struct vpmu_backend_ops *ops = &pmu->ops;
	int ret;

	for (int i = 0; i < VPMU_MEAN_COUNT; i++)
		pmu->available[i] = VPMU_HEALTH_UNAVAILABLE;
	if (!config->backend)
		return 0;
	ret = vpmu_copy_in(&pmu->ops, sizeof(pmu->ops), config->backend);
	if (ret)
		return refuse(pmu, ret,
			      "backend: struct vpmu_backend_ops has "
			      "a size this library does not know");
	if (ops->flags & ~VPMU_BACKEND_PUSHED)
		return refuse(pmu, -EINVAL, "backend: unknown flags");
	if (!ops->probe || !ops->start || !ops->stop ||
	    (!ops->read && !(ops->flags & VPMU_BACKEND_PUSHED)))
		return refuse(pmu, -EINVAL,
			      "backend: probe, start, stop and "
			      "read must be given");
	for (int i = 1; i < VPMU_MEAN_COUNT; i++)
		pmu->available[i] =
			ops->probe(config->backend_user, (enum vpmu_meaning)i);
	return 0;
}

static int fill(struct vpmu *pmu, const struct vpmu_config *user_config)
{
	struct vpmu_config config;
	int ret;

	ret = vpmu_copy_in(&config, sizeof(config), user_config);
	if (ret)
		return refuse(pmu, ret,
			      "config: struct vpmu_config has a size "
			      "this library does not know");
	if (config.flags)
		return refuse(pmu, -EINVAL, "config: flags must be 0");
	pmu->log = config.log;
	pmu->log_user = config.log_user;
	pmu->backend_user = config.backend_user;
	ret = vpmu_config_parse(pmu, config.model);
	if (!ret)
		ret = take_backend(pmu, &config);
	if (ret)
		return ret;
	pmu->freeze = pmu->model->family->freeze(&pmu->shape);
	unfold_counters(pmu);
	ret = make_package(pmu);
	return ret ? ret : unfold_msrs(pmu);
}

int vpmu_create(struct vpmu **pmu, const struct vpmu_config *config)
{
	int ret;

	if (!pmu)
		return -EFAULT;
	*pmu = NULL;
	if (!config)
		return -EFAULT;
	*pmu = calloc(1, sizeof(**pmu));
	if (!*pmu)
		return -ENOMEM;
	ret = fill(*pmu, config);
	if (ret == -ENOMEM) {
		vpmu_destroy(*pmu);
		*pmu = NULL;
	}
	return ret;
}

void vpmu_destroy(struct vpmu *pmu)
{
	if (!pmu)
		return;
	free(pmu->package);
	free(pmu->msrs);
	free(pmu);
}

int vpmu_vcpu_create(struct vpmu_vcpu **vcpu, struct vpmu *pmu, uint32_t index)
{
	struct vpmu_vcpu *v;
	int ret = 0;

	*vcpu = NULL;
	v = calloc(1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	v->pmu = pmu;
	if (pmu->ops.open)
		ret = pmu->ops.open(pmu->backend_user, index, pmu->nslots,
				    &v->priv);
	if (ret) {
		vpmu_log(pmu, "backend %s: opening vCPU %u failed (%d)",
			 pmu->ops.name ? pmu->ops.name : "?", index, ret);
		free(v);
		return ret;
	}
	vpmu_reset_vcpu(v, VPMU_RESET_POWER);
	*vcpu = v;
	return 0;
}

void vpmu_vcpu_destroy(struct vpmu_vcpu *vcpu)
{
	if (!vcpu)
		return;
	vpmu_program_stop(vcpu);
	if (vcpu->pmu->ops.close)
		vcpu->pmu->ops.close(vcpu->priv);
	free(vcpu);
}

/* ------------------------------------------------------------------- asking */

static uint32_t count(uint64_t counters)
{
	return (uint32_t)__builtin_popcountll(counters);
}

static int give_info(const struct vpmu_model *model,
		     const struct vpmu_shape *shape,
		     struct vpmu_model_info *info)
{
	const struct vpmu_model_info known = {
		.vendor = model->vendor,
		.name = model->name,
		.summary = model->summary,
		.fields = model->family->fields->names,
		.family = model->cpu_family,
		.model = model->cpu_model,
		.stepping = model->stepping,
		.version = shape->version,
		.gp = count(vpmu_shape_gp(shape)),
		.gp_width = shape->gp_width,
		.fixed = count(vpmu_shape_fixed(shape)),
		.fixed_width = shape->fixed_width,
	};

	return vpmu_copy_out(info, &known, sizeof(known));
}

int vpmu_model_info(uint32_t index, struct vpmu_model_info *info)
{
	const struct vpmu_model *model = vpmu_model_at(index);

	if (!info)
		return -EINVAL;
	return model ? give_info(model, &model->shape, info) : -ENOENT;
}

int vpmu_info(const struct vpmu *pmu, struct vpmu_model_info *info)
{
	if (!pmu || !info)
		return -EINVAL;
	return give_info(pmu->model, &pmu->shape, info);
}

void vpmu_set_nested(struct vpmu_vcpu *vcpu, int svme, int guest_mode)
{
	if (vcpu->svme == (svme != 0) && vcpu->guest_mode == !!guest_mode)
		return;
	vcpu->svme = svme;
	vcpu->guest_mode = guest_mode;
	vpmu_program_control(vcpu, vcpu->pmu->exists);
}

int vpmu_lvtpc_masks(const struct vpmu *pmu)
{
	return pmu->model->family->lvtpc_masks;
}

void vpmu_counter_name(const struct vpmu *pmu, uint32_t counter, char *buf,
		       size_t len)
{
	const struct vpmu_counter_row *row = pmu->counters[counter].row;

	snprintf(buf, len, "%s%u", row->name, counter - row->first);
}

static uint32_t health_of(const struct vpmu_vcpu *v, uint32_t counter)
{
	const struct vpmu_counter *c = &v->counters[counter];

	if (!(v->enabled & BIT(counter)))
		return c->taint;
	return c->taint > c->health ? c->taint : c->health;
}

int vpmu_counter_info(struct vpmu_vcpu *vcpu, uint32_t index,
		      struct vpmu_counter_info *info)
{
	struct vpmu_counter_info known = { .size = sizeof(known) };
	const struct vpmu *pmu;
	uint64_t exists;

	if (!vcpu || !info)
		return -EINVAL;
	pmu = vcpu->pmu;
	exists = pmu->exists;
	FOR_EACH_COUNTER(id, exists)
	{
		if (pmu->counters[id].slot != index)
			continue;
		known.value = pmu->counters[id].row->unit == VPMU_UNIT_CORE
				      ? vpmu_program_read(vcpu, id)
				      : vpmu_package_value(vcpu, id);
		known.health = health_of(vcpu, id);
		known.meaning = vcpu->counters[id].now.meaning;
		known.width = pmu->counters[id].width;
		vpmu_counter_name(pmu, id, known.name, sizeof(known.name));
		return vpmu_copy_out(info, &known, sizeof(known));
	}
	return -ENOENT;
}
