/* SPDX-License-Identifier: Apache-2.0 */
/* One guest from start to end: puts the parts together, and waits. */
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "dev.h"
#include "input.h"
#include "msg.h"
#include "vcpu.h"
#include "vm.h"

struct machine {
	struct ram ram;
	struct pmu pmu;
	struct vm vm;
	struct dev_serial serial;
	struct dev_power power;
	struct dev_pci pci;
	struct input input;
	struct dev_fwcfg fwcfg;
	int signal_fd;
	int timer_fd;
};

static int add_devices(struct machine *m)
{
	struct vm *vm = &m->vm;

	if (dev_serial_add(&vm->bus, &m->serial, vm->fd, &vm->stop) ||
	    dev_debugexit_add(&vm->bus, &vm->stop) ||
	    dev_power_add(&vm->bus, &m->power, &vm->stop) ||
	    dev_pci_add(&vm->bus, &m->pci) ||
	    dev_fwcfg_add(&vm->bus, &m->fwcfg, m->ram.bytes, vm->ncpus))
		return -1;
	return 0;
}

/* In this thread and those it starts, signals wait to be read. */
static int open_signals(struct machine *m)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	m->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (m->signal_fd < 0)
		return msg_err("signalfd: %m");
	sigaddset(&set, vcpu_kick_signal());
	sigaddset(&set, SIGPIPE);
	/* Reading from a terminal in the background is an error, no stop. */
	sigaddset(&set, SIGTTIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return 0;
}

static int open_timer(struct machine *m, uint64_t timeout_s)
{
	const struct itimerspec when = { .it_value.tv_sec = (time_t)timeout_s };

	m->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (m->timer_fd < 0 || timerfd_settime(m->timer_fd, 0, &when, NULL))
		return msg_err("timerfd: %m");
	return 0;
}

static void on_signal(struct machine *m)
{
	struct signalfd_siginfo info;

	if (read(m->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	msg_note("ended by signal %u", info.ssi_signo);
	stop_end(&m->vm.stop, STATUS_SIGNAL + (int)info.ssi_signo);
}

/* Until the VM has ended, of itself or by us. */
static void wait_for_end(struct machine *m, uint64_t timeout_s)
{
	struct pollfd fds[] = {
		{ .fd = m->vm.stop.event_fd, .events = POLLIN },
		{ .fd = m->signal_fd, .events = POLLIN },
		{ .fd = m->timer_fd, .events = POLLIN },
	};

	while (!stop_has_ended(&m->vm.stop)) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR) {
			msg_err("poll: %m");
			stop_end(&m->vm.stop, STATUS_ERROR);
		}
		if (fds[1].revents)
			on_signal(m);
		if (fds[2].revents) {
			msg_note("timeout: the guest has not ended within "
				 "%" PRIu64 " s",
				 timeout_s);
			stop_end(&m->vm.stop, STATUS_TIMEOUT);
		}
	}
}

static void print_results(const struct machine *m)
{
	for (unsigned int i = 0; i < m->vm.ncpus; i++)
		if (m->vm.vcpus[i].stats)
			fputs(m->vm.vcpus[i].stats, stderr);
}

static void describe(const struct machine *m, const struct load_entry *entry)
{
	msg_note("image: %s, entry %" PRIx64 "H", entry->format, entry->rip);
	msg_note("%" PRIu64 " MiB, %u CPUs, RDPMC trap: %s", m->ram.bytes >> 20,
		 m->vm.ncpus, pmu_trap_names[vpmu_kvm_trap(m->pmu.kvm)]);
}

/* All that can go wrong before the guest begins; in the order in which it
 * is the user's, the image's and the host's fault. */
static int prepare(struct machine *m, const struct run_config *config)
{
	unsigned int ncpus = (unsigned int)config->cpus;
	struct load_request load = config->load;
	struct load_entry entry;
	struct vm *vm = &m->vm;

	load.cpus = ncpus;
	if (ram_init(&m->ram, config->mem_mib) ||
	    load_guest(&m->ram, &load, &entry) || open_signals(m) ||
	    open_timer(m, config->timeout_s) || vm_init(vm, &m->ram, ncpus))
		return -1;
	vm->pmu = &m->pmu;
	vm->stats = config->stats;
	if (pmu_attach(&m->pmu, (enum vpmu_kvm_trap)config->trap, vm->kvm_fd,
		       vm->fd, &m->ram, ncpus > 1 ? &vm->stop : NULL) ||
	    add_devices(m) || vcpu_create_all(vm, &entry))
		return -1;
	if (config->verbose)
		describe(m, &entry);
	return 0;
}

static void clean_up(struct machine *m)
{
	vm_fini(&m->vm);
	dev_serial_fini(&m->serial);
	pmu_fini(&m->pmu);
	ram_fini(&m->ram);
	if (m->timer_fd >= 0)
		close(m->timer_fd);
	if (m->signal_fd >= 0)
		close(m->signal_fd);
}

int run_guest(const struct run_config *config)
{
	/* Static, as a vCPU that does not stop would still use it. */
	static struct machine m;
	struct stop *stop = &m.vm.stop;
	const struct pmu_config pmu_config = {
		.model = config->pmu,
		.count = (enum pmu_count)config->count,
		.uncore = (enum pmu_uncore)config->uncore,
		.signal = vcpu_kick_signal(),
	};
	int status = STATUS_ERROR;

	m = (struct machine){ .serial.room_fd = -1,
			      .signal_fd = -1,
			      .timer_fd = -1 };
	m.vm.kvm_fd = m.vm.fd = stop->event_fd = -1;
	if (pmu_init(&m.pmu, &pmu_config)) {
		status = STATUS_USAGE;
		goto out;
	}
	if (prepare(&m, config))
		goto out;
	if (input_start(&m.input, &m.serial, stop) || vcpu_start_all(&m.vm))
		stop_end(stop, STATUS_ERROR);
	wait_for_end(&m, config->timeout_s);
	status = stop_status(stop);
	if (!vcpu_join_all(&m.vm))
		return status;
	input_join(&m.input);
	print_results(&m);
out:
	clean_up(&m);
	return status;
}
