"""One file a figure: a function of its name that paints it with numbers computed on the spot."""
