"""What each encoding should give, from its formula alone, in 60 digits.

Nothing here imports the library that these numbers judge, nor NumPy: the formulas are written a
second time, in the plainest form, so that a mistake would have to be made twice.
"""
