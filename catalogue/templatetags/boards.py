"""The board of a ruleset where a page lists rulesets."""

from django import template

from catalogue.play import start_boards

register = template.Library()
register.filter("start_board", start_boards.start_board)
