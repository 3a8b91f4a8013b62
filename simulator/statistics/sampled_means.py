"""What the sampled combinations with one answer come to: their own mean, with the chance of the sample in its interval.

No model is fitted, so that a mean of shares is a share. The combinations of a balanced sample are taken for drawn at
random, which makes intervals too wide rather than too narrow: the balance takes out part of what other answers do.

Source: Cochran, W. G. 1977. Sampling Techniques. 3rd ed. Wiley: sections 2.11 and 6.4 (the mean of a part of a sample).
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from simulator.statistics.intervals import Interval, Z
from simulator.statistics.variance_shares import Floats


def sampled_mean(weights: Sequence[float] | Floats, means: Sequence[float], errors: Sequence[float]) -> Interval:
    """The weighted mean of some of the cells of a sample.

    weights: of the cells, of any sum, 0 for those without the answer
    means:   of all cells; errors: their squared standard errors
    The squares of what cells lie beside the mean hold the noise of their games; where they come to less than that, the
    noise stands. One cell alone says nothing of what others would be: it is taken to scatter as all cells do.
    """
    part, measured = np.asarray(weights, dtype=float), np.asarray(means, dtype=float)
    part = part / part.sum()
    value, noise = float(part @ measured), float(part**2 @ np.asarray(errors, dtype=float))
    number = int((part > 0).sum())
    if number > 1:
        scatter = float(part**2 @ (measured - value) ** 2) * number / (number - 1)
    else:
        scatter = float(measured.var(ddof=1)) if len(measured) > 1 else 0.0
    return Interval.around(value, Z * sqrt(max(scatter, noise)))
