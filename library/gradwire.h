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

/* Part of one rank in a job. One thread at a time calls functions of a job, unless a function says
 * otherwise. */
typedef struct gradwire_job gradwire_job;
/* Collective that was started and runs beside the program. */
typedef struct gradwire_request gradwire_request;

/* Result of a function. After GRADWIRE_FABRIC, GRADWIRE_SYSTEM or GRADWIRE_MEMORY a job only tells why
 * it failed, and can be finalized. */
typedef enum gradwire_code {
  GRADWIRE_OK = 0,
  GRADWIRE_INVALID = 1, /* an option, a variable of the environment or an argument is wrong */
  GRADWIRE_FABRIC = 2,  /* a rank is gone, says nothing or does something else, or a link is down */
  GRADWIRE_SYSTEM = 3,  /* the operating system refused something */
  GRADWIRE_MEMORY = 4,  /* memory is exhausted */
  GRADWIRE_INTERNAL = 5 /* a bug of Gradwire */
} gradwire_code;

/* Type of the elements of a buffer. */
typedef enum gradwire_type {
  GRADWIRE_FLOAT32 = 0,
  GRADWIRE_FLOAT64 = 1,
  GRADWIRE_FLOAT16 = 2,  /* IEEE 754 binary16 */
  GRADWIRE_BFLOAT16 = 3, /* the upper half of a float32 */
  GRADWIRE_INT32 = 4,    /* sums wrap */
  GRADWIRE_INT64 = 5,    /* sums wrap */
  GRADWIRE_BYTE = 6      /* moved, and never added */
} gradwire_type;

/* The version of the library: "0.1.0". */
GRADWIRE_API const char* gradwire_version(void);

/* Joins a job. Blocks until all ranks have come, or until the time is over. `options` are texts
 * "key=value", and a NULL after the last; NULL for none. What they leave out is read from the
 * environment, as torchrun, mpirun or `gradwire emulate` have set it. On success *job must be
 * finalized; otherwise it is NULL, and gradwire_error_text(NULL) says why. */
GRADWIRE_API int gradwire_init(const char* const* options, gradwire_job** job);

/* The number of this rank, from 0; -1 without a job. */
GRADWIRE_API int gradwire_rank(const gradwire_job* job);
/* The number of ranks; -1 without a job. */
GRADWIRE_API int gradwire_ranks(const gradwire_job* job);

/* Sums the `count` elements of all ranks' buffers, element by element, into all of them. Blocks until
 * this rank has its sums. GRADWIRE_INVALID for a type that cannot be added; count may be 0. The first
 * call with a count and type connects the ranks for them, the next ones reuse that. */
GRADWIRE_API int gradwire_all_reduce(gradwire_job* job, void* buffer, size_t count,
                                     gradwire_type type);
/* Sums as gradwire_all_reduce, but only rank `root` gets the whole sums; other buffers hold parts of
 * sums afterwards. */
GRADWIRE_API int gradwire_reduce(gradwire_job* job, void* buffer, size_t count, gradwire_type type,
                                 int root);
/* Copies the buffer of rank `root` into all others. */
GRADWIRE_API int gradwire_broadcast(gradwire_job* job, void* buffer, size_t count,
                                    gradwire_type type, int root);
/* Copies each rank's part of the `count` elements (gradwire_part) into all buffers. */
GRADWIRE_API int gradwire_all_gather(gradwire_job* job, void* buffer, size_t count,
                                     gradwire_type type);
/* Sums as gradwire_all_reduce, but each rank gets only the sums of its part (gradwire_part); the rest
 * of its buffer holds parts of sums afterwards. */
GRADWIRE_API int gradwire_reduce_scatter(gradwire_job* job, void* buffer, size_t count,
                                         gradwire_type type);
/* Blocks until all ranks have called it. */
GRADWIRE_API int gradwire_barrier(gradwire_job* job);

/* Findings about a job's verified all-reduces, at this rank since it joined. */
typedef struct gradwire_verified {
  size_t sums;       /* all-reduces */
  size_t elements;   /* of all of them together */
  size_t wrong;      /* of these, those that no order of additions gives */
  size_t not_finite; /* of these, NaN or infinite, rightly or not */
} gradwire_verified;

/* Verifies the sums of all-reduces, and stores the findings in *found. With the option verify=K, the
 * first all-reduce and every K-th after it keep their elements of before and after in memory. This call
 * moves those of before to all ranks and compares the sums with a reference in double precision;
 * docs/library.md has the bound. It blocks for that, and all ranks must call it in the same order among
 * their collectives. An all-reduce does it by itself before more than 64 MiB are kept. Without the
 * option, or with a single rank, which sums nothing, all findings are 0. A wrong sum is counted, and is
 * no failure. */
GRADWIRE_API int gradwire_verify(gradwire_job* job, gradwire_verified* found);

/* Sends the `count` elements of a buffer to rank `to`, which receives them. Blocks until the buffer may
 * be used again, which may be only when the other receives. Beside a function that another thread has
 * called, further threads may send and receive, one at a time for each rank and direction; messages
 * and collectives do not wait for each other. The first message to a rank connects the two, the next
 * ones reuse the connection, whatever their counts and types. */
GRADWIRE_API int gradwire_send(gradwire_job* job, const void* buffer, size_t count,
                               gradwire_type type, int to);
/* Receives `count` elements from rank `from`, in the order in which it sends. Blocks until they have
 * arrived. GRADWIRE_FABRIC when the next message has another count or type. Threads as for
 * gradwire_send. */
GRADWIRE_API int gradwire_recv(gradwire_job* job, void* buffer, size_t count, gradwire_type type,
                               int from);

/* Computes the part of `count` elements that belongs to `rank`: *length elements from *first on. Parts
 * follow each other by rank, and differ by one element at most. GRADWIRE_INVALID when `rank` is none. */
GRADWIRE_API int gradwire_part(const gradwire_job* job, int rank, size_t count, size_t* first,
                               size_t* length);

/* Starts gradwire_all_reduce, and returns at once; the buffer must be left alone until it is done.
 * Collectives run in the order in which they were called or started. On success *request must be given
 * to gradwire_wait once. */
GRADWIRE_API int gradwire_start_all_reduce(gradwire_job* job, void* buffer, size_t count,
                                           gradwire_type type, gradwire_request** request);
/* Blocks until a request is done, frees it, and returns its result. */
GRADWIRE_API int gradwire_wait(gradwire_request* request);
/* Whether a request is done: 1, or 0. Never blocks. */
GRADWIRE_API int gradwire_test(const gradwire_request* request);

/* Gives up the job: every call that waits in it ends with GRADWIRE_FABRIC at once, on all ranks, by the
 * fault of this one. Any thread may call it, until gradwire_finalize is called. NULL does nothing. */
GRADWIRE_API void gradwire_abort(gradwire_job* job);

/* The reason why this thread's last failing function of this job failed, in English, without a line
 * break; with NULL, that of this thread's last gradwire_init. Valid until this thread calls the next
 * function of this job; never NULL. */
GRADWIRE_API const char* gradwire_error_text(const gradwire_job* job);
/* The rank at fault when the job has failed; -1 while it has not, and when the rank is unknown. */
GRADWIRE_API int gradwire_failed_rank(const gradwire_job* job);

/* Leaves the job, and frees it. Every request must have been waited for. The others may go on with calls
 * that do not need this rank. Rank 0 holds the ranks together: it blocks until all others have left, for
 * the job's timeout at most. NULL does nothing. */
GRADWIRE_API void gradwire_finalize(gradwire_job* job);

#ifdef __cplusplus
}
#endif

#endif
