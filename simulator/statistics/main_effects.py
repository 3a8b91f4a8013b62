"""What each factor does on its own, estimated from a sample of the combinations.

A main-effects model is fitted by weighted least squares. What it leaves is taken for interactions of two factors, those
of any pair being equally likely. They make fitted effects look larger than they are, by as much as residuals and design
say; that is taken off, as the noise of the games is in `variance_shares`.

Source: Searle, S. R., Casella, G. & McCulloch, C. E. 1992. Variance Components. Wiley: chapter 5 (estimating variances
by setting quadratic forms equal to their expectations).
"""

import numpy as np

from simulator.statistics.variance_shares import NOTHING, Combinations, Floats, Forms


def sampled_forms(found: Combinations) -> Forms:
    """The forms of a sample: no total indices, which would need combinations that differ in one factor only."""
    member = found.membership()
    columns, design, coefficients = _fit(found, member)
    left = member - design @ coefficients
    residual = left.T @ (left * found.weights[:, None])
    scatter = _scatter(found, member)
    spread = float((residual * scatter).sum())
    beyond = residual / spread if spread > NOTHING else np.zeros_like(residual)
    first, start = [], 1
    for effects in columns:
        rows = coefficients[start : start + effects.shape[1]]
        form = rows.T @ (effects.T * found.weights) @ effects @ rows
        first.append(form - (form * scatter).sum() * beyond)
        start += effects.shape[1]
    fitted = _by_cell(found, member) @ design @ coefficients
    return Forms(np.sum(first, axis=0) + beyond, tuple(first), None, fitted, beyond)


def _fit(found: Combinations, member: Floats) -> tuple[list[Floats], Floats, Floats]:
    """The columns of each factor’s effects, all of them behind one of ones, and what makes coefficients of means."""
    columns = [_effects(found, factor) for factor in range(found.factors)]
    design = np.hstack([np.ones((len(found.weights), 1)), *columns])
    weighted = design.T * found.weights
    return columns, design, np.linalg.pinv(weighted @ design) @ weighted @ member


def _effects(found: Combinations, factor: int) -> Floats:
    """Columns for the effects of a factor's levels: adding up to nothing where it arises, and nothing elsewhere."""
    arising = found.weights * found.arises[:, factor]
    present = [level for level in np.unique(found.levels[:, factor]) if arising[found.levels[:, factor] == level].sum()]
    marks = [(found.levels[:, factor] == level) * found.arises[:, factor].astype(float) for level in present]
    if len(marks) < 2:
        return np.zeros((len(found.weights), 0))
    last = float(found.weights @ marks[-1])
    return np.stack([mark - float(found.weights @ mark) / last * marks[-1] for mark in marks[:-1]], axis=1)


def _scatter(found: Combinations, member: Floats) -> Floats:
    """Covariances between cells of interactions of two factors, all pairs alike; of independent cells if none are.

    Two combinations have an effect of a factor in common if they share its level, and effects of one sign apart; those
    of a pair of factors multiply.
    """
    kernels = np.array([_kernel(found, factor) for factor in range(found.factors)])
    pairs = kernels.sum(axis=0) ** 2 - (kernels**2).sum(axis=0)
    size = float(found.weights @ np.diag(pairs))
    if size <= NOTHING:
        return np.eye(member.shape[1])
    average = _by_cell(found, member)
    return np.asarray(average @ pairs @ average.T / size)


def _kernel(found: Combinations, factor: int) -> Floats:
    """Covariances between combinations of a random main effect whose variance is 1 where the factor arises."""
    arises, levels = found.arises[:, factor], found.levels[:, factor]
    arising = found.weights * arises
    present = np.unique(levels[arising > 0])
    if len(present) < 2:
        return np.zeros((len(levels),) * 2)
    mass = np.array([max(arising[levels == level].sum(), NOTHING) for level in levels])
    rare = np.where(arises, arising.sum() / mass, 0.0)
    alike = (levels[:, None] == levels) * rare
    return np.asarray((alike - 1) * np.outer(arises, arises) / (len(present) - 1))


def _by_cell(found: Combinations, member: Floats) -> Floats:
    """What averages the combinations of each cell, float64[cells, k]."""
    return np.asarray((member.T * found.weights) / (member.T @ found.weights)[:, None])
