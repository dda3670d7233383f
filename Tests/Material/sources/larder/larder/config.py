"""Settings: defaults, then the file larder.ini in the folder, then the environment.

A variable of the environment is the name of the setting in capitals after "LARDER_", such as LARDER_PEOPLE.
"""

import configparser
import os
from dataclasses import dataclass, fields, replace

from .errors import UsageError

NAME = "larder.ini"
SECTION = "larder"


@dataclass(frozen=True)
class Config:
    """All settings with their defaults."""

    people: int = 2
    days: int = 3
    minutes: int = 60
    system: str = "metric"
    tags: str = ""
    without: str = ""
    output: str = "text"
    cache_days: int = 7
    color: bool = True

    def words(self, name):
        """Returns a setting that is a list of words with commas."""
        return frozenset(word.strip().lower() for word in getattr(self, name).split(",") if word.strip())


def load_config(folder, environment=os.environ):
    """Returns the settings of a folder. Raises UsageError for a setting that does not exist or has a bad value."""
    config = Config()
    path = folder / NAME
    if path.exists():
        config = _updated(config, _file_values(path), str(path))
    prefix = "LARDER_"
    given = {key[len(prefix) :].lower(): value for key, value in environment.items() if key.startswith(prefix)}
    return _check(_updated(config, given, "the environment"))


def _file_values(path):
    """Returns the settings of a file as texts."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(path, encoding="utf-8")
    except configparser.Error as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    return dict(parser[SECTION]) if parser.has_section(SECTION) else {}


def _updated(config, values, source):
    """Returns settings with other values, which are texts. `source` is named in errors."""
    types = {field.name: field.type for field in fields(Config)}
    changes = {}
    for key, text in values.items():
        if key not in types:
            raise UsageError(f"{source}: there is no setting '{key}'")
        changes[key] = _value(types[key], key, text, source)
    return replace(config, **changes)


def _value(kind, key, text, source):
    """Returns the value of a text."""
    if kind in (int, "int"):
        if not text.strip().isdigit():
            raise UsageError(f"{source}: {key} must be a whole number, not '{text}'")
        return int(text)
    if kind in (bool, "bool"):
        if text.strip().lower() not in ("yes", "no", "true", "false", "1", "0"):
            raise UsageError(f"{source}: {key} must be yes or no, not '{text}'")
        return text.strip().lower() in ("yes", "true", "1")
    return text.strip()


def _check(config):
    """Returns the settings if all of them make sense."""
    if config.system not in ("metric", "imperial"):
        raise UsageError(f"system must be metric or imperial, not '{config.system}'")
    if config.output not in ("text", "csv", "html", "json"):
        raise UsageError(f"output must be text, csv, html or json, not '{config.output}'")
    for name in ("people", "days"):
        if getattr(config, name) < 1:
            raise UsageError(f"{name} must be at least 1")
    return config
