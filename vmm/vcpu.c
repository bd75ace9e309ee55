/* SPDX-License-Identifier: Apache-2.0 */
/* The run loop: exit hooks first, then one switch over the exit's reason. */
#include "vcpu.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "msg.h"

/* Of this thread's vCPU, for the signal handler. */
static __thread struct kvm_run *kicked_run;

int vcpu_kick_signal(void)
{
	return SIGRTMIN;
}

/*
 * A signal that arrives just before KVM_RUN would be lost without this: KVM
 * looks at immediate_exit once signals are its own business.
 */
static void on_kick(int signal)
{
	(void)signal;
	if (kicked_run)
		kicked_run->immediate_exit = 1;
}

void vcpu_kick(struct vcpu *vcpu)
{
	if (vcpu->kickable)
		pthread_kill(vcpu->self, vcpu_kick_signal());
}

static int on_system_event(struct vcpu *vcpu)
{
	switch (vcpu->run->system_event.type) {
	case KVM_SYSTEM_EVENT_SHUTDOWN:
	case KVM_SYSTEM_EVENT_RESET:
		stop_end(&vcpu->vm->stop, STATUS_OK);
		return 0;
	default:
		return vcpu_report_exit(vcpu);
	}
}

/* An MSR that nobody answers for does not exist: #GP. */
static int on_msr(struct vcpu *vcpu)
{
	vcpu->run->msr.error = 1;
	return 0;
}

static int on_shutdown(struct vcpu *vcpu)
{
	msg_note("vCPU %u: triple fault", vcpu->index);
	stop_end(&vcpu->vm->stop, STATUS_TRIPLE_FAULT);
	return 0;
}

static int handle_exit(struct vcpu *vcpu)
{
	switch (vcpu->run->exit_reason) {
	case KVM_EXIT_IO:
		bus_pio(&vcpu->vm->bus, vcpu->run);
		return 0;
	case KVM_EXIT_MMIO:
		bus_mmio(vcpu->run);
		return 0;
	case KVM_EXIT_X86_RDMSR:
	case KVM_EXIT_X86_WRMSR:
		return on_msr(vcpu);
	case KVM_EXIT_INTR:
		return 0;
	case KVM_EXIT_SHUTDOWN:
		return on_shutdown(vcpu);
	case KVM_EXIT_SYSTEM_EVENT:
		return on_system_event(vcpu);
	default:
		return vcpu_report_exit(vcpu);
	}
}

static enum vpmu_result pmu_exit(struct vcpu *vcpu)
{
	return vpmu_kvm_exit(vcpu->pmu);
}

/* Each may take the exit for itself: HANDLED; the first to do so is the last
 * to be asked. */
static enum vpmu_result (*const exit_hooks[])(struct vcpu *vcpu) = {
	pmu_exit,
};

static int dispatch(struct vcpu *vcpu)
{
	for (size_t i = 0; i < ARRAY_SIZE(exit_hooks); i++) {
		switch (exit_hooks[i](vcpu)) {
		case VPMU_HANDLED:
			return 0;
		case VPMU_NOT_MINE:
			break;
		default:
			return msg_err("vCPU %u: %s", vcpu->index,
				       vpmu_kvm_reason(vcpu->vm->pmu->kvm));
		}
	}
	return handle_exit(vcpu);
}

static int run_once(struct vcpu *vcpu)
{
	if (vpmu_kvm_enter(vcpu->pmu))
		return msg_err("vCPU %u: %s", vcpu->index,
			       vpmu_kvm_reason(vcpu->vm->pmu->kvm));
	if (ioctl(vcpu->fd, KVM_RUN, 0) == 0)
		return dispatch(vcpu);
	/* A vCPU that was sent INIT and SIPI begins. */
	if (errno == EAGAIN) {
		vpmu_kvm_regs_changed(vcpu->pmu);
		return 0;
	}
	if (errno != EINTR)
		return msg_err("vCPU %u: KVM_RUN: %m", vcpu->index);
	/*
	 * Only now: a kick that came while an exit was dealt with still has to
	 * end the next KVM_RUN. KVM leaves the reason of the last exit behind
	 * if it was immediate_exit.
	 */
	vcpu->run->immediate_exit = 0;
	vcpu->run->exit_reason = KVM_EXIT_INTR;
	return dispatch(vcpu);
}

