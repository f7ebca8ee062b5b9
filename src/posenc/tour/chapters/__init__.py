"""One file a chapter: ``page(context)`` yields its blocks in the order of reading."""
