// Import this before the engine: its allocator reads the setting when it is loaded. Each response is megabytes that are
// freed a moment later. Returning them to the system at once, the default, would cost as much as the calls themselves.
process.env.MIMALLOC_PURGE_DELAY ??= '1000';
