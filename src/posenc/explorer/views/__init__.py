"""What each view of the page is given, a module a view."""
