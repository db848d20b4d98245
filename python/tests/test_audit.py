"""One audit: what it says, what it writes, and how it fails."""

import json
import pathlib
import subprocess

import pytest

import supple
from audit_defaults import DEFAULTS
from optional import asset, command, needed
from supple._audit_options import audit_options


@pytest.fixture(scope="module")
def man():
    return supple.audit("zoo:man", fps=10)


def test_finds_faults_and_says_where(man):
    assert man.faults and man.faults == man.found
    assert [event.class_ for event in man.events][: len(man.faults)] == ["fault"] * len(man.faults)
    fault = man.faults[0]
    assert fault.id and " into " in fault.name and fault.depth > 0 and len(fault.sides) == 2
    worst = man.clips[fault.worst.clip]
    assert worst.name in dict(supple.zoo("man").clips) and fault.worst.frame < worst.frames
    deepest = max(moment.depth for occurrence in fault.occurrences for moment in occurrence.moments)
    assert deepest == fault.depth
    assert man.frames == sum(clip.frames for clip in man.clips)
    assert sum(man.counts.values()) == len(man.events)


def test_a_file_a_model_and_a_shape_are_audited_alike(man, tmp_path):
    shape = supple.zoo("man").shape()
    path = tmp_path / "man.supple"
    path.write_bytes(shape.to_bytes())
    expected = man.to_dict()["files"][0]
    for source in (shape, supple.zoo("man"), path, str(path)):
        found = supple.audit(source, fps=10).to_dict()["files"][0]
        for event in [*found["events"], *expected["events"]]:
            event.pop("command", None)
        assert {**found, "file": ""} == {**expected, "file": ""}


