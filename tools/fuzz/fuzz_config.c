/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any text as --pmu. A refusal has a reason. */
#include <stdlib.h>
#include <string.h>

#include "vpmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vpmu_config config = { .size = sizeof(config) };
	struct vpmu *pmu;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	config.model = text;
	if (vpmu_create(&pmu, &config) && !vpmu_reason(pmu)[0])
		abort();
	vpmu_destroy(pmu);
	free(text);
	return 0;
}