static void gather_stats(struct vcpu *vcpu)
{
	struct kvm_regs regs;
	FILE *text;

	if (!vcpu->vm->stats)
		return;
	text = open_memstream(&vcpu->stats, &vcpu->stats_bytes);
	if (!text)
		return;
	if (!ioctl(vcpu->fd, KVM_GET_REGS, &regs))
		fprintf(text, "vcpu %u: %-12s %20" PRIx64 "\n", vcpu->index,
			"RIP", (uint64_t)regs.rip);
	pmu_print_stats(vcpu->pmu, vcpu->index, text);
	fclose(text);
}

static void run_loop(struct vcpu *vcpu)
{
	struct vm *vm = vcpu->vm;

	if (vpmu_kvm_vcpu_create(&vcpu->pmu, vm->pmu->kvm, vcpu->index,
				 vcpu->fd, vcpu->run)) {
		msg_err("vCPU %u: %s", vcpu->index,
			vpmu_kvm_reason(vm->pmu->kvm));
		stop_end(&vm->stop, STATUS_ERROR);
		return;
	}
	while (stop_pass(&vm->stop, vcpu->index))
		if (run_once(vcpu))
			stop_end(&vm->stop, STATUS_ERROR);
	gather_stats(vcpu);
	vpmu_kvm_vcpu_destroy(vcpu->pmu);
	vcpu->pmu = NULL;
}

static void *vcpu_thread(void *user)
{
	struct vcpu *vcpu = user;
	sigset_t kicks;

	vcpu->self = pthread_self();
	kicked_run = vcpu->run;
	sigemptyset(&kicks);
	sigaddset(&kicks, vcpu_kick_signal());
	pthread_sigmask(SIG_UNBLOCK, &kicks, NULL);
	stop_join(&vcpu->vm->stop, &vcpu->kickable);
	run_loop(vcpu);
	stop_leave(&vcpu->vm->stop, &vcpu->kickable);
	pthread_sigmask(SIG_BLOCK, &kicks, NULL);
	kicked_run = NULL;
	return NULL;
}

/* Threads inherit the caller's signal mask, in which kicks are blocked. */
int vcpu_start_all(struct vm *vm)
{
	struct sigaction action = { .sa_handler = on_kick };
	int err;

	sigemptyset(&action.sa_mask);
	if (sigaction(vcpu_kick_signal(), &action, NULL))
		return msg_err("sigaction: %m");
	for (unsigned int i = 0; i < vm->ncpus; i++) {
		struct vcpu *vcpu = &vm->vcpus[i];

		err = pthread_create(&vcpu->thread, NULL, vcpu_thread, vcpu);
		if (err)
			return msg_err("vCPU %u: pthread_create: %s", i,
				       strerror(err));
		vcpu->created = true;
	}
	return 0;
}

/* How long a vCPU may take to come out, in rounds of NUDGE_MS. */
#define NUDGE_MS 100
#define NUDGES 100

bool vcpu_join_all(struct vm *vm)
{
	/* A thread that is yet to begin sees that the VM has ended. */
	for (unsigned int n = 0; n < NUDGES; n++) {
		if (stop_wait_left(&vm->stop, NUDGE_MS))
			break;
		stop_nudge(&vm->stop);
	}
	if (!stop_wait_left(&vm->stop, 0)) {
		msg_err("a vCPU does not stop; giving up on it");
		return false;
	}
	for (unsigned int i = 0; i < vm->ncpus; i++)
		if (vm->vcpus[i].created)
			pthread_join(vm->vcpus[i].thread, NULL);
	return true;
}
