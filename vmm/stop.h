/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ending the VM, and keeping vCPUs out of the guest for a while: each vCPU
 * thread passes here before each entry. Knows no KVM.
 */
#ifndef VMM_STOP_H
#define VMM_STOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct stop {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* One is neither parked here nor gone: it may be in the guest. */
	unsigned int running;
	unsigned int present; /* joined and not yet left */
	bool held;
	unsigned int holder;
	bool ended;
	int status;
	/* held || ended, to be looked at without the lock */
	atomic_bool attention;
	int event_fd; /* readable once ended */
	/* Make all vCPUs but `except` leave the guest; the lock is held. */
	void (*kick)(void *user, unsigned int except);
	void *user;
};

#define STOP_NOBODY (~0u)

/* 0, or -1 with a message. */
int stop_init(struct stop *stop, void (*kick)(void *user, unsigned int except),
	      void *user);
void stop_fini(struct stop *stop);

/* A vCPU's thread begins and ends; `flag` is set and cleared under the lock
 * that kick() is called with. */
void stop_join(struct stop *stop, bool *flag);
void stop_leave(struct stop *stop, bool *flag);
/* Before each entry: waits while another vCPU holds. False: the VM ends. */
bool stop_pass(struct stop *stop, unsigned int vcpu);
/* Keep all others out until released. Two who ask at once take turns. */
void stop_hold(struct stop *stop, unsigned int vcpu);
void stop_release(struct stop *stop);
/* End the VM with this status; the first one counts. From any thread. */
void stop_end(struct stop *stop, int status);
/* Kick everybody again: a vCPU may be blocked in a write. */
void stop_nudge(struct stop *stop);
bool stop_has_ended(struct stop *stop);
/* Wait until all have left, at most so long. False: some have not. */
bool stop_wait_left(struct stop *stop, unsigned int ms);
/* What the VM ended with. */
int stop_status(struct stop *stop);

#endif /* VMM_STOP_H */
