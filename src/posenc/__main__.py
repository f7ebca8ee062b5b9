"""``python -m posenc`` is the same as ``posenc``."""

from posenc.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
