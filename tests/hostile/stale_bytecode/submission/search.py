"""Nothing here; the cache beside it holds a whole search."""
