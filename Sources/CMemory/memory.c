// For RTLD_NEXT and explicit_bzero.
#define _GNU_SOURCE
#include "cmemory.h"

#if defined(__APPLE__)
// There, free(3) cannot be replaced: only what holds keys itself clears them.
void memory_clear_freed(void) {}
#else
#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

static int clears;

void memory_clear_freed(void) { __atomic_store_n(&clears, 1, __ATOMIC_RELAXED); }

/// Frees a block with the C library, after filling it with zeros if that was asked for.
static void clear_and_free(void *block, void (*next)(void *block)) {
  if (block && __atomic_load_n(&clears, __ATOMIC_RELAXED)) {
    explicit_bzero(block, malloc_usable_size(block));
  }
  next(block);
}

#if defined(HARK_STATIC)
// Linked with --wrap=free: a static program has one free(3), and it cannot be defined twice.
void __real_free(void *block);
void __wrap_free(void *block) { clear_and_free(block, __real_free); }
#elif defined(__GLIBC__)
/// Takes the place of the free(3) that comes after it: the C library's, or that of an allocator that the user
/// has loaded before.
void free(void *block) {
  static void (*next)(void *block);
  void (*known)(void *block) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!known) {
    known = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    __atomic_store_n(&next, known, __ATOMIC_RELAXED);
  }
  clear_and_free(block, known);
}
#endif
#endif
