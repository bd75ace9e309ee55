/* SPDX-License-Identifier: Apache-2.0 */
/* An exit that the run loop cannot deal with: what it was, and where. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "msg.h"
#include "vcpu.h"

#define NAME(reason) [KVM_EXIT_##reason] = #reason

static const char *const exit_names[] = {
	NAME(UNKNOWN),
	NAME(EXCEPTION),
	NAME(IO),
	NAME(HYPERCALL),
	NAME(DEBUG),
	NAME(HLT),
	NAME(MMIO),
	NAME(IRQ_WINDOW_OPEN),
	NAME(SHUTDOWN),
	NAME(FAIL_ENTRY),
	NAME(INTR),
	NAME(SET_TPR),
	NAME(TPR_ACCESS),
	NAME(NMI),
	NAME(INTERNAL_ERROR),
	NAME(SYSTEM_EVENT),
	NAME(IOAPIC_EOI),
	NAME(HYPERV),
	NAME(X86_RDMSR),
	NAME(X86_WRMSR),
	NAME(DIRTY_RING_FULL),
	NAME(X86_BUS_LOCK),
	NAME(XEN),
};

static const char *exit_name(uint32_t reason)
{
	if (reason < ARRAY_SIZE(exit_names) && exit_names[reason])
		return exit_names[reason];
	return "of a kind that this VMM does not know";
}

static void describe(const struct kvm_run *run, char *buf, size_t len)
{
	switch (run->exit_reason) {
	case KVM_EXIT_INTERNAL_ERROR:
		snprintf(buf, len, " (suberror %u)", run->internal.suberror);
		return;
	case KVM_EXIT_FAIL_ENTRY:
		snprintf(buf, len, " (hardware reason %" PRIx64 "H)",
			 (uint64_t)
				 run->fail_entry.hardware_entry_failure_reason);
		return;
	case KVM_EXIT_SYSTEM_EVENT:
		snprintf(buf, len, " (type %u)", run->system_event.type);
		return;
	default:
		*buf = '\0';
	}
}

static void print_registers(const struct vcpu *vcpu, const struct kvm_regs *r,
			    const struct kvm_sregs *s)
{
	const struct {
		const char *name;
		uint64_t value;
	} regs[] = {
		{ "RAX", r->rax },	  { "RBX", r->rbx },
		{ "RCX", r->rcx },	  { "RDX", r->rdx },
		{ "RSI", r->rsi },	  { "RDI", r->rdi },
		{ "RSP", r->rsp },	  { "RBP", r->rbp },
		{ "RFLAGS", r->rflags },  { "CR0", s->cr0 },
		{ "CR2", s->cr2 },	  { "CR3", s->cr3 },
		{ "CR4", s->cr4 },	  { "EFER", s->efer },
		{ "CS", s->cs.selector }, { "IDT", s->idt.base },
	};

	for (size_t i = 0; i < ARRAY_SIZE(regs); i += 4)
		msg_note("vCPU %u: %s %" PRIx64 "  %s %" PRIx64 "  %s %" PRIx64
			 "  %s %" PRIx64,
			 vcpu->index, regs[i].name, regs[i].value,
			 regs[i + 1].name, regs[i + 1].value, regs[i + 2].name,
			 regs[i + 2].value, regs[i + 3].name,
			 regs[i + 3].value);
}

int vcpu_report_exit(struct vcpu *vcpu)
{
	const struct kvm_run *run = vcpu->run;
	struct kvm_sregs sregs;
	struct kvm_regs regs;
	char more[64];

	describe(run, more, sizeof(more));
	if (ioctl(vcpu->fd, KVM_GET_REGS, &regs) ||
	    ioctl(vcpu->fd, KVM_GET_SREGS, &sregs))
		return msg_err("vCPU %u: exit %u: %s%s; registers: %m",
			       vcpu->index, run->exit_reason,
			       exit_name(run->exit_reason), more);
	print_registers(vcpu, &regs, &sregs);
	return msg_err("vCPU %u: RIP %" PRIx64 ": exit %u: %s%s; the guest "
		       "cannot go on",
		       vcpu->index, (uint64_t)regs.rip, run->exit_reason,
		       exit_name(run->exit_reason), more);
}
