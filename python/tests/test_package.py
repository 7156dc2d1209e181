"""What the wheel installs."""

import importlib.metadata
import importlib.resources
import pathlib
import re
import subprocess
import sys

import hark_analyzer as hark
import pytest
from conftest import ROOT


def metadata():
    try:
        return importlib.metadata.distribution("hark-analyzer")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is read from its sources")


def test_program_is_that_of_the_package():
    assert metadata().version == hark.version()
    assert hark.program().is_relative_to(pathlib.Path(hark.__file__).parent)


def test_command():
    metadata()
    command = pathlib.Path(sys.executable).parent / "hark"
    for arguments in ([command], [sys.executable, "-m", "hark_analyzer"]):
        run = subprocess.run([*arguments, "--version"], capture_output=True, text=True, check=True)
        assert run.stdout.split()[-1] == hark.version()


def test_types_are_installed():
    assert importlib.resources.files(hark).joinpath("py.typed").is_file()


def test_tag_fits_a_static_program():
    wheel = metadata().read_text("WHEEL")
    assert "Root-Is-Purelib: false" in wheel
    assert re.search(r"Tag: py3-none-manylinux_2_17_\w+", wheel)
    assert re.search(r"Tag: py3-none-musllinux_1_1_\w+", wheel)


def blocks():
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks())
def test_examples_of_the_documentation(block, monkeypatch, capsys):
    if "hark.frame" in block:
        pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    exec(compile(block, "docs/python.md", "exec"), {})
    assert "Empty DataFrame" not in capsys.readouterr().out
