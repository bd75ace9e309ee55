/* SPDX-License-Identifier: Apache-2.0 */
/* Exact counting: the embedder reports each instruction by vpmu_retire(), the
 * core does the sums; all that is left is which meanings that covers. */
#include "core/internal.h"

static enum vpmu_health exact_probe(void *user, enum vpmu_meaning meaning)
{
	(void)user;
	return vpmu_counter_events(meaning, UINT32_MAX)
		       ? VPMU_HEALTH_EXACT
		       : VPMU_HEALTH_UNAVAILABLE;
}

static enum vpmu_health exact_start(void *priv, uint32_t slot,
				    const struct vpmu_event *event,
				    uint64_t period)
{
	(void)slot;
	(void)period;
	return exact_probe(priv, (enum vpmu_meaning)event->meaning);
}

static void exact_stop(void *priv, uint32_t slot)
{
	(void)priv;
	(void)slot;
}

const struct vpmu_backend_ops *vpmu_backend_exact(void)
{
	static const struct vpmu_backend_ops ops = {
		.size = sizeof(ops),
		.flags = VPMU_BACKEND_PUSHED,
		.name = "exact",
		.probe = exact_probe,
		.start = exact_start,
		.stop = exact_stop,
	};

	return &ops;
}
