/* Sums a gradient over all ranks of a job with libgradwire, and checks the sums.
 *
 *   cc sum.c $(pkg-config --cflags --libs gradwire) -o sum
 *   gradwire emulate "bcube(3,2)" -- ./sum 1000000 */
#include <gradwire.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const gradwire_job *job) {
  fprintf(stderr, "%s: %s\n", what, gradwire_error_text(job));
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  gradwire_job *job = NULL;
  if (gradwire_init(NULL, &job) != GRADWIRE_OK) return fail("cannot join", NULL);
  const int rank = gradwire_rank(job);
  const int ranks = gradwire_ranks(job);

  float *gradient = malloc(count * sizeof *gradient);
  if (gradient == NULL) return EXIT_FAILURE;
  for (size_t i = 0; i < count; ++i) gradient[i] = (float)((rank + 1) * (int)(i % 1000));

  if (gradwire_all_reduce(job, gradient, count, GRADWIRE_FLOAT32) != GRADWIRE_OK) {
    return fail("cannot sum", job);
  }

  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    wrong += gradient[i] != (float)(ranks * (ranks + 1) / 2 * (int)(i % 1000));
  }
  printf("rank %d of %d: %zu sums, %zu of them wrong\n", rank, ranks, count, wrong);
  free(gradient);
  gradwire_finalize(job);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
