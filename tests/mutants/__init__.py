"""Whether tests catch faults: a sample of small faults, put into a copy of the code one at a time.

mutmut 3 calls what it changes through a trampoline, and so leaves out functions with decorators (all compiled ones,
every property) and all that stands outside of functions; cosmic-ray runs one command for every fault, however few
tests come by it, and draws no sample. What is left is small: operators over the syntax tree (`faults`), a sample of
every layer (`sample`), which tests come by (`reach`), one fault after the other (`trials`), and what it came to
(`table`).
"""
