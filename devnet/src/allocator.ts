// Read by the engine's allocator when it is loaded, so this is imported before it. Each answer is megabytes that are
// free a moment later: handed back to the system at once, as is usual, they cost as much as the calls themselves.
process.env.MIMALLOC_PURGE_DELAY ??= '1000';
