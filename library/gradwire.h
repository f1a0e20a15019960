/* Gradwire's collectives, for programs in C and in every language that can call C.
 *
 * A job is a fixed number of processes, its ranks, that call the same collectives in the same order
 * with the same counts and types. A function that returns int returns one of enum gradwire_code where
 * nothing else is said. Gradwire's docs/library.md has an example, and what the options mean. */
#ifndef GRADWIRE_H
#define GRADWIRE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRADWIRE_API __attribute__((visibility("default")))

/* One rank's part in a job. One thread at a time calls functions of a job, but for those that say
 * otherwise. */
typedef struct gradwire_job gradwire_job;
/* A collective that was started and goes on beside the program. */
typedef struct gradwire_request gradwire_request;

/* What functions return. After GRADWIRE_FABRIC, GRADWIRE_SYSTEM or GRADWIRE_MEMORY a job only says why
 * it failed, and can be finalized. */
typedef enum gradwire_code {
  GRADWIRE_OK = 0,
  GRADWIRE_INVALID = 1, /* an option, a variable of the environment or an argument is wrong */
  GRADWIRE_FABRIC = 2,  /* a rank is gone, says nothing or does something else, or a link is down */
  GRADWIRE_SYSTEM = 3,  /* the operating system refused something */
  GRADWIRE_MEMORY = 4,  /* there is no memory */
  GRADWIRE_INTERNAL = 5 /* a bug of Gradwire */
} gradwire_code;

/* What the elements of a buffer are. */
typedef enum gradwire_type {
  GRADWIRE_FLOAT32 = 0,
  GRADWIRE_FLOAT64 = 1,
  GRADWIRE_FLOAT16 = 2,  /* IEEE 754 binary16 */
  GRADWIRE_BFLOAT16 = 3, /* the upper half of a float32 */
  GRADWIRE_INT32 = 4,    /* sums wrap */
  GRADWIRE_INT64 = 5,    /* sums wrap */
  GRADWIRE_BYTE = 6      /* is moved, and never added */
} gradwire_type;

/* "0.1.0". */
GRADWIRE_API const char* gradwire_version(void);

/* Joins a job. Blocks until all ranks have come, or until the time is over. `options` are texts
 * "key=value", and a NULL after the last; NULL for none. What they leave out is read from the
 * environment, as torchrun, mpirun or `gradwire emulate` have set it. On success *job is to be
 * finalized; otherwise it is NULL, and gradwire_error_text(NULL) says why. */
GRADWIRE_API int gradwire_init(const char* const* options, gradwire_job** job);

/* Which of the ranks this is, from 0; -1 without a job. */
GRADWIRE_API int gradwire_rank(const gradwire_job* job);
/* How many ranks there are; -1 without a job. */
GRADWIRE_API int gradwire_ranks(const gradwire_job* job);

/* Sums the `count` elements of all ranks' buffers, element by element, into all of them. Blocks until
 * this rank has its sums. GRADWIRE_INVALID for a type that cannot be added; count may be 0. The first
 * call with a count and type connects the ranks for them, the next ones reuse that. */
GRADWIRE_API int gradwire_all_reduce(gradwire_job* job, void* buffer, size_t count,
                                     gradwire_type type);
/* The same, with the whole sums at rank `root` alone; other buffers hold parts of sums afterwards. */
GRADWIRE_API int gradwire_reduce(gradwire_job* job, void* buffer, size_t count, gradwire_type type,
                                 int root);
/* Copies the buffer of rank `root` into all others. */
GRADWIRE_API int gradwire_broadcast(gradwire_job* job, void* buffer, size_t count,
                                    gradwire_type type, int root);
/* Copies each rank's part of the `count` elements (gradwire_part) into all buffers. */
GRADWIRE_API int gradwire_all_gather(gradwire_job* job, void* buffer, size_t count,
                                     gradwire_type type);
/* Sums as gradwire_all_reduce, but each rank gets the sums of its part (gradwire_part) alone; what
 * else its buffer holds afterwards are parts of sums. */
