/* SPDX-License-Identifier: Apache-2.0 */
/* The mock backend: reports what a test has put into struct mock_host. */
#include "backend/backend.h"

static enum vpmu_health mock_probe(void *user, enum vpmu_meaning meaning)
{
	const struct mock_host *host = user;

	return host->health[meaning];
}

static int mock_open(void *user, uint32_t vcpu, uint32_t nslots, void **priv)
{
	struct mock_host *host = user;

	(void)vcpu;
	if (host->open_result)
		return host->open_result;
	host->opens++;
	host->nslots = nslots;
	*priv = host;
	return 0;
}

static void mock_close(void *priv)
{
	struct mock_host *host = priv;

	host->closes++;
}

static enum vpmu_health mock_start(void *priv, uint32_t slot,
				   const struct vpmu_event *event,
				   uint64_t period)
{
	struct mock_host *host = priv;
	struct mock_slot *s = &host->slots[slot];

	s->event = *event;
	s->period = period;
	s->pending = 0;
	s->starts++;
	s->running = 1;
	s->health = host->health[event->meaning];
	return s->health;
}

static void mock_stop(void *priv, uint32_t slot)
{
	struct mock_host *host = priv;

	host->slots[slot].running = 0;
	host->slots[slot].stops++;
}

static enum vpmu_health mock_read(void *priv, uint32_t slot, uint64_t *delta)
{
	struct mock_host *host = priv;
	struct mock_slot *s = &host->slots[slot];

	*delta = s->pending;
	s->pending = 0;
	s->reads++;
	return s->health;
}

const struct vpmu_backend_ops *vpmu_backend_mock(void)
{
	static const struct vpmu_backend_ops ops = {
		.size = sizeof(ops),
		.name = "mock",
		.probe = mock_probe,
		.open = mock_open,
		.close = mock_close,
		.start = mock_start,
		.stop = mock_stop,
		.read = mock_read,
	};

	return &ops;
}
