/// From here on, memory is filled with zeros when it is freed, whoever frees it: libraries leave keys and
/// what they made of them in memory that they give back.
void memory_clear_freed(void);
