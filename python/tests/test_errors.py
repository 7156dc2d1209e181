"""What goes wrong is an exception or a warning, and takes no good row away."""

import os
import pathlib
import stat
import warnings

import hark_analyzer as hark
import pytest


def test_missing_capture(tmp_path):
    with pytest.raises(hark.CaptureError, match="nowhere") as caught:
        list(hark.packets(tmp_path / "nowhere.btsnoop"))
    assert caught.value.code == 1


def test_wrong_filter(session):
    with pytest.raises(hark.UsageError, match="att.opcod") as caught:
        list(hark.packets(session, filter="att.opcod == 1"))
    assert caught.value.code == 64 and isinstance(caught.value, ValueError)


def test_options_are_a_list(session):
    # As a text, each of its letters would be the name of a capture.
    with pytest.raises(TypeError, match="a list"):
        list(hark.packets(session, options="--limit 2"))
    assert len(list(hark.packets(session, options=["--limit", 2]))) == 2
    assert len(list(hark.packets(os.fsencode(session), options=["--limit", "2"]))) == 2


def test_wrong_key_file(session, tmp_path):
    keys = tmp_path / "wrong.harkkeys"
    keys.write_text("nonsense")
    with pytest.raises(hark.CaptureError, match="wrong.harkkeys"):
        list(hark.events(session, keys=keys))


@pytest.mark.parametrize("rows", [hark.packets, hark.events, hark.checks, hark.info])
def test_damaged_capture_gives_what_is_good(rows, session, cut):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        good = list(rows(cut))
    assert [warning.category for warning in caught] == [hark.IncompleteWarning]
    assert "cut.btsnoop" in str(caught[0].message)
    # The line that asked for the rows, and none of the package.
    assert caught[0].filename == __file__
    strict = []
    with pytest.raises(hark.IncompleteError) as error:
        for row in rows(cut, strict=True):
            strict.append(row)
    assert strict == good and error.value.code == 2
    if rows is hark.packets:
        assert len(good) == len(list(rows(session))) - 1


def test_one_of_several_is_missing(session, tmp_path):
    missing = tmp_path / "nowhere.btsnoop"
    with pytest.warns(hark.IncompleteWarning, match="nowhere"):
        checks = list(hark.checks([missing, session]))
    assert [check.status for check in checks] == ["unopened", "complete"]
    assert "nowhere" in checks[0].problem
    with pytest.raises(hark.IncompleteError):
        list(hark.checks([missing, session], strict=True))


def test_names_are_never_options(session, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "--version").write_bytes(session.read_bytes())
    assert len(list(hark.packets("--version"))) == len(list(hark.packets(session)))


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Replaces the program by a script."""

    def replace(script):
        path = tmp_path / "hark"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr("hark_analyzer.process.program", lambda: path)

    return replace


ROW = '{"frame":1,"kind":"acl","length":1}'


def test_crash(stand_in):
    stand_in(f"echo '{ROW}'; kill -SEGV $$")
    rows = hark.packets("any")
    assert next(rows).frame == 1
    with pytest.raises(hark.CrashError) as caught:
        next(rows)
    assert caught.value.code == -11


def test_row_without_end(stand_in):
    stand_in("printf '{\"frame\":1'")
    with pytest.raises(hark.CrashError):
        list(hark.packets("any"))


def test_rows_arrive_while_hark_runs_and_no_process_is_left(stand_in, tmp_path):
    number = tmp_path / "pid"
    stand_in(f"echo $$ > {number}; echo '{ROW}'; exec sleep 600")
    rows = hark.packets("any")
    assert next(rows).frame == 1
    process = pathlib.Path("/proc", number.read_text().strip())
    assert process.exists()
    rows.close()
    assert not process.exists()


def test_much_is_said_beside_rows(stand_in):
    stand_in(f"head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; echo '{ROW}'; exit 2")
    with pytest.warns(hark.IncompleteWarning):
        assert len(list(hark.packets("any"))) == 1


def test_members_of_later_versions_are_kept(stand_in):
    stand_in("""echo '{"frame":1,"kind":"acl","length":1,"of_tomorrow":[1]}'""")
    assert list(hark.packets("any"))[0].members == {"of_tomorrow": [1]}


def test_program_is_executable():
    assert os.access(hark.program(), os.X_OK)


@pytest.mark.parametrize("function", [hark.findings, hark.checks, hark.info, hark.events, hark.packets])
def test_captures_that_cannot_be_opened(function, tmp_path):
    empty = tmp_path / "empty.btsnoop"
    empty.touch()
    for captures in ["nowhere.btsnoop", empty, [empty, "nowhere.btsnoop"]]:
        with pytest.raises(hark.CaptureError):
            list(function(captures))
