"""Everything public is documented, and the examples run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import supple

HERE = Path(__file__).parent


def documented() -> list[tuple[str, str]]:
    """Names and texts of everything public: functions, classes, their methods and properties, modules."""
    found = [("supple", supple.__doc__ or "")]
    for name in supple.__all__:
        thing: Any = getattr(supple, name)
        if isinstance(thing, str):
            continue
        found.append((name, inspect.getdoc(thing) or ""))
        if inspect.isclass(thing):
            # Defaults of dataclasses are plain values, and have no text of their own.
            members = [
                (key, value)
                for key, value in vars(thing).items()
                if not key.startswith("_") and (inspect.isroutine(value) or inspect.isdatadescriptor(value))
            ]
            found += [(f"{name}.{key}", inspect.getdoc(value) or "") for key, value in members]
        if isinstance(thing, ModuleType):
            for key in thing.__all__:
                found.append((f"{name}.{key}", inspect.getdoc(getattr(thing, key)) or ""))
    return found


EXAMPLES = [(name, text) for name, text in documented() if ">>>" in text]


# A text of somebody's own file cannot run; all others do.
NEEDS_A_FILE = {"smpl.load"}


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("+SKIP" in text) == (name in NEEDS_A_FILE)
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test)
    assert results.failed == 0 and (results.attempted > 0 or name in NEEDS_A_FILE)


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of its Python, from top to bottom; what comments say is printed, is."""
    monkeypatch.chdir(tmp_path)
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", readme, re.S))
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert re.findall(r"print\(audit\) +# (.*)", readme) == [repr(names["audit"])]
    assert names["pairs"].dtype == "uint32" and len(names["pairs"]) > 0
    assert names["man"].joints[names["hits"].joints[0]] == "spine" and names["hits"].triangles[1] == -1


MODULES = [module.name for module in pkgutil.walk_packages(supple.__path__, "supple.") if module.name != "supple._native"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what is not public: what is public ran above."""
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    public = {f"{name}.{key}" for key in supple.__all__}
    for test in doctest.DocTestFinder().find(module, name):
        if not any(test.name == key or test.name.startswith(f"{key}.") for key in public):
            runner.run(test)
    assert runner.failures == 0


def test_every_function_and_class_has_a_text() -> None:
    ordinary = {"shape", "model", "triangle", "time", "point", "distance", "barycentrics", "triangles", "vertex_count"}
    ordinary |= {"triangle_count", "joint_count", "memory_bytes", "on_surface", "a", "b", "back", "oldest", "newest", "clear"}
    ordinary |= {"skinning", "sphere", "count"}
    missing = [name for name, text in documented() if not text and name.split(".")[-1] not in ordinary]
    assert not missing


def test_every_function_has_an_example() -> None:
    functions = [name for name in supple.__all__ if inspect.isroutine(getattr(supple, name))]
    without = [name for name in functions if ">>>" not in (getattr(supple, name).__doc__ or "")]
    assert without == ["zoo_names"] or not without


def test_types_match_the_compiled_module() -> None:
    """The stub names what is there, no more and no less."""
    stub = ast.parse((Path(supple.__file__).parent / "_native.pyi").read_text())
    told = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    there = {name for name in dir(supple._native) if not name.startswith("__")}
    assert told == there
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            members = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            members = {name for name in members if not name.startswith("_")}
            real = {name for name in vars(getattr(supple._native, node.name)) if not name.startswith("_")}
            assert members == real, node.name
        if isinstance(node, ast.FunctionDef):
            arguments = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
            signature = inspect.signature(getattr(supple._native, node.name))
            assert arguments == list(signature.parameters), node.name


def test_mypy_accepts_the_package_and_a_user() -> None:
    """Strictly, over the package's sources and somebody who uses it."""
    command = [sys.executable, "-m", "mypy", "--strict", str(HERE.parent / "python" / "supple"), str(HERE / "types_of_a_user.py")]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
    assert checked.returncode == 0, checked.stdout
