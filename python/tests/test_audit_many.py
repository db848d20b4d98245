"""Audits of many files: the same rows on every engine, nothing lost when workers die, nothing done twice."""

import gc
import gzip
import importlib
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import supple
from audit_defaults import DEFAULTS
from optional import asset, needed
from supple import _units
from supple._audit_options import audit_options
from supple._file_row import EventRow, FileRow
from supple._report import COLUMNS
from supple._results import Results, key_of

ENGINES = ["local", "ray", "dask"]

# 6 files of which one has 17 units, one has 2, and the others have one.
SPAN = 60
FPS = 5


@pytest.fixture(scope="module")
def ray_cluster():
    ray = needed("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def dask_client():
    distributed = needed("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def engine(request):
    """An engine with two workers that runs already, by its name."""
    if request.param == "ray":
        request.getfixturevalue("ray_cluster")
    if request.param == "dask":
        return request.getfixturevalue("dask_client")
    return request.param


every_engine = pytest.mark.parametrize("engine", ENGINES, indirect=True)


def save(path, model):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.shape().to_bytes())


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Good files, copies and broken ones."""
    folder = tmp_path_factory.mktemp("library")
    save(folder / "man.supple", supple.zoo("man"))
    save(folder / "deep" / "down" / "dwarf.supple", supple.zoo("dwarf"))
    shutil.copy(folder / "man.supple", folder / "copy of 'man'.supple")
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    (folder / "tetrahedron.OBJ").write_text(corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (folder / "broken.glb").write_bytes(b"glTF\x02\0\0\0")
    (folder / "empty.glb").write_bytes(b"")
    (folder / "readme.txt").write_text("no model")
    (folder / ".hidden.glb").write_bytes(b"")
    return folder


FILES = [
    "broken.glb",
    "copy of 'man'.supple",
    "deep/down/dwarf.supple",
    "empty.glb",
    "man.supple",
    "tetrahedron.OBJ",
]


@pytest.fixture(scope="module")
def expected(library):
    """Rows of all files, audited on threads of this process."""
    with ThreadPoolExecutor(2) as pool:
        return supple.audit_many([library, "zoo:man", "nowhere.glb"], engine=pool, span=SPAN, fps=FPS)


def parts_in(results):
    return list(pathlib.Path(results).glob("*/*.parts/*.gz"))


def wait_for(condition, seconds=60.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.01)


def test_rows_are_those_of_single_audits(library, expected):
    assert [row.file for row in expected] == [str(library / name) for name in FILES] + ["zoo:man", "nowhere.glb"]
    assert [row.status for row in expected] == ["error", "faulty", "faulty", "error", "faulty", "clean", "faulty", "error"]
    for row in expected:
        if row.error is None:
            alone = supple.audit(row.file, fps=FPS)
            assert row.audit() == alone
            assert row.counts == alone.counts and row.frames == alone.frames and row.clips == len(alone.clips)
            assert [event.id for event in row.events] == [event.id for event in alone.faults]
            assert row.events[0].worst_clip == alone.clips[alone.faults[0].worst.clip].name if row.events else True
    assert not expected.is_clean and len(expected.failed) == 3 and len(expected.faulty) == 4
    assert "3 files could not be audited" in repr(expected) and "1 clean" in repr(expected)
    assert "not audited" in repr(expected.rows[0])


@every_engine
def test_engines_give_identical_rows(engine, library, expected, tmp_path):
    audits = supple.audit_many(
        [library, "zoo:man", "nowhere.glb"], engine=engine, workers=2, results=tmp_path / "results", span=SPAN, fps=FPS
    )
    assert audits.rows == expected.rows
    assert [row.audit() for row in audits if row.error is None] == [row.audit() for row in expected if row.error is None]
    assert not parts_in(tmp_path / "results")
    assert not list((tmp_path / "results").rglob("*.tmp"))


def test_spans_and_workers_change_nothing(library, expected):
    one = supple.audit_many([library, "zoo:man", "nowhere.glb"], workers=1, span=10**6, fps=FPS)
    assert one.rows == expected.rows


def children():
    """Processes of this one; those of Dask's cluster are among them."""
    return {process.pid for process in multiprocessing.active_children()}


def victims(engine, others):
    """Processes that work for an engine."""
    if engine == "local":
        return list(children() - others)
    if engine == "ray":
        below = needed("psutil").Process().children(recursive=True)
        return [process.pid for process in below if process.name().startswith("ray::_call")]
    return list(engine.run(os.getpid).values())


@every_engine
def test_a_worker_that_is_killed_loses_nothing(engine, tmp_path):
    """Its units are done again, and no others."""
    results = tmp_path / "results"
    others, killed = children(), []

    def kill():
        wait_for(lambda: len(parts_in(results)) >= 3)
        pids = victims(engine, others)
        os.kill(pids[0], signal.SIGKILL)
        killed.append(pids[0])

    killer = threading.Thread(target=kill)
    killer.start()
    audits = supple.audit_many(["zoo:man"], engine=engine, workers=2, results=results, span=40, fps=60)
    killer.join()
    assert killed and not audits.failed
    units = -(-audits.frames // 40)
    assert audits.units + audits.units_kept >= units > 20
    # A part that was written just before its worker died is found.
    assert audits.units_kept <= 2
    assert audits.rows[0].audit() == supple.audit("zoo:man", fps=60)


def test_a_file_that_kills_every_worker_is_a_row(library, tmp_path, monkeypatch):
    """The others are done, and nobody else is blamed."""
    deaths = tmp_path / "deaths"
    deaths.mkdir()
    monkeypatch.setenv("SUPPLE_TEST_DEATHS", str(deaths))
    # In the workers a module of that name runs before anything else.
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import os, uuid\n"
        "import supple._native as native\n"
        "load = native.load\n"
        "def deadly(path, **more):\n"
        "    if 'tetrahedron' in str(path):\n"
        "        open(os.path.join(os.environ['SUPPLE_TEST_DEATHS'], uuid.uuid4().hex), 'w').close()\n"
        "        os._exit(9)\n"
        "    return load(path, **more)\n"
        "native.load = deadly\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(site))
    audits = supple.audit_many(library, workers=2, span=SPAN, fps=FPS)
    assert len(list(deaths.iterdir())) == 3
    by_name = {os.path.basename(row.file): row for row in audits}
    assert "the worker died" in by_name["tetrahedron.OBJ"].error
    assert sorted(row.status for row in audits) == ["error", "error", "error", "faulty", "faulty", "faulty"]


INTERRUPTED = """
import sys, supple
if __name__ == "__main__":
    supple.audit_many(["zoo:man", "zoo:dwarf"], workers=2, results=sys.argv[1], span=40, fps=60)
"""


def test_an_interrupted_run_goes_on(tmp_path):
    results = tmp_path / "results"
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    run = subprocess.Popen([sys.executable, script, results], start_new_session=True)
    wait_for(lambda: len(parts_in(results)) >= 5)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    kept = len(parts_in(results)) + len(list(results.glob("*/*.json.gz")))
    audits = supple.audit_many(["zoo:man", "zoo:dwarf"], workers=2, results=results, span=40, fps=60)
    assert audits.units_kept == kept and not audits.failed
    assert audits.units == sum(-(-row.frames // 40) for row in audits) - kept
    again = supple.audit_many(["zoo:man", "zoo:dwarf"], workers=1, results=results, span=7, fps=60)
    assert (again.units, again.units_kept) == (0, 2) and again.rows == audits.rows


def test_workers_end_with_the_process_that_started_them(tmp_path):
    psutil = needed("psutil")
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    run = subprocess.Popen([sys.executable, script, tmp_path / "results"])
    wait_for(lambda: len(parts_in(tmp_path / "results")) >= 1)
    children = psutil.Process(run.pid).children(recursive=True)
    run.kill()
    run.wait()
    assert len(children) >= 2
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


def test_a_stream_gives_rows_as_they_are_done_and_can_be_left(library):
    others = children()
    stream = supple.audit_stream([library / "tetrahedron.OBJ", "zoo:man", "zoo:dwarf"], workers=2, span=20, fps=60)
    assert next(stream).status == "clean"
    assert len(children() - others) == 2
    stream.close()
    wait_for(lambda: not children() - others)


def test_what_is_damaged_is_done_again(tmp_path):
    results = tmp_path / "results"
    first = supple.audit_many("zoo:man", workers=1, results=results, fps=FPS)
    assert (first.units, first.units_kept) == (1, 0)
    (result,) = results.glob("*/*.json.gz")
    good = result.read_bytes()
    damaged = bytearray(good)
    damaged[len(good) // 2] ^= 0xFF
    for bad in (good[:-100], b"", bytes(damaged), b"something else", gzip.compress(b"[]"), gzip.compress(b"{")):
        result.write_bytes(bad)
        with ThreadPoolExecutor(1) as pool:
            again = supple.audit_many("zoo:man", engine=pool, results=results, fps=FPS)
        assert (again.units, again.units_kept) == (1, 0) and again.rows == first.rows
        assert result.read_bytes() == good


def test_a_damaged_part_is_done_again(tmp_path):
    results = Results(str(tmp_path / "results"))
    results.create()
    options = audit_options(**dict(DEFAULTS, fps=FPS))
    job = _units.Job(str(results.folder), options, SPAN, None)
    planned = _units.plan(job, "zoo:man")
    assert isinstance(planned, _units.Plan)
    for spans in planned.units:
        assert _units.part(job, "zoo:man", planned.key, spans) == _units.PartDone(was_kept=False)
    assert _units.part(job, "zoo:man", planned.key, planned.units[0]) == _units.PartDone(was_kept=True)
    parts = parts_in(results.folder)
    parts[0].write_bytes(parts[0].read_bytes()[:-9])
    missing = _units.finish(job, "zoo:man", planned.key, planned.units)
    assert isinstance(missing, _units.Plan) and len(missing.units) == 1
    _units.part(job, "zoo:man", planned.key, missing.units[0])
    row = _units.finish(job, "zoo:man", planned.key, planned.units)
    assert isinstance(row, FileRow) and row.counts == supple.audit("zoo:man", fps=FPS).counts
    assert _units.part(job, "zoo:man", "0" * 64, planned.units[0]).error == "zoo:man was changed while it was audited"


def test_results_belong_to_contents_and_options(library, tmp_path):
    results = tmp_path / "results"
    with ThreadPoolExecutor(1) as pool:

        def audit(path, **options):
            return supple.audit_many(path, engine=pool, results=results, **{"fps": FPS, **options})

        assert audit(library / "man.supple").units == 1
        elsewhere = tmp_path / "it's another name.supple"
        shutil.copy(library / "man.supple", elsewhere)
        renamed = audit(elsewhere)
        assert renamed.units == 0 and renamed.rows[0].file == str(elsewhere)
        assert renamed.rows[0].audit() == supple.audit(elsewhere, fps=FPS)
        assert audit(elsewhere, fps=FPS + 1).units == 1
        assert audit(elsewhere, min_depth="1%").units == 1
        assert audit(elsewhere, classes="all").units == 1
        save(elsewhere, supple.zoo("dwarf"))
        assert audit(elsewhere).units == 1
    assert key_of("zoo:man", "{}") != key_of("zoo:dwarf", "{}")


def test_files_that_a_file_names_belong_to_it(tmp_path):
    fox = supple.audit(asset("khronos/Fox.glb"))
    assert fox.counts["fault"] == 0 and fox.counts["crease"] > 0 and not fox.is_clean
    path = tmp_path / "triangle.gltf"
    corners = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    path.write_text(json.dumps(TRIANGLE))
    (tmp_path / "triangle.bin").write_bytes(struct.pack("<9f", *corners))
    before = key_of(str(path), "{}")
    corners[0] = -1
    (tmp_path / "triangle.bin").write_bytes(struct.pack("<9f", *corners))
    assert key_of(str(path), "{}") != before


TRIANGLE = {
    "asset": {"version": "2.0"},
    "buffers": [{"uri": "triangle.bin", "byteLength": 36}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, 0, 0], "max": [1, 1, 0]}
    ],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "nodes": [{"mesh": 0}],
    "scenes": [{"nodes": [0]}],
    "scene": 0,
}


def test_textures_may_be_missing(tmp_path):
    path = tmp_path / "triangle.gltf"
    images = [{"uri": "missing.png"}, {"uri": "http://nowhere.example/skin.png"}]
    path.write_text(json.dumps({**TRIANGLE, "images": images, "extras": {"uri": "see the manual"}}))
    (tmp_path / "triangle.bin").write_bytes(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
    with ThreadPoolExecutor(1) as pool:
        (row,) = supple.audit_many(path, engine=pool)
        assert row.error is None and row.audit() == supple.audit(path)
        (tmp_path / "triangle.bin").unlink()
        (row,) = supple.audit_many(path, engine=pool)
        assert "triangle.bin" in row.error


def test_relative_paths_are_those_of_the_caller(dask_client, library, tmp_path, monkeypatch):
    """Workers of a cluster have the folder in which it was started."""
    monkeypatch.chdir(library)
    (row, missing) = supple.audit_many(["tetrahedron.OBJ", "nowhere.glb"], engine=dask_client)
    assert row.status == "clean" and row.file == "tetrahedron.OBJ" and row.audit().file == "tetrahedron.OBJ"
    assert missing.error == "[Errno 2] No such file or directory: 'nowhere.glb'"


def test_long_names_have_pages(library, tmp_path):
    path = tmp_path / ("\u6f22" * 70 + ".OBJ")
    shutil.copy(library / "tetrahedron.OBJ", path)
    with ThreadPoolExecutor(1) as pool:
        (row,) = supple.audit_many(path, engine=pool, pages=tmp_path / "pages")
    assert row.error is None and os.path.exists(row.page)


def test_a_folder_that_is_gone_is_not_made_again(tmp_path):
    results = Results(str(tmp_path / "results"))
    results.create()
    shutil.rmtree(results.folder)
    with pytest.raises(RuntimeError, match="does not see the folder of results"):
        results.write_part("0" * 64, [(0, 0, 1)], b"part")
    assert not results.folder.exists()


def test_a_folder_in_which_a_run_was_killed_as_it_began_is_taken(tmp_path):
    (tmp_path / ".supple-results.json.0123456789ab.tmp").write_text("{")
    Results(str(tmp_path)).create()
    Results(str(tmp_path)).check()


def test_a_client_that_is_closed_is_refused(dask_client):
    client = importlib.import_module("distributed").Client(dask_client.scheduler.address, set_as_default=False)
    client.close()
    with pytest.raises(ValueError, match="^engine: expected a client that is connected"):
        supple.audit_many("zoo:chair", engine=client)


def test_without_a_folder_results_live_as_long_as_rows():
    with ThreadPoolExecutor(1) as pool:
        audits = supple.audit_many("zoo:man", engine=pool, fps=2)
    folder = audits.rows[0].results.folder
    assert audits.rows[0].audit().frames == audits.frames and folder.exists()
    del audits
    gc.collect()
    assert not folder.exists()


def test_pages_are_written_for_every_file(library, tmp_path):
    with ThreadPoolExecutor(1) as pool:
        options = dict(engine=pool, results=tmp_path / "results", fps=2, html=tmp_path / "all.html")
        without = supple.audit_many(library, **options)
        assert without.rows[1].page is None
        with_pages = supple.audit_many(library, pages=tmp_path / "pages", **options)
        pages = [row.page for row in with_pages if row.page]
        assert len(set(pages)) == 4 and all("<title>" in pathlib.Path(page).read_text() for page in pages)
        assert all(f"pages/{os.path.basename(page)}" in (tmp_path / "all.html").read_text() for page in pages)
        assert supple.audit_many(library, pages=tmp_path / "pages", **options).units == 0


def test_reports_have_every_file(expected, tmp_path):
    expected.to_report(tmp_path / "audits.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "audits.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(list(line) == list(COLUMNS) for line in lines)
    assert list(dict.fromkeys(line["file"] for line in lines)) == [row.file for row in expected]
    assert sum(line["class"] is not None for line in lines) == sum(len(row.events) for row in expected)
    assert [line["error"] for line in lines if line["status"] == "error"] == [row.error for row in expected.failed]
    needed("pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    expected.to_report(tmp_path / "audits.parquet")
    assert parquet.read_table(tmp_path / "audits.parquet").to_pylist() == lines
    assert sorted(file.name for file in tmp_path.iterdir()) == ["audits.jsonl", "audits.parquet"]


def test_columns_are_documented():
    text = (pathlib.Path(__file__).parents[1] / "docs" / "audits.md").read_text(encoding="utf-8")
    named = {name for row in re.findall(r"^\| (`file`.*?|`[a-z_]+`.*?) \|", text, re.M) for name in re.findall(r"`([a-z_]+)`", row)}
    assert set(COLUMNS) <= named


def test_the_page_is_one_file_and_escapes_all(tmp_path):
    evil = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u2028 <!--DATA-->"
    event = EventRow("fault", evil, evil, 1.0, 0.1, 2.0, 3, 0.1, 0.5, (evil,), evil, 0, 1, evil)
    counts = {"fault": 1}
    rows = [FileRow(evil, None, "0", 1, 1.0, 1, 1, counts, {}, (evil,), (event,)), FileRow(evil, error=evil)]
    supple.AuditMany(rows).to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<script") == 2 and page.count("</script>") == 2 and "<img" not in page
    assert "http:" not in page and "https:" not in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
    assert [file[0] for file in data["files"]] == [evil, evil] and data["files"][0][1] == "error"
    assert "1 file could not be audited." in page and "1 fault in 1 file." in page


def test_the_page_of_many_files_stays_small(tmp_path):
    event = EventRow("fault", "a/b", "a into b", 1.0, 0.1, 2.0, 3, 0.1, 0.5, ("walk",), "walk", 0, 1, None)
    rows = [
        FileRow(f"library/{index:06}.glb", None, "0", 1, 1.0, 1, 100, {"fault": index % 3}, {}, (), (event,) * (index % 3))
        for index in range(30_000)
    ]
    supple.AuditMany(rows).to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
    # Those that are left out are the ones with nothing to see; the sums are of all.
    assert len(data["files"]) == 20_000 and data["more"] == 10_000
    assert all(file[1] == "faulty" for file in data["files"]) and "<b>30,000</b><span>faults" in page
    assert len(page) < 5_000_000


def test_a_clean_library_is_called_clean_only_if_it_is(library, expected, tmp_path):
    clean = supple.AuditMany([row for row in expected if row.status == "clean"])
    clean.to_html(tmp_path / "clean.html")
    assert clean.is_clean and "Nothing intersects in any frame." in (tmp_path / "clean.html").read_text(encoding="utf-8")
    passed = FileRow("a.glb", None, "0", 1, 1.0, 1, 1, {"fault": 0, "crease": 1})
    assert passed.status == "passed"
    supple.AuditMany([*clean, passed]).to_html(tmp_path / "passed.html")
    assert "Nothing intersects" not in (tmp_path / "passed.html").read_text(encoding="utf-8").split("<section>")[0]
    assert FileRow("a.glb", None, "0", 1, 1.0, 1, 1, {"fault": 0}, {"near_bones": 2}).status == "passed"


def test_units_have_the_size_that_was_asked_for():
    frames = [10, 250, 30, 0, 1]
    for span in (1, 7, 100, 291, 1000):
        units = _units.units_of(frames, span)
        sizes = [sum(end - first for _, first, end in unit) for unit in units]
        assert sizes[:-1] == [span] * (len(units) - 1) and 0 < sizes[-1] <= span
        looked = sorted((clip, frame) for unit in units for clip, first, end in unit for frame in range(first, end))
        assert looked == [(clip, frame) for clip, count in enumerate(frames) for frame in range(count)]


@pytest.mark.parametrize(("name", "module"), [("ray", "ray"), ("dask", "distributed")])
def test_a_missing_engine_names_what_to_install(name, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=re.escape(f"supple[{name}]")):
        supple.audit_many("zoo:man", engine=name)


def test_missing_parquet_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=re.escape("supple[parquet]")):
        supple.audit_many("zoo:man", report="audits.parquet")


@pytest.mark.parametrize(
    ("argument", "value", "kind"),
    [
        ("engine", "cloud", ValueError),
        ("engine", 3, TypeError),
        ("workers", 0, ValueError),
        ("workers", 1.5, TypeError),
        ("span", 0, ValueError),
        ("span", "600", TypeError),
        ("report", "audits.csv", ValueError),
        ("report", 3, TypeError),
        ("report", "nowhere/audits.jsonl", FileNotFoundError),
        ("html", "nowhere/audits.html", FileNotFoundError),
        ("html", 3, TypeError),
        ("html", "/", PermissionError),
        ("progress", 3, TypeError),
        ("fps", -1, ValueError),
    ],
)
def test_mistakes_name_the_argument(argument, value, kind):
    with pytest.raises(kind, match=f"^{argument}: "):
        supple.audit_many("zoo:man", **{argument: value})


def test_mistakes_of_paths_and_folders_are_told(tmp_path):
    for wrong in ([3], 3, supple.zoo("man")):
        with pytest.raises(TypeError, match="^paths: "):
            supple.audit_many(wrong)
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(ValueError, match="^paths: no model in the folder"):
        supple.audit_stream(tmp_path)
    with pytest.raises(ValueError, match="^results: "):
        supple.audit_many("zoo:man", results=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["note.txt"]


def test_a_script_without_a_guard_is_told_what_is_missing(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import supple\nsupple.audit_many('zoo:man', workers=1)\n")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert run.stderr.rstrip().endswith('the call belongs below `if __name__ == "__main__":`')


def test_nothing_is_not_clean():
    none = supple.audit_many([])
    assert not none.is_clean and repr(none) == "Audits of no files: nothing was looked at"
    missing = supple.audit_many("nowhere.glb")
    assert repr(missing) == "Audits of 1 file: 1 file could not be audited; nothing was looked at"


def test_progress_counts_files(library):
    told = []
    with ThreadPoolExecutor(2) as pool:
        supple.audit_many(library, engine=pool, fps=2, progress=lambda done, files: told.append((done, files)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_workers_that_do_not_share_the_folder_say_so(tmp_path):
    job = _units.Job(str(tmp_path / "not shared"), "{}", 600, None)
    assert "must be on storage that all of them share" in _units.plan(job, "zoo:man").error
