/* SPDX-License-Identifier: Apache-2.0 */
/* What each image provides. */
#ifndef LIB_MAIN_H
#define LIB_MAIN_H

/* Report each rule; the library prints the SUMMARY and exits afterwards. No
 * PMU register has been touched when it is called. */
void test_main(void);

#endif /* LIB_MAIN_H */
