/* SPDX-License-Identifier: Apache-2.0 */
/* A guest in a child process, which prints into memory. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "msg.h"

/* A guest that prints for ever gets an error at this size. */
#define MAX_OUTPUT MIB(16)
/* Beyond its own time limit; a child that hangs is killed then. */
#define GRACE_S 30

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int run_child(const struct job *job, const struct run_config *config)
{
	const struct rlimit limit = { MAX_OUTPUT, MAX_OUTPUT };
	int in_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* Not to outlive the parent, even if that is killed. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || dup2(in_fd, STDIN_FILENO) < 0 ||
	    dup2(job->out_fd, STDOUT_FILENO) < 0 ||
	    dup2(job->err_fd, STDERR_FILENO) < 0 ||
	    setrlimit(RLIMIT_FSIZE, &limit) ||
	    signal(SIGXFSZ, SIG_IGN) == SIG_ERR) {
		msg_err("test: preparing a child process: %m");
		return STATUS_ERROR;
	}
	return run_guest(config);
}

static int open_outputs(struct job *job)
{
	job->out_fd = memfd_create("stdout", MFD_CLOEXEC);
	job->err_fd = memfd_create("stderr", MFD_CLOEXEC);
	if (job->out_fd >= 0 && job->err_fd >= 0)
		return 0;
	return msg_err("test: memfd_create: %m");
}

static void close_outputs(struct job *job)
{
	if (job->out_fd >= 0)
		close(job->out_fd);
	if (job->err_fd >= 0)
		close(job->err_fd);
}

int job_start(struct job *job, const struct run_config *config)
{
	int status;

	*job = (struct job){ .out_fd = -1, .err_fd = -1 };
	if (open_outputs(job)) {
		close_outputs(job);
		return -1;
	}
	job->begun_ns = now_ns();
	job->deadline_ns =
		job->begun_ns + (config->timeout_s + GRACE_S) * 1000000000;
	/* What is buffered must not be printed twice. */
	fflush(NULL);
	job->pid = fork();
	if (job->pid > 0)
		return 0;
	if (job->pid == 0) {
		status = run_child(job, config);
		fflush(NULL);
		_exit(status);
	}
	job->pid = 0;
	close_outputs(job);
	return msg_err("test: fork: %m");
}

void job_check_deadline(struct job *job)
{
	if (!job->pid || job->killed || now_ns() < job->deadline_ns)
		return;
	job->killed = true;
	kill(job->pid, SIGKILL);
}

/* Guests may print zero bytes: these are left out. */
static char *read_back(int fd)
{
	off_t bytes = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)bytes + 1);
	ssize_t got = text ? pread(fd, text, (size_t)bytes, 0) : -1;
	size_t kept = 0;

	for (ssize_t i = 0; i < got; i++)
		if (text[i])
			text[kept++] = text[i];
	if (text)
		text[kept] = '\0';
	return text;
}

static void collect(struct job *job, struct job_result *result)
{
	result->killed = job->killed;
	result->seconds = (double)(now_ns() - job->begun_ns) / 1e9;
	result->out = read_back(job->out_fd);
	result->err = read_back(job->err_fd);
	close_outputs(job);
	job->pid = 0;
}

bool job_reap(struct job *job, struct job_result *result)
{
	if (!job->pid ||
	    waitpid(job->pid, &result->wait_status, WNOHANG) != job->pid)
		return false;
	collect(job, result);
	return true;
}

void job_kill(struct job *job)
{
	if (!job->pid)
		return;
	kill(job->pid, SIGKILL);
	while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close_outputs(job);
	job->pid = 0;
}
