"""Answers of one form that several pages give beside themselves: a drawing, and how far a batch is."""

from django.http import HttpResponse, JsonResponse

from catalogue.comparisons.service import Progress as ComparisonProgress
from simulator.batches.service import Progress

A_DAY = 86_400


def drawing(svg: str) -> HttpResponse:
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    return response


def progress_answer(progress: Progress | ComparisonProgress, state: str) -> JsonResponse:
    """What the page's own script asks for every second."""
    numbers = {name: getattr(progress, name) for name in ("games", "games_done", "percent")}
    return JsonResponse({"state": state, **numbers}, headers={"Cache-Control": "no-store"})
