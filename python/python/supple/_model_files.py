"""Which files the user means: those named, and all models in the folders named."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Union

KINDS = (".glb", ".gltf", ".vrm", ".fbx", ".obj", ".supple")
"""Ends of the names of models."""

Path = Union[str, "os.PathLike[str]"]


def model_files(paths: Union[Path, Iterable[Path]]) -> list[str]:
    """Files in the order in which they are named; those of a folder by name, at any depth, as `supple audit` finds them.

    Hidden files and links to folders are passed over. A folder that cannot be read stands for itself: to audit it is an error.

    >>> model_files(["hero.glb", "zoo:man"])
    ['hero.glb', 'zoo:man']
    """
    files: list[str] = []
    if not isinstance(paths, (str, os.PathLike, Iterable)):
        raise TypeError(f"paths: expected paths of files and folders, not {paths!r}")
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"paths: expected paths of files and folders, not {path!r}")
        name = _text(os.fspath(path))
        if not os.path.isdir(name):
            files.append(name)
            continue
        found = _files_in(name)
        if not found:
            raise ValueError(f"paths: no model in the folder {name}, expected {', '.join(KINDS)}")
        files.extend(found)
    return files


def _files_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: os.fsencode(entry.name))
    except OSError:
        return [_text(folder)]
    files: list[str] = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            files.extend(_files_in(entry.path))
        elif entry.name.lower().endswith(KINDS) and entry.is_file():
            files.append(_text(entry.path))
    return files


def _text(name: str) -> str:
    """A name that is no text becomes a file that cannot be read: a row with an error, as in the command."""
    return os.fsencode(name).decode("utf-8", "replace")
