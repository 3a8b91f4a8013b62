"""The plots of a batch, drawn by the worker that closes it. No web process ever imports this package."""

from simulator.plots.batch import PLOT_VERSION, draw_all
from simulator.plots.sheet import PlotDrawing

__all__ = ("PLOT_VERSION", "PlotDrawing", "draw_all")
