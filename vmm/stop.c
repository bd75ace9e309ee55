/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ending the VM, and holding vCPUs. A vCPU that waits here, be it held or
 * about to hold, does not count as running: so two who want to hold at once
 * cannot wait for each other.
 */
#include "stop.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "msg.h"

int stop_init(struct stop *stop, void (*kick)(void *user, unsigned int except),
	      void *user)
{
	pthread_condattr_t attr;

	*stop = (struct stop){ .kick = kick, .user = user };
	stop->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stop->event_fd < 0)
		return msg_err("eventfd: %m");
	pthread_mutex_init(&stop->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&stop->changed, &attr);
	pthread_condattr_destroy(&attr);
	return 0;
}

void stop_fini(struct stop *stop)
{
	close(stop->event_fd);
	pthread_cond_destroy(&stop->changed);
	pthread_mutex_destroy(&stop->lock);
}

static void notify(struct stop *stop)
{
	const uint64_t one = 1;

	/* Fails only if the counter is full: then it is readable anyway. */
	if (write(stop->event_fd, &one, sizeof(one)) < 0)
		return;
}

/* Lock held. */
static void look_up(struct stop *stop)
{
	atomic_store(&stop->attention, stop->held || stop->ended);
	pthread_cond_broadcast(&stop->changed);
}

/* Lock held. */
static void wait_unheld(struct stop *stop)
{
	stop->running--;
	pthread_cond_broadcast(&stop->changed);
	while (stop->held)
		pthread_cond_wait(&stop->changed, &stop->lock);
	stop->running++;
}

void stop_join(struct stop *stop, bool *flag)
{
	pthread_mutex_lock(&stop->lock);
	*flag = true;
	stop->running++;
	stop->present++;
	pthread_mutex_unlock(&stop->lock);
}

void stop_leave(struct stop *stop, bool *flag)
{
	pthread_mutex_lock(&stop->lock);
	*flag = false;
	stop->running--;
	stop->present--;
	pthread_cond_broadcast(&stop->changed);
	pthread_mutex_unlock(&stop->lock);
}

bool stop_pass(struct stop *stop, unsigned int vcpu)
{
	bool go;

	if (!atomic_load(&stop->attention))
		return true;
	pthread_mutex_lock(&stop->lock);
	if (stop->held && stop->holder != vcpu)
		wait_unheld(stop);
	go = !stop->ended;
	pthread_mutex_unlock(&stop->lock);
	return go;
}

void stop_hold(struct stop *stop, unsigned int vcpu)
{
	pthread_mutex_lock(&stop->lock);
	if (stop->held)
		wait_unheld(stop);
	stop->held = true;
	stop->holder = vcpu;
	look_up(stop);
	stop->kick(stop->user, vcpu);
	while (stop->running > 1)
		pthread_cond_wait(&stop->changed, &stop->lock);
	pthread_mutex_unlock(&stop->lock);
}

void stop_release(struct stop *stop)
{
	pthread_mutex_lock(&stop->lock);
	stop->held = false;
	look_up(stop);
	pthread_mutex_unlock(&stop->lock);
}

void stop_end(struct stop *stop, int status)
{
	pthread_mutex_lock(&stop->lock);
	if (!stop->ended) {
		stop->ended = true;
		stop->status = status;
	}
	look_up(stop);
	notify(stop);
	stop->kick(stop->user, STOP_NOBODY);
	pthread_mutex_unlock(&stop->lock);
}

void stop_nudge(struct stop *stop)
{
	pthread_mutex_lock(&stop->lock);
	stop->kick(stop->user, STOP_NOBODY);
	pthread_mutex_unlock(&stop->lock);
}

bool stop_has_ended(struct stop *stop)
{
	bool ended;

	pthread_mutex_lock(&stop->lock);
	ended = stop->ended;
	pthread_mutex_unlock(&stop->lock);
	return ended;
}

bool stop_wait_left(struct stop *stop, unsigned int ms)
{
	struct timespec until;
	bool left;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&stop->lock);
	while (stop->present && !err)
		err = pthread_cond_timedwait(&stop->changed, &stop->lock,
					     &until);
	left = !stop->present;
	pthread_mutex_unlock(&stop->lock);
	return left;
}

int stop_status(struct stop *stop)
{
	int status;

	pthread_mutex_lock(&stop->lock);
	status = stop->status;
	pthread_mutex_unlock(&stop->lock);
	return status;
}