def test_says_clean_only_if_nothing_intersects_and_nothing_is_left_out(man):
    assert not man.is_clean
    assert "clean" not in repr(man) and f"{len(man.faults)} faults in {man.frames} frames of 6 clips" in repr(man)
    # All that intersects is left out: no event, but not clean.
    apart = supple.audit("zoo:man", fps=10, bones_apart=1000)
    assert not apart.events and apart.left_out["near_bones"] > 0
    assert not apart.is_clean and "clean" not in repr(apart) and "left out: near bones in" in repr(apart)
    # A tetrahedron cannot intersect itself.
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    rigid = supple.audit(supple.Model(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    assert rigid.is_clean and repr(rigid) == "Audit of model: clean, nothing intersects in 1 frame of 1 clip"


def test_options_reach_the_audit(man):
    walk = supple.audit("zoo:man", fps=10, clips=["walk"])
    assert [clip.name for clip in walk.clips] == ["walk"]
    assert supple.audit("zoo:man", fps=10, clips=[0]).clips == walk.clips
    assert supple.audit("zoo:man", fps=10, min_depth=1e6).counts["fault"] == 0
    assert supple.audit("zoo:man", fps=10, min_depth="100%").counts["fault"] == 0
    assert supple.audit("zoo:man", fps=10, min_frames=10**6).counts["fault"] == 0
    assert len(supple.audit("zoo:man", fps=10, classes="all").found) == len(man.events)
    assert supple.audit("zoo:man", fps=5, skinning="dual").to_dict()["settings"]["skinning"] != "linear"
    between = [event.sides[0].bones[0] for event in man.faults[:1]] + [event.sides[1].bones[0] for event in man.faults[:1]]
    assert supple.audit("zoo:man", fps=10, bones=[between]).left_out["other_bones"] > 0


def test_hints_are_searched_if_asked_for(man):
    assert all(event.hint is None for event in man.events)
    hinted = supple.audit("zoo:man", fps=5, clips=["random"], hints=True)
    assert hinted.faults and all(event.hint for event in hinted.faults)


def test_json_is_that_of_the_schema(man, tmp_path):
    path = tmp_path / "man.json"
    text = man.to_json(path)
    assert path.read_text(encoding="utf-8") == text
    assert json.loads(text) == man.to_dict()
    jsonschema = needed("jsonschema")
    schema = pathlib.Path(__file__).parents[2] / "docs" / "audit.schema.json"
    jsonschema.validate(man.to_dict(), json.loads(schema.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("source", "words", "options"),
    [
        ("zoo:man", ["--fps", "10"], {"fps": 10}),
        ("zoo:man", ["--clip", "walk", "--fps", "10", "--skinning", "dual", "--class", "all"], {"clips": ["walk"], "fps": 10, "skinning": "dual", "classes": "all"}),
        ("khronos/CesiumMan.glb", ["--hints"], {"hints": True}),
        ("khronos/Fox.glb", ["--min-depth", "1%", "--bones-apart", "2"], {"min_depth": "1%", "bones_apart": 2}),
        ("kaykit/Knight.glb", ["--fps", "2"], {"fps": 2}),
    ],
)
def test_json_is_that_of_the_command(source, words, options, tmp_path):
    name = source if source.startswith("zoo:") else str(asset(source))
    path = tmp_path / "audit.json"
    run = subprocess.run([command(), "audit", name, *words, "--json", path], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    assert supple.audit(name, **options).to_dict() == json.loads(path.read_text(encoding="utf-8"))


def test_pages_are_written_whole(man, tmp_path):
    path = tmp_path / "man.html"
    man.to_html(path)
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")
    assert man.faults[0].name in page and "data:image/png" in page
    assert [file.name for file in tmp_path.iterdir()] == ["man.html"]
    with pytest.raises(FileNotFoundError):
        man.to_html(tmp_path / "nowhere" / "man.html")


def test_progress_is_told_and_can_stop():
    told = []
    supple.audit("zoo:man", fps=5, clips=["walk"], progress=lambda done, frames: told.append((done, frames)))
    assert told[-1][0] == told[-1][1] > 0 and told == sorted(told)
    with pytest.raises(RuntimeError, match="progress stopped the audit after 0 of"):
        supple.audit("zoo:man", fps=30, progress=lambda done, frames: False)

    def fails(done, frames):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        supple.audit("zoo:man", fps=30, progress=fails)


@pytest.mark.parametrize(
    ("argument", "value", "kind"),
    [
        ("fps", 0, ValueError),
        ("fps", float("nan"), ValueError),
        ("fps", "30", TypeError),
        ("fps", True, TypeError),
        ("clips", "walk", TypeError),
        ("clips", [], ValueError),
        ("clips", [1.5], TypeError),
        ("skinning", "cubic", ValueError),
        ("bones", [("a",)], ValueError),
        ("bones", 7, TypeError),
        ("bones_apart", -1, ValueError),
        ("bones_apart", 1.5, TypeError),
        ("between", "body", ValueError),
        ("between", 3, TypeError),
        ("min_depth", "deep", TypeError),
        ("min_depth", "x%", ValueError),
        ("min_depth", -1, ValueError),
        ("min_depth", None, TypeError),
        ("min_frames", 0, ValueError),
        ("classes", "faults", ValueError),
        ("classes", [], ValueError),
        ("classes", 5, TypeError),
        ("hints", 1, TypeError),
        ("progress", 1, TypeError),
    ],
)
def test_mistakes_name_the_argument(argument, value, kind):
    with pytest.raises(kind, match=f"^{argument}: "):
        supple.audit("zoo:man", **{argument: value})


def test_bad_sources_are_told():
    with pytest.raises(TypeError, match="^source: "):
        supple.audit(3)
    with pytest.raises(FileNotFoundError):
        supple.audit("nowhere.glb")
    with pytest.raises(ValueError, match="source: expected zoo:NAME or zoo:NAME:DETAIL"):
        supple.audit("zoo:man:x")
    with pytest.raises(ValueError):
        supple.audit("zoo:unicorn-of-all-things")
    with pytest.raises(ValueError, match="flight"):
        supple.audit("zoo:man", clips=["flight"])
    with pytest.raises(ValueError, match="bones"):
        supple.audit("zoo:man", bones=[("no such bone", "hips")])


def test_equal_options_are_equal_texts():
    plain = audit_options(**DEFAULTS)
    assert audit_options(**{**DEFAULTS, "fps": 30, "bones": [], "classes": "fault", "min_depth": "0.250%"}) == plain
    assert audit_options(**{**DEFAULTS, "bones": ["a:b"]}) == audit_options(**{**DEFAULTS, "bones": [("a", "b")]})
    assert audit_options(**{**DEFAULTS, "min_depth": 0.25}) != plain
    assert json.loads(audit_options(**{**DEFAULTS, "classes": ["layered", "fault"]}))["classes"] == ["fault", "layered"]
