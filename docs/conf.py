"""Sphinx configuration; the pages are MyST Markdown."""

from importlib.metadata import version as installed

project = "posenc"
author = "The posenc authors"
copyright = author
version = release = installed("posenc")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"posenc {release}"

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": False}
autodoc_typehints_format = "short"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