GRADWIRE_API int gradwire_reduce_scatter(gradwire_job* job, void* buffer, size_t count,
                                         gradwire_type type);
/* Blocks until all ranks have called it. */
GRADWIRE_API int gradwire_barrier(gradwire_job* job);

/* What has been found of a job's all-reduces that were verified, at this rank since it joined. */
typedef struct gradwire_verified {
  size_t sums;       /* all-reduces */
  size_t elements;   /* of all of them together */
  size_t wrong;      /* of these, what no order of additions makes of all ranks' elements */
  size_t not_finite; /* of these, what is NaN or infinite, rightly or not */
} gradwire_verified;

/* Verifies the sums of all-reduces, and says what was found. With the option verify=K the first all-reduce
 * and every K-th after it keep their elements of before and after in memory. This call moves those of
 * before to all ranks and holds the sums against a reference in double precision: docs/library.md says
 * with what bound. It blocks for that, and all ranks call it in the same order among their collectives.
 * An all-reduce does it by itself before more than 64 MiB are kept. Without the option, or with one rank
 * alone that sums nothing, all is 0. A wrong sum is counted, and fails nothing. */
GRADWIRE_API int gradwire_verify(gradwire_job* job, gradwire_verified* found);

/* Sends the `count` elements of a buffer to rank `to`, which receives them. Blocks until the buffer may
 * be used again, which may be when the other receives. Beside a function that another thread has called,
 * further threads may send and receive, one at a time for each rank and direction; nothing of this waits
 * for collectives, nor they for it. The first message to a rank connects the two, the next ones reuse
 * that, whatever their counts and types. */
GRADWIRE_API int gradwire_send(gradwire_job* job, const void* buffer, size_t count,
                               gradwire_type type, int to);
/* Receives `count` elements from rank `from`, in the order in which that sends. Blocks until they are
 * there. GRADWIRE_FABRIC when the next message has another count or type. Threads as for
 * gradwire_send. */
GRADWIRE_API int gradwire_recv(gradwire_job* job, void* buffer, size_t count, gradwire_type type,
                               int from);

/* The part of `count` elements that is `rank`'s: *length elements from *first on. Parts follow each
 * other by rank, and differ by one element at most. GRADWIRE_INVALID for what is no rank. */
GRADWIRE_API int gradwire_part(const gradwire_job* job, int rank, size_t count, size_t* first,
                               size_t* length);

/* Starts gradwire_all_reduce, and returns at once; the buffer must be left alone until it is done.
 * What is started runs in this order, after all that was called before and before what is called
 * later. On success *request is to be given to gradwire_wait once. */
GRADWIRE_API int gradwire_start_all_reduce(gradwire_job* job, void* buffer, size_t count,
                                           gradwire_type type, gradwire_request** request);
/* Blocks until it is done, frees the request, and returns how it ended. */
GRADWIRE_API int gradwire_wait(gradwire_request* request);
/* Whether it is done: 1, or 0. Never blocks. */
GRADWIRE_API int gradwire_test(const gradwire_request* request);

/* Gives the job up: whatever is waited for in it ends with GRADWIRE_FABRIC at once, on all ranks, by the
 * fault of this one. Any thread may call it, until gradwire_finalize is called. NULL is nothing. */
GRADWIRE_API void gradwire_abort(gradwire_job* job);

/* Why the last function of this job that failed on this thread did so, in English, without a line break;
 * with NULL, the last gradwire_init of this thread. Valid until this thread calls the next function of
 * this job; never NULL. */
GRADWIRE_API const char* gradwire_error_text(const gradwire_job* job);
/* The rank at fault when the job has failed; -1 while it has not, and when nobody is known to be. */
GRADWIRE_API int gradwire_failed_rank(const gradwire_job* job);

/* Leaves the job, and frees it. Every request must have been waited for. The others may go on with what
 * needs this rank no more. Rank 0 holds them together: it blocks until all others have left,
 * for the job's timeout at most. NULL is nothing. */
GRADWIRE_API void gradwire_finalize(gradwire_job* job);

#ifdef __cplusplus
}
#endif

#endif
