/* SPDX-License-Identifier: Apache-2.0 */
/* A guest in a child process, with what it printed. */
#ifndef VMM_JOB_H
#define VMM_JOB_H

#include <stdbool.h>
#include <sys/types.h>

#include "run.h"

struct job {
	pid_t pid; /* 0: does not run */
	int out_fd, err_fd; /* what it writes to its standard outputs */
	uint64_t begun_ns, deadline_ns;
	bool killed; /* by us, as it outlived its deadline */
};

/* 0, or -1 with a message. */
int job_start(struct job *job, const struct run_config *config);
/* Kill it if it should have ended itself long ago. */
void job_check_deadline(struct job *job);
/*
 * Has it ended? Then: its wait status, its time, its outputs as strings for
 * free() (NULL if memory runs out), and the job is empty again.
 */
struct job_result {
	int wait_status;
	bool killed;
	double seconds;
	char *out, *err;
};
bool job_reap(struct job *job, struct job_result *result);
/* End it at once. */
void job_kill(struct job *job);

#endif /* VMM_JOB_H */
