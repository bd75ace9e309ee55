/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard input, to the serial port. A thread of its own, as it may have to
 * wait for the bus while a vCPU waits for whoever reads our output; and whoever
 * waits for signals and the time limit must not.
 */
#include "input.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "msg.h"

/* Until `fd` is readable. False: the VM has ended. */
static bool wait_for(struct input *input, int fd)
{
	struct pollfd fds[] = {
		{ .fd = input->stop->event_fd, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	while (poll(fds, ARRAY_SIZE(fds), -1) < 0)
		if (errno != EINTR)
			return false;
	return !fds[0].revents;
}

/* An error is the end of input, too: EIO, say, of a terminal that is not ours
 * to read from in the background. */
static void *input_thread(void *user)
{
	struct input *input = user;
	uint8_t byte;

	for (;;) {
		if (!dev_serial_room(input->serial)) {
			if (!wait_for(input, input->serial->room_fd))
				break;
			continue;
		}
		if (!wait_for(input, STDIN_FILENO) ||
		    read(STDIN_FILENO, &byte, 1) != 1)
			break;
		dev_serial_give(input->serial, byte);
	}
	return NULL;
}

int input_start(struct input *input, struct dev_serial *serial,
		struct stop *stop)
{
	int err;

	*input = (struct input){ .serial = serial, .stop = stop };
	err = pthread_create(&input->thread, NULL, input_thread, input);
	if (err)
		return msg_err("input: pthread_create: %s", strerror(err));
	input->running = true;
	return 0;
}

void input_join(struct input *input)
{
	if (input->running)
		pthread_join(input->thread, NULL);
	input->running = false;
}
