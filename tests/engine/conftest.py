"""Compiled kernels are kept where the engine keeps them, also when a test imports a kernel module first."""

from simulator.engine import kernel_cache

kernel_cache.prepare()
