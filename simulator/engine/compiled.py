"""How kernel functions are compiled: one place for the options.

Reference counting is off: a kernel allocates nothing, and a compile error says so if one tries. Division follows the
hardware, so that no kernel function can raise.
"""

from numba import njit

kernel_function = njit(cache=True, nogil=True, _nrt=False, error_model="numpy")
inlined = njit(cache=True, nogil=True, _nrt=False, error_model="numpy", forceinline=True)
