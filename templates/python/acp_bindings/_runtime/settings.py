"""Checks of settings that are numbers or functions, by their names."""

from __future__ import annotations

from . import sentences
from .diagnosis.rendering import render


def check_counts(**settings: object) -> None:
    """Raises ValueError for a setting that is no whole number from 1 up."""
    for path, value in settings.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            expected = sentences.count_setting
            raise ValueError(sentences.wrong_setting(path, expected, render(value)))


def check_times(**settings: object) -> None:
    """Raises ValueError for a setting that is no number from 0 up."""
    for path, value in settings.items():
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not value >= 0
        ):
            expected = sentences.time_setting
            raise ValueError(sentences.wrong_setting(path, expected, render(value)))


def check_functions(**settings: object) -> None:
    """Raises TypeError for a setting that is given and cannot be called."""
    for path, value in settings.items():
        if value is not None and not callable(value):
            text = sentences.wrong_setting(path, "a function", render(value))
            raise TypeError(text)
