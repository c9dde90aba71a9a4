"""The examples of docs/python.md run, one after the other, as they stand there."""

import os
import pathlib
import re

import pytest

DOCS = os.environ.get("CLC_DOCS")


@pytest.mark.skipif(DOCS is None or "OCL_ICD_VENDORS" not in os.environ, reason="no driver")
def test_the_page_s_examples_run():
    page = pathlib.Path(DOCS, "python.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 5
    names = {}
    for example in examples:
        exec(compile(example, "docs/python.md", "exec"), names)
