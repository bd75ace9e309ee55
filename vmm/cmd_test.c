/* SPDX-License-Identifier: Apache-2.0 */
/* pmuvm test: each case of tests.cfg on each model, in child processes. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "caps.h"
#include "cmd.h"
#include "job.h"
#include "msg.h"
#include "opt.h"
#include "pmu.h"
#include "suite.h"
#include "verdict.h"

#define MAX_JOBS 64

struct config {
	struct opt_list models;
	const char *only, *skip, *group, *dir;
	int format;
	uint64_t jobs; /* 0: one for each of the host's CPUs */
};

#define FIELD(name) offsetof(struct config, name)

/* clang-format off */
static const struct opt opts[] = {
	{ .name = "pmu", .kind = OPT_LIST, .offset = FIELD(models), .arg = "MODEL",
	  .help = "on this model; may be repeated (all models)" },
	{ .name = "only", .kind = OPT_STRING, .offset = FIELD(only), .arg = "GLOB",
	  .help = "cases whose name matches" },
	{ .name = "skip", .kind = OPT_STRING, .offset = FIELD(skip), .arg = "GLOB",
	  .help = "but not cases whose name matches" },
	{ .name = "group", .kind = OPT_STRING, .offset = FIELD(group), .arg = "GROUP",
	  .help = "cases of this group" },
	{ .name = "format", .kind = OPT_CHOICE, .offset = FIELD(format), .arg = "FORMAT",
	  .help = "text, tap or json (text)", .choices = verdict_format_names },
	{ .name = "dir", .kind = OPT_STRING, .offset = FIELD(dir), .arg = "DIR",
	  .help = "where tests.cfg and the guests are" },
	{ .name = "jobs", .kind = OPT_NUMBER, .offset = FIELD(jobs), .arg = "N",
	  .help = "guests at a time (one for each of the host's CPUs)",
	  .min = 1, .max = MAX_JOBS },
};
/* clang-format on */

static const struct opt_table table = {
	.command = "test",
	.summary = "Run the conformance guests on the models. Exit status 0: "
		   "all passed.",
	.opts = opts,
	.n = ARRAY_SIZE(opts),
};

struct matrix {
	const struct verdict_format *format;
	const char *dir;
	struct suite suite;
	struct verdict *cells; /* in order of printing */
	size_t n, started, printed;
	struct verdict_totals totals;
	struct job jobs[MAX_JOBS];
	size_t cell_of[MAX_JOBS];
	size_t njobs;
};

/* For free(); NULL with a message. */
__attribute__((format(printf, 1, 2))) static char *text_of(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0) {
		text = NULL;
		msg_err("test: %m");
	}
	va_end(ap);
	return text;
}

static bool has_suite(const char *dir)
{
	char *path = text_of("%s/tests.cfg", dir);
	bool has = path && !access(path, R_OK);

	free(path);
	return has;
}

/* Beside the program, as in the build directory, or above it, or here. */
static char *find_dir(void)
{
	static const char *const places[] = { "guest-tests", "../guest-tests",
					      "../share/pmuvm" };
	char exe[PATH_MAX] = "";
	char *dir = NULL;

	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0) {
		msg_err("/proc/self/exe: %m; use --dir");
		return NULL;
	}
	*strrchr(exe, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		dir = text_of("%s/%s", exe, places[i]);
		if (!dir || has_suite(dir))
			return dir;
		free(dir);
	}
	return text_of(".");
}

/* The default is each model there is. */
static void fill_models(struct opt_list *models)
{
	struct vpmu_model_info info = { .size = sizeof(info) };

	if (models->n)
		return;
	while (models->n < OPT_LIST_MAX &&
	       !vpmu_model_info((uint32_t)models->n, &info))
		models->item[models->n++] = info.name;
}

static int check_models(const struct opt_list *models)
{
	struct pmu pmu;
	int ret = 0;

	for (size_t i = 0; i < models->n && !ret; i++) {
		struct pmu_config config = { .model = models->item[i],
					     .count = PMU_COUNT_EXACT };

		ret = pmu_init(&pmu, &config);
		pmu_fini(&pmu);
	}
	return ret;
}

/* "intel-v5,gp=4" is an intel-v5. */
static void base_name(const char *model, char *base, size_t bytes)
{
	snprintf(base, bytes, "%.*s", (int)strcspn(model, ","), model);
}

static bool wanted(const struct config *config, const struct suite_case *test,
		   const char *model)
{
	char base[64];

	base_name(model, base, sizeof(base));
	return suite_matches(test->models, base) &&
	       (!config->only || suite_matches(config->only, test->name)) &&
	       (!config->skip || !suite_matches(config->skip, test->name)) &&
	       (!config->group || suite_matches(test->groups, config->group));
}

static int fill_matrix(struct matrix *m, const struct config *config)
{
	m->cells = calloc(config->models.n * m->suite.n + 1, sizeof(*m->cells));
	if (!m->cells)
		return msg_err("test: %m");
	for (size_t i = 0; i < config->models.n; i++) {
		const char *model = config->models.item[i];

		for (size_t k = 0; k < m->suite.n; k++) {
			const struct suite_case *test = &m->suite.cases[k];

			if (!wanted(config, test, model))
				continue;
			m->cells[m->n++] = (struct verdict){ .test = test,
							     .model = model };
		}
	}
	return m->n ? 0
		    : msg_err("test: no case of %s/tests.cfg matches", m->dir);
}

