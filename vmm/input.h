/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input, to the serial port: a thread. */
#ifndef VMM_INPUT_H
#define VMM_INPUT_H

#include "dev.h"

struct input {
	struct dev_serial *serial;
	struct stop *stop;
	pthread_t thread;
	bool running;
};

/* All signals are to be blocked. 0, or -1 with a message. */
int input_start(struct input *input, struct dev_serial *serial,
		struct stop *stop);
/* Once the VM has ended and no vCPU runs. */
void input_join(struct input *input);

#endif /* VMM_INPUT_H */
