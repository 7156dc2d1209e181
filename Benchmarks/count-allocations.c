// Preloaded in front of glibc's malloc: says at the end how many blocks a process took.
//
//   cc -shared -fPIC -O2 -o count.so count-allocations.c && LD_PRELOAD=./count.so COMMAND
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong blocks;

void *malloc(size_t size) {
  atomic_fetch_add(&blocks, 1);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  atomic_fetch_add(&blocks, 1);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  atomic_fetch_add(&blocks, 1);
  return __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  atomic_fetch_add(&blocks, 1);
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? 12 : 0;
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "blocks %lu\n", atomic_load(&blocks));
}