static int start(struct matrix *m, struct job *job, const struct verdict *cell)
{
	const struct suite_case *test = cell->test;
	struct run_config config = {
		.pmu = cell->model,
		.count = test->exact ? PMU_COUNT_EXACT : PMU_COUNT_AUTO,
		.cpus = test->cpus,
		.mem_mib = test->mem_mib,
		.timeout_s = test->timeout_s,
	};
	char base[64], *kernel, *args;
	int ret = -1;

	base_name(cell->model, base, sizeof(base));
	kernel = text_of("%s/%s", m->dir, test->program);
	args = text_of("%s%s%s", test->args, test->exact ? " exact" : "",
		       strcmp(base, "none") ? "" : " nopmu");
	config.load.kernel = kernel;
	config.load.append = args;
	/* The child has a copy of all this. */
	if (kernel && args)
		ret = job_start(job, &config);
	free(kernel);
	free(args);
	return ret;
}

static int start_some(struct matrix *m)
{
	for (size_t i = 0; i < m->njobs && m->started < m->n; i++) {
		if (m->jobs[i].pid)
			continue;
		if (start(m, &m->jobs[i], &m->cells[m->started]))
			return -1;
		m->cell_of[i] = m->started++;
	}
	return 0;
}

static void print_done(struct matrix *m)
{
	for (; m->printed < m->n && m->cells[m->printed].done; m->printed++) {
		struct verdict *v = &m->cells[m->printed];

		m->format->one(v, m->printed + 1);
		m->totals.passed += v->kind == VERDICT_PASS;
		m->totals.failed += v->kind == VERDICT_FAIL;
		m->totals.skipped += v->kind == VERDICT_SKIP;
		free(v->job.out);
		free(v->job.err);
		v->job.out = v->job.err = NULL;
	}
	fflush(stdout);
}

static void reap_some(struct matrix *m)
{
	for (size_t i = 0; i < m->njobs; i++) {
		struct verdict *v = &m->cells[m->cell_of[i]];

		job_check_deadline(&m->jobs[i]);
		if (!job_reap(&m->jobs[i], &v->job))
			continue;
		verdict_decide(v);
		v->done = true;
	}
	print_done(m);
}

/* 0, or the exit status if it cannot go on, or was interrupted. */
static int run_matrix(struct matrix *m)
{
	const struct timespec second = { .tv_sec = 1 };
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	m->format->begin(m->n);
	while (m->printed < m->n) {
		if (start_some(m))
			return STATUS_ERROR;
		signal = sigtimedwait(&set, NULL, &second);
		if (signal == SIGINT || signal == SIGTERM)
			return STATUS_SIGNAL + signal;
		reap_some(m);
	}
	m->format->end(&m->totals);
	return STATUS_OK;
}

static void free_matrix(struct matrix *m)
{
	for (size_t i = 0; i < m->njobs; i++)
		job_kill(&m->jobs[i]);
	for (size_t i = 0; m->cells && i < m->n; i++) {
		free(m->cells[i].job.out);
		free(m->cells[i].job.err);
	}
	free(m->cells);
	suite_fini(&m->suite);
}

/* 0, or the exit status. */
static int open_matrix(struct matrix *m, const struct config *config)
{
	char *path = text_of("%s/tests.cfg", m->dir);
	int ret = path ? suite_read(&m->suite, path) : -1;
	int kvm_fd;

	free(path);
	if (ret)
		return STATUS_ERROR;
	if (fill_matrix(m, config))
		return m->cells ? STATUS_FAILED : STATUS_ERROR;
	/* One line, rather than one failure a case. */
	kvm_fd = caps_open_kvm();
	if (kvm_fd < 0)
		return STATUS_ERROR;
	close(kvm_fd);
	return STATUS_OK;
}

static size_t jobs_of(const struct config *config)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (config->jobs)
		return (size_t)config->jobs;
	return cpus < 1 ? 1 : cpus > MAX_JOBS ? MAX_JOBS : (size_t)cpus;
}

int cmd_test(int argc, char **argv)
{
	struct config config = { 0 };
	static struct matrix m;
	char *dir;
	int status;

	switch (opt_parse(&table, argc, argv, &config)) {
	case OPT_HELP:
		return STATUS_OK;
	case OPT_ERROR:
		return STATUS_USAGE;
	case OPT_GO:
		break;
	}
	fill_models(&config.models);
	if (check_models(&config.models))
		return STATUS_USAGE;
	dir = config.dir ? text_of("%s", config.dir) : find_dir();
	if (!dir)
		return STATUS_ERROR;
	m = (struct matrix){ .format = &verdict_formats[config.format],
			     .dir = dir,
			     .njobs = jobs_of(&config) };
	status = open_matrix(&m, &config);
	if (!status)
		status = run_matrix(&m);
	if (!status && m.totals.failed)
		status = STATUS_FAILED;
	free_matrix(&m);
	free(dir);
	return status;
}
